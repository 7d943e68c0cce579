import { afterEach, beforeEach } from 'vitest';
import { proofOf, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { freshKey, thaw } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';
import { putAgent } from '../../../test/fixtures/registry.js';
import { FROZEN } from '../../registry/state.js';

let deployment: Deployment;
beforeEach(async () => {
  // 4.10: one beat for a missed anchor instead of 100, so that a penalty is computed fast.
  deployment = await Deployment.start({ overlay: { resync: { beatsPerMissedAnchor: 1 } } });
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const resynced = (agent: TestAgent, body: object = {}) => agent.post('/agent/resync', body);
const receipt = (beats = 61, difficulty = 1_000) => receiptOf(deployment, beats, { difficulty });
const withReceipt = (agent: TestAgent, beats_receipt: unknown) => resynced(agent, { beats_receipt });

async function started(): Promise<TestAgent> {
  const agent = await deployment.register();
  await agent.post('/agent/init');
  return agent;
}

async function frozen(): Promise<TestAgent> {
  const agent = await started();
  deployment.advance(61 * MINUTE);
  return agent;
}

const nonceOf = async (agent: TestAgent): Promise<string> =>
  (await resynced(agent, { action: 'challenge' })).body.challenge.nonce as string;
const prove = (agent: TestAgent, challenge_nonce: unknown, proof: unknown) =>
  resynced(agent, { action: 'prove', challenge_nonce, proof });

const ofReceipts: readonly RefusalRow[] = [
  {
    ids: 'resync.error.agent-wrong-state',
    what: 'an agent that is not frozen',
    is: [409, 'AGENT_WRONG_STATE'],
    pair: async () => {
      const agent = await started();
      const refused = await withReceipt(agent, receipt());
      deployment.advance(61 * MINUTE);
      return [refused, () => withReceipt(agent, receipt())];
    },
  },
  {
    ids: 'resync.error.agent-wrong-state',
    what: 'a challenge for an agent that is not frozen',
    is: [409, 'AGENT_WRONG_STATE'],
    pair: async () => {
      const agent = await started();
      const refused = await resynced(agent, { action: 'challenge' });
      deployment.advance(61 * MINUTE);
      return [refused, () => resynced(agent, { action: 'challenge' })];
    },
  },
  {
    ids: 'resync.error.receipt-required',
    what: 'no receipt',
    is: [402, 'RECEIPT_REQUIRED', { required_beats: 61, gap_anchors: 61 }],
    pair: async () => {
      const agent = await frozen();
      return [resynced(agent), () => withReceipt(agent, receipt())];
    },
  },
  ...[
    ['that is a text', () => 'no receipt'],
    ['that another key signed', () => receiptOf(deployment, 61, {}, freshKey())],
    ['of one beat too few', () => receipt(60)],
    ['of too low a difficulty', () => receipt(61, 99)],
  ].map(
    ([what, bad]): RefusalRow => ({
      ids: 'resync.error.invalid-receipt',
      what: `a receipt ${what}`,
      is: [402, 'INVALID_RECEIPT'],
      pair: async () => {
        const agent = await frozen();
        return [withReceipt(agent, (bad as () => unknown)()), () => withReceipt(agent, receipt(61, 100))];
      },
    }),
  ),
  {
    ids: 'resync.error.invalid-receipt',
    what: 'a receipt that brought another agent back',
    is: [402, 'INVALID_RECEIPT'],
    pair: async () => {
      const [one, two, used] = [await started(), await frozen(), receipt(100)];
      await withReceipt(one, used);
      return [withReceipt(two, used), () => withReceipt(two, receipt())];
    },
  },
];

const ofProofs: readonly RefusalRow[] = [
  {
    ids: 'resync.error.validation',
    what: 'a nonce that nobody was given',
    is: [400, 'VALIDATION'],
    pair: async () => {
      const agent = await frozen();
      const [nonce, proof] = [await nonceOf(agent), proofOf(deployment, agent, 61)];
      return [prove(agent, '0'.repeat(64), proof), () => prove(agent, nonce, proof)];
    },
  },
  {
    ids: 'resync.error.validation',
    what: "another agent's nonce",
    is: [400, 'VALIDATION'],
    pair: async () => {
      const [other, agent] = [await started(), await frozen()];
      const [theirs, own, proof] = [await nonceOf(other), await nonceOf(agent), proofOf(deployment, agent, 61)];
      return [prove(agent, theirs, proof), () => prove(agent, own, proof)];
    },
  },
  {
    ids: 'resync.error.validation constant.nonce-single-use.resync',
    what: 'a nonce that was used, in a second freeze',
    is: [400, 'VALIDATION'],
    pair: async () => {
      const agent = await frozen();
      const used = await nonceOf(agent);
      await prove(agent, used, proofOf(deployment, agent, 61));
      // Frozen again within the 300 seconds of the nonce.
      putAgent(deployment.host.service.registry, agent.row, { status: FROZEN });
      const [fresh, proof] = [await nonceOf(agent), proofOf(deployment, agent, 61)];
      return [prove(agent, used, proof), () => prove(agent, fresh, proof)];
    },
  },
  {
    ids: 'resync.error.validation constant.nonce-ttl.resync',
    what: 'a nonce a millisecond over its 300 seconds',
    is: [400, 'VALIDATION'],
    pair: async () => {
      const agent = await frozen();
      const old = await nonceOf(agent);
      deployment.advance(1);
      const younger = await nonceOf(agent);
      deployment.advance(300_000);
      const proof = proofOf(deployment, agent, 61);
      return [prove(agent, old, proof), () => prove(agent, younger, proof)];
    },
  },
  ...(
    [
      ['of one beat too few', (proof) => ({ ...proof, to_beat: proof.to_beat - 1, beats_computed: 60 })],
      ['that ends in another hash', (proof) => ({ ...proof, to_hash: '00'.repeat(32) })],
      ['with two spot checks', (proof) => ({ ...proof, spot_checks: proof.spot_checks.slice(-2) })],
      ['woven to no anchor', (proof) => ({ ...proof, anchor_hash: '00'.repeat(32) })],
    ] as readonly [string, (proof: ReturnType<typeof proofOf>) => object][]
  ).map(
    ([what, spoil]): RefusalRow => ({
      ids: 'resync.error.validation.proof',
      what: `a proof ${what}`,
      is: [400, 'VALIDATION'],
      pair: async () => {
        const agent = await frozen();
        const [nonce, proof] = [await nonceOf(agent), proofOf(deployment, agent, 61)];
        return [prove(agent, nonce, spoil(proof)), () => prove(agent, nonce, proof)];
      },
    }),
  ),
];

const submit = (agent: TestAgent, proof: object) => agent.post('/agent/beats/submit', proof);

const ofSubmissions: readonly RefusalRow[] = [
  ...(['from_beat', 'to_hash', 'spot_checks', 'anchor_hash'] as const).map(
    (field): RefusalRow => ({
      ids: 'beats-submit.error.validation',
      what: `no ${field}`,
      is: [400, 'VALIDATION'],
      pair: async () => {
        const agent = await started();
        const proof = proofOf(deployment, agent, 5);
        return [submit(agent, { ...proof, [field]: undefined }), () => submit(agent, proof)];
      },
    }),
  ),
  {
    ids: 'beats-submit.error.proof-invalid',
    what: 'a spot check that does not hold',
    is: [400, 'PROOF_INVALID'],
    pair: async () => {
      const agent = await started();
      const proof = proofOf(deployment, agent, 5);
      const spot_checks = proof.spot_checks.map((check, i) => (i === 1 ? { ...check, hash: '00'.repeat(32) } : check));
      return [submit(agent, { ...proof, spot_checks }), () => submit(agent, proof)];
    },
  },
  {
    ids: 'beats-submit.error.agent-not-initialized',
    what: 'a chain that has not started',
    is: [409, 'AGENT_NOT_INITIALIZED'],
    pair: async () => {
      const [agent, other] = [await deployment.register(), await started()];
      const refused = await submit(agent, proofOf(deployment, other, 5));
      await agent.post('/agent/init');
      return [refused, () => submit(agent, proofOf(deployment, agent, 5))];
    },
  },
  {
    ids: 'beats-submit.error.chain-mismatch',
    what: 'a proof that starts before the latest beat',
    is: [409, 'CHAIN_MISMATCH'],
    pair: async () => {
      const agent = await started();
      const first = proofOf(deployment, agent, 5);
      await submit(agent, first);
      return [submit(agent, first), () => submit(agent, proofOf(deployment, agent, 5))];
    },
  },
  {
    ids: 'beats-submit.error.agent-frozen',
    what: 'a frozen agent',
    is: [403, 'AGENT_FROZEN'],
    pair: async () => {
      const agent = await frozen();
      const proof = proofOf(deployment, agent, 5);
      const refused = await submit(agent, proof);
      await thaw(agent);
      return [refused, () => submit(agent, proof)];
    },
  },
];

describeRefusals('resync by receipt (7)', ofReceipts);
describeRefusals('resync by challenge (7)', ofProofs);
describeRefusals('beats/submit (7)', ofSubmissions);
