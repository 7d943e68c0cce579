/** Patterns of text on the wire: hashes, keys, addresses, times. Schemas of objects are in endpoints/. */

import type { Protocol } from './protocol.js';
import { HOUR_MS } from './time.js';

/** Lower-case hex of exactly `bytes` bytes. */
export function hexPattern(bytes: number): RegExp {
  return new RegExp(`^[0-9a-f]{${bytes * 2}}$`);
}

/** 2: `0x` and the hex characters of a hash, in either case: hashes are compared in lower case (D-39). */
export function agentHashPattern(protocol: Protocol): RegExp {
  return new RegExp(`^0x[0-9a-fA-F]{${protocol.agent.hashBytes * 2}}$`);
}

/** D-02: a hash of a beat chain is the hex of a SHA-256, without `0x`. */
export const CHAIN_HASH = /^[0-9a-f]{64}$/;
/** D-03: the `prev` of a genesis beat. */
export const ZERO_HASH = '0'.repeat(64);
/** 2.6: hex of an Ed25519 signature. */
export const SIGNATURE_HEX = /^[0-9a-f]{128}$/;
/** 2.1 and 5: an agent key on the wire. */
export const API_KEY = /^pvn_[A-Za-z0-9_-]+\.[0-9a-f]+$/;
/** 4.6: a principal is a letter or digit, then up to `principalCharsMax - 1` more of these or hyphens. */
export function principalPattern(protocol: Protocol): RegExp {
  return new RegExp(`^[a-z0-9][a-z0-9-]{0,${protocol.sigil.principalCharsMax - 1}}$`);
}
/** D-17: a custom SIGIL name. */
export function sigilNamePattern(protocol: Protocol): RegExp {
  return new RegExp(`^[a-z0-9][a-z0-9-]{0,${protocol.sigil.nameCharsMax - 1}}$`);
}
/** 2: ISO 8601 in UTC, as every `expires_at` and `created_at` is written. */
export const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
/** Base58, as Solana writes keys and signatures. */
export const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** A hash or key written in hex by a client, which may use either case. */
export function anyCaseHexPattern(bytes: number): RegExp {
  return new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`);
}
/** 4.2: an Ethereum address; compared without regard to case (D-18). */
export const ETHEREUM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** 2.12: the shape of a UUID. */
export const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** D-05 and D-09: base64 of an Ed25519 signature (64 bytes). */
export const SIGNATURE_BASE64 = /^[A-Za-z0-9+/]{86}==$/;
/** D-09: a receipt as a string. */
export const BASE64_URL = /^[A-Za-z0-9_-]+$/;
/** D-17: a word that names a modality. */
export function modalityPattern(protocol: Protocol): RegExp {
  return new RegExp(`^[a-z][a-z0-9_-]{0,${protocol.metadata.modalityCharsMax - 1}}$`);
}
/** 9999-12-31T23:59:59.999Z, Unix ms: the last moment that `ISO_UTC` can write. */
export const ISO_MS_MAX = 253_402_300_799_999;
/** A lifetime of more hours than this ends after that moment, whenever it starts. */
export const ISO_SPAN_HOURS_MAX = Math.floor(ISO_MS_MAX / HOUR_MS);

/** 2: the ISO 8601 time, in UTC and to the millisecond, of a moment in Unix ms that is not past `ISO_MS_MAX`. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** 2.7: the text of a SIGIL, `name*principal*tier`. */
export function sigilText(sigil: { readonly name: string; readonly principal: string; readonly tier: string }): string {
  return `${sigil.name}*${sigil.principal}*${sigil.tier}`;
}

const LAMPORTS_PER_SOL = 1_000_000_000;

/** D-44: lamports in SOL, as the nearest double: its shortest decimal is exact below 2^23 SOL; above, a double is too coarse. */
export function solOf(lamports: number): number {
  return lamports / LAMPORTS_PER_SOL;
}

/** D-45: the first characters of a birth record of the service's own; on no ledger is there a signature of this form. */
export const OWN_RECORD = 'rec_';

/** D-45: the `explorer_url` of a ledger transaction; a record of the service's own gets a URN, since no explorer shows it. */
export function explorerUrl(signature: string): string {
  if (signature.startsWith(OWN_RECORD)) return `urn:aips:record:${signature.slice(OWN_RECORD.length)}`;
  return `https://explorer.solana.com/tx/${signature}?cluster=devnet`;
}

