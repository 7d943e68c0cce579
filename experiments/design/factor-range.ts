/** A factor that varies between two values with units, such as 10m and 2h. Lists of values need no units: see designs.ts. */

import { parseDurationSec, parseHashRate, parseLamports } from '../../scenarios/units.js';

/** The ends of a range as the file writes them, and how the values between are spread. */
export interface RangeFile {
  readonly from: number | string;
  readonly to: number | string;
  readonly scale: 'linear' | 'log';
  /** Whether values are rounded to whole numbers. Durations are whole seconds and money whole lamports in any case. */
  readonly whole: boolean;
}

/** A parsed range: `value` gives the value in the scenario for a position between 0 and 1. */
export interface FactorRange {
  readonly low: number;
  readonly high: number;
  readonly value: (place: number) => number | string;
}

interface Unit {
  readonly parse: (text: string) => number | undefined;
  readonly write: (value: number) => number | string;
}

const UNITS: readonly Unit[] = [
  { parse: parseDurationSec, write: (sec) => `${Math.round(sec)}s` },
  { parse: parseLamports, write: (lamports) => `${Math.round(lamports)} lamports` },
  { parse: parseHashRate, write: (rate) => `${rounded(rate)} hashes/s` },
];

/** Six significant digits: more would only make names long. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** The range, or the reason why there is none. */
export function readRange({ from, to, scale, whole }: RangeFile): FactorRange | string {
  const ends = endsOf(from, to);
  if (ends === undefined) return 'must go from one number to another, or between two durations, sums or hash rates';
  const { low, high, write } = ends;
  if (!(low < high)) return 'must go from a smaller value to a larger one';
  if (scale === 'log' && low <= 0) return 'must begin above zero where its scale is log';
  const between = (place: number): number =>
    scale === 'log' ? low * (high / low) ** place : low + (high - low) * place;
  const shown = (value: number): number => (whole ? Math.round(value) : rounded(value));
  return { low, high, value: (place) => write?.(between(place)) ?? shown(between(place)) };
}

interface Ends {
  readonly low: number;
  readonly high: number;
  readonly write?: Unit['write'];
}

function endsOf(from: number | string, to: number | string): Ends | undefined {
  if (typeof from === 'number' && typeof to === 'number') return { low: from, high: to };
  if (typeof from === 'number' || typeof to === 'number') return undefined;
  for (const { parse, write } of UNITS) {
    const [low, high] = [parse(from), parse(to)];
    if (low !== undefined && high !== undefined) return { low, high, write };
  }
  return undefined;
}
