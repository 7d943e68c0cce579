/**
 * A change of the specification: which numbers differ between two protocols, and the clauses, error rows and endpoints that
 * this touches. Its effect on people is measured by cli/spec/effects.ts.
 */

import { clauses } from './clauses/index.js';
import { dialects } from './dialect.js';
import { endpoints } from './endpoints/index.js';
import { type ErrorKey, type ErrorRow, errors } from './errors.js';
import { formulaNames, formulas, formulaText } from './formula/formulas.js';
import { unitOf } from './number-bounds.js';
import { clausesOfNumber } from './numbers.js';
import { pathsOf } from './openapi-endpoints.js';
import type { Paths } from './openapi-names.js';
import {
  addedClasses,
  classesOf,
  errorRows,
  type OptionalMode,
  optionalModes,
  partnerEventsOf,
  servesMode,
  sigilTiersOf,
} from './parts.js';
import { type Protocol, protocolNumbers } from './protocol.js';
import { identityClasses, partnerEvents, sigilTiers } from './vocabulary.js';

/** One number that differs. */
export interface ChangedNumber {
  readonly path: string;
  /** In words; empty for a plain count. */
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/** The numbers that differ, in the order in which they are written. */
export function changedNumbers(from: Protocol, to: Protocol): readonly ChangedNumber[] {
  const after = new Map(protocolNumbers(to).map(({ path, value }) => [path, value]));
  return protocolNumbers(from).flatMap(({ path, value }) => {
    const changed = after.get(path) ?? value;
    return changed === value ? [] : [{ path, unit: unitOf(path), from: value, to: changed }];
  });
}

/** The changed numbers that cause an effect: without one of them it does not occur. All of them if no single one is the cause. */
export function numbersBehind(
  numbers: readonly ChangedNumber[],
  isThereWithout: (number: ChangedNumber) => boolean,
): readonly string[] {
  const paths = numbers.map(({ path }) => path);
  const alone = numbers.filter((number) => !isThereWithout(number));
  return alone.length === 0 ? paths : alone.map(({ path }) => path);
}

/** One changed part that is not a number: an error row, a class, a tier, an event, a mode, a formula. */
interface ChangedPart {
  /** `errors.heartbeat/VOLUME_CAP_REACHED`, `classes.swarm`, `tiers.gov`, `events.agent.unfrozen`, `modes.resync/challenge`, `formulas.spawn.costBeats`. */
  readonly path: string;
  /** In words. */
  readonly from: string;
  readonly to: string;
  readonly clauses: readonly string[];
}

/** The text for a part that is not there. */
export const GONE = 'none';

/** The changed parts, other than numbers: both values, and the clauses about them. */
export function changedParts(from: Protocol, to: Protocol): readonly ChangedPart[] {
  const rows = (Object.keys(errors) as ErrorKey[]).map((key) => ({
    path: `errors.${key}`,
    states: [from, to].map((one) => rowText(errorRows(one)[key])),
    clauses: clausesOfRow(errors[key]),
  }));
  const names = [...new Set([from, to].flatMap((one) => [...identityClasses, ...classesOf(one)]))];
  const classes = names.map((name) => ({
    path: `classes.${name}`,
    states: [from, to].map((one) => classText(one, name)),
    clauses: clausesOfClass(name),
  }));
  const words = [...new Set([from, to].flatMap((one) => [...sigilTiers, ...sigilTiersOf(one)]))];
  const tiers = words.map((name) => ({
    path: `tiers.${name}`,
    states: [from, to].map((one) => (sigilTiersOf(one).includes(name) ? 'a tier' : GONE)),
    clauses: ['sigil.body.tier', 'sigil.field.tier', ...(name === 'sbx' ? CLAUSES_OF_THE_SANDBOX : [])],
  }));
  const events = partnerEvents.map((name) => ({
    path: `events.${name}`,
    states: [from, to].map((one) => (partnerEventsOf(one).includes(name) ? 'an event' : GONE)),
    clauses: [
      'partner-webhook.put.body.events',
      ...clauses.map(({ id }) => id).filter((id) => id.startsWith('event.') && id.endsWith(name.replace('.', '-'))),
    ],
  }));
  const modes = optionalModes.map((name) => ({
    path: `modes.${name}`,
    states: [from, to].map((one) => (servesMode(one, name) ? 'a mode' : GONE)),
    clauses: clausesOfMode(name),
  }));
  const expressions = formulaNames.map((name) => ({
    path: `formulas.${name}`,
    states: [from, to].map(({ parts }) => formulaText(parts?.formulas?.[name] ?? formulas[name].own)),
    clauses: formulas[name].clauses,
  }));
  return [...rows, ...classes, ...tiers, ...events, ...modes, ...expressions].flatMap(
    ({ path, states: [before = '', after = ''], clauses: spoken }) =>
      before === after ? [] : [{ path, from: before, to: after, clauses: spoken }],
  );
}

const CLAUSES_OF_THE_SANDBOX: readonly string[] = [
  'flag.rule.reporter-tier',
  'flag.error.flag-reporter-ineligible.sandbox',
];

/** The clauses of each mode that can be switched off, by their ids or by how these begin. */
const MODE_CLAUSES: Readonly<Record<OptionalMode, RegExp>> = {
  'register/operator': /^(register\.operator\.|agent\.field\.wallet-model\.operator$)/,
  'register/ethereum':
    /^(register\.(ethereum\.|chain\.ethereum$)|key\.wallet-signature\.ethereum$|passport\.public-key\.ethereum$|fee\.payment\.ethereum$)/,
  'wallet/operator': /^wallet\.operator\./,
  'resync/challenge':
    /^(resync\.(challenge|prove|nonce)\.|resync\.gap(-beats|\.challenge)$|limit\.resync\.challenge$|constant\.nonce-(ttl|single-use)\.resync$)/,
};

/** The ids of the clauses that speak of a mode that can be switched off, in the order of the specification. */
export function clausesOfMode(mode: OptionalMode): readonly string[] {
  return clauses.map(({ id }) => id).filter((id) => MODE_CLAUSES[mode].test(id));
}

const rowText = ({ status, code }: ErrorRow): string => `${status} ${code}`;

/** A class as one protocol has it, in words; the numbers of the specification's own are listed as numbers. */
function classText(protocol: Protocol, name: string): string {
  if (!classesOf(protocol).includes(name)) return GONE;
  const added = addedClasses(protocol).find((each) => each.name === name);
  return added === undefined ? 'a class' : `a class: cap ${added.cap}, fee ${added.feeLamports} lamports`;
}

/** The clauses that speak of a row of errors. */
function clausesOfRow({ endpoint, code }: ErrorRow): readonly string[] {
  const own = `${endpoint}.error.${code.toLowerCase().replaceAll('_', '-')}`;
  return clauses.map(({ id }) => id).filter((id) => id === own || id.startsWith(`${own}.`));
}

/** The clauses that speak of the classes that there are, and of one of them. */
function clausesOfClass(name: string): readonly string[] {
  const word = name.replaceAll('_', '-');
  const known = new Set(clauses.map(({ id }) => id));
  return [
    'sigil.body.identity-class',
    'flag.body.asserted-class',
    'service.sigil.class',
    'sigil.caps',
    ...[`fee.sigil.${word}`, `heartbeat.cap.${word}`].filter((id) => known.has(id)),
  ];
}

/** The ids of the clauses that state any of these numbers or speak of these parts, in the order of the specification. */
export function touchedClauses(
  numbers: readonly Pick<ChangedNumber, 'path'>[],
  parts: readonly Pick<ChangedPart, 'clauses'>[] = [],
): readonly string[] {
  const touched = new Set([
    ...numbers.flatMap(({ path }) => clausesOfNumber(path)),
    ...parts.flatMap((part) => part.clauses),
  ]);
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
  const [before, after] = [from, to].map((protocol) => pathsOf(service, { protocol, dialect: dialects.service }));
  const operation = (paths: Paths | undefined, path: string, method: string): string =>
    JSON.stringify(paths?.[path]?.[method] ?? null);
  return endpoints
    .filter((endpoint) => endpoint.service === service)
    .filter(({ path, method }) => {
      const [at, verb] = [path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()];
      return operation(before, at, verb) !== operation(after, at, verb);
    })
    .map(({ id }) => id);
}