/** A text without the run of one character at its end. (`/x+$/` would look at every run from each of its characters.) */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The value of a JSON text; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A text without a byte order mark at its beginning: a JSON parser may ignore one (RFC 8259, 8.1). */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  return jsonOf(text) !== undefined;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a JSON text nests deeper than `levels`: the place of a bracket outside of strings, found without parsing the text. */
export function jsonDeeperAt(text: string, levels: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x7b || c === 0x5b) {
      depth += 1;
      if (depth > levels) return i;
    } else if (c === 0x7d || c === 0x5d) depth -= 1;
  }
  return undefined;
}

/**
 * Why a text is not JSON, in words that follow the name of its file: it is cut off, or it is broken at a place. `line`: the line at which it begins, if
 * it is a part of a file. `isFollowed`: more of the file follows, so the text is not cut off.
 */
export function notJson(
  text: string,
  { line, isFollowed = false }: { readonly line?: number; readonly isFollowed?: boolean } = {},
): string {
  if (text.trim() === '') return 'is empty, and JSON was expected';
  const at = jsonFaultAt(text);
  if (at === text.length && !isFollowed)
    return 'is cut off: its JSON has no end. Take a complete copy, or write it again';
  const before = text.slice(0, at).split('\n');
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  const place =
    line === undefined && !text.includes('\n') ? column : `line ${(line ?? 1) + before.length - 1}, ${column}`;
  return at === text.length ? `is not JSON: it lacks its end after ${place}` : `is not JSON: ${place} breaks it`;
}

/** The tokens of JSON (RFC 8259). */
const SPACE = /[ \t\n\r]*/y;
const TEXT = /"[ !#-[\]-\u{10FFFF}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10FFFF}]*)*"/uy;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
/** The beginning of a token that the end of the text cuts off. */
const BEGUN = /^(?:"[ !#-[\]-\u{10FFFF}]*(?:\\.[ !#-[\]-\u{10FFFF}]*)*\\?|-?\d*\.?\d*(?:[eE][-+]?)?)$/u;
const isBegun = (rest: string): boolean =>
  ['true', 'false', 'null'].some((word) => word.startsWith(rest)) || BEGUN.test(rest);

/** The place at which a text stops being JSON: its length where more has to follow, or nothing is wrong. */
export function jsonFaultAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const isThere = token.test(text);
    if (isThere) at = token.lastIndex;
    return isThere;
  };
  const fault = (): number => (isBegun(text.slice(at)) ? text.length : at);
  const sign = (wanted: string): boolean => {
    take(SPACE);
    const isThere = at < text.length && wanted.includes(text[at] as string);
    if (isThere) at += 1;
    return isThere;
  };
  const key = (): boolean => {
    take(SPACE);
    return take(TEXT) && sign(':');
  };
  for (;;) {
    take(SPACE);
    const begin = text[at];
    if (begin === '{' || begin === '[') {
      at += 1;
      open.push(begin);
      if (!sign(begin === '{' ? '}' : ']')) {
        if (begin === '{' && !key()) return fault();
        continue;
      }
      open.pop();
    } else if (!take(TEXT) && !take(SCALAR)) return fault();
    for (;;) {
      const inner = open.at(-1);
      if (inner === undefined) {
        take(SPACE);
        return at;
      }
      if (sign(',')) break;
      if (!sign(inner === '{' ? '}' : ']')) return fault();
      open.pop();
    }
    if (open.at(-1) === '{' && !key()) return fault();
  }
}

/**
 * Why a file of one of our formats is not read here, in words that follow its name; undefined where it says that it is of `wanted`, such as
 * aips-lab/search/1 or, of a format that has a number alone, 1.
 */
export function otherFormat(found: unknown, wanted: string | number): string | undefined {
  if (found === wanted) return undefined;
  const reads = `this version reads ${wanted}`;
  if (typeof found !== 'string' && typeof found !== 'number') return `does not say of which format it is, and ${reads}`;
  const [of, number] = numbered(found);
  const [ours, here] = numbered(wanted);
  if (of !== ours) return `is ${found}, and ${reads}`;
  if (number > here) return `is ${found}, and ${reads}: it is of a later version of aips-lab: update it`;
  return `is ${found}, and ${reads}: it is of an earlier version of aips-lab: write it again`;
}

/** The name and the number of a format. */
function numbered(format: string | number): readonly [name: string, number: number] {
  if (typeof format === 'number') return ['', format];
  const at = format.lastIndexOf('/');
  return [format.slice(0, at), Number(format.slice(at + 1))];
}
