/**
 * Decides which URLs and IP addresses a webhook may go to: public ones, unless the server allows others (D-37). It
 * resolves no names.
 */

import { BlockList, isIP } from 'node:net';

/**
 * D-37: the networks that IANA's registries of special-purpose addresses (RFC 6890) list as not globally reachable, deprecated ones
 * and multicast included.
 */
const nonPublic = networks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Protocol assignments with Teredo, benchmarking and ORCHID; documentation.
  ...['2001::/23', '2001:db8::/32', '3fff::/20'],
);
/** Smaller networks within these that are globally reachable. */
const reachable = networks(
  ...['192.0.0.9/32', '192.0.0.10/32', '2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:3::/32'],
  ...['2001:4:112::/48', '2001:20::/28', '2001:30::/28'],
);
/** IANA assigns public IPv6 addresses only from this network. */
const globalUnicast = networks('2000::/3');

function networks(...prefixes: readonly string[]): BlockList {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [network = '', bits] = prefix.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** IPv6 networks whose addresses reach an IPv4 address, and the index of the 16-bit group at which it starts. */
const ipv4Embeddings = [
  // IPv4-mapped, NAT64 and 6to4.
  { holder: networks('::ffff:0:0/96'), group: 6 },
  { holder: networks('64:ff9b::/96'), group: 6 },
  { holder: networks('2002::/16'), group: 1 },
];

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
  if (family === 4) return isListed(address, 'ipv4');
  const plain = address.replace(/%.*$/, '');
  const held = embeddedIpv4(plain);
  if (held !== undefined) return isListed(held, 'ipv4');
  return !globalUnicast.check(plain, 'ipv6') || isListed(plain, 'ipv6');
}

function isListed(address: string, family: 'ipv4' | 'ipv6'): boolean {
  return nonPublic.check(address, family) && !reachable.check(address, family);
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
  return inside ? 'is not at an address that the public internet reaches' : null;
}
