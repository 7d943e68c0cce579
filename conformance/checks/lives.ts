/** Whole lives of agents of kinds that other checks seldom make, before a freeze and after it (steps/life.ts). */

import { submitBeats } from '../moves/beats-submit.js';
import { lookup } from '../moves/lookup.js';
import { link, linkBody } from '../moves/wallet.js';
import { flagging } from '../steps/flagging.js';
import { type Born, feesOfLife, leadLife } from '../steps/life.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { pauseAnchors, untilFrozen } from '../steps/waits.js';
import { linkOf, linkWith, nonceFor } from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot, operatorRoot } from '../steps/wallet-modes.js';
import { chainEnd, chainProof } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Links a wallet to the agent, after links with a nonce or a signature of another agent were refused. */
async function linked(t: Trial, agent: Agent, form: 'self-custody' | 'operator'): Promise<WalletAgent> {
  const [wallet, other] = [t.wallet(), t.wallet()];
  await t.send(link(agent, linkBody(linkOf(t, form, agent, t.hex(t.protocol.wallet.nonceBytes), other))));
  const nonce = await nonceFor(t, agent);
  const { wallet_signature: signature = '' } = linkBody(linkOf(t, form, agent, nonce, other));
  await t.send(link(agent, linkBody(linkOf(t, form, agent, nonce, wallet), signature)));
  t.mustSucceed(await linkWith(t, agent, wallet, form));
  return { ...agent, wallet };
}

type Kind = Pick<Born, 'identityClass' | 'tier' | 'depth' | 'accused'>;

const life = (
  word: string,
  title: string,
  kind: Kind,
  born: (t: Trial) => Promise<Pick<Born, 'agent' | 'parent' | 'sponsor'>>,
): WrittenCheck => ({
  id: `lives/${word}`,
  title,
  needs: ['payments', 'clock', 'beats', 'control'],
  controls: ['flags/:id/review'],
  waits: (protocol) => ({ anchors: protocol.dms.missedAnchorsMax + 1 + 4 * pauseAnchors(protocol) }),
  run: (t) =>
    flagging(t, async (flags) => {
      const { agent, ...kin } = await born(t);
      await t.fund(agent.wallet, 3 * feesOfLife(kind.identityClass)(t.protocol));
      await leadLife(t, flags, { ...kind, ...kin, agent });
    }),
});

const lives: readonly WrittenCheck[] = [
  life(
    'operator',
    'Every call of an autonomous, sovereign agent of an operator is answered as the text says',
    { identityClass: 'autonomous', tier: 'sov', depth: 0, accused: false },
    async (t) => ({ agent: await operatorRoot(t) }),
  ),
  life(
    'sandbox-child',
    'Every call of a child that is a sandbox orchestrator is answered as the text says',
    { identityClass: 'orchestrator', tier: 'sbx', depth: 1, accused: false },
    async (t) => {
      const parent = await t.walletRoot();
      const agent = await linked(t, await makeChild(t, parent, { init: true }), 'self-custody');
      return { parent, sponsor: parent, agent };
    },
  ),
  life(
    'grandchild',
    'Every call of a grandchild with an operator wallet is answered as the text says',
    { identityClass: 'narrow_task', tier: 'eph', depth: 2, accused: true },
    async (t) => {
      const sponsor = await t.walletRoot();
      const parent = await makeChild(t, sponsor);
      const agent = await linked(t, await makeChild(t, parent, { depth: 1, init: true }), 'operator');
      return { parent, sponsor, agent };
    },
  ),
  life(
    'late-wallet',
    'Every call of a root with metadata that links its wallet later is answered as the text says',
    { identityClass: 'orchestrator', tier: 'org', depth: 0, accused: true },
    async (t) => ({
      agent: await linked(t, await t.root({ init: true, metadata: { mark: t.word() } }), 'self-custody'),
    }),
  ),
];

const ethereum: WrittenCheck = {
  id: 'lives/ethereum',
  title: 'An agent with an Ethereum wallet submits beats, spawns children and resyncs as the text says',
  needs: ['payments', 'clock', 'beats', 'control'],
  unsuitableFor: devnetOnly,
  waits: untilFrozen(4),
  async run(t) {
    const agent = await ethereumRoot(t);
    t.mustSucceed(await t.call('init', { key: agent.key }));
    const submits = async (): Promise<void> => {
      const body = await chainProof(t, await chainEnd(t, agent), 4);
      await t.send(submitBeats(agent, body));
    };
    await submits();
    await makeChild(t, agent);
    await t.send(lookup('verify', agent.hash));
    t.mustSucceed(await comeBack(t, agent, penalty(t, await lapse(t, agent))));
    await submits();
    await t.send(lookup('verify', agent.hash));
  },
};

export const lifeChecks: readonly WrittenCheck[] = [...lives, ethereum];
