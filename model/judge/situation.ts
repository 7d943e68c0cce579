/**
 * The situation of a request in plain words: the facts of state, body and time that can decide about its reply. Requests in the same situation show
 * the same mistakes of a server, so that the mistakes that one run found say what another run would find (power/).
 */

import { unitOf } from '../../spec/number-bounds.js';
import { type Protocol, protocol, protocolNumbers } from '../../spec/protocol.js';
import type { Case } from '../case.js';
import { UNKNOWN } from '../facts/earlier.js';
import type { Limited } from '../facts/limits.js';
import { beatOf, epochOf } from '../facts/rules.js';
import type { Agent, State } from '../facts/state.js';
import { perObject, perText } from '../reading/memo.js';
import type { Reason } from './reasons.js';

/** A number of the protocol that a value can reach: as the service has it, and as the text has it. */
interface Bound {
  readonly held: number;
  readonly stated: number;
}

/** The numbers of the protocol by their unit, in order. */
const boundsOf = perObject((held: Protocol): ReadonlyMap<string, readonly Bound[]> => {
  const stated = new Map(protocolNumbers(protocol).map(({ path, value }) => [path, value]));
  const bounds = new Map<string, Bound[]>();
  for (const { path, value } of protocolNumbers(held)) {
    const unit = unitOf(path);
    bounds.set(unit, [...(bounds.get(unit) ?? []), { held: value, stated: stated.get(path) ?? value }]);
  }
  for (const each of bounds.values()) each.sort((one, other) => one.held - other.held);
  return bounds;
});

/** A number and its unit, as one text. */
const measureOf = (whole: number, unit: string): string => `${whole} ${unit}`;

/** The classes of whole numbers above 3, by number and unit. */
const classesOf = perObject((held: Protocol) =>
  perText((measure) => {
    const [, number, unit = ''] = /^(\S+) (.*)$/.exec(measure) ?? [];
    const whole = Number(number);
    const bounds = boundsOf(held).get(unit) ?? [];
    for (const [off, sign] of [
      [0, ''],
      [1, '-1'],
      [-1, '+1'],
    ] as const) {
      const near = bounds.filter((bound) => bound.held === whole + off);
      if (near.length > 0) return `${[...new Set(near.map(({ stated }) => stated))].join('/')}${sign}`;
    }
    return `>${bounds.findLast((bound) => bound.held < whole)?.stated ?? 3}`;
  }),
);

/**
 * The class of a number by the numbers of its unit: at one of them, one below or above it, or beyond it. It is written with the value of the text,
 * so that it is the same for a service with other numbers. A small number is its own class, an unknown one is `?`.
 */
function classOf(value: unknown, unit: string, held: Protocol): string {
  if (typeof value !== 'number' || Number.isNaN(value)) return '?';
  const whole = Math.floor(value);
  const part = whole === value ? '' : ' and a part';
  return `${whole <= 3 ? Math.max(-4, whole) : classesOf(held)(measureOf(whole, unit))}${part}`;
}

/** The class of a value of a body: its type, and the form of a text. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  if (value === '') return 'empty';
  if (/^[a-z_-]{2,24}$/.test(value)) return `word ${value}`;
  if (/^(0x)?[0-9a-f]{8,}$/.test(value)) return 'hex';
  if (/^\s|\s$/.test(value)) return 'spaces at an end';
  return /^[\x20-\x7e]*$/.test(value) ? 'ASCII' : 'beyond ASCII';
}

/** Whether each unit of a text is a character. */
const isPlain = (text: string): boolean => !/[\ud800-\udbff]/.test(text);

/** The length of a text or list, or the size of a number, with its unit; undefined for other values. */
function sizeOf(value: unknown): readonly [size: number, unit: string] | undefined {
  if (typeof value === 'string') return [isPlain(value) ? value.length : [...value].length, 'characters'];
  if (Array.isArray(value)) return [value.length, ''];
  return undefined;
}

/** The units of numbers in bodies. */
const UNITS: readonly (readonly [field: RegExp, unit: string])[] = [
  [/lamports/, 'lamports'],
  [/heartbeats/, 'heartbeats'],
  [/hours/, 'hours'],
  [/bps/, 'bps'],
  [/difficulty/, 'hashes a beat'],
  [/beat/, 'beats'],
];

const FIELDS_MAX = 24;

function addFields(facts: string[], prefix: string, body: object, held: Protocol, depth: number): void {
  let left = FIELDS_MAX;
  for (const [name, value] of Object.entries(body)) {
    if (left-- === 0) return;
    const path = `${prefix}${name.slice(0, 32)}`;
    facts.push(`${path}: ${kindOf(value)}`);
    const size =
      typeof value === 'number'
        ? ([value, UNITS.find(([field]) => field.test(name))?.[1] ?? ''] as const)
        : sizeOf(value);
    if (size !== undefined) facts.push(`${path} of ${classOf(...size, held)}`);
    if (depth > 0 && typeof value === 'object' && value !== null && !Array.isArray(value))
      addFields(facts, `${path}.`, value, held, depth - 1);
  }
}

/** The difference of two numbers, one of which may be unknown. */
const less = (value: unknown, other: unknown): number | undefined =>
  typeof value === 'number' && typeof other === 'number' ? value - other : undefined;

/** A word for a value that may be unknown. */
const word = (value: unknown): string => (value === UNKNOWN ? '?' : value === undefined ? 'none' : String(value));

