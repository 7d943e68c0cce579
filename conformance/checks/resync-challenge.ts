/** Checks of POST /agent/resync by challenge: nonce, proof of the agent's own chain, and who gets none. */
import { servesMode } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { offReason } from '../assertions/unjudged.js';
import type { Chain } from '../protocol/beats.js';
import { judgeLimit } from '../steps/limit.js';
import {
  capUnseen,
  challengeTaken,
  fewest,
  frozen,
  fullAt,
  lapse,
  momentNow,
  penalty,
  penaltyIs,
  syncIs,
} from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { asBeatProof, type BeatProof, chainEnd, chainOn, chainProof, workTaken } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { proofFaults } from './beats-submit.js';
import { OTHERS } from './resync.js';

const base = { registers: 1, writes: true, needs: ['clock'], waits: untilFrozen() } as const;

const challenge = (t: Trial, { key }: Agent, address?: string): Promise<Reply> =>
  t.call('resync', { key, body: { action: 'challenge' }, address });

const prove = (t: Trial, { key }: Agent, challenge_nonce: unknown, proof: unknown, address?: string): Promise<Reply> =>
  t.call('resync', { key, body: { action: 'prove', challenge_nonce, proof }, address });

/** As setup: the nonce of a challenge. */
const nonceFor = (t: Trial, agent: Agent, address?: string): Promise<string> =>
  t.setup('a resync nonce', async () =>
    challengeTaken(t, await challenge(t, agent, address)).string('challenge.nonce'),
  );

/** The work that an agent owes after a number of missed anchors. */
const owed = async (t: Trial, agent: Agent, missed: number): Promise<BeatProof> =>
  chainProof(t, await chainEnd(t, agent), penalty(t, missed));

/** Clauses of the challenge form alone, except those of its body. */
const OF_CHALLENGES = [
  'resync.challenge.reply',
  'resync.challenge.reply.gap-beats',
  'resync.challenge.either',
  'resync.gap.challenge',
  'resync.nonce.form',
  'resync.gap-beats',
  'resync.prove.body',
  'resync.prove.reply',
  'resync.prove.chain',
  'resync.prove.available-beats',
] as const;

const proved: Check = {
  ...base,
  id: 'resync/challenge',
  title: 'A frozen agent asks for a challenge and comes back with the beats of its own chain that it names',
  clauses: [
    'resync.challenge.body',
    ...OF_CHALLENGES,
    'resync.penalty',
    'constant.resync-penalty',
    'resync.transition.active',
    'resync.transition.last-global-sync',
    'resync.reactivates',
  ],
  requests: 13,
  async run(t) {
    const started = await momentNow(t);
    const agent = await frozen(t, fewest(t));
    if (!servesMode(t.protocol, 'resync/challenge')) {
      const gone = { key: agent.key, body: { action: 'challenge' }, mayBeOff: true };
      t.refused(await t.call('resync', gone), 'resync/VALIDATION', 'resync.challenge.body');
      for (const clause of OF_CHALLENGES) t.shows(clause).unjudged(offReason('resync/challenge'));
      return;
    }
    const end = await chainEnd(t, agent);
    const before = t.accepted(await t.call('init', { key: agent.key }));
    const asked = challengeTaken(t, await challenge(t, agent), 'resync.challenge.body', 'resync.challenge.either');
    penaltyIs(t, asked, { missed: agent.missed, field: 'challenge.required_beats', exact: 'resync.gap.challenge' });
    const goesOn = t.shows('resync.prove.chain');
    goesOn.field(asked, 'challenge.start_from_hash', end.hash);
    goesOn.field(asked, 'challenge.start_from_beat', end.beat);
    t.shows('resync.gap-beats').field(asked, 'gap_beats', agent.missed * t.protocol.anchor.beatsPerAnchor);
    const proof = asBeatProof(await chainFor(t, asked));
    const beats = proof.beats_computed;
    const reply = await workTaken(
      t,
      await prove(t, agent, asked.string('challenge.nonce'), proof),
      'resync.prove.body',
      'resync.transition.active',
      'resync.reactivates',
    );
    t.shows('resync.transition.active').field(reply, 'status', 'active');
    goesOn.field(reply, 'total_beats', before.number('total_beats') + beats);
    const after = t.accepted(await t.call('init', { key: agent.key }));
    t.shows('resync.reactivates', 'resync.transition.active').field(after, 'status', 'active');
    goesOn.field(after, 'latest_beat', end.beat + beats);
    goesOn.field(after, 'latest_hash', proof.to_hash);
    await syncIs(t, agent, started);
    await t.part(async () => {
      const looked = t.accepted(await t.call('beat-status', { params: { hash: agent.hash } }));
      t.shows('resync.prove.available-beats').through('D-21').field(looked, 'heartbeat.available_beats', 0);
    });
  },
};

