import { afterEach, beforeEach } from 'vitest';
import { childOf, linkWallet } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { thaw, walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const NOBODY = `0x${'ab'.repeat(32)}`;
const sponsor = (parent: TestAgent, child_hash: unknown, more: object = {}) =>
  parent.post('/agent/sponsor', { child_hash, ...more });
const unsponsor = (parent: TestAgent, child_hash: unknown) =>
  deployment.send('DELETE', '/api/v1/agent/sponsor', { headers: parent.authorization, body: { child_hash } });

/** A parent with a wallet, and its child. */
async function family(): Promise<readonly [parent: TestAgent, child: TestAgent]> {
  const parent = await deployment.register();
  return [parent, await childOf(deployment, parent, 'kid')];
}

const ofSponsor: readonly RefusalRow[] = [
  {
    ids: 'sponsor.error.sponsor-not-ancestor',
    what: 'an agent of another family',
    is: [403, 'SPONSOR_NOT_ANCESTOR'],
    pair: async () => {
      const [[parent, child], stranger] = [await family(), await deployment.register()];
      return [sponsor(parent, stranger.hash), () => sponsor(parent, child.hash)];
    },
  },
  {
    ids: 'sponsor.error.sponsor-invalid',
    what: 'oneself',
    is: [400, 'SPONSOR_INVALID'],
    pair: async () => {
      const [parent, child] = await family();
      return [sponsor(parent, parent.hash), () => sponsor(parent, child.hash)];
    },
  },
  ...[undefined, 'x', '0x12', NOBODY.slice(2), 1].map(
    (bad): RefusalRow => ({
      ids: 'sponsor.error.validation',
      what: `child_hash ${JSON.stringify(bad)}`,
      is: [400, 'VALIDATION'],
      pair: async () => {
        const [parent, child] = await family();
        return [sponsor(parent, bad), () => sponsor(parent, child.hash)];
      },
    }),
  ),
  ...[
    [{ max_heartbeats_epoch: 0 }, { max_heartbeats_epoch: 1 }],
    [{ max_heartbeats_epoch: 10_001 }, { max_heartbeats_epoch: 10_000 }],
    [{ max_heartbeats_epoch: 1.5 }, {}],
    [{ max_heartbeats_epoch: '1' }, {}],
    [{ expires_in_hours: 0 }, { expires_in_hours: 1 }],
    [{ expires_in_hours: '1' }, {}],
  ].map(
    ([bad, good]): RefusalRow => ({
      ids: 'sponsor.error.validation.parameters',
      what: JSON.stringify(bad),
      is: [400, 'VALIDATION'],
      pair: async () => {
        const [parent, child] = await family();
        return [sponsor(parent, child.hash, bad), () => sponsor(parent, child.hash, good)];
      },
    }),
  ),
  {
    ids: 'sponsor.error.wallet-required',
    what: 'a parent without a wallet',
    is: [403, 'WALLET_REQUIRED'],
    pair: async () => {
      const parent = await walletless(deployment);
      const child = await childOf(deployment, parent, 'kid');
      const refused = await sponsor(parent, child.hash);
      await linkWallet(deployment, parent);
      return [refused, () => sponsor(parent, child.hash)];
    },
  },
  {
    ids: 'sponsor.error.sponsor-parent-frozen',
    what: 'a frozen parent',
    is: [403, 'SPONSOR_PARENT_FROZEN'],
    pair: async () => {
      const [parent, child] = await family();
      await parent.post('/agent/init');
      deployment.advance(61 * MINUTE);
      const refused = await sponsor(parent, child.hash);
      await thaw(parent);
      return [refused, () => sponsor(parent, child.hash)];
    },
  },
  {
    ids: 'sponsor.error.agent-not-found',
    what: 'a child that does not exist',
    is: [404, 'AGENT_NOT_FOUND'],
    pair: async () => {
      const [parent, child] = await family();
      return [sponsor(parent, NOBODY), () => sponsor(parent, child.hash)];
    },
  },
];

const ofUnsponsor: readonly RefusalRow[] = [
  {
    ids: 'sponsor.error.sponsor-not-found',
    what: 'no active sponsorship',
    is: [404, 'SPONSOR_NOT_FOUND'],
    pair: async () => {
      const [parent, child] = await family();
      const refused = await unsponsor(parent, child.hash);
      await sponsor(parent, child.hash);
      return [refused, () => unsponsor(parent, child.hash)];
    },
  },
  {
    ids: 'sponsor.error.agent-not-found',
    what: 'a child that does not exist, on DELETE',
    is: [404, 'AGENT_NOT_FOUND'],
    pair: async () => {
      const [parent, child] = await family();
      await sponsor(parent, child.hash);
      return [unsponsor(parent, NOBODY), () => unsponsor(parent, child.hash)];
    },
  },
];

describeRefusals('sponsor, POST (7)', ofSponsor);
describeRefusals('sponsor, DELETE (7)', ofUnsponsor);
