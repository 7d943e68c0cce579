/** Checks of POST /agent/beats/submit: what is credited, which proofs are refused, and how often. */

import { beatHash, chainHashes } from '../../model/reading/chain.js';
import type { Reply } from '../assertions/reply.js';
import { computeChain } from '../protocol/beats.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { asBeatProof, type BeatProof, chainEnd, chainOn, chainProof, workTaken } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 1, writes: true } as const;
const BEATS = 6;

const submit = (t: Trial, { key }: Agent, body: unknown): Promise<Reply> => t.call('beats-submit', { key, body });

/** A proof of the next beats of the agent's chain, with every beat among its spot checks. */
const next = async (t: Trial, agent: Agent, beats = BEATS): Promise<BeatProof> =>
  chainProof(t, await chainEnd(t, agent), beats, beats);

/** The number of beats that an agent has been credited with, and where its chain ends (2.3). */
const chainNow = async (t: Trial, { key }: Agent): Promise<Reply> => t.accepted(await t.call('init', { key }));

const credit: Check = {
  ...base,
  id: 'beats-submit/credit',
  title: 'Proven beats are credited to the chain, which goes on from them',
  clauses: [
    'beats-submit.route',
    'beats-submit.credit',
    'beats-submit.fee-free',
    'beats-submit.body',
    'beats-submit.reply',
    'beats-submit.reply.numbers',
    'service.beats.proven',
    'proof.spot-checks.recomputed',
    'proof.field.from-beat',
    'proof.field.to-beat',
    'proof.field.from-hash',
    'proof.field.to-hash',
    'proof.field.global-anchor',
    'proof.field.anchor-hash',
    'proof.field.spot-checks',
  ],
  requests: 12,
  async run(t) {
    const agent = await t.root({ init: true });
    const fields = ['from-beat', 'to-beat', 'from-hash', 'to-hash', 'global-anchor', 'anchor-hash', 'spot-checks'];
    let before = await chainNow(t, agent);
    for (const beats of [BEATS, 2 * BEATS]) {
      const proof = await next(t, agent, beats);
      const reply = await workTaken(
        t,
        await submit(t, agent, proof),
        'beats-submit.body',
        'beats-submit.fee-free',
        'service.beats.proven',
        ...fields.map((field) => `proof.field.${field}`),
      );
      const credited = t.shows('beats-submit.credit');
      const total = before.number('total_beats') + beats;
      t.shows('beats-submit.reply').field(reply, 'agent_hash', agent.hash);
      credited.field(reply, 'beats_accepted', beats);
      credited.field(reply, 'total_beats', total);
      credited.field(reply, 'latest_beat_index', proof.to_beat);
      t.shows('proof.spot-checks.recomputed').field(reply, 'spot_checks_verified', beats);
      before = await chainNow(t, agent);
      credited.field(before, 'total_beats', total);
      credited.field(before, 'latest_beat', proof.to_beat);
      credited.field(before, 'latest_hash', proof.to_hash);
    }
  },
};

const wrapped: Check = {
  ...base,
  id: 'beats-submit/wrapped',
  shares: true,
  title: 'A submission may carry its proof under proof',
  clauses: ['beats-submit.body.wrapped'],
  requests: 5,
  async run(t) {
    const agent = await t.root({ init: true });
    const proof = await next(t, agent);
    const reply = await workTaken(t, await submit(t, agent, { proof }), 'beats-submit.body.wrapped');
    t.shows('beats-submit.body.wrapped').field(reply, 'beats_accepted', BEATS);
  },
};

const madeUp: Check = {
  ...base,
  id: 'beats-submit/made-up',
  shares: true,
  title: 'Beats that nobody computed are not credited',
  clauses: ['beats-submit.credit', 'beat.step', 'service.beats.proven'],
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const proof = await next(t, agent);
    const before = await chainNow(t, agent);
    // One hash after the other by chance: whatever a beat is, none of these follows from the one before it.
    const hashes = [proof.from_hash, ...proof.spot_checks.map(() => t.hex(32))];
    const spot_checks = proof.spot_checks.map((check, place) => ({
      ...check,
      prev: hashes[place] ?? '',
      hash: hashes[place + 1] ?? '',
    }));
    const reply = await submit(t, agent, { ...proof, to_hash: hashes.at(-1), spot_checks });
    t.refused(reply, 'beats-submit/PROOF_INVALID', 'beats-submit.credit', 'beat.step', 'service.beats.proven');
    const after = await chainNow(t, agent);
    t.shows('beats-submit.credit').field(after, 'total_beats', before.get('total_beats'));
    await workTaken(t, await submit(t, agent, proof));
  },
};

