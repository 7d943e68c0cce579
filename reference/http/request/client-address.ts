/**
 * The address that a client counts by: one text for each address, however it is written. Which buckets it counts in is in
 * buckets.ts.
 */

import { isIPv4, isIPv6 } from 'node:net';

/** Whole groups of an IPv6 address that name the network of a client; the others it chooses itself. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * D-34: an IPv4 address as it is, also one that is mapped into IPv6; of an IPv6 address its /64, since a client has all
 * addresses of it. A zone (`%eth0`) is no part of an address, nor is the port that some proxies append (`192.0.2.1:443`,
 * `[2001:db8::1]:443`). Undefined for what is not an address.
 */
export function clientAddress(text: string): string | undefined {
  const named = withoutPort(text);
  const zone = named.indexOf('%');
  const address = zone < 0 ? named : named.slice(0, zone);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** `192.0.2.1` of `192.0.2.1:443`, `2001:db8::1` of `[2001:db8::1]` with a port or without. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  return bracketed ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = numbersOf(head);
  const after = tail === undefined ? [] : numbersOf(tail);
  return [...before, ...new Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

/** The groups of a part without `::`, of which the last may be an IPv4 address. */
function numbersOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
