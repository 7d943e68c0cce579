/** Designs of experiments: which settings each arm has. How a setting reaches a scenario is in setting.ts. */

import type { Json } from '../../results/json-text.js';
import { drawsOf } from '../statistics/draws.js';
import type { FactorRange } from './factor-range.js';
import { latinHypercube } from './latin-hypercube.js';
import { sobolPoints } from './sobol-sequence.js';

/** The settings of an arm: values by their path in the scenario file. */
export type ArmSettings = Readonly<Record<string, Json>>;

/** A design whose ranges have been read. */
export type Design =
  | { readonly kind: 'grid' | 'zip'; readonly factors: Readonly<Record<string, readonly Json[]>> }
  | {
      readonly kind: 'table';
      readonly rows: readonly { readonly name?: string | undefined; readonly set: ArmSettings }[];
    }
  | {
      readonly kind: 'latin_hypercube' | 'sobol';
      readonly points: number;
      readonly factors: Readonly<Record<string, FactorRange>>;
    };

/** One row of a design. */
interface DesignRow {
  /** Given by a table; absent: it follows from the settings. */
  readonly name?: string | undefined;
  readonly set: ArmSettings;
}

/** The rows of a design, in its order: in a grid the last factor changes fastest. `seed` is for the random designs. */
export function rowsOf(design: Design, seed: number): readonly DesignRow[] {
  switch (design.kind) {
    case 'grid':
      return Object.entries(design.factors).reduce<DesignRow[]>(
        (rows, [path, values]) =>
          rows.flatMap(({ set }) => values.map((value) => ({ set: { ...set, [path]: value } }))),
        [{ set: {} }],
      );
    case 'zip': {
      const factors = Object.entries(design.factors);
      const length = factors[0]?.[1].length ?? 0;
      return Array.from({ length }, (_, i) => ({
        set: Object.fromEntries(factors.map(([path, values]) => [path, values[i] as Json])),
      }));
    }
    case 'table':
      return design.rows;
    case 'latin_hypercube':
    case 'sobol': {
      const factors = Object.entries(design.factors);
      const draws = drawsOf(seed, design.kind);
      const points =
        design.kind === 'sobol'
          ? sobolPoints(design.points, factors.length, draws)
          : latinHypercube(design.points, factors.length, draws);
      return points.map((point) => ({
        set: Object.fromEntries(factors.map(([path, range], d) => [path, range.value(point[d] as number)])),
      }));
    }
    default:
      return design satisfies never;
  }
}

/** A name for each row: its own, or the settings in which rows differ, by the shortest ends of their paths that are unique. */
export function rowNames(rows: readonly DesignRow[]): readonly string[] {
  const paths = [...new Set(rows.flatMap(({ set }) => Object.keys(set)))];
  const differs = paths.filter((path) => new Set(rows.map(({ set }) => JSON.stringify(set[path]))).size > 1);
  return rows.map(({ name, set }) => {
    if (name !== undefined) return name;
    const own = differs.filter((path) => path in set);
    return own.length === 0
      ? 'unchanged'
      : own.map((path) => `${shortPath(path, paths)}=${written(set[path])}`).join(',');
  });
}

/** The shortest end of a path that no other path has. */
function shortPath(path: string, paths: readonly string[]): string {
  const parts = path.split('.');
  for (let from = parts.length - 1; from > 0; from -= 1) {
    const end = parts.slice(from).join('.');
    if (!paths.some((other) => other !== path && (other === end || other.endsWith(`.${end}`)))) return end;
  }
  return path;
}

function written(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
