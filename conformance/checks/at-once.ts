/** Requests of which one may succeed, sent several times at the same moment. The checks of each endpoint send a later second request. */

import type { Protocol } from '../../spec/protocol.js';
import { complaint } from '../moves/flag.js';
import { heartbeat } from '../moves/heartbeat.js';
import { challengeOf, register, registerByToken } from '../moves/register.js';
import { reissue } from '../moves/reissue-proof.js';
import { spawn } from '../moves/spawn.js';
import { endSponsorship, sponsor } from '../moves/sponsor.js';
import { endSubsidy, grant, terms } from '../moves/subsidy.js';
import { link, linkBody, linkChallenge } from '../moves/wallet.js';
import { race, type Subject } from '../steps/at-once.js';
import { flagging, pair } from '../steps/flagging.js';
import { adminKey } from '../steps/keys.js';
import { heartbeatFee, purchase } from '../steps/paid.js';
import { authorizationFor, costBeats, registerChild } from '../steps/spawn-call.js';
import { family } from '../steps/sponsor-call.js';
import { formsOf, linkOf, nonceFor } from '../steps/wallet-call.js';
import { receiptOf } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { signedRegistration, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = {
  needs: ['payments', 'client-ip'],
} as const;

const sigilPrice = ({ sigil, deposit }: Protocol): number => sigil.narrowTaskFeeLamports + deposit.lamports;
const beatFee = (protocol: Protocol): number => heartbeatFee(protocol, 1).lamports;
/** Sends each racing request from a new address, since a limit by address would interfere. */
const fromNewAddress = (t: Trial) => ({ mayLimit: true, mayMiss: true, address: t.newAddress() });

const token: WrittenCheck = {
  ...base,
  id: 'at-once/registration-token',
  title: 'One of several simultaneous registrations with one token is accepted',
  needs: ['client-ip'],
  // If registration needs no credential, a token has no visible effect.
  unsuitableFor: ({ network, registrationSecret }) =>
    network === 'mainnet' || registrationSecret !== undefined ? undefined : 'registration is open without a token',
  run: (t) =>
    race(t, ['register-token.use.once'], async () => {
      const issued = t.mustSucceed(await t.call('register-token', { address: t.newAddress() })).string('token');
      return () => t.send(registerByToken(issued, { name: t.word() }), fromNewAddress(t));
    }),
};

const init: WrittenCheck = {
  ...base,
  id: 'at-once/init',
  title: 'One of several simultaneous inits starts the chain',
  needs: ['client-ip'],
  run: (t) =>
    race(
      t,
      ['init.idempotent'],
      async () => {
        const { key } = await t.root({ address: t.newAddress() });
        return () => t.call('init', { key, ...fromNewAddress(t) });
      },
      // 2.3: a request that finds the chain already started gets a reply that says so.
      (reply) => reply.get('already_initialized') !== true,
    ),
};

const registrationNonce: WrittenCheck = {
  ...base,
  id: 'at-once/registration-nonce',
  title: 'One of several simultaneous registrations with one nonce is accepted',
  needs: ['client-ip'],
  run: (t) =>
    race(t, ['register.nonce.once'], async () => {
      const [name, wallet] = [t.word(), t.wallet()];
      const asked = await t.send(register(t.target, challengeOf('self-custody', name)), { address: t.newAddress() });
      const nonce = t.mustSucceed(asked).string('nonce');
      const body = signedRegistration(t, { name, nonce, wallet });
      return () => t.send(register(t.target, body), fromNewAddress(t));
    }),
};

const walletNonce: WrittenCheck = {
  ...base,
  id: 'at-once/wallet-nonce',
  title: 'One of several simultaneous wallet links with one nonce is accepted',
  needs: ['client-ip'],
  async run(t) {
    for (const form of formsOf(t)) {
      await race(t, ['constant.nonce-single-use.wallet', 'wallet.transition.again'], async () => {
        const agent = await t.root();
        const [nonce, wallet] = [await nonceFor(t, agent), t.wallet()];
        const body = linkBody(linkOf(t, form, agent, nonce, wallet));
        return () => t.send(link(agent, body), fromNewAddress(t));
      });
    }
  },
};

/** An agent with a SIGIL, and requests that name one payment. */
const paying =
  (t: Trial, moveOf: typeof heartbeat | typeof reissue, lamports: (protocol: Protocol) => number) =>
  async (): Promise<Subject> => {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: lamports(t.protocol) });
    return () => t.send(moveOf(agent, payment_tx), { mayLimit: true });
  };

const heartbeatPayment: WrittenCheck = {
  ...base,
  id: 'at-once/heartbeat-payment',
  title: 'One of two simultaneous heartbeats of two agents with one payment is accepted',
  async run(t) {
    // The two agents share a wallet. The minimum interval applies to each agent alone, so it refuses neither heartbeat.
    const clauses = ['heartbeat.error.payment-already-used', 'fee.payment.once'];
    const wallet = t.wallet();
    const agents: WalletAgent[] = [];
    for (let n = 0; n < 8; n += 1)
      agents.push(await t.walletRoot({ sigil: 'narrow_task', wallet, address: t.newAddress() }));
    await race(t, clauses, async () => {
      const payment_tx = await t.pay({ from: wallet, lamports: beatFee(t.protocol) });
      return (n) => t.send(heartbeat({ key: agents[n % agents.length]?.key }, payment_tx), { mayLimit: true });
    });
  },
};

