/** Linking a wallet to an agent that was registered without one (3.2, 4.12). */

import { groups } from '../../spec/clauses/groups.js';
import type { Reply } from '../assertions/reply.js';
import { offReason } from '../assertions/unjudged.js';
import { lookup } from '../moves/lookup.js';
import { register } from '../moves/register.js';
import { type LinkForm, link, linkBody, linkChallenge, linkForgeries, linkForms } from '../moves/wallet.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, purchase, reissue } from '../steps/paid.js';

import { windowOf } from '../steps/waits.js';
import { formsOf, linkOf, linkWith, nonceFor } from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import type { WrittenCheck } from '../trial/check.js';
import { type Agent, sigilPriceLamports } from '../trial/fixtures.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const walletKeyInvalid: WrittenCheck = {
  id: 'wallet/key-invalid',
  title: 'A wallet link without a key, or with an unknown one, is refused',
  async run(t) {
    const agent = await t.root();
    const [head, mac = ''] = agent.key.split('.');
    for (const key of [undefined, `${head}.${[...mac].reverse().join('')}`]) await t.send(linkChallenge({ key }));
    t.mustSucceed(await t.send(linkChallenge(agent)));
  },
};

const links = linkForms.map((form): WrittenCheck => {
  const message = `wallet.${form}.message`;
  return {
    id: `wallet/${form}`,
    title: `An agent without a wallet links one in the ${form} form`,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const params = { hash: agent.hash };
      const lineage = async (): Promise<unknown> =>
        (await t.call('beat-status', { params })).get('heartbeat_epoch.lineage_chain_hash');
      await t.call('status', { params });
      const before = await lineage();
      const nonce = t.mustSucceed(await t.send(linkChallenge(agent))).string('nonce');
      const body = linkBody(linkOf(t, form, agent, nonce, wallet));
      if (!formsOf(t).includes(form)) {
        const gone = await t.send(link(agent, body), { mayBeOff: true });
        t.refused(gone, 'wallet/VALIDATION', `wallet.${form}.body`);
        t.shows(message).unjudged(offReason('wallet/operator'));
        return;
      }
      t.accepted(await t.send(link(agent, body)), `wallet.${form}.body`);
      await t.call('status', { params });
      const after = await lineage();
      const changed = typeof after === 'string' && after !== before;
      t.shows('lineage.hash.wallet-linked').that('lineage_chain_hash after a link', changed, 'another hash', after);
    },
  };
});

const forgeries = linkForms.map((form): WrittenCheck => {
  const message = `wallet.${form}.message`;
  return {
    id: `wallet/${form}-signature`,
    title: `A link in the ${form} form is refused unless its wallet signed the whole message`,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const forger = { wallet: t.wallet(), hash: `0x${t.hex(32)}`, nonce: t.hex(32) };
      for (const forge of Object.values(linkForgeries)) {
        const made = linkOf(t, form, agent, await nonceFor(t, agent), wallet);
        await t.send(link(agent, linkBody(made, forge(made, forger))));
      }
      t.accepted(await linkWith(t, agent, wallet, form), message);
    },
  };
});

const walletNonces = linkForms.map(
  (form): WrittenCheck => ({
    id: `wallet/${form}-nonce`,
    title: `A link in the ${form} form with a nonce that is unknown, used, of another agent or of a registration is refused`,
    async run(t) {
      const [agent, other] = [await t.root(), await t.root()];
      const challenge = { name: t.word(), action: 'challenge' };
      const ofRegistration = t.mustSucceed(await t.send(register(t.target, challenge))).string('nonce');
      const nonces = [t.hex(t.protocol.wallet.nonceBytes), await nonceFor(t, other), ofRegistration];
      const send = (nonce: string): Promise<Reply> => t.send(link(agent, linkBody(linkOf(t, form, agent, nonce))));
      for (const nonce of nonces) await send(nonce);
      for (const usedBy of formsOf(t)) {
        const one = await t.root();
        const nonce = await nonceFor(t, one);
        t.mustSucceed(await t.send(link(one, linkBody(linkOf(t, usedBy, one, nonce)))));
        t.refused(await send(nonce), 'wallet/NONCE_INVALID', 'constant.nonce-single-use.wallet');
      }
      t.mustSucceed(await linkWith(t, agent, t.wallet(), form));
    },
  }),
);

