/**
 * The evidence that assertions record, and the log that keeps it for one check. Verdicts are made of it in
 * judge/.
 */
import { type Evidence, ofLevel, type Withheld } from '../../model/evidence.js';
import type { Exchange, Reason } from '../../results/conformance-result.js';
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';

/** Evidence with the place where it was seen. */
export interface SeenEvidence extends Evidence {
  /** The place of the request in the transcript of the check, from 1; 0 where none was sent. */
  readonly n: number;
  /** Once the check has ended: the exchange of evidence against a clause. */
  readonly exchange?: Exchange;
}

/** The level of clauses that one assertion names. Throws `RangeError` for no clause, an unknown one, and clauses of both levels. */
export function levelOfClauses(clauses: readonly string[]): ClauseLevel {
  const levels = new Set(clauses.map((id) => clauseById(id).level));
  const [level] = levels;
  if (level === undefined) throw new RangeError('an assertion names at least one clause');
  if (levels.size > 1) throw new RangeError(`an assertion names clauses of one level: ${clauses.join(', ')}`);
  return level;
}

/** The evidence of one check, in the order in which it was seen. */
export class EvidenceLog {
  readonly #entries: SeenEvidence[] = [];
  readonly #withheld: (Withheld & Reason)[] = [];
  readonly #listed: ReadonlySet<string>;

  readonly #onAgainst: (evidence: SeenEvidence) => void;
  readonly #standing: (clause: string) => string | undefined;
  /** The evidence as asserted, if the dialect turns it into evidence about other clauses. */
  readonly #asserted = new WeakMap<SeenEvidence, SeenEvidence>();

  /**
   * `listed`: the clauses that the check is about. `onAgainst` is called with each piece of evidence against a clause. `standing`: the clause for
   * which evidence about another clause counts in the dialect of the target (D-57), if there is one.
   */
  constructor(
    listed: readonly string[],
    onAgainst: (evidence: SeenEvidence) => void = () => undefined,
    standing: (clause: string) => string | undefined = (clause) => clause,
  ) {
    this.#listed = new Set(listed);
    this.#onAgainst = onAgainst;
    this.#standing = standing;
  }

  get entries(): readonly SeenEvidence[] {
    return this.#entries;
  }

  get withheld(): readonly (Withheld & Reason)[] {
    return this.#withheld;
  }

  /**
   * Records what an assertion saw: against any clause, and in favour only of clauses that the check lists, so that a clause never passes
   * by steps of checks about something else.
   */
  record(evidence: SeenEvidence): void {
    const isListed = (id: string): boolean => this.#standingOf([id]).some((standing) => this.#listed.has(standing));
    const clauses = evidence.ok ? evidence.clauses.filter(isListed) : evidence.clauses;
    if (clauses.length === 0) return;
    for (const entry of this.#inDialect({ ...evidence, clauses })) {
      this.#asserted.set(entry, evidence);
      this.#entries.push(entry);
      if (!entry.ok) this.#onAgainst(entry);
    }
  }

  /** The clauses for which evidence about others counts in the dialect. */
  #standingOf(clauses: readonly string[]): readonly string[] {
    return clauses.flatMap((id) => this.#standing(id) ?? []);
  }

  /** SeenEvidence as it counts in the dialect: a clause of the text may be judged as a decision there, so levels may part. */
  #inDialect(evidence: SeenEvidence): readonly SeenEvidence[] {
    const standing = this.#standingOf(evidence.clauses);
    if (standing.join() === evidence.clauses.join()) return [evidence];
    return (['must', 'decision'] as const).flatMap((level) => {
      const clauses = [...new Set(ofLevel(standing, level))];
      return clauses.length === 0 ? [] : [{ ...evidence, clauses, level }];
    });
  }

  /** Says why clauses of the check are not judged by it. */
  withhold(clauses: readonly string[], because: Reason): void {
    this.#withheld.push({ clauses: this.#standingOf(clauses).filter((id) => this.#listed.has(id)), ...because });
  }

  /** Withdraws the evidence of refusals so far: the same request without its fault was refused too, so they may have had another reason. */
  withdraw(refusals: ReadonlySet<SeenEvidence>, reason: string): void {
    const isOne = (entry: SeenEvidence): boolean => entry.ok && refusals.has(this.#asserted.get(entry) ?? entry);
    const kept = this.#entries.filter((entry) => !isOne(entry));
    const gone = this.#entries.filter(isOne);
    this.#entries.splice(0, this.#entries.length, ...kept);
    if (gone.length > 0) this.withhold([...new Set(gone.flatMap(({ clauses }) => clauses))], { reason });
  }
}
