/**
 * Lists of the clauses that a dialect judges, sorted by level. The same few lists come with every exchange, so each is sorted once, and the same list
 * gives the same arrays: a reader may know them by identity.
 */

import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';

/** The clauses of each level, each once. */
type ByLevel = Readonly<Record<ClauseLevel, readonly string[]>>;

/** A list, and the longer ones by their next clause. */
interface List {
  readonly byLevel: ByLevel;
  readonly longer: Map<string, List>;
}

/** At most this many lists are kept. */
const LISTS_MAX = 20_000;

const startOf = (): List => ({ byLevel: { must: [], decision: [] }, longer: new Map() });

/** The lists of a dialect. `standing`: the clause that stands for another one (D-57). */
export class ClauseLists {
  #empty = startOf();
  #size = 0;

  constructor(readonly standing: (clause: string) => string | undefined) {}

  /** The clauses that stand for these. Throws RangeError for an id that no clause has. */
  of(named: readonly string[]): ByLevel {
    if (this.#size > LISTS_MAX) [this.#empty, this.#size] = [startOf(), 0];
    let list = this.#empty;
    for (const id of named) list = list.longer.get(id) ?? this.#add(list, id);
    return list.byLevel;
  }

  #add({ byLevel, longer }: List, id: string): List {
    const due = this.standing(id);
    const list = { byLevel: due === undefined ? byLevel : withClause(byLevel, due), longer: new Map() };
    longer.set(id, list);
    this.#size += 1;
    return list;
  }
}

function withClause(byLevel: ByLevel, id: string): ByLevel {
  const { level } = clauseById(id);
  const before = byLevel[level];
  return before.includes(id) ? byLevel : { ...byLevel, [level]: [...before, id] };
}
