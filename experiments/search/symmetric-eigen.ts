/** Eigenvalues and eigenvectors of a small symmetric matrix, by the cyclic method of Jacobi. */

/** Rows of numbers. */
export type Matrix = readonly (readonly number[])[];

/** Sweeps after which a matrix of up to some twenty rows is diagonal to machine precision. */
const SWEEPS_MAX = 60;

/** The eigenvalues, in no order, and a matrix whose columns are their eigenvectors of length 1. */
export function symmetricEigen(matrix: Matrix): { readonly values: readonly number[]; readonly vectors: Matrix } {
  const n = matrix.length;
  const a = matrix.map((row) => [...row]);
  const v = matrix.map((_, i) => matrix.map((_other, j) => (i === j ? 1 : 0)));
  const at = (m: number[][], i: number, j: number): number => m[i]?.[j] ?? 0;
  const set = (m: number[][], i: number, j: number, x: number): void => {
    (m[i] as number[])[j] = x;
  };
  const rotate = (p: number, q: number): void => {
    const theta = (at(a, q, q) - at(a, p, p)) / (2 * at(a, p, q));
    const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    for (let k = 0; k < n; k += 1) {
      const [x, y] = [at(a, k, p), at(a, k, q)];
      set(a, k, p, c * x - s * y);
      set(a, k, q, s * x + c * y);
    }
    for (let k = 0; k < n; k += 1) {
      const [x, y] = [at(a, p, k), at(a, q, k)];
      set(a, p, k, c * x - s * y);
      set(a, q, k, s * x + c * y);
      const [u, w] = [at(v, k, p), at(v, k, q)];
      set(v, k, p, c * u - s * w);
      set(v, k, q, s * u + c * w);
    }
  };
  const scale = Math.max(...a.flat().map(Math.abs));
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let turned = false;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        if (Math.abs(at(a, p, q)) <= Number.EPSILON * scale) continue;
        rotate(p, q);
        turned = true;
      }
    }
    if (!turned) break;
  }
  return { values: a.map((_, i) => at(a, i, i)), vectors: v };
}