/** Difficulties that nobody is made to compute. */
const DIFFICULTY_MAX = 5_000;

/** The chain that a challenge asks for: its number of beats, its start and its difficulty. */
async function chainFor(t: Trial, asked: Reply): Promise<Chain> {
  const [beats, difficulty] = [asked.number('challenge.required_beats'), asked.number('challenge.difficulty')];
  const bearable = beats >= 1 && beats <= t.protocol.resync.beatsMax && difficulty >= 0 && difficulty <= DIFFICULTY_MAX;
  t.need(bearable || undefined, `a challenge that can be met, and not ${beats} beats of difficulty ${difficulty}`);
  const hash = asked.string('challenge.start_from_hash').toLowerCase();
  return chainOn(t, { beat: asked.number('challenge.start_from_beat'), hash }, beats, difficulty);
}

const cap: Check = {
  ...base,
  id: 'resync/challenge-cap',
  title: 'A challenge after a long absence asks for 10,000 beats and no more',
  clauses: ['resync.penalty', 'resync.penalty.cap', 'constant.resync-penalty-cap', 'resync.gap.challenge'],
  needs: ['clock'],
  unsuitableFor: ({ protocol }) => capUnseen(protocol),
  waits: (protocol) => ({ anchors: wayBeyondCap(protocol) }),
  requests: 8,
  async run(t) {
    const agent = await frozen(t, wayBeyondCap(t.protocol));
    const { missed } = agent;
    const asked = challengeTaken(t, await challenge(t, agent));
    penaltyIs(t, asked, { missed, field: 'challenge.required_beats', exact: 'resync.gap.challenge' });
  },
};

/** An absence twice as long as that at which the penalty reaches its cap. */
const wayBeyondCap = (protocol: Protocol): number => Math.max(fewest({ protocol }), 2 * fullAt(protocol) + 3);

const grown: Check = {
  ...base,
  id: 'resync/challenge-later-chain',
  title: 'A chain that had grown is there after the freeze, and a challenge goes on from where it names',
  clauses: [
    'init.transition.repeat',
    'resync.challenge.reply',
    'resync.transition.active',
    'resync.prove.chain',
    'resync.transition.not-frozen',
  ],
  requests: 17,
  async run(t) {
    const agent = await t.root({ init: true });
    const first = await chainProof(t, await chainEnd(t, agent), EARLIER_BEATS);
    const credited = await workTaken(t, await t.call('beats-submit', { key: agent.key, body: first }));
    await lapse(t, agent);
    const again = t.accepted(await t.call('init', { key: agent.key }));
    t.need(again.get('status') === 'frozen' || undefined, 'an agent that is frozen');
    // 3.1: a freeze changes the status, and 4.4: init returns the existing chain.
    const kept = t.shows('init.transition.repeat');
    kept.field(again, 'total_beats', credited.get('total_beats'));
    kept.field(again, 'latest_beat', first.to_beat);
    kept.field(again, 'latest_hash', first.to_hash);
    const asked = challengeTaken(t, await challenge(t, agent));
    const goesOn = t.shows('resync.prove.chain');
    goesOn.field(asked, 'challenge.start_from_beat', first.to_beat);
    goesOn.field(asked, 'challenge.start_from_hash', first.to_hash);
    const proof = asBeatProof(await chainFor(t, asked));
    const clauses = ['resync.challenge.reply', 'resync.transition.active'];
    const back = await workTaken(t, await provedAtOnce(t, agent, asked.string('challenge.nonce'), proof), ...clauses);
    // From now on the chain is the one of the proof.
    const after = t.accepted(await t.call('init', { key: agent.key }));
    t.shows('init.transition.repeat').field(after, 'total_beats', back.get('total_beats'));
  },
};

/**
 * Sends an answer twice at the same moment: its nonce is good once, and an agent that has come back is frozen no more. Where both are
 * refused it sends it again, as the text does not say that one of them must be taken.
 */
