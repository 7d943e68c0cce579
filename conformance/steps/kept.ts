/**
 * The facts that lookups and listings show about an agent, compared before a call and after it: a call changes what the text says of
 * it, and leaves the rest as it is.
 */
import { sameMeaning, show } from '../../model/reading/compare.js';
import { at } from '../../model/reading/values.js';
import type { Reply } from '../assertions/reply.js';
import type { Agent } from '../trial/fixtures.js';
import { NotServed } from '../trial/presence.js';
import type { Trial } from '../trial/trial.js';

/** The kinds of facts about an agent. */
export type Facet =
  | 'self'
  | 'wallet'
  | 'sigil'
  | 'metadata'
  | 'standing'
  | 'total'
  | 'available'
  | 'latest'
  | 'count'
  | 'family'
  | 'sponsorships';

interface Fact {
  readonly facet: Facet;
  readonly of: 'verify' | 'beat-status' | 'sponsor.get';
  readonly path: string;
  /** The clause that is broken where it changes by itself. */
  readonly clause: string;
}

const facts = (facet: Facet, of: Fact['of'], clause: string, ...paths: readonly string[]): readonly Fact[] =>
  paths.map((path) => ({ facet, of, path, clause }));

/** The facts, by where D-20, D-21 and 2.10 have them. */
const FACTS: readonly Fact[] = [
  ...facts('self', 'verify', 'agent.field.name', 'agent.name'),
  ...facts('self', 'verify', 'register.metadata.set-once', 'agent.metadata'),
  ...facts('self', 'verify', 'register.child.lineage', 'agent.parent', 'agent.depth', 'agent.type', 'lineage', 'root'),
  ...facts('wallet', 'verify', 'wallet.transition.again', 'agent.wallet', 'agent.wallet_model', 'agent.wallet_chain'),
  ...facts('sigil', 'verify', 'sigil.immutable', 'sigil.sigil', 'sigil.tier', 'sigil.principal'),
  ...facts('sigil', 'verify', 'sigil.immutable', 'sigil.identity_class', 'sigil.issued_at_beat', 'sigil.birth_tx'),
  ...facts('metadata', 'verify', 'metadata.field.generation-trigger.counter', 'sigil.generation'),
  ...facts('metadata', 'verify', 'metadata.only-way', 'sigil.capability', 'sigil.tools', 'sigil.generation_trigger'),
  ...facts('standing', 'verify', 'agent.status.values', 'standing'),
  ...facts('total', 'beat-status', 'beats-submit.credit', 'heartbeat.total_beats'),
  ...facts('available', 'beat-status', 'beats-submit.credit', 'heartbeat.available_beats'),
  ...facts('latest', 'beat-status', 'init.idempotent', 'heartbeat.latest_beat', 'heartbeat.latest_hash'),
  ...facts('count', 'beat-status', 'fee.heartbeat.epoch', 'heartbeat_epoch.count_in_epoch'),
  ...facts('count', 'beat-status', 'service.class.cap', 'heartbeat_epoch.volume_cap'),
  ...facts('family', 'beat-status', 'spawn.cost.siblings', 'gestation.children_spawned'),
  ...facts('sponsorships', 'sponsor.get', 'sponsor.get.reply', 'sponsorships'),
];

/** The clauses of a check that compares them. */
export const KEPT: readonly string[] = [...new Set(FACTS.map(({ clause }) => clause))];

/** The replies that told of an agent at one moment. */
export type Looked = ReadonlyMap<Fact['of'], Reply>;

/** Looks an agent up, wherever the target shows it. */
export async function lookUp(t: Trial, { hash, key }: Agent): Promise<Looked> {
  const seen = new Map<Fact['of'], Reply>();
  for (const id of ['verify', 'beat-status', 'sponsor.get'] as const) {
    try {
      const how = id === 'sponsor.get' ? { key } : { params: { hash } };
      const reply = await t.call(id, { ...how, mayMiss: true });
      if (reply.status < 300) seen.set(id, reply);
    } catch (error) {
      if (!(error instanceof NotServed)) throw error;
    }
  }
  return seen;
}

/** Asserts that everything is as it was before `calls`, except the facets that they change. */
export function keptBut(
  t: Trial,
  { before, after, calls, changed }: { before: Looked; after: Looked; calls: string; changed: readonly Facet[] },
): void {
  for (const { facet, of, path, clause } of FACTS) {
    const [was, is] = [before.get(of), after.get(of)];
    // Where a target tells none of it, or tells it elsewhere, there is nothing to compare.
    if (changed.includes(facet) || was === undefined || is === undefined || at(was.json, path) === undefined) continue;
    const value = at(was.json, path);
    const same = sameMeaning(at(is.json, path), value);
    t.alsoShows(clause).of(is, path, same, `as before ${calls}: ${show(value)}`, at(is.json, path));
  }
}
