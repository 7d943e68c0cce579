/** The type of a clause, and how one is made. The clauses themselves are in clauses/. */

/** How binding a statement is: `must` rests on the specification's own text, `decision` on ours where it is silent. */
export type ClauseLevel = 'must' | 'decision';

/** A type of a field that a clause demands by itself. */
export type DemandedType = 'boolean' | 'instant' | 'number' | 'string';

/**
 * The part of a refusal, or the type of a field, that a clause demands. A clause about a refusal that names neither status nor code
 * says only that the request is refused.
 */
export interface Demand {
  readonly status?: number;
  readonly code?: string;
  /** The code is demanded of a reply that has one. */
  readonly ifThere?: true;
  readonly type?: DemandedType;
  /** The field may be null. */
  readonly nullable?: true;
}

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
  readonly demand?: Demand;
  /** The decision behind a clause of level `decision`, for example `D-24`. */
  readonly decision?: string;
  /** Why no black-box check can judge it; absent when one can. */
  readonly excluded?: string;
}

/** The words of a clause, its demand, and why no black-box check can judge it. */
export type Statement = Pick<Clause, 'text' | 'demand' | 'excluded'>;

/** A statement of the specification itself. `where`: its place in the section. */
export function must(section: string, where: string, id: string, statement: Statement): Clause {
  return { id, section, where, level: 'must', ...statement };
}

/** A statement that we made where the specification is silent. */
export function decided(decision: string, section: string, id: string, statement: Statement): Clause {
  return { id, section, where: `left open there; ${decision} settles it`, level: 'decision', decision, ...statement };
}

/** `section 4.5, paragraph “Fee split”`: where a clause rests, in words. */
export function placeText({ section, where }: Pick<Clause, 'section' | 'where'>): string {
  return `section ${section}, ${where}`;
}
