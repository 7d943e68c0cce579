import { walletChallenge, walletLinked } from '../../spec/endpoints/wallet.js';
import type { Reply } from '../assertions/reply.js';
import type { Wallet } from '../protocol/wallet.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { register } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import { type Form, finalize, link, linkWith, messageOf, nonceFor } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 1, writes: true } as const;

const keyInvalid: Check = {
  ...base,
  id: 'wallet/key-invalid',
  title: 'A wallet link without a key, or with one that nobody has, is refused',
  clauses: ['wallet.error.auth-missing', 'wallet.error.auth-missing.code'],
  requests: 6,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const [head, mac = ''] = agent.key.split('.');
    const forged = { ...agent, key: `${head}.${[...mac].reverse().join('')}` };
    const body = { action: 'challenge' };
    for (const reply of [await t.call('wallet', { body }), await link(t, forged, body)]) {
      t.equal('status', reply.status, 401);
      reply.string('error');
      // Section 7 shows no codes for this call.
      if (reply.get('code') !== undefined) t.decided('D-55', () => t.equal('code', reply.get('code'), 'AUTH_MISSING'));
    }
    t.accepted(await link(t, agent, { action: 'challenge' }), walletChallenge);
  },
};

const links = (['self-custody', 'operator'] as const).map(
  (form): Check => ({
    ...base,
    id: `wallet/${form}`,
    title: `An agent without a wallet links one in the ${form} form`,
    clauses: [
      'wallet.route',
      'wallet.purpose',
      'wallet.challenge.body',
      'wallet.challenge.reply',
      'wallet.challenge.reply.expires-in',
      `wallet.${form}.message`,
      `wallet.${form}.body`,
      'wallet.state.none',
      'wallet.transition.linked',
      'wallet.nonce.form',
      'wallet.finalize.reply',
      'lineage.hash.wallet-linked',
      'key.wallet-signature.ed25519',
      'key.wallet-signature.use',
    ],
    requests: 7,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const look = async () => t.accepted(await t.call('status', { params: { hash: agent.hash } }));
      const lineage = async (): Promise<unknown> =>
        (await t.call('beat-status', { params: { hash: agent.hash } })).get('heartbeat_epoch.lineage_chain_hash');
      t.shown(await look(), 'wallet', null, 'D-19');
      const before = await lineage();
      const asked = t.accepted(await link(t, agent, { action: 'challenge' }), walletChallenge);
      const nonce = asked.string('nonce');
      t.equal('expires_in', asked.get('expires_in'), t.protocol.wallet.nonceTtlSec);
      const reply = t.accepted(await link(t, agent, finalize(t, form, { agent, nonce, wallet })));
      t.decided('D-51', () => {
        t.accepted(reply, walletLinked);
        t.equal('agent_hash', reply.get('agent_hash'), agent.hash);
        t.equal('wallet', reply.get('wallet'), wallet.address);
        t.equal('wallet_model', reply.get('wallet_model'), form);
        t.equal('wallet_chain', reply.get('wallet_chain'), 'solana');
      });
      t.shown(await look(), 'wallet', wallet.address, 'D-19');
      const after = await lineage();
      t.decided('D-14', () => t.that('lineage_chain_hash', after !== before, 'another than before', String(after)));
    },
  }),
);

interface Forgery {
  readonly word: string;
  readonly title: string;
  readonly form: Form;
  readonly forge: (t: Trial, parts: { agent: Agent; nonce: string; wallet: Wallet }) => string;
}

const forgeries = (
  [
    {
      word: 'of-another',
      title: 'A link signed by another wallet is refused',
      form: 'self-custody',
      forge: (t, { agent, nonce, wallet }) => t.wallet().sign(messageOf(t, 'self-custody', agent, nonce, wallet)),
    },
    {
      word: 'other-agent',
      title: 'A link signed for another agent is refused',
      form: 'self-custody',
      forge: (t, { nonce, wallet }) =>
        wallet.sign(messageOf(t, 'self-custody', { hash: `0x${t.hex(32)}` }, nonce, wallet)),
    },
    {
      word: 'other-form',
      title: 'An operator link signed over the self-custody message is refused',
      form: 'operator',
      forge: (t, { agent, nonce, wallet }) => wallet.sign(messageOf(t, 'self-custody', agent, nonce, wallet)),
    },
    {
      word: 'not-hex',
      title: 'A link whose signature is no signature is refused',
      form: 'operator',
      forge: () => 'not a signature',
    },
  ] satisfies readonly Forgery[]
).map(
  ({ word, title, form, forge }): Check => ({
    ...base,
    id: `wallet/signature-${word}`,
    title,
    clauses: ['wallet.error.signature-invalid', 'wallet.error.signature-invalid.code', `wallet.${form}.message`],
    requests: 5,
    refusal: true,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const parts = { agent, wallet, nonce: await nonceFor(t, agent) };
      const forged = finalize(t, form, { ...parts, signature: forge(t, parts) });
      t.refused(await link(t, agent, forged), 'wallet/SIGNATURE_INVALID');
      t.accepted(await linkWith(t, agent, wallet, form));
    },
  }),
);

const nonceOnce: Check = {
  ...base,
  id: 'wallet/nonce-once',
  title: 'A wallet-link nonce that was used links nothing more',
  clauses: ['constant.nonce-single-use.wallet', 'wallet.error.nonce-invalid', 'wallet.error.nonce-invalid.code'],
  registers: 2,
  requests: 7,
  refusal: true,
  async run(t) {
    const [one, other] = [await t.root(), await t.root()];
    const nonce = await nonceFor(t, one);
    t.accepted(await link(t, one, finalize(t, 'self-custody', { agent: one, nonce, wallet: t.wallet() })));
    const again = finalize(t, 'self-custody', { agent: other, nonce, wallet: t.wallet() });
    t.refused(await link(t, other, again), 'wallet/NONCE_INVALID');
    t.accepted(await linkWith(t, other));
  },
};

