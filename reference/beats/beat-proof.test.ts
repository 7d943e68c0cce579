import { describe, expect, it } from 'vitest';
import type { BeatProof, SpotCheck } from '../../spec/endpoints/proof-schemas.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { computeBeat, computeChain } from './beat.js';
import { type BeatProofFault, checkBeatProof } from './beat-proof.js';
import { challengeIndexes } from './spot-checks.js';

const ANCHOR = 'a1'.repeat(32);
const OTHER = 'ee'.repeat(32);
const FROM_HASH = 'b2'.repeat(32);
const DIFFICULTY = 2;
const terms = { protocol, difficulty: DIFFICULTY, anchorHash: ANCHOR };

/** A valid proof of `beats` beats after `fromBeat`, showing those at these places of the run (1 is its first beat). */
function proofOf(fromBeat: number, beats: number, places: readonly number[]): BeatProof {
  const indexes = places.map((place) => fromBeat + place);
  const run = { fromHash: FROM_HASH, fromIndex: fromBeat, beats, difficulty: DIFFICULTY, anchorHash: ANCHOR };
  const { toIndex, toHash, spotChecks } = computeChain({ ...run, keep: { indexes } });
  return {
    from_beat: fromBeat,
    to_beat: toIndex,
    from_hash: FROM_HASH,
    to_hash: toHash,
    beats_computed: beats,
    global_anchor: 9,
    anchor_hash: ANCHOR,
    spot_checks: spotChecks,
  };
}

/** A correctly computed beat whose `prev` belongs to no chain. */
function forgedBeat(index: number, prev = OTHER): SpotCheck {
  return { index, prev, hash: computeBeat({ prev, index, anchorHash: ANCHOR, difficulty: DIFFICULTY }) };
}

const places = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const withChecks = (proof: BeatProof, checks: SpotCheck[]): BeatProof => ({ ...proof, spot_checks: checks });
const swapped = (proof: BeatProof, by: SpotCheck): BeatProof =>
  withChecks(
    proof,
    proof.spot_checks.map((check) => (check.index === by.index ? by : check)),
  );

const challenging = (challengeChecks: number): Protocol => ({
  ...protocol,
  proof: { ...protocol.proof, challengeChecks },
});
const underChallenge = { ...terms, protocol: challenging(7) };

describe('checkBeatProof accepts', () => {
  it.each([
    { name: 'three checks of ten beats', proof: proofOf(40, 10, [1, 5, 10]), checks: 3 },
    { name: 'one beat with its one check', proof: proofOf(40, 1, [1]), checks: 1 },
    { name: 'two beats with both', proof: proofOf(0, 2, [1, 2]), checks: 2 },
    { name: '25 checks', proof: proofOf(0, 30, [...places(24), 30]), checks: 25 },
    { name: 'no check at the start', proof: proofOf(7, 10, [4, 6, 10]), checks: 3 },
  ])('$name', ({ proof, checks }) => {
    expect(checkBeatProof(proof, terms)).toEqual({ ok: true, spotChecksVerified: checks });
  });

  it('beats that wove a nonce and show it, and no other nonce', () => {
    const proof = proofOf(40, 10, [1, 5, 10]);
    const [first, fifth, last] = proof.spot_checks as [SpotCheck, SpotCheck, SpotCheck];
    const nonce = 'tide';
    const { index, prev } = fifth;
    const hash = computeBeat({ prev, index, nonce, anchorHash: ANCHOR, difficulty: DIFFICULTY });
    expect(checkBeatProof(withChecks(proof, [first, { index, prev, hash, nonce }, last]), terms).ok).toBe(true);
    for (const other of [
      { index, prev, hash },
      { index, prev, hash, nonce: 'ebb' },
      { ...fifth, nonce },
    ]) {
      expect(checkBeatProof(withChecks(proof, [first, other, last]), terms)).toEqual({
        ok: false,
        reason: 'check_failed',
      });
    }
  });

  it('checks in any order', () => {
    const proof = proofOf(40, 10, [1, 2, 5, 10]);
    expect(checkBeatProof(withChecks(proof, proof.spot_checks.toReversed()), terms).ok).toBe(true);
  });
});

