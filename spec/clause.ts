/** The type of a clause, and how one is made. The clauses themselves are in clauses/. */

/** How binding a statement is: `must` rests on the specification's own text, `decision` on ours where it is silent. */
export type ClauseLevel = 'must' | 'decision';

/** One normative statement of the specification, in our words. */
export interface Clause {
  /** Stable id of dotted lower-case words, for example `heartbeat.interval.min`. It never changes and is never reused. */
  readonly id: string;
  /** The section that states it, for example `4.5`; for a decision, the section that is silent. */
  readonly section: string;
  readonly level: ClauseLevel;
  readonly text: string;
  /** The decision behind a clause of level `decision`, for example `D-24`. */
  readonly decision?: string;
  /** Why no black-box check can judge it; absent when one can. */
  readonly excluded?: string;
}

/** A statement of the specification itself. */
export function must(section: string, id: string, text: string, excluded?: string): Clause {
  return { id, section, level: 'must', text, ...(excluded === undefined ? {} : { excluded }) };
}

/** A statement that we made where the specification is silent. */
export function decided(decision: string, section: string, id: string, text: string, excluded?: string): Clause {
  return { id, section, level: 'decision', text, decision, ...(excluded === undefined ? {} : { excluded }) };
}
