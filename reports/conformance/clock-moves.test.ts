import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../results/conformance-result.js';
import { clockMoves } from './clock-moves.js';

const at = (time?: string): Exchange => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
  ...(time === undefined ? {} : { at: time }),
});

describe('moves of the clock', () => {
  it('stand before the exchange that follows them, with what they took', () => {
    const moves = clockMoves([
      at('2026-01-01T00:00:00.000Z'),
      at('2026-01-01T00:00:00.000Z'),
      at('2026-01-01T00:00:00.250Z'),
      at(),
      at('2026-01-02T06:00:00.250Z'),
    ]);
    expect(moves).toEqual([
      undefined,
      undefined,
      'protocol time goes on by 250 ms, to 2026-01-01T00:00:00.250Z',
      undefined,
      'protocol time goes on by 1 day 6 h, to 2026-01-02T06:00:00.250Z',
    ]);
  });

  it('are none without a clock, where it went back, or for what is no time', () => {
    const odd = [at(), at('2026-01-02T00:00:00Z'), at('2026-01-01T00:00:00Z'), at('noon')];
    expect(clockMoves(odd)).toEqual([undefined, undefined, undefined, undefined]);
    expect(clockMoves([])).toEqual([]);
  });
});
