/**
 * The places of agents in the pictures of the lab and of static pages: a cell for each family, its root in the middle, its descendants around it in the order
 * of their registration. A pure function of who is whose child and of the size; the same agents have the same places.
 */

/** The place of each agent by its row, and the links from children to parents. */
export interface Layout {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly radius: Float32Array;
  /** The size of a family's cell. */
  readonly cell: readonly [width: number, height: number];
  /** The marks would be too small to be seen apart: a picture of density shows more. */
  readonly isDense: boolean;
}

/** The turn from one descendant to the next, in radians: the golden angle, at which none hides another. */
const TURN = Math.PI * (3 - Math.sqrt(5));
const RADIUS_MAX = 9;
/** Marks that are smaller on the average are not told apart. */
const RADIUS_MIN = 1.2;
/** The radius of a root as a share of its cell. */
const ROOT = 0.28;
/** The share of a cell that a family fills. */
const FILLED = 0.44;
/** The radius of a descendant, at most, as a share of that of its root. */
const CHILD = 0.6;
/** The smallest family has room for this many agents, so that its first children move nobody. */
const FAMILY_MIN = 10;

/**
 * Lays out agents in a picture of a width and a height. `parents`: the row of each agent's parent, -1 for a root. `columns`: how many families are
 * in a line; absent: what makes their cells square.
 */
export function layoutOf(parents: readonly number[], width: number, height: number, columns?: number): Layout {
  const families: number[] = [];
  const nth: number[] = [];
  const sizes: number[] = [];
  for (const parent of parents) {
    const family = parent < 0 ? sizes.length : (families[parent] ?? 0);
    families.push(family);
    nth.push(sizes[family] ?? 0);
    sizes[family] = (sizes[family] ?? 0) + 1;
  }
  const across = columns ?? Math.max(1, Math.ceil(Math.sqrt((roomFor(sizes.length) * width) / height)));
  const rows = Math.max(1, Math.ceil(sizes.length / across));
  const cell = Math.min(width / across, height / rows);
  const [x, y, radius] = [parents, parents, parents].map(() => new Float32Array(parents.length)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const root = Math.min(RADIUS_MAX, ROOT * cell);
  for (let row = 0; row < parents.length; row += 1) {
    const family = families[row] ?? 0;
    const room = Math.max(FAMILY_MIN, sizes[family] ?? 1);
    const place = nth[row] ?? 0;
    const from = place === 0 ? 0 : root + (FILLED * cell - root) * Math.sqrt(place / room);
    const turn = TURN * place - Math.PI / 2;
    x[row] = ((family % across) + 0.5) * (width / across) + from * Math.cos(turn);
    y[row] = (Math.floor(family / across) + 0.5) * (height / rows) + from * Math.sin(turn);
    radius[row] = place === 0 ? root : Math.min(CHILD * root, (CHILD * FILLED * cell) / Math.sqrt(room));
  }
  const mean = radius.reduce((sum, each) => sum + each, 0) / Math.max(1, radius.length);
  return { x, y, radius, cell: [width / across, height / rows], isDense: parents.length > 0 && mean < RADIUS_MIN };
}

/** Cells for a number of families and some that come: new families seldom move the others. */
function roomFor(families: number): number {
  const step = Math.max(4, 2 ** (Math.floor(Math.log2(Math.max(1, families))) - 2));
  return Math.ceil(Math.max(1, families) / step) * step;
}

/** Returns the row of the agent nearest to a point; -1 if the picture has no agent there. */
export function nearestRow({ x, y }: Pick<Layout, 'x' | 'y'>, toX: number, toY: number): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let row = 0; row < x.length; row += 1) {
    const far = ((x[row] ?? 0) - toX) ** 2 + ((y[row] ?? 0) - toY) ** 2;
    if (far < least) [best, least] = [row, far];
  }
  return best;
}