/** Faults of a proof, each by what it does to a good one. */
interface Fault {
  readonly title: string;
  readonly clauses: readonly string[];
  readonly key: 'VALIDATION' | 'PROOF_INVALID' | 'CHAIN_MISMATCH';
  readonly spoil: (proof: BeatProof, t: Trial) => object;
}

const flipped = (hash: string): string => [...hash].reverse().join('');
const lastOf = ({ spot_checks }: BeatProof) => spot_checks.slice(-1);
/** As many beats over the same anchor, every one computed, from another hash or another beat. */
const from = (t: Trial, proof: BeatProof, start: { readonly hash?: string; readonly beat?: number }): BeatProof => {
  const { difficulty } = t.protocol.beat;
  const { hash = proof.from_hash, beat: fromIndex = proof.from_beat } = start;
  const anchor = { index: proof.global_anchor, hash: proof.anchor_hash };
  return asBeatProof(computeChain(hash, BEATS, anchor, { difficulty, fromIndex }), BEATS, BEATS);
};
/** The proof with other hashes of its beats, the first of which is where it starts. */
const withHashes = (proof: BeatProof, hashes: readonly string[]): BeatProof => ({
  ...proof,
  to_hash: hashes[BEATS] ?? '',
  spot_checks: proof.spot_checks.map(({ index }, place) => ({
    index,
    prev: hashes[place] ?? '',
    hash: hashes[place + 1] ?? '',
  })),
});
const without = (proof: BeatProof, field: keyof BeatProof): object =>
  Object.fromEntries(Object.entries(proof).filter(([name]) => name !== field));

/** The proof with spot checks of which none but the last has this field. */
const withoutInChecks = (proof: BeatProof, field: 'prev' | 'hash'): object => ({
  ...proof,
  spot_checks: [...proof.spot_checks.slice(0, -1).map((check) => ({ ...check, [field]: undefined })), ...lastOf(proof)],
});

/** The proof with beats that weave no anchor. */
function unwovenBeats(t: Trial, proof: BeatProof): BeatProof {
  const { difficulty } = t.protocol.beat;
  const { from_hash, from_beat: fromIndex } = proof;
  return withHashes(proof, chainHashes({ from: from_hash, beats: BEATS, fromIndex, anchorHash: null, difficulty }));
}

