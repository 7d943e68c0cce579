/** Reads GET /beat/anchor by the names of D-05, or by other common names, since the text does not give its form. It judges nothing. */

import { instantMs } from './field-tests.js';
import { at } from './values.js';

/** The latest anchor, as a reply shows it. */
export interface AnchorRead {
  readonly index?: number;
  /** In lower case, as D-02 hashes it. */
  readonly hash?: string;
  /** The times of its issue and of the next anchor, in Unix ms. */
  readonly issuedMs?: number;
  readonly nextMs?: number;
  /** Whether the time is exact to the ms; otherwise the true time may be up to a second later. Absent without a time. */
  readonly toTheMs?: boolean;
}

/** Prefixes of the fields: in an object, or at the top level. */
const HOLDERS = ['anchor.', 'latest_anchor.', 'latest.', 'current.', 'current_anchor.', 'data.', 'data.anchor.', ''];
const INDEXES = [
  'beat_index',
  'anchor_index',
  'index',
  'global_anchor',
  'current_anchor_index',
  'height',
  'number',
  'sequence',
  'beat',
  'anchor',
];
const HASHES = ['hash', 'anchor_hash', 'current_hash', 'latest_hash', 'digest', 'block_hash', 'value'];
const ISSUED = ['utc', 'timestamp', 'issued_at', 'created_at', 'time', 'at'];
const NEXT = ['next_anchor_at', 'next_at', 'next'];

/** Reads the latest anchor of a reply. A field is absent if it has none of the known names. */
export function anchorOf({ json }: { readonly json: unknown }): AnchorRead {
  const holders = [...HOLDERS, ...deeper(json)];
  const find = <T>(names: readonly string[], read: (value: unknown) => T | undefined): T | undefined => {
    for (const holder of holders) {
      for (const name of names) {
        const found = read(at(json, holder + name));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const index = find(INDEXES, (value) => (Number.isSafeInteger(value) ? (value as number) : undefined));
  const hash = find(HASHES, (value) => (typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined));
  const issued = find(ISSUED, momentOf);
  const next = find(NEXT, momentOf);
  const [issuedMs, nextMs] = [issued?.ms, next?.ms];
  const times = [issued, next].filter((each) => each !== undefined);
  return {
    ...(index === undefined ? {} : { index }),
    ...(hash === undefined ? {} : { hash }),
    ...(issuedMs === undefined ? {} : { issuedMs }),
    ...(nextMs === undefined ? {} : { nextMs }),
    ...(times.length === 0 ? {} : { toTheMs: times.some(({ toTheMs }) => toTheMs) }),
  };
}

/** A reply is searched for an anchor down to this depth. */
const DEPTH_MAX = 5;

/** The paths of other objects with both an index and a hash, as prefixes. */
function deeper(value: unknown, path = '', depth = 0): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  const isAnchor = INDEXES.some((name) => name in value) && HASHES.some((name) => name in value);
  const inside = Object.entries(value).flatMap(([name, inner]) => deeper(inner, `${path}${name}.`, depth + 1));
  return isAnchor ? [path, ...inside] : inside;
}

/** A smaller number of milliseconds would be before 1971, so it is a number of seconds. */
const MS_LEAST = 31_536_000_000;

/** A moment: a number of seconds or milliseconds, or an ISO 8601 text. */
function momentOf(value: unknown): { readonly ms: number; readonly toTheMs: boolean } | undefined {
  if (typeof value === 'string') {
    const ms = instantMs(value);
    return ms === undefined ? undefined : { ms, toTheMs: ms % 1_000 !== 0 };
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return value < MS_LEAST ? { ms: value * 1_000, toTheMs: !Number.isInteger(value) } : { ms: value, toTheMs: true };
}
