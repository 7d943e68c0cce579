/** Small systems of linear equations that may be singular, by elimination with full pivoting. */

/** A solution of a system, and the directions in which it has others. */
interface Solution {
  /** One solution, with 0 for each free unknown. */
  readonly step: readonly number[];
  /** A basis of the solutions of the system with zeros on its right side. */
  readonly free: readonly (readonly number[])[];
}

/**
 * Solves rows · x = right. A pivot of at most `tolerance` counts as 0, and so do the equations that are left then: where they contradict
 * the others, the solution is that of the others.
 */
export function eliminated(
  rows: readonly (readonly number[])[],
  right: readonly number[],
  tolerance: number,
): Solution {
  const n = rows[0]?.length ?? 0;
  const m = rows.map((row, i) => [...row, right[i] as number]);
  const order = Array.from({ length: n }, (_, i) => i);
  const at = (i: number, j: number): number => m[i]?.[order[j] as number] as number;
  let rank = 0;
  for (; rank < Math.min(n, m.length); rank += 1) {
    let [row, column] = [rank, rank];
    for (let i = rank; i < m.length; i += 1) {
      for (let j = rank; j < n; j += 1) if (Math.abs(at(i, j)) > Math.abs(at(row, column))) [row, column] = [i, j];
    }
    if (Math.abs(at(row, column)) <= tolerance) break;
    [m[rank], m[row]] = [m[row] as number[], m[rank] as number[]];
    [order[rank], order[column]] = [order[column] as number, order[rank] as number];
    clear(m, rank, order[rank] as number);
  }
  const solved = (of: (row: number) => number): number[] => {
    const x = new Array<number>(n).fill(0);
    for (let i = 0; i < rank; i += 1) x[order[i] as number] = of(i);
    return x;
  };
  const free = order.slice(rank).map((unknown, i) => {
    const x = solved((row) => -at(row, rank + i));
    x[unknown] = 1;
    return x;
  });
  return { step: solved((row) => m[row]?.[n] as number), free };
}

/** Makes the pivot 1, and all else in its column 0. */
function clear(m: number[][], rank: number, column: number): void {
  const pivot = m[rank] as number[];
  const scale = pivot[column] as number;
  for (let j = 0; j < pivot.length; j += 1) pivot[j] = (pivot[j] as number) / scale;
  m.forEach((row, i) => {
    const factor = row[column] as number;
    if (i === rank || factor === 0) return;
    for (let j = 0; j < row.length; j += 1) row[j] = (row[j] as number) - factor * (pivot[j] as number);
  });
}