/** A part of an entry that may be unknown. */
const partOf = <T extends object>(entry: T | null, part: keyof T): unknown =>
  (entry as unknown) === UNKNOWN ? UNKNOWN : entry?.[part];

/** Adds the facts about an agent: of the key (`own`), or one that the request names. */
function addAgent(facts: string[], who: string, agent: Agent, state: State): void {
  const of = (value: unknown, unit: string): string => classOf(value, unit, state.settings.protocol);
  const ofEpoch = agent.epoch === epochOf(state) ? agent.epochHeartbeats : 0;
  facts.push(
    `${who} chain ${word(agent.started)}`,
    `${who} frozen ${word(agent.frozen)}`,
    `${who} class ${word(partOf(agent.sigil, 'identity_class'))}`,
    `${who} wallet ${word(partOf(agent.wallet, 'kind'))}${partOf(agent.wallet, 'isLinked') === true ? ' linked' : ''}`,
    `${who} depth ${of(agent.depth, '')}`,
    `${who} heartbeats ${of(agent.heartbeats, 'heartbeats')}`,
    `${who} of epoch ${of(ofEpoch, 'heartbeats')}`,
    `${who} last ${agent.lastBeat === null ? 'never' : of(less(beatOf(state), agent.lastBeat), 'beats')}`,
    `${who} anchors ${of(less(state.anchor, agent.syncAnchor), 'anchors')}`,
    `${who} revived ${word(agent.revived)}`,
    `${who} children ${of(agent.children, '')}`,
    `${who} spendable ${of(agent.spendable, 'beats')}`,
    `${who} events ${of(agent.lineageEvents, '')}`,
    `${who} sustained ${state.sustained.holds(agent.hash)}`,
    `${who} revoked ${word(agent.revoked)}`,
    `${who} metadata ${typeof agent.fields === 'object' && agent.fields !== null ? Object.keys(agent.fields).toSorted().join() : '?'}`,
  );
  const own = state.sponsorships.keys().filter((key) => key.endsWith(` ${agent.hash}`));
  for (const key of own.slice(0, 2)) {
    const one = state.sponsorships.find(key);
    if (one === undefined) continue;
    facts.push(
      `${who} sponsored ${word(one.status)}, ${of(less(one.max, one.used), 'heartbeats')} left, ${ageOf(one.expiresMs, state)}`,
    );
  }
}

function ageOf(atMs: unknown, { nowMs, settings }: State): string {
  if (atMs === null) return 'never';
  const ms = less(nowMs, atMs);
  return classOf(ms === undefined ? undefined : ms / 1_000, 's', settings.protocol);
}

/** Adds the facts about a value that the service issued, or a payment. */
function addEntry(facts: string[], name: string, value: string, state: State): void {
  const ticket = state.tickets.find(value);
  if (ticket !== undefined)
    facts.push(
      `${name} ticket ${word(ticket.kind)}, used ${word(ticket.used)}, tried ${word(ticket.tried)}`,
      `${name} ticket age ${ageOf(ticket.madeMs, state)}`,
    );
  const payment = state.payments.find(value);
  if (payment === undefined) return;
  facts.push(
    `${name} ${word(payment.status)}, used for ${word(payment.usedFor)}, tried ${word(payment.tried)}`,
    `${name} lamports ${classOf(payment.lamports, 'lamports', state.settings.protocol)}`,
    `${name} to ${payment.to === state.paymentAddress ? 'service' : 'other'}`,
  );
}

/** The facts of a request before its reply, if anybody asks for them. The first says which reasons to refuse it apply. */
export function situationOf(
  { state, call, agent }: Case,
  reasons: readonly Reason[],
  limits: readonly Limited[],
): readonly string[] | undefined {
  const full = limits.filter(({ verdict }) => verdict === 'must').map(({ limit }) => limit);
  const due = new Set<string>();
  for (const { applies, key } of reasons) if (applies === true) due.add(key);
  const outcome = full.length > 0 ? `limit ${full.join('+')}` : due.size === 0 ? 'valid' : [...due].join('+');
  if (!state.describes(call.name, outcome)) return undefined;
  const facts = [outcome];
  for (const { limit, share } of limits) if (share > 0) facts.push(`share of ${limit} ${share >= 1 ? 'all' : 'part'}`);
  facts.push(`key ${call.hasAuthorization ? (call.bearer === undefined ? 'other scheme' : 'sent') : 'none'}`);
  facts.push(`json ${call.isJson}`, `bytes ${classOf(call.bodyBytes, 'bytes', state.settings.protocol)}`);
  // The entry as the state holds it: a question about an unknown field of it does not end here.
  const own = agent === undefined ? undefined : state.agents.find(agent.hash);
  if (own !== undefined) addAgent(facts, 'own', own, state);
  const body = call.body ?? {};
  facts.push(`fields ${Object.keys(body).slice(0, FIELDS_MAX).toSorted().join()}`);
  addFields(facts, '', body, state.settings.protocol, 1);
  const addNamed = (name: string, value: unknown): void => {
    if (typeof value !== 'string' || value === '') return;
    const other = state.agents.find(value.toLowerCase());
    if (other !== undefined && other !== own) addAgent(facts, name, other, state);
    addEntry(facts, name, value, state);
  };
  for (const [name, value] of Object.entries(body)) addNamed(name, value);
  addNamed('path', call.hash);
  addNamed('token', call.headers['x-registration-token']);
  return facts;
}
