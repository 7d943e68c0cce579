import { describe, expect, it } from 'vitest';
import { shaped } from './shapes.js';

describe('a reply under the names of a target', () => {
  it('is read under ours too', () => {
    const json = { anchor: { index: 7, digest: 'ab' } };
    expect(shaped('beat-anchor', json, { beat_index: 'index', hash: 'anchor.digest' })).toEqual({
      anchor: { index: 7, digest: 'ab', beat_index: 7, hash: 'ab' },
    });
  });

  it('may have them at the top, or below other objects', () => {
    expect(shaped('beat-anchor', { height: 7 }, { beat_index: 'height' })).toEqual({
      height: 7,
      anchor: { beat_index: 7 },
    });
    expect(shaped('status', { state: { now: 'active' } }, { status: 'state.now' })).toMatchObject({ status: 'active' });
  });

  it('stays as it is without names, without the field, and where it is no object', () => {
    const json = { a: 1 };
    expect(shaped('status', json, undefined)).toBe(json);
    expect(shaped('status', json, { status: 'state' })).toEqual({ a: 1 });
    expect(shaped('status', 'text', { status: 'state' })).toBe('text');
    expect(shaped('status', { x: 1 }, { '__proto__.polluted': 'x' })).toEqual({ x: 1 });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
