/**
 * Orders checks by the clauses that they judge for what they cost, and cuts them to one judgement a clause. It knows what
 * `plan.json` has measured, draws nothing, and sends nothing.
 */

import { type Check, sleepsOf } from '../trial/check.js';

/** The requests that a move of the clock counts for: all checks wait for it. */
const SLEEP_REQUESTS = 4;

/** The clauses of which a check is evidence: those that it is about, and others that the model judges by its requests. */
export const evidenceOf = ({ clauses, also = [] }: Pick<Check, 'clauses' | 'also'>): readonly string[] => [
  ...clauses,
  ...also,
];

/** The beats that take as long to compute as a request takes. */
const REQUEST_BEATS = 15;

const costOf = (check: Check): number =>
  Math.max(1, check.requests) + SLEEP_REQUESTS * sleepsOf(check) + (check.beats ?? 0) / REQUEST_BEATS;

/** Picks checks, each time the one with most clauses for its cost that no picked one judges, as long as there is such a clause. */
class Picking {
  readonly #left: Set<Check>;
  readonly #gains = new Map<Check, number>();
  readonly #judges = new Map<string, Check[]>();

  constructor(
    checks: readonly Check[],
    /** Clauses that are judged already. */
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

  /** The picked checks, the best first; of two that are as good, the first of the list. */
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

/** Judgements of each clause that the order of a run is about. */
const ROUNDS = 2;

/** All checks, those first that judge most for their cost: each clause once, then each a second time, then the rest as listed. */
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
 * Few checks that judge every clause which `checks` judge, but those in `judged`: the best first, and none whose clauses the others
 * judge too.
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
