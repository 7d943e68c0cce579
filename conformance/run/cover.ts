/**
 * Orders checks by the number of judged clauses for their cost, and reduces them to one judgement of each clause. It uses the
 * measurements in `plan.json`.
 */

import { type Check, sleepsOf } from '../trial/check.js';

/** A move of the clock costs as much as this many requests, since all checks wait for it. */
const SLEEP_REQUESTS = 4;

/** The clauses that a check judges: its own, and more that the model judges by its requests. */
export const evidenceOf = ({ clauses, also = [] }: Pick<Check, 'clauses' | 'also'>): readonly string[] => [
  ...clauses,
  ...also,
];

/** Computing this many beats costs as much as one request. */
const REQUEST_BEATS = 15;

const costOf = (check: Check): number =>
  Math.max(1, check.requests) + SLEEP_REQUESTS * sleepsOf(check) + (check.beats ?? 0) / REQUEST_BEATS;

/** Picks checks one by one: always the check with the most unjudged clauses for its cost, until no check has any. */
class Picking {
  readonly #left: Set<Check>;
  readonly #gains = new Map<Check, number>();
  readonly #judges = new Map<string, Check[]>();

  constructor(
    checks: readonly Check[],
    /** Clauses that are already judged. */
    judged: ReadonlySet<string>,
  ) {
    this.#left = new Set(checks);
    for (const check of checks) {
      const open = new Set(evidenceOf(check).filter((clause) => !judged.has(clause)));
      this.#gains.set(check, open.size);
      for (const clause of open) {
        const judges = this.#judges.get(clause) ?? [];
        this.#judges.set(clause, judges);
        judges.push(check);
      }
    }
  }

  /** The picked checks, the best first. Of two equally good checks, the first of the list comes first. */
  picked(): readonly Check[] {
    const picked: Check[] = [];
    for (let best = this.#best(); best !== undefined; best = this.#best()) {
      picked.push(best);
      this.#left.delete(best);
      for (const clause of evidenceOf(best)) {
        for (const check of this.#judges.get(clause) ?? []) this.#gains.set(check, (this.#gains.get(check) ?? 0) - 1);
        this.#judges.delete(clause);
      }
    }
    return picked;
  }

  #best(): Check | undefined {
    let [best, most]: [Check | undefined, number] = [undefined, 0];
    for (const check of this.#left) {
      const worth = (this.#gains.get(check) ?? 0) / costOf(check);
      if (worth > most) [best, most] = [check, worth];
    }
    return best;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The order of a run counts this many judgements of each clause. */
const ROUNDS = 2;

/** Sorts checks: first those that judge each clause once at the least cost, then those that judge each a second time, then the rest in their order. */
export function byEvidence(checks: readonly Check[]): readonly Check[] {
  const ordered = new Set<Check>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = checks.filter((check) => !ordered.has(check));
    for (const check of new Picking(left, NONE).picked()) ordered.add(check);
  }
  for (const check of checks) ordered.add(check);
  return [...ordered];
}

/**
 * A small set of checks that judges all clauses of `checks` except those in `judged`, the best check first. No check of the set is
 * redundant.
 */
export function coverOf(checks: readonly Check[], judged: ReadonlySet<string> = NONE): readonly Check[] {
  const picked = new Picking(checks, judged).picked();
  const times = new Map<string, number>();
  const count = (check: Check, by: number): void => {
    for (const clause of new Set(evidenceOf(check))) times.set(clause, (times.get(clause) ?? 0) + by);
  };
  for (const check of picked) count(check, 1);
  const isNeeded = (check: Check): boolean =>
    evidenceOf(check).some((clause) => !judged.has(clause) && times.get(clause) === 1);
  const spared = new Set<Check>();
  for (const check of picked.toSorted((one, other) => costOf(other) - costOf(one))) {
    if (isNeeded(check)) continue;
    spared.add(check);
    count(check, -1);
  }
  return picked.filter((check) => !spared.has(check));
}
