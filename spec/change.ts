/**
 * A change of the specification: which numbers differ between two protocols, and the clauses, error rows and endpoints that
 * this touches. Its effect on people is measured elsewhere.
 */

import { clauses } from './clauses/index.js';
import { dialects } from './dialect.js';
import { endpoints } from './endpoints/index.js';
import { errors } from './errors.js';
import { clausesOfNumber } from './number-clauses.js';
import { openApiOf } from './openapi-endpoints.js';
import { type Protocol, protocolNumbers } from './protocol.js';

/** One number that differs. */
export interface ChangedNumber {
  readonly path: string;
  /** In words; empty for a plain count. */
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/** Units by the end of a number's name. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/Lamports(Default)?$/, 'lamports'],
  [/Bps(PerYear|Min|Max)?$/, 'bps'],
  [/(Sec|windowSec)$/, 's'],
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

/** The numbers that differ, in the order in which they are written. */
export function changedNumbers(from: Protocol, to: Protocol): readonly ChangedNumber[] {
  const after = new Map(protocolNumbers(to).map(({ path, value }) => [path, value]));
  return protocolNumbers(from).flatMap(({ path, value }) => {
    const changed = after.get(path) ?? value;
    return changed === value ? [] : [{ path, unit: unitOf(path), from: value, to: changed }];
  });
}

/** The ids of the clauses that state any of these numbers, in the order of the specification. */
export function touchedClauses(numbers: readonly Pick<ChangedNumber, 'path'>[]): readonly string[] {
  const touched = new Set(numbers.flatMap(({ path }) => clausesOfNumber(path)));
  return clauses.map(({ id }) => id).filter((id) => touched.has(id));
}

/** The keys of the error rows that touched clauses speak of, in the order of the table. */
export function touchedErrors(touched: readonly string[]): readonly string[] {
  const limited = touched.some((id) => id.startsWith('limit.'));
  return Object.entries(errors)
    .filter(([key, { endpoint, code }]) => {
      if (key === 'any/RATE_LIMITED') return limited;
      const slug = code.toLowerCase().replaceAll('_', '-');
      return touched.some((id) => id === `${endpoint}.error.${slug}` || id.startsWith(`${endpoint}.error.${slug}.`));
    })
    .map(([key]) => key);
}

/** Method and path of the endpoints whose limit, body or reply is another, or that a touched clause speaks of. */
export function touchedEndpoints(from: Protocol, to: Protocol, touched: readonly string[]): readonly string[] {
  const limits = new Set(
    changedNumbers(from, to)
      .filter(({ path }) => path.startsWith('limits.'))
      .map(({ path }) => path.split('.')[1]),
  );
  const differ = new Set((['registry', 'beats'] as const).flatMap((service) => differing(service, from, to)));
  return endpoints
    .filter(({ id, stem, buckets }) => {
      const spoken = touched.some((clause) => clause.split('.')[0] === stem || clause === `limit.${id}`);
      return spoken || differ.has(id) || buckets.some(({ limit }) => limits.has(limit));
    })
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name, at, all) => all.indexOf(name) === at);
}

/** Ids of the endpoints of a service whose operation in OpenAPI is not the same under both protocols. */
function differing(service: 'registry' | 'beats', from: Protocol, to: Protocol): string[] {
  const [before, after] = [from, to].map((protocol) => openApiOf(service, { protocol, dialect: dialects.service }));
  const operation = (document: unknown, path: string, method: string): string => {
    const { paths } = document as { paths: Record<string, Record<string, unknown>> };
    return JSON.stringify(paths[path]?.[method] ?? null);
  };
  return endpoints
    .filter((endpoint) => endpoint.service === service)
    .filter(({ path, method }) => {
      const [at, verb] = [path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()];
      return operation(before, at, verb) !== operation(after, at, verb);
    })
    .map(({ id }) => id);
}
