/**
 * Lists the decisions on which checks depend. A check depends on a decision if it judges a clause of the decision, or if a step assumes the
 * decision because the specification does not give that step. It reads only the checks.
 */
import { clauseById } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import type { Check, Need } from '../trial/check.js';

/** By need of a check: the decisions that its steps assume, and the assumption. */
const ASSUMED: Readonly<Partial<Record<Need, readonly (readonly [decision: string, what: string])[]>>> = {
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
    ['D-05', 'GET /api/v1/beat/anchor shows which anchor is the latest, and when the next is due'],
  ],
  webhooks: [['D-37', 'an agent comes under a partner by the ref of its registration, and a delivery has this body']],
};

/** The checks that depend on one decision, as `aips spec decisions --by-checks --json` prints them. */
export interface DecisionUse {
  readonly id: string;
  readonly title: string;
  /** The parts of the decision that steps assume; empty if none does. */
  readonly what: readonly string[];
  /** The checks with a step that assumes the decision. */
  readonly built: readonly string[];
  /** The checks that judge a clause of the decision. */
  readonly judged: readonly string[];
}

/** The decisions on which checks depend, sorted by falling number of checks. */
export function decisionUses(checks: readonly Pick<Check, 'id' | 'clauses' | 'needs'>[]): readonly DecisionUse[] {
  const uses = decisions.map(({ id, title }): DecisionUse => {
    const assumptions = Object.entries(ASSUMED).flatMap(([need, rows]) =>
      rows.filter(([decision]) => decision === id).map(([, what]) => ({ need: need as Need, what })),
    );
    const idsOf = (fits: (check: Pick<Check, 'clauses' | 'needs'>) => boolean): string[] =>
      checks.filter(fits).map((check) => check.id);
    return {
      id,
      title,
      what: assumptions.map(({ what }) => what),
      built: idsOf(({ needs }) => assumptions.some(({ need }) => needs.includes(need))),
      judged: idsOf(({ clauses }) => clauses.some((clause) => clauseById(clause).decision === id)),
    };
  });
  return uses
    .filter((use) => dependents(use) > 0)
    .toSorted((a, b) => dependents(b) - dependents(a) || (a.id < b.id ? -1 : 1));
}

/** The number of checks that depend on a decision. */
export function dependents({ built, judged }: Pick<DecisionUse, 'built' | 'judged'>): number {
  return new Set([...built, ...judged]).size;
}
