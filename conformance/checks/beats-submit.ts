/** Checks of POST /agent/beats/submit: what is credited, which proofs are refused, and how often. */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { beatHash, chainHashes } from '../../model/reading/chain.js';
import { malformedProofs, submitBeats } from '../moves/beats-submit.js';
import { proofFaults } from '../moves/proof.js';
import { spawn } from '../moves/spawn.js';
import { asBeatProof, type BeatProof, computeChain } from '../protocol/beats.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { chainEnd, chainOn, chainProof, shownBeats, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const BEATS = 12;

/** A proof of the next beats of the agent's chain, with few enough spot checks for any target. */
const next = async (t: Trial, agent: Agent, beats = BEATS): Promise<BeatProof> =>
  chainProof(t, await chainEnd(t, agent), beats);

const credit: WrittenCheck = {
  id: 'beats-submit/credit',
  title: 'Proven beats are credited once, with spot checks in any order, and the next proof continues the chain',
  async run(t) {
    const agent = await t.root({ init: true });
    await counted(t, agent);
    const proof = await next(t, agent);
    await workTaken(t, await t.send(submitBeats(agent, { ...proof, spot_checks: proof.spot_checks.toReversed() })));
    await t.send(submitBeats(agent, proof));
    await workTaken(t, await t.send(submitBeats(agent, await next(t, agent))));
  },
};

/** Two submissions; after each a probe shows how many beats the agent lacks for its next child. */
async function counted(t: Trial, agent: Agent): Promise<void> {
  for (const beats of [BEATS, 2 * BEATS]) {
    await workTaken(t, await t.send(submitBeats(agent, await next(t, agent, beats))));
    await t.send(spawn(agent, { child_name: t.word() }));
  }
}

const ofChild: WrittenCheck = {
  id: 'beats-submit/spawning-of-child',
  title: 'Beats that a child submitted count towards its own next child',
  needs: ['beats'],
  async run(t) {
    await counted(t, await makeChild(t, await t.root({ init: true }), { init: true, link: true }));
  },
};

const wrapped: WrittenCheck = {
  id: 'beats-submit/wrapped',
  shares: true,
  title: 'A submission with its proof in the field proof is accepted',
  async run(t) {
    const agent = await t.root({ init: true });
    await workTaken(t, await t.send(submitBeats(agent, { proof: await next(t, agent) })), 'beats-submit.body.wrapped');
  },
};

/** A fault: a change of a valid proof. */
type Fault = (proof: BeatProof, t: Trial) => object;

const flipped = (hash: string): string => [...hash].reverse().join('');
/** A correctly computed proof of as many beats over the same anchor, which starts from another hash or another beat. */
const from = (t: Trial, proof: BeatProof, start: { readonly hash?: string; readonly beat?: number }): BeatProof => {
  const { difficulty } = t.protocol.beat;
  const { hash = proof.from_hash, beat: fromIndex = proof.from_beat } = start;
  const anchor = { index: proof.global_anchor, hash: proof.anchor_hash };
  return asBeatProof(
    computeChain(hash, BEATS, anchor, { difficulty, fromIndex, spotChecks: sureSpotChecks(t.protocol) }),
  );
};
/** The proof with other hashes of its beats; the first is the hash that the proof starts from. */
const withHashes = (proof: BeatProof, hashes: readonly string[]): BeatProof => ({
  ...proof,
  to_hash: hashes[BEATS] ?? '',
  spot_checks: proof.spot_checks.map(({ index }) => ({
    index,
    prev: hashes[index - proof.from_beat - 1] ?? '',
    hash: hashes[index - proof.from_beat] ?? '',
  })),
});
/** The proof with beats that are each made alone, not computed from the beat before. */
const withBeats = (proof: BeatProof, beat: (index: number) => string): BeatProof =>
  withHashes(proof, [proof.from_hash, ...Array.from({ length: BEATS }, (_, nth) => beat(proof.from_beat + nth + 1))]);