describe('checkBeatProof refuses', () => {
  const ten = proofOf(40, 10, [1, 2, 5, 10]);
  const [first, second, fifth, last] = ten.spot_checks as [SpotCheck, SpotCheck, SpotCheck, SpotCheck];
  const none = { ...ten, to_beat: 40, to_hash: FROM_HASH, beats_computed: 0, spot_checks: [] };
  const faults: readonly { name: string; proof: BeatProof; reason: BeatProofFault }[] = [
    { name: 'a count over the span', proof: { ...ten, beats_computed: 11 }, reason: 'count_mismatch' },
    { name: 'a count under the span', proof: { ...ten, beats_computed: 9 }, reason: 'count_mismatch' },
    { name: 'a count that is no number', proof: { ...ten, beats_computed: NaN }, reason: 'count_mismatch' },
    { name: 'no beats', proof: none, reason: 'no_beats' },
    { name: 'a run backwards', proof: { ...ten, to_beat: 30, beats_computed: -10 }, reason: 'no_beats' },
    { name: 'another anchor hash', proof: { ...ten, anchor_hash: OTHER }, reason: 'anchor_mismatch' },
    { name: 'no checks', proof: withChecks(ten, []), reason: 'too_few_checks' },
    { name: 'two checks of ten beats', proof: withChecks(ten, [first, last]), reason: 'too_few_checks' },
    { name: 'one check of two beats', proof: proofOf(0, 2, [2]), reason: 'too_few_checks' },
    { name: '26 checks', proof: proofOf(0, 30, [...places(25), 30]), reason: 'too_many_checks' },
    {
      name: 'a check at from_beat',
      proof: withChecks(ten, [forgedBeat(40), fifth, last]),
      reason: 'index_out_of_range',
    },
    {
      name: 'a check after to_beat',
      proof: withChecks(ten, [fifth, last, forgedBeat(51)]),
      reason: 'index_out_of_range',
    },
    {
      name: 'a check with no index',
      proof: withChecks(ten, [fifth, { ...last, index: NaN }, last]),
      reason: 'index_out_of_range',
    },
    { name: 'a beat shown twice', proof: withChecks(ten, [first, fifth, fifth, last]), reason: 'index_twice' },
    { name: 'no check at to_beat', proof: withChecks(ten, [first, second, fifth]), reason: 'end_not_checked' },
    { name: 'a first beat after another hash', proof: swapped(ten, forgedBeat(41)), reason: 'start_not_linked' },
    { name: 'a from_hash that is not the chain’s', proof: { ...ten, from_hash: OTHER }, reason: 'start_not_linked' },
    { name: 'neighbours that do not link', proof: swapped(ten, forgedBeat(42)), reason: 'neighbours_not_linked' },
    { name: 'a last beat of another end', proof: swapped(ten, forgedBeat(50)), reason: 'end_not_linked' },
    { name: 'a to_hash that is not the chain’s', proof: { ...ten, to_hash: OTHER }, reason: 'end_not_linked' },
    { name: 'a hash that was not computed', proof: swapped(ten, { ...fifth, hash: OTHER }), reason: 'check_failed' },
    {
      name: 'a prev that it was not computed from',
      proof: swapped(ten, { ...fifth, prev: OTHER }),
      reason: 'check_failed',
    },
  ];

  it.each(faults)('$name: $reason', ({ proof, reason }) => {
    expect(checkBeatProof(proof, terms)).toEqual({ ok: false, reason });
  });

  it('an anchor that is none of the latest', () => {
    expect(checkBeatProof(ten, { ...terms, anchorHash: undefined })).toEqual({ ok: false, reason: 'stale_anchor' });
  });

  it('beats of another difficulty', () => {
    for (const difficulty of [1, 3]) {
      expect(checkBeatProof(ten, { ...terms, difficulty })).toEqual({ ok: false, reason: 'check_failed' });
    }
  });

  it('beats that weave no anchor, or another than the proof says', () => {
    const run = { fromHash: FROM_HASH, fromIndex: 40, beats: 10, difficulty: DIFFICULTY, keep: { every: 3 } };
    for (const anchorHash of [undefined, OTHER]) {
      const { toHash, spotChecks } = computeChain({ ...run, anchorHash });
      const proof = { ...ten, to_hash: toHash, spot_checks: spotChecks };
      expect(checkBeatProof(proof, terms)).toEqual({ ok: false, reason: 'check_failed' });
    }
  });
});