async function provedAtOnce(t: Trial, agent: Agent, nonce: string, proof: BeatProof): Promise<Reply> {
  const send = (): Promise<Reply> => prove(t, agent, nonce, proof, t.newAddress());
  const replies = await Promise.all([send(), send()]);
  const taken = replies.filter(({ status }) => status < 300);
  const [first] = taken;
  if (first === undefined) return send();
  const about = 'two answers to one challenge at once';
  const single = t.shows('resync.transition.not-frozen');
  single.of(first, about, taken.length === 1, '1 accepted', `${taken.length} accepted`);
  return first;
}

/** Beats that an agent submits before it is frozen. */
const EARLIER_BEATS = 7;

const nonceUnknown: Check = {
  ...base,
  id: 'resync/challenge-nonce-unknown',
  title: 'A prove with a nonce that was never issued is refused',
  clauses: ['resync.prove.body', 'resync.error.validation'],
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const nonce = await nonceFor(t, agent);
    const proof = await owed(t, agent, agent.missed);
    const reply = await prove(t, agent, t.hex(t.protocol.resync.nonceBytes), proof);
    t.refused(reply, 'resync/VALIDATION', 'resync.prove.body', 'resync.error.validation');
    await workTaken(t, await prove(t, agent, nonce, proof), 'resync.prove.body');
  },
};

const nonceTtl: Check = {
  ...base,
  id: 'resync/challenge-nonce-ttl',
  title: 'A resync nonce is good for 300 seconds',
  clauses: ['resync.nonce.ttl', 'constant.nonce-ttl.resync', 'resync.error.validation'],
  requests: 10,
  refusal: true,
  waits: (protocol) =>
    untilFrozen(Math.ceil((protocol.resync.nonceTtlSec + 2) / protocol.anchor.intervalSec))(protocol),
  async run(t) {
    const { nonceTtlSec } = t.protocol.resync;
    const agent = await frozen(t, fewest(t));
    const old = await nonceFor(t, agent);
    await t.sleep({ ms: 1_500 });
    const startMs = t.nowMs();
    const young = await nonceFor(t, agent);
    await t.sleepUntil(startMs + nonceTtlSec * 1_000 - 500, true);
    // One proof for both, enough for either challenge: only the age of the nonce, 301 s or 299.5 s, tells the calls apart.
    const proof = await owed(t, agent, agent.missed + 1);
    const ttl = ['resync.nonce.ttl', 'constant.nonce-ttl.resync'];
    t.refused(await prove(t, agent, old, proof), 'resync/VALIDATION', ...ttl, 'resync.error.validation');
    await workTaken(t, await prove(t, agent, young, proof), ...ttl);
  },
};

/** That a proof which was refused has brought nobody back. */
async function stillFrozen(t: Trial, { key }: Agent): Promise<void> {
  t.shows('resync.transition.active').field(t.accepted(await t.call('init', { key })), 'status', 'frozen');
}

const short: Check = {
  ...base,
  id: 'resync/challenge-short',
  title: 'A prove one beat short of the penalty is refused, one with that beat accepted',
  clauses: ['resync.transition.active', 'resync.penalty', 'resync.error.validation.proof', 'resync.gap.challenge'],
  requests: 10,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const asked = challengeTaken(t, await challenge(t, agent));
    penaltyIs(t, asked, { missed: agent.missed, field: 'challenge.required_beats', exact: 'resync.gap.challenge' });
    const beats = asked.number('challenge.required_beats');
    const enough = await chainFor(t, asked);
    const reply = await prove(t, agent, asked.string('challenge.nonce'), asBeatProof(enough, beats - 1));
    const clauses = ['resync.transition.active', 'resync.penalty'];
    t.refused(reply, 'resync/VALIDATION', ...clauses, 'resync.error.validation.proof', 'resync.gap.challenge');
    await stillFrozen(t, agent);
    // Whether a failed prove uses its nonce up is left open.
    await workTaken(t, await prove(t, agent, await nonceFor(t, agent), asBeatProof(enough)), ...clauses);
  },
};

/** Faults of a proof that cost nothing to plant in one, and are checked here as they are in submissions. */
const cheapFaults = (['count', 'end-unchecked', 'end-hash', 'anchor-hash', 'from-hash-unchecked'] as const).map(
  (word) => proofFaults[word],
);

