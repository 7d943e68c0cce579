/** Counts by pairs of cells and codes, of which most are zero. Counters of every cell are in cells.ts. */

/** Sparse counts, each by a key that packs what it counts. */
export interface Tallies {
  /** Refused calls by `refusalKey`. */
  readonly refusals: Map<number, number>;
  /** Sponsored heartbeats by `sponsoredKey`, and their fees. */
  readonly sponsored: Map<number, number>;
  readonly sponsoredLamports: Map<number, number>;
}

/** Tallies without counts. */
export function createTallies(): Tallies {
  return { refusals: new Map(), sponsored: new Map(), sponsoredLamports: new Map() };
}

const OPERATIONS_MAX = 256;
const OUTCOMES_MAX = 256;
const CELLS_MAX = 65_536;

/** Adds to a count. */
export function tally(counts: Map<number, number>, key: number, amount = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** The key of refusals of an operation with an outcome for agents of a cell. */
export function refusalKey(cell: number, operation: number, outcome: number): number {
  return (cell * OPERATIONS_MAX + operation) * OUTCOMES_MAX + outcome;
}

/** Cell, operation and outcome of a key. */
export function refusalOf(key: number): {
  readonly cell: number;
  readonly operation: number;
  readonly outcome: number;
} {
  const rest = Math.floor(key / OUTCOMES_MAX);
  return { cell: Math.floor(rest / OPERATIONS_MAX), operation: rest % OPERATIONS_MAX, outcome: key % OUTCOMES_MAX };
}

/** The key of heartbeats of one cell's agents that another cell's agents paid. */
export function sponsoredKey(sponsorCell: number, cell: number): number {
  return sponsorCell * CELLS_MAX + cell;
}

/** The sponsors' cell and the sponsored agents' cell of a key. */
export function sponsoredOf(key: number): { readonly sponsorCell: number; readonly cell: number } {
  return { sponsorCell: Math.floor(key / CELLS_MAX), cell: key % CELLS_MAX };
}