const walletNonceTtl: WrittenCheck = {
  id: 'wallet/nonce-ttl',
  title: 'A wallet-link nonce is accepted within 300 seconds in either form, even if another was requested',
  needs: ['clock'],
  waits: ({ wallet }) => ({ sec: wallet.nonceTtlSec }),
  async run(t) {
    const prepare = async (form: LinkForm) => {
      const agent = await t.root();
      const body = linkBody(linkOf(t, form, agent, await nonceFor(t, agent)));
      // A second challenge does not shorten the life of the first one's nonce.
      await nonceFor(t, agent);
      return { agent, body, form };
    };
    const ttlMs = t.protocol.wallet.nonceTtlSec * 1_000;
    const ttl = groups.linkNonceTtl;
    const startMs = t.nowMs();
    const pairs = [];
    for (const form of formsOf(t)) pairs.push({ inTime: await prepare(form), late: await prepare(form) });
    const after = await t.root();
    await nonceFor(t, after);
    const madeMs = t.nowMs();
    // The text leaves open whether the 300th second is in time.
    await t.sleepUntil(startMs + ttlMs - 1, true);
    const nonce = await nonceFor(t, after);
    for (const { inTime } of pairs) {
      const { agent, body, form } = inTime;
      const reply = await t.send(link(agent, body));
      // If no nonce is accepted for a link, this one is no evidence of how long a nonce lives.
      if (reply.status >= 400) t.mustSucceed(await linkWith(t, agent, t.wallet(), form));
      t.accepted(reply, ...ttl);
    }
    await t.sleepUntil(madeMs + ttlMs + 1_000);
    for (const { late } of pairs) {
      t.refused(await t.send(link(late.agent, late.body)), 'wallet/NONCE_INVALID', ...ttl);
      t.mustSucceed(await linkWith(t, late.agent));
    }
    // A nonce that is requested while an earlier one is valid lives for 300 seconds as well.
    t.accepted(await t.send(link(after, linkBody(linkOf(t, 'self-custody', after, nonce)))), ...ttl);
  },
};

const walletShared: WrittenCheck = {
  id: 'wallet/shared',
  title: 'Two agents may link the same wallet, in either form',
  async run(t) {
    for (const form of formsOf(t)) {
      const wallet = t.wallet();
      for (let n = 0; n < 2; n += 1) t.accepted(await linkWith(t, await t.root(), wallet, form), 'wallet.shared');
    }
  },
};

/** Other bodies for an agent that has a wallet. Each has a second fault, and the text leaves open which of two is reported. */
const otherBodies = (t: Trial, agent: Agent): readonly unknown[] => [
  ...formsOf(t).map((form) => linkBody(linkOf(t, form, agent, t.hex(t.protocol.wallet.nonceBytes)))),
  {},
  { action: 'unlink' },
  { wallet_nonce: 7, wallet_public_key: null },
];

const walletAlreadyLinked: WrittenCheck = {
  id: 'wallet/already-linked',
  title: 'A second link of an agent with a wallet is refused, and the first wallet stays',
  async run(t) {
    const agents: Agent[] = [await t.walletRoot()];
    for (const form of formsOf(t)) {
      const agent = await t.root();
      // The agent began two links, and the second to be finished is refused.
      const late = linkBody(linkOf(t, form, agent, await nonceFor(t, agent)));
      t.mustSucceed(await linkWith(t, agent, t.wallet(), form));
      await t.send(link(agent, late));
      agents.push(agent);
    }
    for (const agent of agents) {
      for (const body of [{ action: 'challenge' }, ...otherBodies(t, agent)]) await t.send(link(agent, body));
      await t.send(lookup('status', agent.hash));
    }
    t.mustSucceed(await linkWith(t, await t.root()));
  },
};

