import { resyncChallenge, resyncProved } from '../../spec/endpoints/resync.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { fewest, frozen, penalty } from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { asBeatProof, type BeatProof, chainEnd, chainOn, chainProof } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { registers: 1, writes: true, needs: ['clock'], waits: untilFrozen() } as const;

const challenge = (t: Trial, { key }: Agent): Promise<Reply> =>
  t.call('resync', { key, body: { action: 'challenge' } });

const prove = (t: Trial, { key }: Agent, challenge_nonce: unknown, proof: unknown): Promise<Reply> =>
  t.call('resync', { key, body: { action: 'prove', challenge_nonce, proof } });

/** As setup: the nonce of a challenge. */
const nonceFor = (t: Trial, agent: Agent): Promise<string> =>
  t.setup('a resync nonce', async () => t.accepted(await challenge(t, agent)).string('challenge.nonce'));

/** The work that an agent owes after so many missed anchors. */
const owed = async (t: Trial, agent: Agent, missed = fewest(t)): Promise<BeatProof> =>
  chainProof(t, await chainEnd(t, agent), penalty(t, missed));

const proved: Check = {
  ...base,
  id: 'resync/challenge',
  title: 'A frozen agent asks for a challenge and comes back with the beats of its own chain that it names',
  clauses: [
    'resync.challenge.body',
    'resync.challenge.reply',
    'resync.challenge.reply.gap-beats',
    'resync.challenge.either',
    'resync.gap-beats',
    'resync.prove.body',
    'resync.prove.reply',
    'resync.prove.chain',
    'resync.prove.available-beats',
    'resync.penalty',
    'resync.transition.active',
    'resync.reactivates',
  ],
  requests: 10,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const end = await chainEnd(t, agent);
    const asked = t.accepted(await challenge(t, agent), resyncChallenge);
    const beats = penalty(t, fewest(t));
    t.equal('challenge.required_beats', asked.get('challenge.required_beats'), beats);
    t.equal('challenge.start_from_hash', asked.get('challenge.start_from_hash'), end.hash);
    t.equal('challenge.start_from_beat', asked.get('challenge.start_from_beat'), end.beat);
    t.equal('challenge.difficulty', asked.get('challenge.difficulty'), t.protocol.beat.difficulty);
    const gapBeats = fewest(t) * t.protocol.anchor.beatsPerAnchor;
    t.decided('D-42', () => t.equal('gap_beats', asked.get('gap_beats'), gapBeats));
    const reply = await prove(t, agent, asked.string('challenge.nonce'), await chainProof(t, end, beats));
    t.accepted(reply, () => resyncProved);
    t.decided('D-42', () => t.equal('total_beats', reply.get('total_beats'), beats));
    const after = t.accepted(await t.call('init', { key: agent.key }));
    t.equal('status after prove', after.get('status'), 'active');
    t.decided('D-42', () => t.equal('latest_beat', after.get('latest_beat'), end.beat + beats));
    const looked = t.accepted(await t.call('beat-status', { params: { hash: agent.hash } }));
    t.decided('D-42', () => t.equal('available_beats', looked.get('heartbeat.available_beats'), 0));
  },
};

const nonceUnknown: Check = {
  ...base,
  id: 'resync/challenge-nonce-unknown',
  title: 'A prove with a nonce that was never issued is refused',
  clauses: ['resync.error.validation'],
  requests: 8,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const nonce = await nonceFor(t, agent);
    const proof = await owed(t, agent);
    t.refused(await prove(t, agent, t.hex(t.protocol.resync.nonceBytes), proof), 'resync/VALIDATION');
    t.accepted(await prove(t, agent, nonce, proof), () => resyncProved);
  },
};

const nonceTtl: Check = {
  ...base,
  id: 'resync/challenge-nonce-ttl',
  title: 'A resync nonce is good for 300 seconds',
  clauses: ['resync.nonce.ttl', 'constant.nonce-ttl.resync'],
  requests: 10,
  refusal: true,
  waits: (protocol) =>
    untilFrozen(Math.ceil((protocol.resync.nonceTtlSec + 2) / protocol.anchor.intervalSec))(protocol),
  async run(t) {
    const { nonceTtlSec } = t.protocol.resync;
    const agent = await frozen(t, fewest(t));
    const old = await nonceFor(t, agent);
    await t.sleep({ sec: 2 });
    const startMs = t.nowMs();
    const young = await nonceFor(t, agent);
    await t.sleepUntil(startMs + (nonceTtlSec - 1) * 1_000, true);
    // One proof for both, enough for either challenge: only the age of the nonce, 301 s or 299 s, tells the calls apart.
    const proof = await owed(t, agent, fewest(t) + 1);
    t.refused(await prove(t, agent, old, proof), 'resync/VALIDATION');
    t.accepted(await prove(t, agent, young, proof), () => resyncProved);
  },
};

const short: Check = {
  ...base,
  id: 'resync/challenge-short',
  title: 'A prove one beat short of the penalty is refused, one with that beat accepted',
  clauses: ['resync.error.validation.proof', 'resync.gap.challenge'],
  requests: 8,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const nonce = await nonceFor(t, agent);
    const beats = penalty(t, fewest(t));
    const chain = await chainOn(t, await chainEnd(t, agent), beats);
    t.refused(await prove(t, agent, nonce, asBeatProof(chain, beats - 1)), 'resync/VALIDATION');
    t.accepted(await prove(t, agent, nonce, asBeatProof(chain)), () => resyncProved);
  },
};

const notFrozen: Check = {
  ...base,
  id: 'resync/challenge-not-frozen',
  title: 'An agent that is not frozen gets no challenge',
  clauses: ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'],
  registers: 2,
  requests: 8,
  refusal: true,
  async run(t) {
    const asleep = await frozen(t, fewest(t));
    const awake = await t.root({ init: true });
    t.refused(await challenge(t, awake), 'resync/AGENT_WRONG_STATE');
    t.accepted(await challenge(t, asleep), resyncChallenge);
  },
};

const limit: Check = {
  ...base,
  id: 'resync/challenge-limit',
  title: 'An address makes 5 resync calls of the challenge form a minute, whoever the agent is',
  clauses: ['limit.resync.challenge', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 14,
  refusal: true,
  waits: windowOf('resyncChallenge'),
  async run(t) {
    const agents = [await t.root({ init: true }), await t.root({ init: true })];
    const other = t.newAddress();
    const send = (n: number, address?: string): Promise<Reply> =>
      t.call('resync', { key: agents[n % 2]?.key, body: { action: 'challenge' }, mayLimit: true, address });
    await judgeLimit(t, { limit: 'resyncChallenge', send: (n) => send(n), other: () => send(0, other) });
  },
};

export const resyncChallengeChecks: readonly Check[] = [proved, nonceUnknown, nonceTtl, short, notFrozen, limit];