/** The proof with beats that weave no anchor. */
function unwovenBeats(t: Trial, proof: BeatProof): BeatProof {
  const { difficulty } = t.protocol.beat;
  const { from_hash, from_beat: fromIndex } = proof;
  return withHashes(proof, chainHashes({ from: from_hash, beats: BEATS, fromIndex, anchorHash: null, difficulty }));
}

/** Spoils the n-th spot check after the first. No two spot checks are neighbours, so only its own hash links a spot check to the beat before it. */
const wrongAt =
  (nth: number): Fault =>
  (proof) => {
    const bad = 1 + (nth % Math.max(1, proof.spot_checks.length - 1));
    const spot_checks = proof.spot_checks.map((check, place) =>
      place === bad || proof.spot_checks.length === 1 ? { ...check, prev: flipped(check.prev) } : check,
    );
    return { ...proof, spot_checks };
  };

const faults: readonly Fault[] = [
  // Beats that nobody computed.
  (proof, t) => withBeats(proof, () => t.hex(32)),
  ...Object.values(proofFaults),
  (proof) => ({ ...proof, beats_computed: proof.beats_computed - 1 }),
  (proof) => ({ ...proof, beats_computed: proof.to_beat + 1 }),
  (proof) => ({ ...proof, to_beat: proof.to_beat + 1, beats_computed: proof.beats_computed + 1 }),
  (proof, t) => ({
    ...proof,
    spot_checks: proof.spot_checks.slice(proof.spot_checks.length - t.protocol.proof.spotChecksMin + 1),
  }),
  (proof) => ({ ...proof, spot_checks: [...proof.spot_checks, ...proof.spot_checks.slice(-1)] }),
  ...[0, 1, 2, 3].map(wrongAt),
  // Proofs over an anchor that is not issued yet, over one that no beat weaves, and over an invented one.
  (proof) => ({ ...proof, global_anchor: proof.global_anchor + 1_000 }),
  (proof, t) => ({ ...unwovenBeats(t, proof), global_anchor: proof.global_anchor + 1_000 }),
  (proof, t) => from(t, { ...proof, global_anchor: proof.global_anchor + 1_000, anchor_hash: t.hex(32) }, {}),
  (proof, t) => unwovenBeats(t, proof),
  // Beats that are not computed from the beats before them.
  (proof, t) => withBeats(proof, (index) => beatHash('', index, proof.anchor_hash, t.protocol.beat.difficulty)),
  (proof, t) => ({ ...from(t, proof, { hash: t.hex(32) }), from_hash: proof.from_hash }),
  // The beats of another chain.
  (proof) => ({ ...proof, from_hash: flipped(proof.from_hash) }),
  (proof, t) => from(t, proof, { hash: t.hex(32) }),
  (proof, t) => from(t, proof, { beat: proof.from_beat + 5 }),
];

/** Submits proofs with one fault each and then the valid proof: once for a new chain, once for a grown one. */
const refusing = (word: string, title: string, rows: readonly Fault[]): WrittenCheck => ({
  id: `beats-submit/${word}`,
  shares: true,
  title,
  async run(t) {
    for (const grown of [false, true]) {
      const agent = await t.root({ init: true });
      if (grown) await workTaken(t, await t.send(submitBeats(agent, await next(t, agent))));
      const proof = await next(t, agent);
      for (const spoil of rows) {
        // A faulty proof that is accepted moves the chain on.
        if ((await t.send(submitBeats(agent, spoil(proof, t)))).status < 400) return;
      }
      await workTaken(t, await t.send(submitBeats(agent, proof)));
    }
  },
});

const refused: readonly WrittenCheck[] = [
  refusing(
    'malformed',
    'A submission is refused if a field of its proof is missing or has another type',
    Object.values(malformedProofs),
  ),
  refusing('faults', 'A submission with an invalid proof, or one of another chain, is refused', faults),
];

const unstarted: WrittenCheck = {
  id: 'beats-submit/unstarted',
  title: 'A submission of an agent whose chain has not started is refused',
  async run(t) {
    const agent = await t.root();
    // Beats from an invented start, since an agent without a chain has no beat to continue.
    const proof = await chainProof(t, { beat: 0, hash: t.hex(32) }, BEATS);
    await t.send(submitBeats(agent, proof));
    await t.call('init', { key: agent.key });
    await workTaken(t, await t.send(submitBeats(agent, await next(t, agent))));
  },
};

