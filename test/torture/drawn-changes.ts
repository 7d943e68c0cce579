/** Draws changes of the specification: other values of numbers, and other codes or statuses of rows of errors. */

import { type ErrorKey, type ErrorRow, errors } from '../../spec/errors.js';
import { boundsOf } from '../../spec/number-bounds.js';
import { brokenRelations, mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { protocolNumbers } from '../../spec/protocol.js';
import type { Chance } from '../faults/chance.js';

/** Two values to either side of a number, within its bounds. */
export function valuesBeside(path: string, value: number): readonly number[] {
  const { low, high } = boundsOf(path);
  const wanted = [Math.floor(value / 2), value - 1, value + 1, value * 2];
  return [...new Set(wanted)].filter((each) => each >= low && each <= high && each !== value);
}

/** A change, and its name. */
interface DrawnChange {
  readonly name: string;
  readonly overlay: Overlay;
}

/** The rows that an overlay may change (spec/parts.ts). */
const rows = (Object.entries(errors) as [ErrorKey, ErrorRow][]).filter(
  ([, { endpoint, status, code }]) =>
    endpoint !== 'any' && endpoint !== 'checkin' && status !== 404 && code !== undefined,
);

/** Changes of one thing each, a quarter of them rows of errors. `base`: the numbers that they change. */
export function drawnChanges(count: number, chance: Chance, base: Overlay): readonly DrawnChange[] {
  const free = protocolNumbers(withOverlay(base)).filter(({ path, value }) => valuesBeside(path, value).length > 0);
  const changes: DrawnChange[] = [];
  while (changes.length < count) {
    const one = chance.below(4) === 0 ? rowChange(chance) : numberChange(chance.pick(free), chance);
    const isSound = brokenRelations(withOverlay(mergedOverlay(base, one.overlay))).length === 0;
    if (isSound && changes.every(({ name }) => name !== one.name)) changes.push(one);
  }
  return changes;
}

function numberChange({ path, value }: { readonly path: string; readonly value: number }, chance: Chance): DrawnChange {
  const other = chance.pick(valuesBeside(path, value));
  return { name: `${path}: ${value} → ${other}`, overlay: overlayOf(path, other) };
}

function rowChange(chance: Chance): DrawnChange {
  const [key] = chance.pick(rows);
  const change = chance.below(2) === 0 ? { code: 'DRAWN_ANEW' } : { status: 418 };
  return { name: `${key}: ${JSON.stringify(change)}`, overlay: { parts: { errors: { [key]: change } } } };
}
