import type { Reply } from '../assertions/reply.js';
import { computeChain } from '../protocol/beats.js';
import { judgeLimit } from '../steps/limit.js';
import { fewest } from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { asBeatProof, type BeatProof, chainEnd, chainOn, chainProof } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 1, writes: true } as const;
const BEATS = 6;

const submit = (t: Trial, { key }: Agent, body: unknown): Promise<Reply> => t.call('beats-submit', { key, body });

/** A proof of the next beats of the agent's chain, with every beat among its spot checks. */
const next = async (t: Trial, agent: Agent, beats = BEATS): Promise<BeatProof> =>
  chainProof(t, await chainEnd(t, agent), beats, beats);

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
    'proof.field.from-beat',
    'proof.field.to-beat',
    'proof.field.from-hash',
    'proof.field.to-hash',
    'proof.field.global-anchor',
    'proof.field.anchor-hash',
    'proof.field.spot-checks',
  ],
  requests: 10,
  async run(t) {
    const agent = await t.root({ init: true });
    for (const total of [BEATS, 2 * BEATS]) {
      const proof = await next(t, agent);
      const reply = t.accepted(await submit(t, agent, proof));
      t.about(['beats-submit.credit', 'beats-submit.reply'], () => {
        t.equal('beats_accepted', reply.get('beats_accepted'), BEATS);
        t.equal('total_beats', reply.get('total_beats'), total);
      });
      const { to_beat } = proof;
      t.fields(reply, '', { agent_hash: agent.hash, latest_beat_index: to_beat, spot_checks_verified: BEATS });
      reply.number('global_anchor');
      const init = t.accepted(await t.call('init', { key: agent.key }));
      t.equal('total_beats of init', init.get('total_beats'), total);
      t.equal('latest_hash of init', init.get('latest_hash'), proof.to_hash);
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
    const reply = t.accepted(await submit(t, agent, { proof: await next(t, agent) }));
    t.equal('beats_accepted', reply.get('beats_accepted'), BEATS);
  },
};

/** Faults of a proof, each by what it does to a good one. */
interface Fault {
  readonly title: string;
  readonly clauses: readonly string[];
  readonly key: 'VALIDATION' | 'PROOF_INVALID' | 'CHAIN_MISMATCH';
  readonly spoil: (proof: BeatProof) => object;
}

const flipped = (hash: string): string => [...hash].reverse().join('');
const lastOf = ({ spot_checks }: BeatProof) => spot_checks.slice(-1);
const without = (proof: BeatProof, field: keyof BeatProof): object =>
  Object.fromEntries(Object.entries(proof).filter(([name]) => name !== field));

const faults: Readonly<Record<string, Fault>> = {
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
    clauses: ['proof.spot-checks.recomputed', 'beats-submit.error.proof-invalid'],
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
    clauses: ['proof.spot-checks.last', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, to_hash: flipped(proof.to_hash) }),
  },
  'anchor-hash': {
    title: 'over a hash that is not the anchor is refused',
    clauses: ['proof.field.anchor-hash', 'beats-submit.error.proof-invalid'],
    key: 'PROOF_INVALID',
    spoil: (proof) => ({ ...proof, anchor_hash: flipped(proof.anchor_hash) }),
  },
  'from-hash': {
    title: 'that starts from another hash than the latest is refused',
    clauses: ['beats-submit.error.chain-mismatch', 'beats-submit.continues'],
    key: 'CHAIN_MISMATCH',
    spoil: (proof) => ({ ...proof, from_hash: flipped(proof.from_hash) }),
  },
  'from-missing': {
    title: 'without from_hash is refused',
    clauses: ['beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => without(proof, 'from_hash'),
  },
  'count-type': {
    title: 'whose beats_computed is no number is refused',
    clauses: ['beats-submit.error.validation'],
    key: 'VALIDATION',
    spoil: (proof) => ({ ...proof, beats_computed: String(proof.beats_computed) }),
  },
};

const faulty = Object.entries(faults).map(
  ([word, { title, clauses, key, spoil }]): Check => ({
    ...base,
    id: `beats-submit/${word}`,
    shares: true,
    title: `A submission ${title}`,
    clauses,
    requests: 6,
    refusal: true,
    async run(t) {
      const agent = await t.root({ init: true });
      const proof = await next(t, agent);
      t.refused(await submit(t, agent, spoil(proof)), `beats-submit/${key}`);
      t.accepted(await submit(t, agent, proof));
    },
  }),
);

const replayed: Check = {
  ...base,
  id: 'beats-submit/replayed',
  shares: true,
  title: 'Beats are credited once: the same proof again does not start at the latest beat',
  clauses: ['beats-submit.error.chain-mismatch', 'beats-submit.continues'],
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const proof = await next(t, agent);
    t.accepted(await submit(t, agent, proof));
    t.refused(await submit(t, agent, proof), 'beats-submit/CHAIN_MISMATCH');
    t.accepted(await submit(t, agent, await next(t, agent)));
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
    t.refused(await submit(t, agent, proof), 'beats-submit/AGENT_NOT_INITIALIZED');
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
    t.accepted(await submit(t, agent, await next(t, agent)));
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
    await t.sleep({ anchors: fewest(t) });
    const awake = await t.root({ init: true });
    t.refused(await submit(t, asleep, await next(t, asleep)), 'beats-submit/AGENT_FROZEN');
    t.accepted(await submit(t, awake, await next(t, awake)));
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
    t.refused(await submit(t, agent, asBeatProof(chain)), 'beats-submit/PROOF_INVALID');
    t.accepted(await submit(t, agent, asBeatProof(chain, submitBeatsMax)));
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
    t.accepted(await submit(t, inTime, good));
    await t.sleep({ anchors: 1 });
    t.refused(await submit(t, late, old), 'beats-submit/PROOF_INVALID');
  },
};

const unwoven: Check = {
  ...base,
  id: 'beats-submit/anchor-unwoven',
  shares: true,
  title: 'A submission whose beats weave another anchor than it names is refused',
  clauses: ['proof.anchor.every-beat', 'beats-submit.error.proof-invalid'],
  requests: 7,
  refusal: true,
  async run(t) {
    const agent = await t.root({ init: true });
    const good = await next(t, agent);
    const { global_anchor: index, anchor_hash, from_hash, from_beat: fromIndex } = good;
    const options = { difficulty: t.protocol.beat.difficulty, fromIndex };
    const other = asBeatProof(computeChain(from_hash, BEATS, { index, hash: t.hex(32) }, options), BEATS, BEATS);
    t.refused(await submit(t, agent, { ...other, anchor_hash }), 'beats-submit/PROOF_INVALID');
    t.accepted(await submit(t, agent, good));
  },
};

const limit: Check = {
  ...base,
  id: 'beats-submit/limit',
  title: 'An agent submits beats 30 times a minute',
  clauses: ['limit.beats-submit', 'limit.error.rate-limited', 'limit.window', 'auth.rate-bucket.agent'],
  needs: ['clock'],
  registers: 2,
  requests: 40,
  refusal: true,
  waits: windowOf('beatsSubmit'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = ({ key }: Agent) => t.call('beats-submit', { key, body: {}, mayLimit: true });
    await judgeLimit(t, { limit: 'beatsSubmit', send: () => send(agent), other: () => send(other) });
  },
};

export const beatsSubmitChecks: readonly Check[] = [
  credit,
  wrapped,
  ...faulty,
  replayed,
  unstarted,
  frozen,
  beatsMax,
  stale,
  unwoven,
  limit,
];