/** Faults of a proof, by their word in the ids of checks. */
export const proofFaults = {
  count: {
    title: 'whose beats_computed is not to_beat - from_beat is refused',
    clauses: ['proof.field.beats-computed', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, beats_computed: proof.beats_computed + 1 }),
  },
  'end-unchecked': {
    title: 'without a spot check of its last beat is refused',
    clauses: ['proof.field.spot-checks.end', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, spot_checks: proof.spot_checks.slice(0, -1) }),
  },
  'end-claimed': {
    title: 'of one beat more than was computed, without a spot check of it, is refused',
    clauses: ['proof.field.spot-checks.end', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, to_beat: proof.to_beat + 1, beats_computed: proof.beats_computed + 1 }),
  },
  'spot-checks-few': {
    title: 'with two spot checks is refused',
    clauses: ['proof.spot-checks.min', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, spot_checks: proof.spot_checks.slice(-2) }),
  },
  'spot-check-twice': {
    title: 'that checks one beat twice is refused',
    clauses: ['proof.spot-checks.unique', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, spot_checks: [...proof.spot_checks, ...lastOf(proof)] }),
  },
  'spot-check-wrong': {
    title: 'with a spot check that does not hold is refused',
    clauses: ['beat.step', 'proof.spot-checks.recomputed', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({
      ...proof,
      spot_checks: proof.spot_checks.map((check, place) =>
        place === 2 ? { ...check, prev: flipped(check.prev) } : check,
      ),
    }),
  },
  'end-hash': {
    title: 'whose to_hash is not that of its last beat is refused',
    clauses: ['proof.field.to-hash', 'proof.spot-checks.last', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, to_hash: flipped(proof.to_hash) }),
  },
  'anchor-hash': {
    title: 'over a hash that is not the anchor is refused',
    clauses: ['proof.field.anchor-hash', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, anchor_hash: flipped(proof.anchor_hash) }),
  },
  'anchor-unknown': {
    title: 'over an anchor that is yet to be issued is refused',
    clauses: ['proof.field.global-anchor', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, global_anchor: proof.global_anchor + 1_000 }),
  },
  'from-hash': {
    title: 'that starts from another hash than the latest is refused',
    clauses: ['proof.field.from-hash', 'beats-submit.error.chain-mismatch', 'beats-submit.continues'],
    key: 'CHAIN_MISMATCH',
    spoil: (proof) => ({ ...proof, from_hash: flipped(proof.from_hash) }),
  },
  'from-hash-unchecked': {
    title: 'that starts from another hash than the latest, and does not check its first beat, is refused',
    clauses: ['proof.field.from-hash', 'beats-submit.error.chain-mismatch', 'beats-submit.continues'],
    key: 'CHAIN_MISMATCH',
    spoil: (proof) => ({
      ...proof,
      from_hash: flipped(proof.from_hash),
      spot_checks: proof.spot_checks.filter(({ index }) => index !== proof.from_beat + 1),
    }),
  },
  'anchor-unknown-unwoven': {
    title: 'over an anchor that is yet to be issued, and that no beat weaves, is refused',
    clauses: ['proof.field.global-anchor', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof, t) => ({ ...unwovenBeats(t, proof), global_anchor: proof.global_anchor + 1_000 }),
  },
  'anchor-made-up': {
    title: 'over an anchor that is yet to be issued, and whose hash is made up, is refused',
    clauses: ['proof.field.global-anchor', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof, t) => from(t, { ...proof, global_anchor: proof.global_anchor + 1_000, anchor_hash: t.hex(32) }, {}),
  },
  'anchor-left-out': {
    title: 'whose beats do not weave the anchor is refused',
    clauses: ['proof.field.anchor-hash', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof, t) => unwovenBeats(t, proof),
  },
  'prev-left-out': {
    title: 'whose beats do not follow from those before them is refused',
    clauses: ['beat.step', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof, t) => {
      const alone = proof.spot_checks.map(({ index }) =>
        beatHash('', index, proof.anchor_hash, t.protocol.beat.difficulty),
      );
      return withHashes(proof, [proof.from_hash, ...alone]);
    },
  },
  'start-unlinked': {
    title: 'whose first beat does not follow from from_hash is refused',
    clauses: ['beat.step', 'proof.spot-checks.first', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof, t) => ({ ...from(t, proof, { hash: t.hex(32) }), from_hash: proof.from_hash }),
  },
  'from-hash-foreign': {
    title: 'of beats over a hash that is not that of its chain is refused',
    clauses: ['proof.field.from-hash', 'beats-submit.error.chain-mismatch', 'beats-submit.continues'],
    key: 'CHAIN_MISMATCH',
    spoil: (proof, t) => from(t, proof, { hash: t.hex(32) }),
  },
  'from-beat-shifted': {
    title: 'whose from_hash is that of another beat than from_beat is refused',
    clauses: ['proof.field.from-beat', 'beats-submit.error.chain-mismatch', 'beats-submit.continues'],
    key: 'CHAIN_MISMATCH',
    spoil: (proof, t) => from(t, proof, { beat: proof.from_beat + 5 }),
  },
  'from-missing': {
    title: 'without from_hash is refused',
    clauses: ['proof.field.from-hash', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => without(proof, 'from_hash'),
  },
  'from-beat-missing': {
    title: 'without from_beat is refused',
    clauses: ['proof.field.from-beat', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => without(proof, 'from_beat'),
  },
  'to-beat-missing': {
    title: 'without to_beat is refused',
    clauses: ['proof.field.to-beat', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => without(proof, 'to_beat'),
  },
  'spot-checks-missing': {
    title: 'without spot_checks is refused',
    clauses: ['proof.field.spot-checks', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => without(proof, 'spot_checks'),
  },
  'check-prev-missing': {
    title: 'with a spot check that names no beat before it is refused',
    clauses: ['proof.field.spot-checks', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => withoutInChecks(proof, 'prev'),
  },
  'check-hash-missing': {
    title: 'with a spot check without a hash is refused',
    clauses: ['proof.field.spot-checks', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => withoutInChecks(proof, 'hash'),
  },
  'count-type': {
    title: 'whose beats_computed is no number is refused',
    clauses: ['proof.field.beats-computed', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => ({ ...proof, beats_computed: String(proof.beats_computed) }),
  },
  'from-beat-text': {
    title: 'whose from_beat is a text of digits is refused',
    clauses: ['proof.field.from-beat', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => ({ ...proof, from_beat: String(proof.from_beat) }),
  },
  'to-beat-text': {
    title: 'whose to_beat is a text of digits is refused',
    clauses: ['proof.field.to-beat', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => ({ ...proof, to_beat: String(proof.to_beat) }),
  },
  'anchor-text': {
    title: 'whose global_anchor is a text of digits is refused',
    clauses: ['proof.field.global-anchor', 'beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => ({ ...proof, global_anchor: String(proof.global_anchor) }),
  },
} as const satisfies Readonly<Record<string, Fault>>;

const faulty = Object.entries<Fault>(proofFaults).map(
  ([word, { title, clauses, key, spoil }]): Check => ({
    ...base,
    id: `beats-submit/${word}`,
    shares: true,
    title: `A submission ${title}, the first and a later one`,
    clauses,
    requests: 12,
    refusal: true,
    async run(t) {
      const agent = await t.root({ init: true });
      for (const _ of ['a chain that has just started', 'one that has grown']) {
        const proof = await next(t, agent);
        const refused = await submit(t, agent, spoil(proof, t));
        t.refused(refused, `beats-submit/${key}`, ...clauses);
        // A faulty proof that was accepted has moved the chain on.
        if (refused.status < 400) return;
        await workTaken(t, await submit(t, agent, proof));
      }
    },
  }),
);

const later: Check = {
  ...base,
  id: 'beats-submit/later-count',
  shares: true,
  title: 'The count of a proof has to be to_beat - from_beat on a chain that has grown, too',
  clauses: ['proof.field.beats-computed', 'beats-submit.error.proof-invalid'],
  requests: 12,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    await workTaken(t, await submit(t, agent, await next(t, agent)));
    const proof = await next(t, agent);
    for (const by of [1, -1, proof.from_beat]) {
      const refused = await submit(t, agent, { ...proof, beats_computed: proof.beats_computed + by });
      t.refused(
        refused,
        'beats-submit/PROOF_INVALID',
        'proof.field.beats-computed',
        'beats-submit.error.proof-invalid',
      );
      if (refused.status < 400) return;
    }
    await workTaken(t, await submit(t, agent, proof));
  },
};

/** Beats of a run of which every other one is shown. */
const SPARSE_BEATS = 12;

const everyCheck: Check = {
  ...base,
  id: 'beats-submit/spot-check-each',
  shares: true,
  title: 'A spot check that does not hold is found, whichever of them it is',
  clauses: ['beat.step', 'proof.spot-checks.recomputed', 'beats-submit.error.proof-invalid'],
  requests: 14,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const whole = await next(t, agent, SPARSE_BEATS);
    // No two of them are neighbours: each is tied to the beat before it by its own hash alone.
    const spot_checks = whole.spot_checks.filter((_, place) => place % 2 === 1);
    const proof = { ...whole, spot_checks };
    for (const bad of spot_checks.keys()) {
      const spoilt = spot_checks.map((check, place) =>
        place === bad ? { ...check, prev: flipped(check.prev) } : check,
      );
      const refused = await submit(t, agent, { ...proof, spot_checks: spoilt });
      const clauses = ['beat.step', 'proof.spot-checks.recomputed', 'beats-submit.error.proof-invalid'];
      t.refused(refused, 'beats-submit/PROOF_INVALID', ...clauses);
      if (refused.status < 400) return;
    }
    await workTaken(t, await submit(t, agent, proof));
  },
};

const replayed: Check = {
  ...base,
  id: 'beats-submit/replayed',
  shares: true,
  title: 'Beats are credited once: the same proof again does not start at the latest beat',
  clauses: ['beats-submit.credit', 'beats-submit.error.chain-mismatch', 'beats-submit.continues'],
  requests: 10,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const proof = await next(t, agent);
    const first = await workTaken(t, await submit(t, agent, proof));
    const again = await submit(t, agent, proof);
    t.refused(again, 'beats-submit/CHAIN_MISMATCH', 'beats-submit.error.chain-mismatch', 'beats-submit.continues');
    // However it is answered, the same work does not count twice.
    t.shows('beats-submit.credit').field(await chainNow(t, agent), 'total_beats', first.get('total_beats'));
    await workTaken(t, await submit(t, agent, await next(t, agent)));
  },
};

const anyOrder: Check = {
  ...base,
  id: 'beats-submit/spot-checks-any-order',
  title: 'spot_checks hold the entry for to_beat wherever it stands among them',
  clauses: ['proof.field.spot-checks.end'],
  requests: 6,
  async run(t) {
    const agent = await t.root({ init: true });
    const proof = await next(t, agent);
    const spot_checks = [...proof.spot_checks].toReversed();
    await workTaken(t, await submit(t, agent, { ...proof, spot_checks }), 'proof.field.spot-checks.end');
  },
};

const spawning: Check = {
  ...base,
  id: 'beats-submit/spawning',
  title: 'Beats that were submitted count towards the next child: so many fewer are lacking',
  clauses: ['beats-submit.credit', 'service.beats.spawn'],
  requests: 11,
  async run(t) {
    await countsForSpawning(t, await t.root({ init: true }));
  },
};

/** 4.9: an agent submits as many beats as its next child lacks. */
async function countsForSpawning(t: Trial, agent: Agent): Promise<void> {
  const probe = () => t.call('spawn', { key: agent.key, body: { child_name: t.word() } });
  const before = await probe();
  // Later submissions are added to it.
  for (const times of [1, 2]) {
    await workTaken(t, await submit(t, agent, await next(t, agent)));
    const after = await probe();
    const lacking = before.get('deficit');
    const expected = typeof lacking === 'number' ? lacking - times * BEATS : undefined;
    t.shows('beats-submit.credit', 'service.beats.spawn').through('D-31').field(after, 'deficit', expected);
  }
}

const spawningOfChild: Check = {
  ...spawning,
  id: 'beats-submit/spawning-of-child',
  title: 'Beats that a child submitted count towards its own next child',
  needs: ['beats'],
  registers: 2,
  requests: 18,
  async run(t) {
    await countsForSpawning(t, await makeChild(t, await t.root({ init: true }), { init: true, link: true }));
  },
};

const unstarted: Check = {
  ...base,
  id: 'beats-submit/unstarted',
  title: 'An agent whose chain has not started submits no beats',
  clauses: ['beats-submit.error.agent-not-initialized'],
  requests: 7,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    // Beats over nothing: where there is no chain, nothing could continue it.
    const proof = await chainProof(t, { beat: 0, hash: t.hex(32) }, BEATS);
    const reply = await submit(t, agent, proof);
    t.refused(reply, 'beats-submit/AGENT_NOT_INITIALIZED', 'beats-submit.error.agent-not-initialized');
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
    await workTaken(t, await submit(t, agent, await next(t, agent)));
  },
};

const frozen: Check = {
  ...base,
  id: 'beats-submit/frozen',
  title: 'A frozen agent submits no beats',
  clauses: ['beats-submit.error.agent-frozen'],
  needs: ['clock'],
  registers: 2,
  requests: 12,
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const asleep = await t.root({ init: true });
    await lapse(t, asleep);
    const awake = await t.root({ init: true });
    const reply = await submit(t, asleep, await next(t, asleep));
    t.refused(reply, 'beats-submit/AGENT_FROZEN', 'beats-submit.error.agent-frozen');
    await workTaken(t, await submit(t, awake, await next(t, awake)));
  },
};

const beatsMax: Check = {
  ...base,
  id: 'beats-submit/beats-max',
  shares: true,
  title: 'A submission of 10,001 beats is refused, one of 10,000 accepted',
  clauses: ['beats-submit.beats-max'],
  requests: 7,
  refusal: true,
  async run(t) {
    const { submitBeatsMax } = t.protocol.proof;
    const agent = await t.root({ init: true });
    const chain = await chainOn(t, await chainEnd(t, agent), submitBeatsMax + 1);
    t.refused(await submit(t, agent, asBeatProof(chain)), 'beats-submit/PROOF_INVALID', 'beats-submit.beats-max');
    await workTaken(t, await submit(t, agent, asBeatProof(chain, submitBeatsMax)), 'beats-submit.beats-max');
  },
};

const stale: Check = {
  ...base,
  id: 'beats-submit/anchor-grace',
  title: 'A submission over the sixth latest anchor is refused, one over the fifth latest accepted',
  clauses: ['proof.anchor.grace', 'beats-submit.error.proof-invalid'],
  needs: ['clock'],
  registers: 2,
  requests: 12,
  refusal: true,
  waits: ({ anchor }) => ({ anchors: anchor.graceAnchors }),
  async run(t) {
    const { graceAnchors } = t.protocol.anchor;
    const [inTime, late] = [await t.root({ init: true }), await t.root({ init: true })];
    const [good, old] = [await next(t, inTime), await next(t, late)];
    await t.sleep({ anchors: graceAnchors - 1 });
    await workTaken(t, await submit(t, inTime, good), 'proof.anchor.grace');
    await t.sleep({ anchors: 1 });
    const reply = await submit(t, late, old);
    t.refused(reply, 'beats-submit/PROOF_INVALID', 'proof.anchor.grace', 'beats-submit.error.proof-invalid');
  },
};

const unwoven: Check = {
  ...base,
  id: 'beats-submit/anchor-unwoven',
  shares: true,
  title: 'A submission whose beats weave another anchor than it names is refused',
  clauses: ['proof.field.anchor-hash', 'proof.anchor.every-beat', 'beats-submit.error.proof-invalid'],
  requests: 7,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const good = await next(t, agent);
    const { global_anchor: index, anchor_hash, from_hash, from_beat: fromIndex } = good;
    const options = { difficulty: t.protocol.beat.difficulty, fromIndex };
    const other = asBeatProof(computeChain(from_hash, BEATS, { index, hash: t.hex(32) }, options), BEATS, BEATS);
    const reply = await submit(t, agent, { ...other, anchor_hash });
    const clauses = ['proof.field.anchor-hash', 'proof.anchor.every-beat', 'beats-submit.error.proof-invalid'];
    t.refused(reply, 'beats-submit/PROOF_INVALID', ...clauses);
    await workTaken(t, await submit(t, agent, good));
  },
};

/** A well-formed proof without beats: for a malformed body the text leaves open whether it is refused before a limit is. */
function madeUpProof(t: Trial): BeatProof {
  const [from_hash, to_hash, anchor_hash] = [t.hex(32), t.hex(32), t.hex(32)];
  const spot_checks = [{ index: 1, hash: to_hash, prev: from_hash }];
  const beats = { from_beat: 0, to_beat: 1, beats_computed: 1 };
  return { ...beats, from_hash, to_hash, global_anchor: 0, anchor_hash, spot_checks };
}

const limit: Check = {
  ...base,
  id: 'beats-submit/limit',
  title: 'An agent submits beats 30 times a minute',
  clauses: ['limit.beats-submit', 'limit.error.rate-limited', 'limit.window', 'auth.rate-bucket.agent'],
  needs: ['clock'],
  registers: 2,
  requests: 47,
  refusal: true,
  waits: windowOf('beatsSubmit'),
  async run(t) {
    // Their chains have started: the call to another path, init, changes nothing of how a submission is refused.
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const body = madeUpProof(t);
    const send = ({ key }: Agent) => t.call('beats-submit', { key, body, mayLimit: true });
    await judgeLimit(t, {
      limit: 'beatsSubmit',
      clause: 'limit.beats-submit',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      // 30 an hour.
      elsewhere: [() => t.call('init', { key: agent.key, mayLimit: true }), ...otherPaths(t, agent.key, 'beatsSubmit')],
    });
  },
};

/** Computes by far the longest chain of the suite. */
export const beatsSubmitLongestChecks: readonly Check[] = [beatsMax];

export const beatsSubmitChecks: readonly Check[] = [
  credit,
  wrapped,
  madeUp,
  ...faulty,
  later,
  everyCheck,
  anyOrder,
  replayed,
  spawning,
  spawningOfChild,
  unstarted,
  frozen,
  stale,
  unwoven,
  limit,
];
