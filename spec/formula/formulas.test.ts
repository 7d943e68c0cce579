import { describe, expect, it } from 'vitest';
import { describeProblem } from '../document.js';
import { type Overlay, parseOverlay, withOverlay } from '../overlay.js';
import { protocol } from '../protocol.js';
import { type FormulaName, formulaOf, formulas, unreadNumbers } from './formulas.js';

const under = (name: FormulaName, written: string, overlay: Overlay = {}) =>
  withOverlay({ ...overlay, parts: { formulas: { [name]: written } } });

describe('the formulas of the text', () => {
  it('stand in no protocol that does not replace them', () => {
    expect(formulaOf(protocol, 'resync.penaltyBeats')).toBeUndefined();
    expect(formulaOf(protocol, 'spawn.costBeats')).toBeUndefined();
  });

  it('as expressions give the text’s penalty: 100 for each missed anchor, at most 10,000', () => {
    const penalty = formulaOf(under('resync.penaltyBeats', formulas['resync.penaltyBeats'].own), 'resync.penaltyBeats');
    const at = [0, 1, 61, 99, 100, 101, 5_000].map((missed) => penalty?.(missed));
    expect(at).toEqual([0, 100, 6_100, 9_900, 10_000, 10_000, 10_000]);
  });

  it.each([
    [0, 0, 1_000],
    [0, 1, 1_200],
    [1, 0, 1_500],
    [1, 1, 1_800],
    [2, 0, 2_250],
    [2, 3, 3_888],
    [0, 3, 1_728],
  ])('as expressions give the text’s cost of a child at depth %i with %i siblings: %i', (depth, siblings, beats) => {
    const cost = formulaOf(under('spawn.costBeats', formulas['spawn.costBeats'].own), 'spawn.costBeats');
    expect(cost?.(depth, siblings)).toBe(beats);
  });

  it('as an expression agree with whole-number arithmetic up to 2^53 - 1', () => {
    const cost = formulaOf(under('spawn.costBeats', formulas['spawn.costBeats'].own), 'spawn.costBeats');
    for (let depth = 0; depth < 60; depth += 7)
      for (let siblings = 0; siblings < 200; siblings += 13) {
        const byDepth = (1_000n * 3n ** BigInt(depth)) / 2n ** BigInt(depth);
        const exact = (byDepth * 12n ** BigInt(siblings)) / 10n ** BigInt(siblings);
        expect(cost?.(depth, siblings)).toBe(exact > 9_007_199_254_740_991n ? null : Number(exact));
      }
  });

  it('read the numbers of the protocol that they are in', () => {
    const held = under('resync.penaltyBeats', 'resync.beatsPerMissedAnchor * missedAnchors', {
      resync: { beatsPerMissedAnchor: 7 },
    });
    expect(formulaOf(held, 'resync.penaltyBeats')?.(1_000)).toBe(7_000);
    expect([...unreadNumbers(held)]).toEqual(['resync.beatsMax']);
    expect(unreadNumbers(protocol).size).toBe(0);
  });
});

describe('the formulas of an overlay', () => {
  it.each([
    [
      'formulas:\n  resync.penaltyBeats: min(100 * missed, 10000)\n',
      'o.yaml:2: formulas.resync.penaltyBeats: position 11: missed is no name of this formula',
    ],
    [
      'formulas:\n  spawn.costBeats: 1000 * (depth + 1\n',
      'o.yaml:2: formulas.spawn.costBeats: position 18: a ) should stand there',
    ],
    [
      'formulas:\n  heartbeat.fee: 2 * 3\n',
      'o.yaml:2: formulas.heartbeat.fee: is no formula that is data; resync.penaltyBeats and spawn.costBeats are',
    ],
    ['formulas:\n  spawn.costBeats: 7\n', 'o.yaml:2: formulas.spawn.costBeats: must be a text with a formula'],
    [
      'formulas:\n  spawn.costBeats: siblings / depth\n',
      'o.yaml:2: formulas.spawn.costBeats: has no value with depth 0, siblings 0: it divides zero by zero',
    ],
  ])('%s', (text, wanted) => {
    const parsed = parseOverlay(text, 'o.yaml');
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem).join('\n')).toContain(wanted);
  });

  it('are parts of the protocol', () => {
    const parsed = parseOverlay('formulas: { resync.penaltyBeats: 50 * missedAnchors }\n', 'o.yaml');
    expect(parsed).toEqual({
      ok: true,
      value: { parts: { formulas: { 'resync.penaltyBeats': '50 * missedAnchors' } } },
    });
  });
});