const nonceUnknown: Check = {
  ...base,
  id: 'wallet/nonce-unknown',
  title: 'A wallet link with a nonce that was never issued is refused',
  clauses: ['wallet.error.nonce-invalid', 'wallet.error.nonce-invalid.code'],
  requests: 4,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const nonce = t.hex(t.protocol.wallet.nonceBytes);
    const unknown = finalize(t, 'self-custody', { agent, nonce, wallet: t.wallet() });
    t.refused(await link(t, agent, unknown), 'wallet/NONCE_INVALID');
    t.accepted(await linkWith(t, agent));
  },
};

const nonceBound: Check = {
  ...base,
  id: 'wallet/nonce-of-registration',
  title: 'A nonce of a registration links no wallet',
  clauses: ['wallet.nonce.bound'],
  walletRegisters: 1,
  requests: 5,
  refusal: true,
  async run(t) {
    const [agent, name] = [await t.root(), t.word()];
    const nonce = await t.setup('a nonce', async () =>
      (await register(t, { name, action: 'challenge' })).string('nonce'),
    );
    const body = finalize(t, 'self-custody', { agent, nonce, wallet: t.wallet() });
    t.refused(await link(t, agent, body), 'wallet/NONCE_INVALID');
    t.accepted(await linkWith(t, agent));
  },
};

const nonceTtl: Check = {
  ...base,
  id: 'wallet/nonce-ttl',
  title: 'A wallet-link nonce is good for 300 seconds',
  clauses: ['constant.nonce-ttl.wallet', 'wallet.transition.nonce', 'wallet.error.nonce-invalid'],
  needs: ['clock'],
  registers: 2,
  requests: 8,
  refusal: true,
  waits: ({ wallet }) => ({ sec: wallet.nonceTtlSec }),
  async run(t) {
    const prepare = async () => {
      const agent = await t.root();
      const body = finalize(t, 'self-custody', { agent, nonce: await nonceFor(t, agent), wallet: t.wallet() });
      return { agent, body };
    };
    const { nonceTtlSec } = t.protocol.wallet;
    const startMs = t.nowMs();
    const [inTime, late] = [await prepare(), await prepare()];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + nonceTtlSec * 1_000, true);
    t.accepted(await link(t, inTime.agent, inTime.body));
    await t.sleepUntil(madeMs + (nonceTtlSec + 1) * 1_000);
    t.refused(await link(t, late.agent, late.body), 'wallet/NONCE_INVALID');
  },
};

const linked: Check = {
  ...base,
  id: 'wallet/already-linked',
  title: 'An agent with a wallet links no second one, and keeps the first',
  clauses: ['wallet.transition.again', 'wallet.error.wallet-already-linked', 'wallet.error.wallet-already-linked.code'],
  registers: 2,
  walletRegisters: 2,
  requests: 13,
  refusal: true,
  async run(t) {
    const [born, without] = [await t.walletRoot(), await t.root()];
    t.refused(await link(t, born, { action: 'challenge' }), 'wallet/WALLET_ALREADY_LINKED');
    const late = finalize(t, 'self-custody', { agent: without, nonce: await nonceFor(t, without), wallet: t.wallet() });
    t.accepted(await linkWith(t, without));
    t.refused(await link(t, without, late), 'wallet/WALLET_ALREADY_LINKED');
    t.shown(t.accepted(await t.call('status', { params: { hash: born.hash } })), 'wallet', born.wallet.address, 'D-19');
    t.accepted(await linkWith(t, await t.root()));
  },
};

const pays: Check = {
  ...base,
  id: 'wallet/pays',
  title: 'An agent buys a SIGIL from the wallet that it linked',
  clauses: ['wallet.transition.linked', 'wallet.purpose'],
  needs: ['payments'],
  requests: 9,
  lamports: ({ sigil }) => sigil.narrowTaskFeeLamports,
  async run(t) {
    const [agent, wallet] = [await t.root({ init: true }), t.wallet()];
    t.accepted(await linkWith(t, agent, wallet));
    await t.fund(wallet, 2 * t.protocol.sigil.narrowTaskFeeLamports);
    const reply = t.accepted(await buy(t, { ...agent, wallet }, purchase(t)));
    t.decided('D-11', () =>
      t.equal('passport.agent_public_key', reply.get('passport.agent_public_key'), wallet.address),
    );
  },
};

const limit: Check = {
  ...base,
  id: 'wallet/limit',
  title: 'An address makes 30 wallet-link calls an hour, whoever the agent is',
  clauses: ['limit.wallet', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 38,
  refusal: true,
  waits: windowOf('wallet'),
  async run(t) {
    const agents = [await t.root(), await t.root()];
    const other = t.newAddress();
    const send = (n: number, address?: string): Promise<Reply> =>
      t.call('wallet', { key: agents[n % 2]?.key, body: { action: 'challenge' }, mayLimit: true, address });
    await judgeLimit(t, { limit: 'wallet', send: (n) => send(n), other: () => send(0, other) });
  },
};

export const walletChecks: readonly Check[] = [
  ...links,
  ...forgeries,
  nonceOnce,
  nonceUnknown,
  nonceBound,
  nonceTtl,
  linked,
  pays,
  keyInvalid,
  limit,
];
