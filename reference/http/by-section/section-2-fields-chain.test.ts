import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BeatProof, SpotCheck } from '../../../spec/endpoints/proof-schemas.js';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { once, Session } from '../../../test/fixtures/session.js';
import { computeBeat, computeChain } from '../../beats/beat.js';

const OTHER = 'ee'.repeat(32);
const CHAIN_HASH = /^[0-9a-f]{64}$/;

let session: Session;
beforeAll(async () => {
  session = await Session.start({ overlay: { limits: { init: { count: 1_000 }, beatsSubmit: { count: 1_000 } } } });
});
afterAll(() => session.close());

describe('the start of a chain (2.3)', () => {
  let agent: TestAgent;
  let first: Record<string, unknown>;
  let again: Record<string, unknown>;
  let genesisHash: string;
  beforeEach(
    once(async () => {
      agent = await session.walletless();
      first = await session.ok('POST /agent/init', {}, agent.authorization);
      again = await session.ok('POST /agent/init', {}, agent.authorization);
      genesisHash = createHash('sha256').update(`beats:genesis:v1:${agent.hash}`).digest('hex');
    }),
  );

  const genesisOf = (reply: Record<string, unknown>) => reply['genesis'] as Record<string, unknown>;
  it.each<[string, () => unknown, () => unknown]>([
    ['init.reply.agent-hash', () => first['agent_hash'], () => agent.hash],
    ['init.reply.genesis', () => Object.keys(genesisOf(first)), () => ['index', 'hash', 'prev', 'timestamp']],
    ['init.reply.genesis.index', () => genesisOf(first)['index'], () => 0],
    ['init.reply.genesis.hash', () => genesisOf(first)['hash'], () => expect.stringMatching(CHAIN_HASH)],
    ['genesis.hash', () => genesisOf(first)['hash'], () => genesisHash],
    ['init.reply.genesis.prev', () => genesisOf(first)['prev'], () => expect.stringMatching(/^0+$/)],
    ['genesis.prev', () => genesisOf(first)['prev'], () => '0'.repeat(64)],
    ['init.reply.genesis.timestamp', () => genesisOf(first)['timestamp'], () => 1_767_225_600_000],
    ['init.reply.difficulty', () => first['difficulty'], () => 1_000],
    ['init.reply.status', () => first['status'], () => 'active'],
    ['init.reply.already-initialized', () => again['already_initialized'], () => true],
    ['init.reply.again.difficulty', () => again['difficulty'], () => 1_000],
    ['init.reply.again.last-heartbeat-beat', () => again['last_heartbeat_beat'], () => 0],
  ])('[%s]', (_clause, actual, value) => {
    expect(actual()).toEqual(value());
  });

  it('[init.reply.next-steps] hints at four next steps in words', () => {
    const steps = first['_next_steps'] as Record<string, string>;
    expect(Object.keys(steps)).toEqual(['purchase_sigil', 'heartbeat', 'spawn_children', 'check_status']);
    for (const hint of Object.values(steps)) expect(hint).toMatch(/\/api\/v1\//);
  });

  it('[init.reply.again] [service.beat-chain] repeated returns the present chain, each agent its own', async () => {
    const [one, two] = [await session.root(), await session.root()];
    const proof = await session.proof(one, 5);
    await session.ok('POST /agent/beats/submit', proof, one.authorization);
    const chain = async ({ authorization, hash }: TestAgent) => {
      const { genesis_hash, ...rest } = await session.ok('POST /agent/init', {}, authorization);
      expect(genesis_hash).toBe(createHash('sha256').update(`beats:genesis:v1:${hash}`).digest('hex'));
      return [genesis_hash, rest];
    };
    const common = { ok: true, already_initialized: true, status: 'active', difficulty: 1_000, last_heartbeat_beat: 0 };
    const [, first] = await chain(one);
    expect(first).toEqual({
      ...common,
      agent_hash: one.hash,
      total_beats: 5,
      latest_hash: proof.to_hash,
      latest_beat: 5,
    });
    const [genesis, second] = await chain(two);
    expect(second).toEqual({ ...common, agent_hash: two.hash, total_beats: 0, latest_hash: genesis, latest_beat: 0 });
  });

  it('[init.reply.again.last-heartbeat-beat] is the beat of the last heartbeat', async () => {
    const alive = await session.sigilAgent();
    session.pass(3);
    const { current_beat } = (await session.heartbeat(alive)).body;
    session.pass(2);
    const { last_heartbeat_beat } = await session.ok('POST /agent/init', {}, alive.authorization);
    expect(last_heartbeat_beat).toBe(current_beat);
  });
});

/** Weaves anchors into a beat; its links are those of the proof. */
const forged = (proof: BeatProof, index: number, over: { prev?: string; anchorHash?: string } = {}): SpotCheck => {
  const { prev = OTHER, anchorHash = proof.anchor_hash } = over;
  return { index, prev, hash: computeBeat({ prev, index, anchorHash, difficulty: 1_000 }) };
};
const replaced = (proof: BeatProof, check: SpotCheck): BeatProof => ({
  ...proof,
  spot_checks: proof.spot_checks.map((each) => (each.index === check.index ? check : each)),
});
const without = (proof: BeatProof, ...indexes: number[]): BeatProof => ({
  ...proof,
  spot_checks: proof.spot_checks.filter(({ index }) => !indexes.includes(index)),
});
const bare = (proof: BeatProof, field: keyof SpotCheck) => ({
  ...proof,
  spot_checks: proof.spot_checks.map((each) => ({ ...each, [field]: undefined })),
});

/** A valid proof of so many beats from the agent's genesis on, which shows the beats with these indexes. */
async function proofOf(agent: TestAgent, beats: number, indexes: readonly number[]): Promise<BeatProof> {
  const anchor = await session.anchor();
  const { heartbeat } = await session.ok(`GET /agent/beat-status/${agent.hash}`);
  const run = { fromHash: heartbeat.latest_hash as string, fromIndex: 0, beats, difficulty: 1_000 };
  const { toHash, spotChecks } = computeChain({ ...run, anchorHash: anchor.hash, keep: { indexes } });
  const ends = { from_beat: 0, to_beat: beats, from_hash: run.fromHash, to_hash: toHash, beats_computed: beats };
  return { ...ends, global_anchor: anchor.beat_index, anchor_hash: anchor.hash, spot_checks: spotChecks };
}

describe('a beat proof (2.4, D-07)', () => {
  const mismatch = '409 CHAIN_MISMATCH';
  const malformed = '400 VALIDATION';
  const faults: readonly (readonly [clause: string, told: string, spoil: (proof: BeatProof) => object])[] = [
    ['proof.field.from-beat', malformed, (proof) => ({ ...proof, from_beat: '0' })],
    ['proof.field.from-beat', mismatch, (proof) => ({ ...proof, from_beat: 1, to_beat: 11 })],
    ['beat.step', mismatch, (proof) => ({ ...proof, from_beat: 10, to_beat: 20, from_hash: proof.to_hash })],
    ['proof.field.to-beat', malformed, (proof) => ({ ...proof, to_beat: null })],
    ['proof.field.to-beat', 'end_not_checked', (proof) => ({ ...proof, to_beat: 11, beats_computed: 11 })],
    ['proof.field.from-hash', malformed, (proof) => ({ ...proof, from_hash: 7 })],
    ['proof.field.from-hash', mismatch, (proof) => ({ ...proof, from_hash: OTHER })],
    ['beat.hash.form', malformed, (proof) => ({ ...proof, from_hash: `0x${proof.from_hash}` })],
    ['beat.hash.form', malformed, (proof) => ({ ...proof, to_hash: proof.to_hash.slice(1) })],
    ['proof.field.to-hash', 'end_not_linked', (proof) => ({ ...proof, to_hash: OTHER })],
    ['proof.field.beats-computed', 'count_mismatch', (proof) => ({ ...proof, beats_computed: 9 })],
    ['proof.field.beats-computed', 'count_mismatch', (proof) => ({ ...proof, beats_computed: 11 })],
    ['proof.field.global-anchor', malformed, (proof) => ({ ...proof, global_anchor: 'latest' })],
    ['proof.field.global-anchor', 'stale_anchor', (proof) => ({ ...proof, global_anchor: 10_000 })],
    ['proof.field.anchor-hash', 'anchor_mismatch', (proof) => ({ ...proof, anchor_hash: OTHER })],
    ['proof.field.spot-checks', malformed, (proof) => ({ ...proof, spot_checks: 'all' })],
    ['proof.field.spot-checks', malformed, (proof) => bare(proof, 'index')],
    ['proof.field.spot-checks', malformed, (proof) => bare(proof, 'hash')],
    ['proof.field.spot-checks', malformed, (proof) => bare(proof, 'prev')],
    ['proof.field.spot-checks.end', 'end_not_checked', (proof) => without(proof, 10)],
    ['proof.spot-checks.min', 'too_few_checks', (proof) => without(proof, 2, 5)],
    [
      'proof.spot-checks.range',
      'index_out_of_range',
      (proof) => ({ ...proof, spot_checks: [...proof.spot_checks, forged(proof, 0)] }),
    ],
    [
      'proof.spot-checks.range',
      'index_out_of_range',
      (proof) => ({ ...proof, spot_checks: [...proof.spot_checks, forged(proof, 11, { prev: proof.to_hash })] }),
    ],
    [
      'proof.spot-checks.unique',
      'index_twice',
      (proof) => ({ ...proof, spot_checks: [...proof.spot_checks, ...proof.spot_checks.slice(0, 1)] }),
    ],
    [
      'proof.spot-checks.recomputed',
      'check_failed',
      (proof) => replaced(proof, { ...(proof.spot_checks[2] as SpotCheck), hash: OTHER }),
    ],
    ['proof.spot-checks.first', 'start_not_linked', (proof) => replaced(proof, forged(proof, 1))],
    ['proof.spot-checks.neighbours', 'neighbours_not_linked', (proof) => replaced(proof, forged(proof, 2))],
    ['proof.spot-checks.last', 'end_not_linked', (proof) => replaced(proof, forged(proof, 10))],
    [
      'proof.anchor.every-beat',
      'check_failed',
      (proof) =>
        replaced(proof, forged(proof, 5, { anchorHash: OTHER, prev: (proof.spot_checks[2] as SpotCheck).prev })),
    ],
  ];

  it.each(faults)('[%s] with a fault is refused (%s), without it is accepted', async (_clause, told, spoil) => {
    const agent = await session.root();
    const proof = await proofOf(agent, 10, [1, 2, 5, 10]);
    const refused = await session.call('POST /agent/beats/submit', spoil(proof), agent.authorization);
    const code = `${refused.status} ${refused.body.code}`;
    if (/^\d/.test(told)) expect(code).toBe(told);
    else {
      expect(code).toBe('400 PROOF_INVALID');
      expect(refused.body.error).toContain(told);
    }
    expect((await session.ok(`GET /agent/beat-status/${agent.hash}`)).heartbeat.total_beats).toBe(0);
    const taken = await session.ok('POST /agent/beats/submit', proof, agent.authorization);
    expect(taken).toMatchObject({ beats_accepted: 10, latest_beat_index: 10, spot_checks_verified: 4 });
  });

  it.each([
    ['proof.spot-checks.min', 1, [1], '200'],
    ['proof.spot-checks.min', 2, [2], '400 PROOF_INVALID'],
    ['proof.spot-checks.min', 2, [1, 2], '200'],
    ['proof.spot-checks.min', 10, [1, 10], '400 PROOF_INVALID'],
    ['proof.spot-checks.min', 10, [1, 5, 10], '200'],
    ['proof.spot-checks.max', 30, [...Array(24).keys(), 29].map((i) => i + 1), '200'],
    ['proof.spot-checks.max', 30, [...Array(25).keys(), 29].map((i) => i + 1), '400 PROOF_INVALID'],
  ])('[%s] %i beats with the checks %j: %s', async (_clause, beats, indexes, outcome) => {
    const agent = await session.root();
    const proof = await proofOf(agent, beats, indexes);
    expect(await session.outcome('POST /agent/beats/submit', proof, agent.authorization)).toBe(outcome);
  });

  it.each([
    [0, '200'],
    [4, '200'],
    [5, '400 PROOF_INVALID'],
  ])('[proof.anchor.grace] that weaves an anchor of %i before the latest: %s', async (back, outcome) => {
    const agent = await session.root();
    const proof = await proofOf(agent, 3, [1, 2, 3]);
    session.pass(back);
    expect(await session.outcome('POST /agent/beats/submit', proof, agent.authorization)).toBe(outcome);
  });
});
