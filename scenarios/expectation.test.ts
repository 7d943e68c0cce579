import { describe, expect, it } from 'vitest';
import { type Expectation, parseExpectation } from './expectation.js';

const scope = { groups: ['narrow_task', 'autonomous', 'orchestrator', 'night-shift'], durationSec: 14 * 86_400 };

describe('expectations that can be read', () => {
  const whole = { group: null, time: { kind: 'end' } } as const;
  it.each<[string, Omit<Expectation, 'text'>]>([
    ['resyncs > 10', { ...whole, measure: 'resyncs', comparison: '>', value: 10 }],
    [
      'frozen_share < 0.05 after 7d',
      { ...whole, measure: 'frozen_share', comparison: '<', value: 0.05, time: { kind: 'after', sec: 604_800 } },
    ],
    ['frozen_share<=5%', { ...whole, measure: 'frozen_share', comparison: '<=', value: 0.05 }],
    ['fees_lamports >= 1.5 SOL', { ...whole, measure: 'fees_lamports', comparison: '>=', value: 1_500_000_000 }],
    ['fees_lamports > 5000 lamports', { ...whole, measure: 'fees_lamports', comparison: '>', value: 5_000 }],
    ['fees_lamports > 0', { ...whole, measure: 'fees_lamports', comparison: '>', value: 0 }],
    [
      'registered.night-shift = 12 at 1h30m',
      { measure: 'registered', group: 'night-shift', comparison: '=', value: 12, time: { kind: 'at', sec: 5_400 } },
    ],
    [
      'heartbeats.narrow_task > 0',
      { ...whole, group: 'narrow_task', measure: 'heartbeats', comparison: '>', value: 0 },
    ],
  ])('%s', (text, expected) => {
    expect(parseExpectation(text, scope)).toEqual({ ok: true, value: { text, ...expected } });
  });
});

describe('expectations that cannot be read say where', () => {
  it.each([
    ['', 1, '"" is not a measure'],
    ['frozen < ', 10, '"" is not a number'],
    ['frozn_share < 5%', 1, '"frozn_share" is not a measure; known: registered, active'],
    ['frozen_share.nobody < 5%', 14, '"nobody" is not a class or population here; known: narrow_task, autonomous'],
    ['frozen_share 5%', 14, '"5%" is not a comparison; known: < <= > >= ='],
    ['frozen_share', 13, '"" is not a comparison'],
    ['frozen_share < five', 16, '"five" is not a number'],
    ['resyncs > 5%', 11, 'resyncs is not a share'],
    ['resyncs > 5 SOL', 13, 'resyncs is not an amount of money'],
    ['fees_lamports > 0.0000000001 SOL', 17, 'is not an amount in SOL'],
    ['frozen_share < 5% until 7d', 19, '"until" is not "at" or "after" with a duration'],
    ['frozen_share < 5% after', 24, '"" is not a duration'],
    ['frozen_share < 5% after 7', 25, '"7" is not a duration'],
    ['frozen_share < 5% after 15d', 25, '"15d" is after the end of the scenario'],
    ['frozen_share < 5% after 7d always', 28, '"always" follows the end of the expectation'],
  ])('%j at column %i', (text, column, message) => {
    const parsed = parseExpectation(text, scope);
    expect(parsed).toMatchObject({ ok: false, column, message: expect.stringContaining(message) });
  });
});
