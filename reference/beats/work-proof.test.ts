import { describe, expect, it } from 'vitest';
import type { SpotCheck, WorkProof } from '../../spec/endpoints/proof-schemas.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import type { WorkProofRefusal } from '../../spec/vocabulary.js';
import { computeBeat, computeChain } from './beat.js';
import { challengeIndexes } from './spot-checks.js';
import { checkWorkProof } from './work-proof.js';

const ANCHOR = 'a1'.repeat(32);
const OTHER = 'ee'.repeat(32);
const FROM_HASH = 'b2'.repeat(32);
const DIFFICULTY = 100;
const terms = { protocol, anchorHash: ANCHOR };

/** A valid proof of `beats` beats whose first has the index `fromIndex + 1`, showing those at these places. */
function proofOf(fromIndex: number, beats: number, places: readonly number[], difficulty = DIFFICULTY): WorkProof {
  const indexes = places.map((place) => fromIndex + place);
  const run = { fromHash: FROM_HASH, fromIndex, beats, difficulty, anchorHash: ANCHOR };
  const { toHash, spotChecks } = computeChain({ ...run, keep: { indexes } });
  return {
    from_hash: FROM_HASH,
    to_hash: toHash,
    beats_computed: beats,
    difficulty,
    anchor_index: 9,
    anchor_hash: ANCHOR,
    spot_checks: spotChecks,
  };
}

function forgedBeat(index: number): SpotCheck {
  return { index, prev: OTHER, hash: computeBeat({ prev: OTHER, index, anchorHash: ANCHOR, difficulty: DIFFICULTY }) };
}

const places = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const withChecks = (proof: WorkProof, checks: SpotCheck[]): WorkProof => ({ ...proof, spot_checks: checks });
const swapped = (proof: WorkProof, by: SpotCheck): WorkProof =>
  withChecks(
    proof,
    proof.spot_checks.map((check) => (check.index === by.index ? by : check)),
  );

describe('checkWorkProof accepts', () => {
  it.each([
    { name: 'a chain from index 1', proof: proofOf(0, 10, [1, 5, 10]) },
    { name: 'a chain from any index', proof: proofOf(123_456, 10, [1, 5, 10]) },
    { name: 'no check at the start', proof: proofOf(3, 10, [4, 6, 10]) },
    { name: 'one beat', proof: proofOf(0, 1, [1]) },
    { name: '25 checks', proof: proofOf(0, 30, [...places(24), 30]) },
    { name: 'difficulty 100', proof: proofOf(0, 3, [1, 2, 3], 100) },
    { name: 'difficulty 5,000', proof: proofOf(0, 3, [1, 2, 3], 5_000) },
  ])('$name', ({ proof }) => {
    expect(checkWorkProof(proof, terms)).toEqual({ ok: true });
  });

  it('a chain whose first beat has index 0', () => {
    const beat = (index: number, prev: string): SpotCheck => {
      return { index, prev, hash: computeBeat({ prev, index, anchorHash: ANCHOR, difficulty: DIFFICULTY }) };
    };
    const zero = beat(0, FROM_HASH);
    const one = beat(1, zero.hash);
    const proof = { ...proofOf(0, 1, [1]), to_hash: one.hash, beats_computed: 2, spot_checks: [zero, one] };
    expect(checkWorkProof(proof, terms)).toEqual({ ok: true });
    expect(checkWorkProof({ ...proof, from_hash: OTHER }, terms)).toEqual({ ok: false, reason: 'spot_check_failed' });
  });
});

