/**
 * On which decisions checks depend: those that judge a clause of one, and those that build a step on one, since the
 * specification's text does not show what they need. It says nothing of a target.
 */
import { clauseById } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import type { Check, Need } from '../trial/check.js';

/** The decisions on which a check builds that needs something of a target, and what of each. */
const BUILT_ON: Readonly<Partial<Record<Need, readonly (readonly [decision: string, what: string])[]>>> = {
  payments: [
    ['D-22', 'fees are paid to payment_address of GET /api/v1/fees/summary'],
    ['D-27', 'a payment is a confirmed transaction of exactly the fee'],
  ],
  beats: [
    ['D-02', 'work is computed as beats of this form'],
    ['D-05', 'work weaves beat_index and hash of GET /api/v1/beat/anchor'],
    ['D-06', 'work weaves one of the latest anchors'],
    ['D-08', 'the beats service takes proofs of difficulty 100'],
  ],
  clock: [
    ['D-04', 'beats are counted in anchors, one a minute'],
    ['D-05', 'GET /api/v1/beat/anchor tells which anchor is the latest, and when the next is due'],
  ],
  webhooks: [['D-37', 'an agent comes under a partner by the ref of its registration, and a delivery has this body']],
};

/** How checks depend on one decision. */
export interface DecisionUse {
  readonly id: string;
  readonly title: string;
  /** The parts of it on which steps of checks build; empty where none does. */
  readonly what: readonly string[];
  /** The checks that build a step on it. */
  readonly built: readonly string[];
  /** The checks that judge a clause of it. */
  readonly judged: readonly string[];
}

/** Every decision that checks depend on, the one of most checks first. */
export function decisionUses(checks: readonly Pick<Check, 'id' | 'clauses' | 'needs'>[]): readonly DecisionUse[] {
  const uses = decisions.map(({ id, title }): DecisionUse => {
    const building = Object.entries(BUILT_ON).flatMap(([need, rows]) =>
      rows.filter(([decision]) => decision === id).map(([, what]) => ({ need: need as Need, what })),
    );
    const idsOf = (fits: (check: Pick<Check, 'clauses' | 'needs'>) => boolean): string[] =>
      checks.filter(fits).map((check) => check.id);
    return {
      id,
      title,
      what: building.map(({ what }) => what),
      built: idsOf(({ needs }) => building.some(({ need }) => needs.includes(need))),
      judged: idsOf(({ clauses }) => clauses.some((clause) => clauseById(clause).decision === id)),
    };
  });
  return uses
    .filter((use) => dependents(use) > 0)
    .toSorted((a, b) => dependents(b) - dependents(a) || (a.id < b.id ? -1 : 1));
}

/** How many checks depend on a decision, by a step or by a clause. */
export function dependents({ built, judged }: Pick<DecisionUse, 'built' | 'judged'>): number {
  return new Set([...built, ...judged]).size;
}