const reissuePayment: WrittenCheck = {
  ...base,
  id: 'at-once/reissue-payment',
  title: 'One of several simultaneous reissues with one payment is accepted',
  run: (t) =>
    race(
      t,
      ['fee.payment.once'],
      paying(t, reissue, (numbers) => numbers.reissue.feeLamports),
    ),
};

const interval: WrittenCheck = {
  ...base,
  id: 'at-once/heartbeat-interval',
  title: 'One of several simultaneous heartbeats of an agent, each with its own payment, is accepted',
  run: (t) =>
    race(t, ['heartbeat.interval.min'], async () => {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const payments: string[] = [];
      for (let n = 0; n < 25; n += 1) payments.push(await t.pay({ from: agent.wallet, lamports: beatFee(t.protocol) }));
      return (n) => t.send(heartbeat(agent, payments[n]), { mayLimit: true });
    }),
};

const sigil: WrittenCheck = {
  ...base,
  id: 'at-once/sigil',
  title: 'One of several simultaneous SIGIL purchases of an agent, each with its own payment, is accepted',
  run: (t) =>
    race(t, ['sigil.transition.again'], async () => {
      const agent = await t.walletRoot({ init: true, fundedLamports: 30 * sigilPrice(t.protocol) });
      const payments: string[] = [];
      for (let n = 0; n < 5; n += 1)
        payments.push(await t.pay({ from: agent.wallet, lamports: sigilPrice(t.protocol) }));
      return (n) => {
        const body = { ...purchase(t), payment_tx: payments[n % payments.length] };
        return t.call('sigil', { key: agent.key, body, mayLimit: true });
      };
    }),
};

const authorization: WrittenCheck = {
  ...base,
  id: 'at-once/spawn-authorization',
  title: 'One of several simultaneous child registrations with one authorization is accepted',
  needs: ['beats', 'client-ip'],
  run: (t) =>
    race(t, ['spawn.authorization.once'], async () => {
      const parent = await t.root({ init: true });
      const name = t.word();
      const spawn_authorization = await authorizationFor(t, parent, name);
      const body = { name, parent: parent.hash, spawn_authorization };
      return () => registerChild(t, parent.key, body, fromNewAddress(t));
    }),
};

const receipt: WrittenCheck = {
  ...base,
  id: 'at-once/receipt',
  title: 'One of several simultaneous preflights of different parents with one receipt is accepted',
  needs: ['beats', 'client-ip'],
  async run(t) {
    const parents: { readonly key: string }[] = [];
    for (let n = 0; n < 5; n += 1) parents.push(await t.root({ init: true }));
    await race(t, ['receipt.once'], async () => {
      const beats_receipt = await receiptOf(t, costBeats(t, 0, 0));
      return (n) => {
        const body = { child_name: t.word(), beats_receipt };
        return t.send(spawn({ key: parents[n % parents.length]?.key }, body), { mayLimit: true });
      };
    });
  },
};

const flag: WrittenCheck = {
  ...base,
  id: 'at-once/flag',
  title: 'One of several simultaneous flags of a reporter against one target is accepted',
  needs: ['payments', 'control', 'client-ip'],
  controls: ['flags/:id/review'],
  run: (t) =>
    flagging(t, (flags) =>
      race(t, ['flag.rule.one-pending'], async () => {
        const { reporter, target } = await pair(t);
        return () => flags.file(reporter, complaint(target), fromNewAddress(t));
      }),
    ),
};

const revocation: WrittenCheck = {
  ...base,
  id: 'at-once/sponsor-revoke',
  title: 'One of several simultaneous revocations of a sponsorship is accepted',
  needs: ['beats', 'client-ip'],
  run: (t) =>
    race(t, ['sponsor.error.sponsor-not-found'], async () => {
      const { parent, child } = await family(t);
      await t.send(sponsor(parent, child.hash));
      return () => t.send(endSponsorship(parent, child.hash), { mayLimit: true, mayMiss: true });
    }),
};

const subsidy: WrittenCheck = {
  ...base,
  id: 'at-once/subsidy-delete',
  title: 'One of several simultaneous deletions of a subsidy is accepted',
  needs: ['admin', 'client-ip'],
  async run(t) {
    const key = await adminKey(t);
    await race(t, ['subsidy.error.subsidy-not-found'], async () => {
      const agent = await t.root();
      t.mustSucceed(await t.send(grant(key, terms(agent))));
      return () => t.send(endSubsidy(key, agent), fromNewAddress(t));
    });
  },
};

const linkTwice: WrittenCheck = {
  ...base,
  id: 'at-once/wallet-link',
  title: 'One of several simultaneous wallet links of an agent, each with its own nonce, is accepted',
  needs: ['client-ip'],
  run: (t) =>
    race(t, ['wallet.transition.again'], async () => {
      const agent = await t.root({ address: t.newAddress() });
      const bodies: object[] = [];
      for (let n = 0; n < 25; n += 1) {
        const asked = await t.send(linkChallenge(agent), { address: t.newAddress() });
        bodies.push(linkBody(linkOf(t, 'self-custody', agent, asked.string('nonce'))));
      }
      return (n) => t.send(link(agent, bodies[n]), fromNewAddress(t));
    }),
};

export const atOnceChecks: readonly WrittenCheck[] = [
  token,
  init,
  registrationNonce,
  walletNonce,
  linkTwice,
  heartbeatPayment,
  reissuePayment,
  interval,
  sigil,
  authorization,
  receipt,
  flag,
  revocation,
  subsidy,
];
