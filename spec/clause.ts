/** The type of a clause, and how one is made. The clauses themselves are in clauses/. */

/** How binding a statement is: `must` rests on the specification's own text, `decision` on ours where it is silent. */
export type ClauseLevel = 'must' | 'decision';

/** One normative statement of the specification, in our words. */
export interface Clause {
  /** Stable id of dotted lower-case words, for example `heartbeat.interval.min`. It never changes and is never reused. */
  readonly id: string;
  /** The section that states it, for example `4.5`; for a decision, the section that is silent. */
  readonly section: string;
  /** Where in that section it rests: table and row, or paragraph by its first words; for a decision, that it is open there. */
  readonly where: string;
  readonly level: ClauseLevel;
  readonly text: string;
  /** The decision behind a clause of level `decision`, for example `D-24`. */
  readonly decision?: string;
  /** Why no black-box check can judge it; absent when one can. */
  readonly excluded?: string;
}

/** A statement of the specification itself. `where`: its place in the section. */
export function must(section: string, where: string, id: string, text: string, excluded?: string): Clause {
  return { id, section, where, level: 'must', text, ...(excluded === undefined ? {} : { excluded }) };
}

/** A statement that we made where the specification is silent. */
export function decided(decision: string, section: string, id: string, text: string, excluded?: string): Clause {
  const where = `left open there; ${decision} settles it`;
  return { id, section, where, level: 'decision', text, decision, ...(excluded === undefined ? {} : { excluded }) };
}

/** `section 4.5, paragraph “Fee split”`: where a clause rests, in words. */
export function placeText({ section, where }: Pick<Clause, 'section' | 'where'>): string {
  return `section ${section}, ${where}`;
}
