import { expect, it } from 'vitest';
import type { SavedState } from '../../../reference/store/saved-state.js';
import { fingerprintOf, keepState, openState, piecesOf } from './kept-state.js';

const ROWS = 2_500;
const state = (changed: Partial<SavedState> = {}): SavedState => ({
  tables: { counts: { rows: ROWS } },
  lists: { names: Array.from({ length: 1_100 }, (_, at) => [at, { name: `agent ${at}` }]), none: [] },
  columns: { beats: Float64Array.from({ length: ROWS }, (_, at) => at / 3), none: new Int32Array(0) },
  ...changed,
});
/** Changes an item of a list and all of a column. */
function spoil({ lists, columns }: SavedState): void {
  const [first] = lists['names'] as [number, { name: string }][];
  if (first !== undefined) first[1].name = 'other';
  columns['beats']?.fill(7);
}
/** The pieces of one state that another has too. */
const shared = (one: SavedState, other: SavedState): readonly [number, number] => {
  const first = keepState(one);
  const own = new Set(piecesOf(first));
  const pieces = [...piecesOf(keepState(other, first))];
  return [pieces.filter((piece) => own.has(piece)).length, pieces.length];
};

it('a kept state is opened as it was saved, as a copy', () => {
  const saved = state();
  const kept = keepState(saved);
  spoil(saved);
  expect(openState(kept)).toEqual(state());
  spoil(openState(kept));
  expect(openState(kept)).toEqual(state());
});

it('states have in common what is the same in both', () => {
  // Two pieces of names, two of the column, one that is empty.
  expect(shared(state(), state())).toEqual([5, 5]);
  const { names = [], none = [] } = state().lists;
  const more = [...names, [1_100, { name: 'new' }]];
  expect(shared(state(), state({ lists: { names: more, none } }))).toEqual([4, 5]);
  const { beats, none: empty } = state().columns as Record<'beats' | 'none', Float64Array>;
  expect(shared(state(), state({ columns: { none: empty, beats: beats.with(2_400, 1) } }))).toEqual([4, 5]);
});

it.each<readonly [what: string, other: SavedState]>([
  ['a table', state({ tables: { counts: { rows: 1 } } })],
  ['an item', state({ lists: { ...state().lists, names: state().lists['names']?.with(1_099, [1_099, {}]) ?? [] } })],
  ['an item less', state({ lists: { ...state().lists, names: state().lists['names']?.slice(1) ?? [] } })],
  ['a list', state({ lists: { ...state().lists, none: [1] } })],
  ['a number', state({ columns: { ...state().columns, beats: new Float64Array(ROWS) } })],
  ['a row less', state({ columns: { ...state().columns, beats: new Float64Array(ROWS - 1) } })],
])('the fingerprint is another where %s is another, and the same however it was kept', (_, other) => {
  const kept = keepState(state());
  expect(fingerprintOf(keepState(other))).not.toBe(fingerprintOf(kept));
  expect(fingerprintOf(keepState(other, kept))).toBe(fingerprintOf(keepState(other)));
  expect(fingerprintOf(keepState(state(), keepState(other)))).toBe(fingerprintOf(kept));
});
