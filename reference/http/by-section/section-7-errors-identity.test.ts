import { afterEach, beforeEach, expect } from 'vitest';
import { linkWallet, walletFinish } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { freshKey, walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const finish = (agent: TestAgent, body: object, headers: Record<string, string> = {}) =>
  agent.post('/agent/wallet', body, headers);
const CHALLENGE = { action: 'challenge' };
const [NONCE, SIGNATURE] = ['nonce-invalid', 'signature-invalid'].map(
  (word) => `wallet.error.${word} wallet.error.${word}.code`,
) as [string, string];

const ofWallet: readonly RefusalRow[] = [
  {
    ids: NONCE,
    what: 'a nonce that nobody was given',
    is: [400, 'NONCE_INVALID'],
    pair: async () => {
      const agent = await walletless(deployment);
      const body = await walletFinish(deployment, agent);
      return [finish(agent, { ...body, wallet_nonce: '0'.repeat(64) }), () => finish(agent, body)];
    },
  },
  {
    ids: NONCE,
    what: "another agent's nonce",
    is: [400, 'NONCE_INVALID'],
    pair: async () => {
      const [agent, other] = [await walletless(deployment), await walletless(deployment)];
      const { wallet_nonce } = await walletFinish(deployment, other);
      const key = agent.key;
      const message = `service-link-wallet:${wallet_nonce}:${key.publicKeyHex}:${agent.hash}`;
      const theirs = { wallet_nonce, wallet_public_key: key.publicKeyHex, wallet_signature: key.signHex(message) };
      const body = await walletFinish(deployment, agent);
      return [finish(agent, theirs), () => finish(agent, body)];
    },
  },
  {
    ids: `${NONCE} constant.nonce-ttl.wallet`,
    what: 'a nonce a millisecond over its 300 seconds',
    is: [400, 'NONCE_INVALID'],
    pair: async () => {
      const agent = await walletless(deployment);
      const old = await walletFinish(deployment, agent);
      deployment.advance(1);
      const younger = await walletFinish(deployment, agent);
      deployment.advance(300_000);
      return [finish(agent, old), () => finish(agent, younger)];
    },
  },
  {
    ids: `${SIGNATURE} key.wallet-signature.ed25519`,
    what: "another key's signature",
    is: [400, 'SIGNATURE_INVALID'],
    pair: async () => {
      const agent = await walletless(deployment);
      const body = await walletFinish(deployment, agent);
      const wallet_signature = freshKey().signHex('x');
      return [finish(agent, { ...body, wallet_signature }), () => finish(agent, body)];
    },
  },
  {
    ids: SIGNATURE,
    what: "a signature over another agent's hash",
    is: [400, 'SIGNATURE_INVALID'],
    pair: async () => {
      const [agent, other] = [await walletless(deployment), await walletless(deployment)];
      const body = await walletFinish(deployment, agent);
      const message = `service-link-wallet:${body['wallet_nonce']}:${agent.key.publicKeyHex}:${other.hash}`;
      return [finish(agent, { ...body, wallet_signature: agent.key.signHex(message) }), () => finish(agent, body)];
    },
  },
  {
    ids: 'wallet.error.auth-missing wallet.error.auth-missing.code',
    what: 'a forged key',
    is: [401, 'AUTH_MISSING'],
    pair: async () => {
      const agent = await walletless(deployment);
      const forged = { Authorization: `${agent.authorization.Authorization.slice(0, -2)}00` };
      return [finish(agent, CHALLENGE, forged), () => finish(agent, CHALLENGE)];
    },
  },
  ...['challenge', 'finalize'].map(
    (call): RefusalRow => ({
      ids: 'wallet.error.wallet-already-linked wallet.error.wallet-already-linked.code',
      what: `a second wallet: ${call}`,
      is: [409, 'WALLET_ALREADY_LINKED'],
      pair: async () => {
        const [agent, other] = [await walletless(deployment), await walletless(deployment)];
        const [later, theirs] = [
          await walletFinish(deployment, agent, freshKey()),
          await walletFinish(deployment, other),
        ];
        await linkWallet(deployment, agent);
        return call === 'challenge'
          ? [finish(agent, CHALLENGE), () => finish(other, CHALLENGE)]
          : [finish(agent, later), () => finish(other, theirs)];
      },
    }),
  ),
];

const change = (agent: TestAgent, body: object, headers: Record<string, string> = agent.authorization) =>
  deployment.send('PATCH', '/api/v1/agent/metadata', { headers, body });
const MALFORMED = 'metadata.error.validation metadata.error.validation.code';

const ofMetadata: readonly RefusalRow[] = [
  ...(
    [
      [MALFORMED, { capability: 'king' }],
      [MALFORMED, { substrate: 'Frontier' }],
      [MALFORMED, { substrate_provider: 'vendor_9' }],
      [MALFORMED, { protocol: 'smtp' }],
      [MALFORMED, { compliance_regime: 'iso' }],
      [MALFORMED, { tools: Array(33).fill('a') }],
      [MALFORMED, { endpoint: 'not url' }],
      [MALFORMED, { endpoint: `https://agent.example/${'x'.repeat(235)}` }],
      ['metadata.error.validation.no-field', {}],
      ['metadata.error.validation.no-field', { colour: 'blue' }],
      ...['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'].map((field) => [
        'metadata.error.validation.immutable',
        { capability: 'witness', [field]: 'org' },
      ]),
    ] as readonly [string, object][]
  ).map(
    ([ids, fault]): RefusalRow => ({
      ids,
      what: JSON.stringify(fault).slice(0, 60),
      is: [400, 'VALIDATION'],
      pair: async () => {
        const agent = await deployment.agent();
        return [change(agent, fault), () => change(agent, { capability: 'witness', colour: 'blue' })];
      },
    }),
  ),
  {
    ids: 'metadata.error.auth-missing',
    what: 'a forged key',
    is: [401, 'AUTH_MISSING'],
    pair: async () => {
      const agent = await deployment.agent();
      const body = { capability: 'witness' };
      return [change(agent, body, { Authorization: 'Bearer pvn_x.00' }), () => change(agent, body)];
    },
  },
  {
    ids: 'metadata.error.sigil-required metadata.error.sigil-required.code',
    what: 'an agent without a SIGIL',
    is: [403, 'SIGIL_REQUIRED'],
    pair: async () => {
      const agent = await deployment.register();
      const refused = await change(agent, { capability: 'witness' });
      expect((await agent.buySigil()).status).toBe(200);
      return [refused, () => change(agent, { capability: 'witness' })];
    },
  },
];

describeRefusals('wallet (7)', ofWallet);
describeRefusals('metadata (7)', ofMetadata);
