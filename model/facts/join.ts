/** Keeps the known part of a state if the order of overlapping requests, or the reply to one, is unknown. */

import { UNKNOWN } from './earlier.js';
import { unknownCourse } from './open-state.js';
import { type Bucket, type State, tablesOf, valuesOf } from './state.js';
import { inJson, type Table } from './table.js';

/** Makes unknown what a request without a known reply may have changed: a subject is an agent, a payment, a ticket, a receipt or a complaint. */
export function forgetSubject(state: State, subject: string): void {
  const agent = state.agents.find(subject);
  if (agent !== undefined) Object.assign(agent, unknownCourse(), { wallet: UNKNOWN, linked: UNKNOWN, isPartial: true });
  const payment = state.payments.find(subject);
  if (payment !== undefined) Object.assign(payment, { usedFor: UNKNOWN, isPartial: true });
  for (const table of [state.tickets, state.receipts]) {
    const entry = table.find(subject);
    if (entry !== undefined) Object.assign(entry, { used: UNKNOWN, isPartial: true });
  }
  for (const table of [state.flags, state.partners, state.admins]) {
    if (table.holds(subject)) table.delete(subject);
  }
  for (const key of state.subsidies.keys()) if (key.startsWith(`${subject} `)) state.subsidies.delete(key);
  for (const key of state.sponsorships.keys())
    if (key.includes(subject)) Object.assign(state.sponsorships.find(key) ?? {}, { status: 'open', used: undefined });
}

/**
 * Compares the possible states after a group of exchanges, which are forks of a state. The returned function keeps in the state only what they have
 * in common; it is called once the state has become one of them.
 */
export function commonTo(state: State, ends: readonly State[]): () => void {
  const [first, ...others] = ends;
  if (first === undefined || others.length === 0) return () => undefined;
  const differing = tablesOf(state).flatMap(([name, table]) => {
    const tables = ends.map((end) => end[name] as Table<object>);
    const changed = new Set(tables.flatMap((each) => [...each.changesSince(table, inJson).keys()]));
    return [...changed].flatMap((key) => {
      const entries = tables.map((each) => each.find(key));
      if (entries.every((entry) => inJson(entry) === inJson(entries[0]))) return [];
      const there = entries.filter((entry) => entry !== undefined);
      const mayBeAbsent = there.length < entries.length;
      if (name === 'buckets') return [{ table, key, entry: joinedBucket(there as Bucket[], mayBeAbsent) }];
      const entry = joined(there, mayBeAbsent);
      // An agent that may not be there has its hash all the same.
      return [{ table, key, entry: name === 'agents' ? { ...entry, hash: key } : entry }];
    });
  });
  const values = ends.map(valuesOf);
  const loose = LOOSE.filter((field) => values.some((each) => each[field] !== values[0]?.[field]));
  return () => {
    for (const { table, key, entry } of differing) table.set(key, entry);
    for (const field of loose) Object.assign(state, { [field]: undefined });
  };
}

/** Values of a state that may be unknown. */
const LOOSE = 'nowMs anchor anchorMs byoWallet beatsRequired readsTokens intervalBeats shownFees'.split(
  ' ',
) as readonly (keyof State)[];

/** An entry with the fields that are equal in all of some entries; the others are unknown. */
function joined(entries: readonly object[], mayBeAbsent: boolean): object {
  const fields = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const shared = (field: string): unknown => {
    const values = entries.map((entry) => Reflect.get(entry, field) as unknown);
    const isSame = !mayBeAbsent && values.every((value) => JSON.stringify(value) === JSON.stringify(values[0]));
    if (isSame) return values[0];
    return OWN_UNKNOWN.has(field) ? undefined : UNKNOWN;
  };
  return { ...Object.fromEntries(fields.map((field) => [field, shared(field)])), isPartial: true };
}

/** A bucket with the most requests that may count, and the fewest that must. */
function joinedBucket(buckets: readonly Bucket[], mayBeAbsent: boolean): Bucket {
  const longest = (lists: readonly number[][]): number[] => lists.reduce((a, b) => (b.length > a.length ? b : a), []);
  const [fewest = []] = buckets.map(({ takenMs }) => takenMs).sort((one, other) => one.length - other.length);
  return {
    underWay: Math.max(...buckets.map(({ underWay }) => underWay)),
    sentMs: [...longest(buckets.map(({ sentMs }) => sentMs))],
    takenMs: mayBeAbsent ? [] : [...fewest],
  };
}

/** Fields that have a value of their own for unknown. */
const OWN_UNKNOWN: ReadonlySet<string> = new Set([
  'frozen',
  'syncAnchor',
  'lastBeat',
  'epoch',
  'totalBeats',
  'spendable',
  'generation',
  'madeMs',
]);