const frozen: WrittenCheck = {
  id: 'beats-submit/frozen',
  title: 'A submission of a frozen agent is refused',
  needs: ['clock'],
  waits: untilFrozen(),
  async run(t) {
    const asleep = await t.root({ init: true });
    await lapse(t, asleep);
    const awake = await t.root({ init: true });
    await t.send(submitBeats(asleep, await next(t, asleep)));
    await workTaken(t, await t.send(submitBeats(awake, await next(t, awake))));
  },
};

const beatsMax: WrittenCheck = {
  id: 'beats-submit/beats-max',
  shares: true,
  title: 'A submission of 10,000 beats is accepted, and one of 10,001 is refused',
  async run(t) {
    const { submitBeatsMax } = t.protocol.proof;
    const agent = await t.root({ init: true });
    const end = await chainEnd(t, agent);
    // First without a whole chain: only the beats of the spot checks are computed, and the beats between them are not.
    for (const beats of [submitBeatsMax + 1, submitBeatsMax]) {
      const reply = await t.send(submitBeats(agent, asBeatProof(await shownBeats(t, end, beats))));
      if (reply.status < 300) return;
    }
    // A server that computes every beat has refused both proofs, so they are sent again with a whole chain.
    const chain = await chainOn(t, end, submitBeatsMax + 1);
    await t.send(submitBeats(agent, asBeatProof(chain)));
    await workTaken(t, await t.send(submitBeats(agent, asBeatProof(chain, submitBeatsMax))));
  },
};

const stale: WrittenCheck = {
  id: 'beats-submit/anchor-grace',
  title: 'A submission over the sixth latest anchor is refused, one over the fifth latest is accepted',
  needs: ['clock'],
  waits: ({ anchor }) => ({ anchors: anchor.graceAnchors }),
  async run(t) {
    const { graceAnchors } = t.protocol.anchor;
    const [inTime, late] = [await t.root({ init: true }), await t.root({ init: true })];
    const [good, old] = [await next(t, inTime), await next(t, late)];
    await t.sleep({ anchors: graceAnchors - 1 });
    await workTaken(t, await t.send(submitBeats(inTime, good)), 'proof.anchor.grace');
    await t.sleep({ anchors: 1 });
    t.refused(await t.send(submitBeats(late, old)), '4xx', 'proof.anchor.grace');
  },
};

/** A well-formed proof of invented beats. The text leaves open whether a malformed body is refused before a limit applies. */
function madeUpProof(t: Trial): BeatProof {
  const [from_hash, to_hash, anchor_hash] = [t.hex(32), t.hex(32), t.hex(32)];
  const spot_checks = [{ index: 1, hash: to_hash, prev: from_hash }];
  const beats = { from_beat: 0, to_beat: 1, beats_computed: 1 };
  return { ...beats, from_hash, to_hash, global_anchor: 0, anchor_hash, spot_checks };
}

const limit: WrittenCheck = {
  id: 'beats-submit/limit',
  title: 'The 31st submission of beats by an agent in a minute is refused',
  needs: ['clock'],
  waits: windowOf('beatsSubmit'),
  async run(t) {
    // Their chains have started, so calling another path, init, does not change how a submission is refused.
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const body = madeUpProof(t);
    const send = (by: Agent) => t.send(submitBeats(by, body), { mayLimit: true });
    await judgeLimit(t, {
      limit: 'beatsSubmit',
      clause: 'limit.beats-submit',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      // init admits 30 calls an hour.
      elsewhere: [() => t.call('init', { key: agent.key, mayLimit: true }), ...otherPaths(t, agent.key, 'beatsSubmit')],
    });
  },
};

/** The check that computes the longest chain of the suite. */
export const beatsSubmitLongestChecks: readonly WrittenCheck[] = [beatsMax];

export const beatsSubmitChecks: readonly WrittenCheck[] = [
  credit,
  ofChild,
  wrapped,
  ...refused,
  unstarted,
  frozen,
  stale,
  limit,
];
