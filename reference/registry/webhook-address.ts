import { BlockList, isIP } from 'node:net';

/** D-37: addresses at which only the operator's own network is met. */
const closed = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  closed.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  closed.addSubnet(network, bits, 'ipv6');
}

/** The IPv4 address inside `::ffff:a.b.c.d`, however it is written; undefined for any other address. */
function mappedIpv4(address: string): string | undefined {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (groups === null) return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const word = Number.parseInt(groups[1] as string, 16) * 0x1_0000 + Number.parseInt(groups[2] as string, 16);
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff).join('.');
}

/** Whether an IP address is private, loopback, link-local or unspecified. RangeError for a text that is none. */
export function isClosedAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) throw new RangeError(`${address} is no IP address`);
  if (family === 4) return closed.check(address, 'ipv4');
  const mapped = mappedIpv4(address);
  return mapped === undefined ? closed.check(address, 'ipv6') : closed.check(mapped, 'ipv4');
}

/** The host of a URL as an address or a name, without the brackets of IPv6 and the dot that may end a name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/**
 * D-37: why a webhook may not go to this URL, or null. HTTPS to a public host always may; other addresses, and plain
 * HTTP to loopback, only where the server allows it. A name that resolves to such an address is for the deliverer to
 * catch: it can change at any time.
 */
export function refuseAddress(url: string, allowLoopback: boolean): string | null {
  if (!URL.canParse(url)) return 'is not a URL';
  const parsed = new URL(url);
  const host = hostOf(parsed);
  if (parsed.protocol !== 'https:' && !(allowLoopback && parsed.protocol === 'http:' && isLoopback(host))) {
    return 'must be https';
  }
  if (allowLoopback) return null;
  const inside = isLoopback(host) || (isIP(host) !== 0 && isClosedAddress(host));
  return inside ? 'is a private, loopback or link-local address' : null;
}