const walletOfEthereum: WrittenCheck = {
  id: 'wallet/ethereum-linked',
  title: 'A link of an agent with an Ethereum wallet is refused in either form',
  unsuitableFor: devnetOnly,
  async run(t) {
    const agent = await ethereumRoot(t);
    for (const body of [{ action: 'challenge' }, ...otherBodies(t, agent)]) await t.send(link(agent, body));
    t.mustSucceed(await linkWith(t, await t.root()));
  },
};

const walletPays: WrittenCheck = {
  id: 'wallet/pays',
  title: 'A SIGIL and a reissue paid from a linked wallet are accepted, in either form',
  needs: ['payments'],
  async run(t) {
    for (const form of formsOf(t)) {
      const [agent, wallet] = [await t.root({ init: true }), t.wallet()];
      t.accepted(await linkWith(t, agent, wallet, form), 'wallet.transition.linked');
      await t.fund(wallet, 2 * sigilPriceLamports(t.protocol, 'narrow_task') + t.protocol.reissue.feeLamports);
      const bought = await buy(t, { ...agent, wallet }, purchase(t));
      const reply = t.accepted(bought, 'wallet.transition.linked', 'wallet.purpose');
      t.shows('passport.public-key.solana').field(reply, 'passport.agent_public_key', wallet.address);
      t.accepted(await reissue(t, { ...agent, wallet }), 'wallet.transition.linked', 'wallet.purpose');
    }
  },
};

const walletLimit: WrittenCheck = {
  id: 'wallet/limit',
  title: 'The 31st wallet-link call from an address in an hour, over all agents, is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('wallet'),
  async run(t) {
    const agents = [await t.root(), await t.root()];
    const other = t.newAddress();
    const replies = new Map<number, Reply>();
    const send = async (n: number, address?: string): Promise<Reply> => {
      const key = agents[n % 2]?.key;
      return t.send(linkChallenge({ key }), { mayLimit: true, address });
    };
    await judgeLimit(t, {
      limit: 'wallet',
      clause: 'limit.wallet',
      send: async (n) => {
        const reply = await send(n);
        replies.set(n, reply);
        return reply;
      },
      other: () => send(0, other),
    });
    // Each of the two agents has sent half of the calls, so the full bucket is that of the address.
    const over = replies.get(t.protocol.limits.wallet.count + 1);
    if (over === undefined) throw new RangeError('no reply to the request after the full bucket');
    t.shows('limit.per-ip.path').that('two agents of one address', isRateLimited(over), '429', over.status, over);
  },
};

const walletLimitForms: WrittenCheck = {
  id: 'wallet/limit-forms',
  title: 'Calls that link a wallet count in the limit of those that ask for a nonce',
  needs: ['clock', 'client-ip'],
  async run(t) {
    const { count } = t.protocol.limits.wallet;
    needReachableCount(count, REACH.bucket, 'calls fill limits.wallet');
    const [linking, asking] = [await t.root(), await t.root()];
    const ask = (): Promise<Reply> => t.send(linkChallenge(asking), { mayLimit: true });
    // A nonce, and the link with it.
    t.mustSucceed(await linkWith(t, linking));
    for (let n = 2; n < count; n += 1) t.accepted(await ask(), 'limit.wallet');
    t.refused(await ask(), 'any/RATE_LIMITED', 'limit.wallet');
  },
};

export const walletChecks: readonly WrittenCheck[] = [
  ...links,
  ...forgeries,
  ...walletNonces,
  walletNonceTtl,
  walletShared,
  walletAlreadyLinked,
  walletOfEthereum,
  walletPays,
  walletKeyInvalid,
  walletLimit,
  walletLimitForms,
];
