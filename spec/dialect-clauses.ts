/**
 * The clauses that apply in a dialect (D-57): all except those that its facts replace, and the facts of other dialects.
 * The facts themselves are in dialect-facts.ts.
 */

import type { Clause } from './clause.js';
import { clauses } from './clauses/index.js';
import { textOf } from './clauses/rows.js';
import { type DialectFact, dialectFacts, holdsIn } from './dialect-facts.js';
import type { DialectSettings } from './dialect-settings.js';

/** The facts of a dialect, in the order of the table. */
export function factsOf(dialect: DialectSettings): readonly DialectFact[] {
  return dialectFacts.filter((fact) => holdsIn(fact, dialect));
}

/** Why the clauses that a fact replaces are not judged, with the text of the fact. */
export function replacedText({ clauses }: DialectFact): string {
  const texts = Object.values(clauses).map(textOf);
  return `replaced by the dialect: ${texts.join(' ')}`;
}

/** Why a clause is not judged in a dialect, by its id: another one replaces it, or it is a fact of other dialects. */
export function excludedIn(dialect: DialectSettings): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const fact of dialectFacts) {
    if (holdsIn(fact, dialect)) for (const id of fact.replaces) reasons.set(id, replacedText(fact));
    else for (const id of Object.keys(fact.clauses)) reasons.set(id, 'it is a fact of other dialects');
  }
  return reasons;
}

/** The clauses of a list, or all clauses. Those that are not judged in a dialect are marked as excluded. */
export function clausesIn(dialect: DialectSettings, list: readonly Clause[] = clauses): readonly Clause[] {
  const reasons = excludedIn(dialect);
  return list.map((clause) => {
    const excluded = reasons.get(clause.id) ?? clause.excluded;
    return excluded === undefined ? clause : { ...clause, excluded };
  });
}

/**
 * Gives for a clause the one that its evidence counts for in a dialect: the fact in `judgedAs`, the clause itself, or
 * undefined.
 */
export function standingIn(dialect: DialectSettings): (id: string) => string | undefined {
  const reasons = excludedIn(dialect);
  const judged = new Map(factsOf(dialect).flatMap(({ judgedAs = {} }) => Object.entries(judgedAs)));
  return (id) => judged.get(id) ?? (reasons.has(id) ? undefined : id);
}

/** These clauses, and the facts of every dialect for which evidence about them counts. */
export function withFacts(ids: readonly string[]): readonly string[] {
  const facts = dialectFacts.flatMap(({ judgedAs = {} }) => Object.entries(judgedAs));
  return [...new Set([...ids, ...facts.flatMap(([id, fact]) => (ids.includes(id) ? [fact] : []))])];
}
