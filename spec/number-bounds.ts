/** Unit and bounds of each number of the protocol, by its name. */

import { ISO_MS_MAX } from './formats.js';

/** Units by the end of a number's name. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/Lamports(Default)?$/, 'lamports'],
  [/Bps(PerYear|Min|Max)?$/, 'bps'],
  [/Sec$/, 's'],
  [/Ms$/, 'ms'],
  [/Hours(Min)?$/, 'hours'],
  [/Days$/, 'days'],
  [/Bytes(Max)?$/, 'bytes'],
  [/Chars(Min|Max)?$/, 'characters'],
  [/^heartbeat\.\w+Cap$|Heartbeats(Max)?$|heartbeatsEpoch/, 'heartbeats'],
  [/^limits\..*count$/, 'requests'],
  [/(Anchors(Max)?|anchorsPerEpoch)$/, 'anchors'],
  [/([bB]eats(Max|Min|PerMissedAnchor)?|BeatsMin|beatsPerAnchor)$/, 'beats'],
  [/[dD]ifficulty(Min|Max)?$/, 'hashes a beat'],
];

/** The unit of a number of the protocol, in words; empty for a plain count. */
export function unitOf(path: string): string {
  return UNITS.find(([end]) => end.test(path))?.[1] ?? '';
}

/** Numbers that must not be zero: divisors, intervals of a loop, and lengths. */
const POSITIVE =
  /(Denominator|intervalSec|beatsPerAnchor|anchorsPerEpoch|epochBeats|windowSec|Bytes|CharsMax|yearDays)$/;

/** Numbers that no overlay changes, and why. */
export const CONSTANTS: Readonly<Record<string, { readonly value: number; readonly why: string }>> = {
  'agent.hashBytes': { value: 32, why: 'every example and vector of the text has 0x and 64 characters' },
  'agent.rootDepth': { value: 0, why: 'by depth 0 every rule tells a root from a child' },
  'wallet.publicKeyBytes': {
    value: 32,
    why: 'a key of Ed25519 has 32 bytes, and another kind of key needs other code',
  },
};

/** The largest value of a kind of number, by the end of its name: a larger one fills the memory or leaves the calendar. */
const HIGHEST: readonly (readonly [name: RegExp, high: number])[] = [
  [/(nonce|token|secret|autoName)Bytes$/, 1_024],
  // A client that tests a larger limit fills its memory with the body or list.
  [/(Chars(Min|Max)|hashes(Min|Max)|toolsMax|modalityWordsMax|spotChecks(Min|Max)|challengeChecks)$/, 1_000_000],
  [/(^body\.\w+|metadataBytesMax)$/, 67_108_864],
  // The longest time that a timer can wait: 2^31 - 1 ms.
  [/timeoutSec$/, 2_147_483],
  [/Sec$/, 3_200_000_000],
  // Beats stay safe integers over a century of anchors, one a second.
  [/beatsPerAnchor$/, 1_000_000],
  [/genesisIndex$/, 1_000_000_000_000_000],
  [/^feeSplit\.burntBps$/, 10_000],
  [/Hours$|HoursMin$/, 876_000],
  [/yearDays$/, 36_500],
  [/UntilMs$/, ISO_MS_MAX],
];

/** The smallest value of a kind of number: with fewer bytes, two random values soon collide. */
const LOWEST: readonly (readonly [name: RegExp, low: number])[] = [
  // An empty name is refused whatever the numbers are.
  [/^agent\.nameCharsMin$/, 1],
  [/(nonce|token)Bytes$/, 8],
  [/autoNameBytes$/, 3],
  [POSITIVE, 1],
];

/** The least and the largest value that an overlay may give a number. */
export function boundsOf(path: string): { readonly low: number; readonly high: number } {
  const only = CONSTANTS[path]?.value;
  if (only !== undefined) return { low: only, high: only };
  const of = (table: typeof LOWEST): number | undefined => table.find(([name]) => name.test(path))?.[1];
  return { low: of(LOWEST) ?? 0, high: of(HIGHEST) ?? Number.MAX_SAFE_INTEGER };
}

/** Numbers on which the state depends: with other values, an existing state would mean something else. */
const FIXED = /^(anchor\.|agent\.|heartbeat\.epochBeats$|feeSplit\.yearDays$)/;

/** Whether the number at `path` is fixed while a registry is in use. */
export const isFixed = (path: string): boolean => FIXED.test(path);
