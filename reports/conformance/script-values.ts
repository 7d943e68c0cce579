/**
 * Finds the values of a transcript that change whenever its requests are sent again: names and addresses that the suite made, its wallets, and
 * values that replies issue for later requests. They are found by value. It writes no shell.
 */

import type { Asked, Exchange, Signed } from '../../results/conformance-result.js';
import { SECRET_PLACEHOLDER } from '../../results/secret-placeholder.js';
import { isObject, jsonOf } from '../../spec/formats.js';

/** A value of a reply that a later request sends: where it is, and the variable for it. */
export interface Captured {
  readonly path: string;
  readonly value: string;
  readonly variable: string;
}

/** Values that a script makes before its first request, by the variable for each. */
interface Made {
  readonly variable: string;
  readonly value: string;
  readonly kind: 'name' | 'address';
}

/** The values of a transcript. */
export interface ScriptValues {
  readonly made: readonly Made[];
  /** Values that the run asked the target for, by the variable for each. */
  readonly asked: readonly (Asked & { readonly variable: string })[];
  readonly wallets: readonly { readonly variable: string; readonly wallet: Signed['wallet'] }[];
  /** For each exchange the values of its reply that later requests send. */
  readonly captured: readonly (readonly Captured[])[];
  /** Variables to set from outside: secrets that no reply issues. */
  readonly given: readonly string[];
}

/** As the suite makes them: names (trial/random.ts), and client addresses (trial/addresses.ts). */
const NAME = /check-[0-9a-f]{12}/g;
const ADDRESS = /^10(\.\d{1,3}){3}$/;
/** A shorter text, or one without a digit, is a word that replies and requests have in common. */
const HANDED_ON = /^(?=.*\d).{8,}$/s;

/** Finds the values of a transcript that a script has to make, to read from replies, or to be given. */
export function valuesOf(transcript: readonly Exchange[]): ScriptValues {
  const next = numbered();
  const texts = transcript.map(sentText);
  const made = new Map<string, Made>();
  const make = (value: string, kind: Made['kind']): void => {
    if (!made.has(value)) made.set(value, { variable: next(kind === 'name' ? 'NAME' : 'ADDRESS'), value, kind });
  };
  for (const text of texts) for (const [name] of text.matchAll(NAME)) make(name, 'name');
  for (const { request } of transcript)
    for (const value of Object.values(request.headers)) if (ADDRESS.test(value)) make(value, 'address');
  const signing = new Map(
    transcript.flatMap(({ signed = [] }) => signed.map(({ wallet }) => [wallet.address, wallet])),
  );
  const wallets = [...signing.values()].map((wallet) => ({ variable: next('WALLET'), wallet }));
  const answers = new Map(transcript.flatMap((each) => (each.asked ?? []).map((one) => [one.value, one])));
  const asked = [...answers.values()].map((one) => ({ ...one, variable: next(nameIn(one.path)) }));
  const known = new Set([
    ...made.keys(),
    ...answers.keys(),
    ...wallets.flatMap(({ wallet }) => [wallet.address, wallet.public_key_hex]),
  ]);
  const captured = transcript.map(({ response }, at) =>
    leavesOf(jsonOf(response?.body ?? '')).flatMap(({ path, value }): readonly Captured[] => {
      if (known.has(value) || !HANDED_ON.test(value)) return [];
      const first = texts.findIndex((text) => text.includes(value));
      if (first <= at) return [];
      known.add(value);
      const secret = new RegExp(`^${SECRET_PLACEHOLDER.source}$`).exec(value)?.[1];
      return [{ path, value, variable: secret ?? next(nameIn(path)) }];
    }),
  );
  const secrets = texts.flatMap((text) => [...text.matchAll(SECRET_PLACEHOLDER)].map(([, name = '']) => name));
  const given = [...new Set(secrets)].filter((name) => !known.has(`[${name}]`)).toSorted();
  return { made: [...made.values()], asked, wallets, captured, given };
}

/** All that a request sends, and the texts that it signs. */
function sentText({ request, signed = [] }: Exchange): string {
  const { url, headers, body = '' } = request;
  return [url, ...Object.values(headers), body, ...signed.map(({ text }) => text)].join('\n');
}

/** Numbers the variables of each kind. */
function numbered(): (kind: string) => string {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}_${count}`;
  };
}

/** The last field on a path as a variable: of `results.0.hash` HASH. */
function nameIn(path: string): string {
  const field = path.split('.').findLast((part) => /^[a-z]\w*$/i.test(part)) ?? 'value';
  return field.toUpperCase();
}

/** The texts in a JSON value, with their dotted paths. */
function leavesOf(json: unknown, path = ''): readonly { readonly path: string; readonly value: string }[] {
  if (typeof json === 'string') return [{ path, value: json }];
  if (!isObject(json) && !Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([key, item]) =>
    key.includes('.') ? [] : leavesOf(item, path === '' ? key : `${path}.${key}`),
  );
}