describe('one field of a true proof changed', () => {
  // Changes that the proof alone cannot reveal, and where they are noticed.
  it('is let through where it cannot: from_hash that no check touches, global_anchor, one check less', () => {
    const proof = proofOf(40, 10, [2, 5, 8, 10]);
    // The registry compares from_hash with the agent's latest (D-07).
    expect(checkBeatProof({ ...proof, from_hash: OTHER }, terms).ok).toBe(true);
    // The caller looks `anchorHash` up by it: another anchor has another hash.
    expect(checkBeatProof({ ...proof, global_anchor: 8 }, terms).ok).toBe(true);
    // Three checks are as valid as four.
    expect(checkBeatProof(withChecks(proof, proof.spot_checks.slice(1)), terms).ok).toBe(true);
  });
});

describe('a forged run', () => {
  const forged = (toBeat: number, checked: readonly number[], last: SpotCheck): BeatProof => ({
    from_beat: 40,
    to_beat: toBeat,
    from_hash: FROM_HASH,
    to_hash: last.hash,
    beats_computed: toBeat - 40,
    global_anchor: 9,
    anchor_hash: ANCHOR,
    spot_checks: checked.map((index) =>
      index === toBeat ? last : forgedBeat(index, index === 41 ? FROM_HASH : OTHER),
    ),
  });

  it('of 10,000 beats passes with three of them computed, as the specification has it', () => {
    const proof = forged(10_040, [41, 43, 10_040], forgedBeat(10_040));
    expect(checkBeatProof(proof, terms)).toEqual({ ok: true, spotChecksVerified: 3 });
  });

  it('fails a challenge with checks of its own choice, and meets it at one beat a check', () => {
    const last = forgedBeat(10_040);
    const indexes = challengeIndexes({ toHash: last.hash, fromBeat: 40, toBeat: 10_040, count: 7 });
    expect(
      checkBeatProof(
        forged(
          10_040,
          places(7)
            .map((place) => 40 + place)
            .concat(10_040),
          last,
        ),
        underChallenge,
      ),
    ).toEqual({
      ok: false,
      reason: 'challenge_not_met',
    });
    // Eight computed beats pass for 10,000: a challenge makes a forgery dearer, not impossible.
    expect(checkBeatProof(forged(10_040, indexes, last), underChallenge)).toEqual({ ok: true, spotChecksVerified: 8 });
  });
});

describe('a true run under a challenge', () => {
  it('shows the beats that are named, no more and no fewer', () => {
    const { to_hash: toHash } = proofOf(40, 100, [100]);
    const named = challengeIndexes({ toHash, fromBeat: 40, toBeat: 140, count: 7 }).map((index) => index - 40);
    const proof = proofOf(40, 100, named);
    expect(checkBeatProof(proof, underChallenge)).toEqual({ ok: true, spotChecksVerified: 8 });
    const fewer = withChecks(proof, proof.spot_checks.slice(1));
    expect(checkBeatProof(fewer, underChallenge)).toEqual({ ok: false, reason: 'too_few_checks' });
    const unnamed = places(99).find((place) => !named.includes(place)) ?? expect.fail('every beat is named');
    const more = proofOf(40, 100, [...named, unnamed]);
    expect(checkBeatProof(more, underChallenge)).toEqual({ ok: false, reason: 'too_many_checks' });
  });

  it.each([1, 24, 25, 1_000])('can be met with challengeChecks %i', (challengeChecks) => {
    for (const beats of [1, 2, 3, 24, 25, 26, 60]) {
      const { to_hash: toHash } = proofOf(40, beats, [beats]);
      const count = Math.min(challengeChecks, 24);
      const named = challengeIndexes({ toHash, fromBeat: 40, toBeat: 40 + beats, count }).map((index) => index - 40);
      const proof = proofOf(40, beats, named);
      expect(checkBeatProof(proof, { ...terms, protocol: challenging(challengeChecks) }).ok).toBe(true);
      expect(named.length).toBe(Math.min(beats, count + 1));
    }
  });
});