describe('checkWorkProof refuses', () => {
  const ten = proofOf(40, 10, [1, 2, 5, 10]);
  const [first, second, fifth, last] = ten.spot_checks as [SpotCheck, SpotCheck, SpotCheck, SpotCheck];
  const faults: readonly { name: string; proof: WorkProof; reason: WorkProofRefusal }[] = [
    { name: 'difficulty 99', proof: proofOf(0, 3, [1, 2, 3], 99), reason: 'insufficient_difficulty' },
    { name: 'difficulty 5,001', proof: { ...ten, difficulty: 5_001 }, reason: 'insufficient_difficulty' },
    { name: 'a difficulty that is no number', proof: { ...ten, difficulty: NaN }, reason: 'insufficient_difficulty' },
    { name: 'a difficulty not computed', proof: { ...ten, difficulty: 101 }, reason: 'spot_check_failed' },
    { name: 'another anchor hash', proof: { ...ten, anchor_hash: OTHER }, reason: 'stale_anchor' },
    { name: 'no checks', proof: withChecks(ten, []), reason: 'insufficient_spot_checks' },
    { name: 'two checks of ten', proof: withChecks(ten, [first, last]), reason: 'insufficient_spot_checks' },
    { name: '26 checks', proof: proofOf(0, 30, [...places(25), 30]), reason: 'insufficient_spot_checks' },
    {
      name: 'a beat shown twice',
      proof: withChecks(ten, [first, fifth, fifth, last]),
      reason: 'insufficient_spot_checks',
    },
    { name: 'checks wider than the count', proof: { ...ten, beats_computed: 9 }, reason: 'count_mismatch' },
    { name: 'no beats', proof: { ...ten, beats_computed: 0 }, reason: 'count_mismatch' },
    { name: 'fewer than no beats', proof: { ...ten, beats_computed: -3 }, reason: 'count_mismatch' },
    { name: 'a count before index 0', proof: { ...ten, beats_computed: 52 }, reason: 'count_mismatch' },
    { name: 'no check at the end', proof: withChecks(ten, [first, second, fifth]), reason: 'spot_check_failed' },
    { name: 'another to_hash', proof: { ...ten, to_hash: OTHER }, reason: 'spot_check_failed' },
    { name: 'another from_hash', proof: { ...ten, from_hash: OTHER }, reason: 'spot_check_failed' },
    { name: 'neighbours that do not link', proof: swapped(ten, forgedBeat(42)), reason: 'spot_check_failed' },
    { name: 'a hash not computed', proof: swapped(ten, { ...fifth, hash: OTHER }), reason: 'spot_check_failed' },
    { name: 'a prev not computed from', proof: swapped(ten, { ...fifth, prev: OTHER }), reason: 'spot_check_failed' },
  ];

  it.each(faults)('$name: $reason', ({ proof, reason }) => {
    expect(checkWorkProof(proof, terms)).toEqual({ ok: false, reason });
  });

  it('an anchor that is none of the latest', () => {
    expect(checkWorkProof(ten, { ...terms, anchorHash: undefined })).toEqual({ ok: false, reason: 'stale_anchor' });
  });

  const challenging: Protocol = { ...protocol, proof: { ...protocol.proof, challengeChecks: 3 } };

  it('no beats, under a challenge too', () => {
    const verdict = checkWorkProof({ ...ten, beats_computed: 0 }, { ...terms, protocol: challenging });
    expect(verdict).toEqual({ ok: false, reason: 'count_mismatch' });
  });

  it('checks that a challenge did not name', () => {
    const { to_hash: toHash } = proofOf(40, 100, [100]);
    const named = challengeIndexes({ toHash, fromBeat: 40, toBeat: 140, count: 3 }).map((index) => index - 40);
    expect(checkWorkProof(proofOf(40, 100, named), { ...terms, protocol: challenging })).toEqual({ ok: true });
    const chosen = proofOf(40, 100, named[0] === 1 ? [2, 3, 4, 100] : [1, 2, 3, 100]);
    expect(checkWorkProof(chosen, { ...terms, protocol: challenging })).toEqual({
      ok: false,
      reason: 'insufficient_spot_checks',
    });
  });
});

describe('one field of a true work proof changed', () => {
  // Changes that the proof alone cannot reveal.
  it('is let through where it cannot: from_hash that no check touches, a larger or smaller count, anchor_index', () => {
    const proof = proofOf(1_000, 10, [4, 6, 10]);
    expect(checkWorkProof({ ...proof, from_hash: OTHER }, terms)).toEqual({ ok: true });
    // A work proof does not tell where its run starts, so the count can claim all beats back to index 0.
    expect(checkWorkProof({ ...proof, beats_computed: 1_011 }, terms)).toEqual({ ok: true });
    expect(checkWorkProof({ ...proof, beats_computed: 1_012 }, terms)).toEqual({ ok: false, reason: 'count_mismatch' });
    // A smaller count is noticed once a check would be the run's first beat, or before it.
    expect(checkWorkProof({ ...proof, beats_computed: 8 }, terms)).toEqual({ ok: true });
    expect(checkWorkProof({ ...proof, beats_computed: 7 }, terms)).toEqual({ ok: false, reason: 'spot_check_failed' });
    expect(checkWorkProof({ ...proof, beats_computed: 6 }, terms)).toEqual({ ok: false, reason: 'count_mismatch' });
    // The caller looks `anchorHash` up by it.
    expect(checkWorkProof({ ...proof, anchor_index: 8 }, terms)).toEqual({ ok: true });
  });
});