/** The clauses of 2.4 among those of a fault. */
const ofProof = (clauses: readonly string[]): readonly string[] =>
  clauses.filter((clause) => clause.startsWith('proof.field.'));

const madeUp: Check = {
  ...base,
  id: 'resync/challenge-made-up',
  title: 'A prove of beats that nobody computed, or whose fields do not fit, is refused, and leaves the agent frozen',
  clauses: [
    'resync.transition.active',
    'resync.penalty',
    'beat.step',
    'resync.error.validation.proof',
    ...cheapFaults.flatMap(({ clauses }) => ofProof(clauses)),
  ],
  requests: 27,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const asked = challengeTaken(t, await challenge(t, agent));
    const chain = await chainFor(t, asked);
    const [first = '', ...others] = chain.hashes;
    const made = { ...chain, hashes: [first, ...others.map(() => t.hex(32))] };
    const reply = await prove(t, agent, asked.string('challenge.nonce'), asBeatProof(made));
    const clauses = ['resync.transition.active', 'resync.penalty', 'beat.step'];
    t.refused(reply, 'resync/VALIDATION', ...clauses, 'resync.error.validation.proof');
    if (reply.status < 400) return;
    await stillFrozen(t, agent);
    const proof = asBeatProof(chain);
    for (const fault of cheapFaults) {
      // The calls of one address are so few a minute that waiting would make the proof too short.
      const address = t.newAddress();
      if (address === undefined) continue;
      const nonce = await nonceFor(t, agent, address);
      const spoiled = await prove(t, agent, nonce, fault.spoil(proof), address);
      t.refused(spoiled, 'resync/VALIDATION', ...ofProof(fault.clauses), 'resync.error.validation.proof');
      if (spoiled.status < 400) return;
      await stillFrozen(t, agent);
    }
    await workTaken(t, await prove(t, agent, await nonceFor(t, agent), proof), ...clauses);
  },
};

const notFrozen: Check = {
  ...base,
  id: 'resync/challenge-not-frozen',
  title: 'An agent that is not frozen gets no challenge, and one that is not frozen any more proves none',
  clauses: ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'],
  registers: 3,
  requests: 18,
  refusal: true,
  async run(t) {
    const asleep = await frozen(t, fewest(t));
    const awake = await t.root({ init: true });
    const clauses = ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'];
    // Neither of these is frozen: the chain of the second did not start.
    for (const agent of [awake, await t.root()]) {
      t.refused(await challenge(t, agent, t.newAddress()), 'resync/AGENT_WRONG_STATE', ...clauses);
    }
    // Whether a nonce outlives the next is not said, so the later one is used first.
    const [spare, nonce] = [await nonceFor(t, asleep), await nonceFor(t, asleep)];
    await workTaken(t, await prove(t, asleep, nonce, await owed(t, asleep, asleep.missed)));
    // As many beats again, from where its chain ends now: the state alone is against it.
    const proof = await owed(t, asleep, asleep.missed);
    t.refusedWith(await prove(t, asleep, spare, proof), '4xx', 'resync.transition.not-frozen');
  },
};

const limit: Check = {
  ...base,
  id: 'resync/challenge-limit',
  title: 'An address makes 5 resync calls of the challenge form a minute, whoever the agent is',
  clauses: ['limit.resync.challenge', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 20,
  refusal: true,
  waits: windowOf('resyncChallenge'),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const elsewhere = t.newAddress();
    const send = ({ key }: Agent, address?: string): Promise<Reply> =>
      t.call('resync', { key, body: { action: 'challenge' }, mayLimit: true, address });
    for (let n = 0; n < Math.min(t.protocol.limits.resyncReceipt.count, OTHERS); n += 1)
      await t.call('resync', { key: agent.key, body: { beats_receipt: 'none' }, mayLimit: true });
    await judgeLimit(t, {
      limit: 'resyncChallenge',
      clause: 'limit.resync.challenge',
      send: () => send(agent),
      other: async () => {
        // Section 8 counts by address, section 5 by agent: which of them holds is D-34.
        t.shows('limit.per-ip.path').status(await send(other), 429);
        return send(other, elsewhere);
      },
    });
  },
};

export const resyncChallengeChecks: readonly Check[] = [
  proved,
  cap,
  grown,
  nonceUnknown,
  nonceTtl,
  short,
  madeUp,
  notFrozen,
  limit,
];
