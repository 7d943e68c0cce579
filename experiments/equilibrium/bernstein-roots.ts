/**
 * The roots of a polynomial between 0 and 1 that is given by its Bernstein coefficients. The payoff difference of two options is such a
 * polynomial of the share of one of them, and its coefficients are payoffs. By halving, no root is missed that changes the sign.
 */

const WIDTH_MIN = 1e-12;

/** The roots, ascending; empty if all coefficients are 0. `coefficients[k]` belongs to (1 − p)^(d − k) · p^k. */
export function bernsteinRoots(coefficients: readonly number[]): number[] {
  const roots: number[] = [];
  const add = (root: number): void => {
    if (roots.every((other) => Math.abs(other - root) > 1e-9)) roots.push(root);
  };
  const search = (b: readonly number[], from: number, to: number): void => {
    const signs = b.filter((value) => value !== 0).map(Math.sign);
    if (signs.length === 0) return;
    if (b[0] === 0) add(from);
    if (b.at(-1) === 0) add(to);
    // A polynomial has at most as many roots inside as its coefficients change sign (variation diminishing).
    if (signs.every((sign) => sign === signs[0])) return;
    if (to - from < WIDTH_MIN) {
      add((from + to) / 2);
      return;
    }
    const [left, right] = halves(b);
    const middle = (from + to) / 2;
    search(left, from, middle);
    search(right, middle, to);
  };
  search(coefficients, 0, 1);
  return roots.toSorted((a, b) => a - b);
}

/** The coefficients over each half of the interval (de Casteljau). */
function halves(coefficients: readonly number[]): readonly [number[], number[]] {
  const [left, right]: [number[], number[]] = [[], []];
  let row = [...coefficients];
  while (row.length > 0) {
    left.push(row[0] as number);
    right.unshift(row.at(-1) as number);
    row = row.slice(1).map((value, i) => (value + (row[i] as number)) / 2);
  }
  return [left, right];
}
