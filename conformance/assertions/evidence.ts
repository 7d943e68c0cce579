/**
 * The evidence that assertions record, and its log for one check. judge/ derives verdicts from it.
 */
import { type Evidence, ofLevel, type Withheld } from '../../model/evidence.js';
import type { Exchange, Reason } from '../../results/conformance-result.js';
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';

/** Evidence with the place where it was seen. */
export interface SeenEvidence extends Evidence {
  /** The number of the request in the transcript of the check, from 1; 0 if no request was sent. */
  readonly n: number;
  /** The exchange that shows evidence against a clause; added when the check has ended. */
  readonly exchange?: Exchange;
}

/** The level of the clauses of one assertion. Throws `RangeError` for no clause, an unknown clause, or clauses of both levels. */
export function levelOfClauses(clauses: readonly string[]): ClauseLevel {
  const levels = new Set(clauses.map((id) => clauseById(id).level));
  const [level] = levels;
  if (level === undefined) throw new RangeError('an assertion must name at least one clause');
  if (levels.size > 1) throw new RangeError(`an assertion must name clauses of one level: ${clauses.join(', ')}`);
  return level;
}

/** The evidence of one check, in the order in which it was seen. */
export class EvidenceLog {
  readonly #entries: SeenEvidence[] = [];
  readonly #withheld: (Withheld & Reason)[] = [];
  readonly #listed: ReadonlySet<string>;

  readonly #onAgainst: (evidence: SeenEvidence) => void;
  readonly #standing: (clause: string) => string | undefined;
  /** For each entry: the evidence as asserted, before the dialect replaced its clauses. */
  readonly #asserted = new WeakMap<SeenEvidence, SeenEvidence>();

  /**
   * `listed`: the clauses of the check. `onAgainst` is called with each piece of evidence against a clause. `standing`: maps a clause to the clause
   * that replaces it in the dialect of the target (D-57).
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
   * Records evidence against any clause, but evidence for a clause only if the check lists it: steps of checks about other clauses do not
   * make a clause pass.
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

  /** The clauses that replace these in the dialect. */
  #standingOf(clauses: readonly string[]): readonly string[] {
    return clauses.flatMap((id) => this.#standing(id) ?? []);
  }

  /** The evidence as it counts in the dialect. A decision may replace a clause of the text, so the parts may have different levels. */
  #inDialect(evidence: SeenEvidence): readonly SeenEvidence[] {
    const standing = this.#standingOf(evidence.clauses);
    if (standing.join() === evidence.clauses.join()) return [evidence];
    return (['must', 'decision'] as const).flatMap((level) => {
      const clauses = [...new Set(ofLevel(standing, level))];
      return clauses.length === 0 ? [] : [{ ...evidence, clauses, level }];
    });
  }

  /** Notes why the check does not judge some of its clauses. */
  withhold(clauses: readonly string[], because: Reason): void {
    this.#withheld.push({ clauses: this.#standingOf(clauses).filter((id) => this.#listed.has(id)), ...because });
  }

  /** Withdraws evidence of refusals: the valid request was refused, too, so the refusals may have another reason. */
  withdraw(refusals: ReadonlySet<SeenEvidence>, reason: string): void {
    const isOne = (entry: SeenEvidence): boolean => entry.ok && refusals.has(this.#asserted.get(entry) ?? entry);
    const kept = this.#entries.filter((entry) => !isOne(entry));
    const gone = this.#entries.filter(isOne);
    this.#entries.splice(0, this.#entries.length, ...kept);
    if (gone.length > 0) this.withhold([...new Set(gone.flatMap(({ clauses }) => clauses))], { reason });
  }
}
