/**
 * Decides which URLs and IP addresses a webhook may go to: public ones, unless the server allows others (D-37). It
 * resolves no names.
 */

import { BlockList, isIP } from 'node:net';

/** D-37: networks that are not public: private, loopback, link-local and reserved ones. */
const nonPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  nonPublic.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  // NAT64 with a prefix of local use.
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  nonPublic.addSubnet(network, bits, 'ipv6');
}

/** IPv6 networks whose addresses embed an IPv4 address, and the index of the 16-bit group at which it starts. */
const ipv4Embeddings = (
  [
    ['::', 96, 6],
    ['::ffff:0:0', 96, 6],
    // NAT64 and 6to4.
    ['64:ff9b::', 96, 6],
    ['2002::', 16, 1],
  ] as const
).map(([network, bits, group]) => {
  const holder = new BlockList();
  holder.addSubnet(network, bits, 'ipv6');
  return { holder, group };
});

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // The URL parser writes an address in its shortest form, without dots.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address that an IPv6 address embeds; undefined without one. */
function embeddedIpv4(address: string): string | undefined {
  const group = ipv4Embeddings.find(({ holder }) => holder.check(address, 'ipv6'))?.group;
  if (group === undefined) return undefined;
  const [high = 0, low = 0] = groupsOf(address).slice(group);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Whether an IP address is not public. Throws a RangeError for a text that is no IP address. */
export function isNonPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) throw new RangeError(`${address} is no IP address`);
  if (family === 4) return nonPublic.check(address, 'ipv4');
  const plain = address.replace(/%.*$/, '');
  const held = embeddedIpv4(plain);
  return nonPublic.check(plain, 'ipv6') || (held !== undefined && nonPublic.check(held, 'ipv4'));
}

/** The host of a URL, without the brackets of IPv6 and without a trailing dot. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** Names that multicast DNS resolves on the local link. */
function isLinkLocalName(host: string): boolean {
  return host === 'local' || host.endsWith('.local');
}

/**
 * D-37: the reason why a webhook may not go to this URL, or null. HTTPS to a public host is always allowed; other
 * addresses, and plain HTTP to loopback, only if the server allows them. A name can come to resolve to a private
 * address at any time, so the request checks that again.
 */
export function webhookUrlFault(url: string, allowLoopback: boolean): string | null {
  if (!URL.canParse(url)) return 'is not a URL';
  const parsed = new URL(url);
  const host = hostOf(parsed);
  if (parsed.protocol !== 'https:' && !(allowLoopback && parsed.protocol === 'http:' && isLoopback(host))) {
    return 'must be https';
  }
  if (parsed.username !== '' || parsed.password !== '') return 'must carry neither user nor password';
  if (allowLoopback) return null;
  const inside = isLoopback(host) || isLinkLocalName(host) || (isIP(host) !== 0 && isNonPublicAddress(host));
  return inside ? 'is a private, loopback or link-local address' : null;
}
