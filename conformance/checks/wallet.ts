/** Linking a wallet to an agent that was registered without one (3.2, 4.12). */
import { isFilled } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import { offReason } from '../assertions/unjudged.js';
import type { Wallet } from '../protocol/wallet.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, purchase, reissue } from '../steps/paid.js';
import { register } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import {
  type Form,
  finalize,
  formsOf,
  link,
  linkWith,
  messageOf,
  messageUnder,
  nonceFor,
  walletIs,
} from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import { isRateLimited } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 1, writes: true } as const;

const forms = ['self-custody', 'operator'] as const satisfies readonly Form[];

const walletKeyInvalid: Check = {
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
      t.refusedWith(reply, 401, 'wallet.error.auth-missing');
      t.shows('wallet.error.auth-missing').fieldIs(reply, 'error', isFilled);
      codeIs(t, reply, 'AUTH_MISSING', 'wallet.error.auth-missing.code');
    }
    t.accepted(await link(t, agent, body));
  },
};

/** Section 7 shows no codes for this call: one that comes all the same is that of D-55. */
function codeIs(t: Trial, reply: Reply, code: string, clause: string): void {
  if (reply.get('code') === undefined) t.shows(clause).unjudged('the reply has no code');
  else t.shows(clause).code(reply, code);
}

const links = forms.map((form): Check => {
  const taken = [
    'wallet.transition.linked',
    'wallet.purpose',
    `wallet.${form}.message`,
    `wallet.${form}.body`,
    'key.wallet-signature.ed25519',
    'key.wallet-signature.use',
  ];
  return {
    ...base,
    id: `wallet/${form}`,
    title: `An agent without a wallet links one in the ${form} form`,
    clauses: [
      'wallet.route',
      'wallet.challenge.body',
      'wallet.challenge.reply',
      'wallet.challenge.reply.expires-in',
      ...taken,
      'wallet.state.none',
      'wallet.nonce.form',
      'wallet.finalize.reply',
      'lineage.hash.wallet-linked',
    ],
    requests: 7,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const look = async () => t.accepted(await t.call('status', { params: { hash: agent.hash } }));
      const lineage = async (): Promise<unknown> =>
        (await t.call('beat-status', { params: { hash: agent.hash } })).get('heartbeat_epoch.lineage_chain_hash');
      t.shows('wallet.state.none')
        .through('D-19')
        .field(await look(), 'wallet', null);
      const before = await lineage();
      const asked = t.accepted(await link(t, agent, { action: 'challenge' }), 'wallet.challenge.body');
      const nonce = asked.string('nonce');
      if (!formsOf(t).includes(form)) {
        const gone = await link(t, agent, finalize(t, form, { agent, nonce, wallet }), { mayBeOff: true });
        t.refused(gone, 'wallet/VALIDATION', `wallet.${form}.body`);
        t.shows(`wallet.${form}.message`).unjudged(offReason('wallet/operator'));
        return;
      }
      const reply = t.accepted(await link(t, agent, finalize(t, form, { agent, nonce, wallet })), ...taken);
      const finished = t.shows('wallet.finalize.reply');
      finished.field(reply, 'agent_hash', agent.hash);
      finished.field(reply, 'wallet', wallet.address);
      finished.field(reply, 'wallet_model', form);
      finished.field(reply, 'wallet_chain', 'solana');
      const linked = await look();
      walletIs(t, linked, wallet, 'wallet.transition.linked', 'wallet.purpose');
      // 2.1: operator for operator wallets, and solana for what signs with Ed25519.
      const kind = t.shows('wallet.transition.linked').through('D-19');
      if (form === 'operator') kind.field(linked, 'wallet_model', 'operator');
      kind.field(linked, 'wallet_chain', 'solana');
      const after = await lineage();
      const changed = typeof after === 'string' && after !== before;
      t.shows('lineage.hash.wallet-linked').that('lineage_chain_hash after a link', changed, 'another hash', after);
    },
  };
});

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
      word: 'operator-of-another',
      title: 'An operator link signed by another wallet is refused',
      form: 'operator',
      forge: (t, { agent, nonce, wallet }) => t.wallet().sign(messageOf(t, 'operator', agent, nonce, wallet)),
    },
    {
      word: 'other-agent',
      title: 'A link signed for another agent is refused',
      form: 'self-custody',
      forge: (t, { nonce, wallet }) =>
        wallet.sign(messageOf(t, 'self-custody', { hash: `0x${t.hex(32)}` }, nonce, wallet)),
    },
    {
      word: 'operator-other-agent',
      title: 'An operator link signed for another agent is refused',
      form: 'operator',
      forge: (t, { nonce, wallet }) => wallet.sign(messageOf(t, 'operator', { hash: `0x${t.hex(32)}` }, nonce, wallet)),
    },
    {
      word: 'other-nonce',
      title: 'A link signed over another nonce is refused',
      form: 'self-custody',
      forge: (t, { agent, wallet }) => wallet.sign(messageOf(t, 'self-custody', agent, t.hex(32), wallet)),
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
    clauses: [
      'wallet.error.signature-invalid',
      'wallet.error.signature-invalid.code',
      `wallet.${form}.message`,
      'key.wallet-signature.use',
    ],
    requests: 5,
    refusal: true,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const parts = { agent, wallet, nonce: await nonceFor(t, agent) };
      const forged = finalize(t, form, { ...parts, signature: forge(t, parts) });
      const clauses = ['wallet.error.signature-invalid', `wallet.${form}.message`, 'key.wallet-signature.use'];
      const refused = await link(t, agent, forged);
      t.refused(refused, 'wallet/SIGNATURE_INVALID', ...clauses, 'wallet.error.signature-invalid.code');
      t.accepted(await linkWith(t, agent, wallet, form), `wallet.${form}.message`);
    },
  }),
);

/** The words of the other signed messages (4.2, 4.12): each form has its own, so that no signature serves two ends. */
const otherWords: Readonly<Record<Form, readonly string[]>> = {
  'self-custody': ['register', 'register-operator', 'link-wallet-operator'],
  operator: ['register', 'register-operator', 'link-wallet'],
};

const otherMessages = forms.map((form): Check => {
  const clauses = ['wallet.error.signature-invalid', `wallet.${form}.message`];
  return {
    ...base,
    id: `wallet/${form}-signed-for-another-end`,
    title: `A ${form} link signed under the word of another message is refused`,
    clauses,
    requests: 9,
    refusal: true,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      for (const word of otherWords[form]) {
        const nonce = await nonceFor(t, agent);
        const signature = wallet.sign(messageUnder(t, word, form, agent, nonce, wallet));
        const reply = await link(t, agent, finalize(t, form, { agent, nonce, wallet, signature }));
        t.refused(reply, 'wallet/SIGNATURE_INVALID', ...clauses);
      }
      t.accepted(await linkWith(t, agent, wallet, form), `wallet.${form}.message`);
    },
  };
});

/** Other texts in place of the agent hash in a message: a part of it, or the hash in capitals. */
const otherHashes: readonly ((hash: string) => string)[] = [
  (hash) => hash.slice(2),
  (hash) => hash.slice(0, 2 + 32),
  (hash) => hash.slice(0, -1),
  (hash) => `0x${hash.slice(2).toUpperCase()}`,
  () => '',
];

const wholeMessages = forms.map((form): Check => {
  const clauses = ['wallet.error.signature-invalid', `wallet.${form}.message`];
  return {
    ...base,
    id: `wallet/${form}-hash-signed`,
    title: `The message of a ${form} link holds the whole agent hash, as it is`,
    clauses,
    requests: 13,
    refusal: true,
    async run(t) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      // A hash that is all in capitals is no other text in capitals.
      for (const change of otherHashes.filter((each) => each(agent.hash) !== agent.hash)) {
        const nonce = await nonceFor(t, agent);
        const signature = wallet.sign(messageOf(t, form, { hash: change(agent.hash) }, nonce, wallet));
        const reply = await link(t, agent, finalize(t, form, { agent, nonce, wallet, signature }));
        t.refused(reply, 'wallet/SIGNATURE_INVALID', ...clauses);
      }
      t.accepted(await linkWith(t, agent, wallet, form), `wallet.${form}.message`);
    },
  };
});

/** Clauses for which the refusal of a bad nonce is evidence. */
const nonceRefused = ['wallet.error.nonce-invalid', 'wallet.error.nonce-invalid.code'] as const;

const walletNonceOnce: Check = {
  ...base,
  id: 'wallet/nonce-once',
  title: 'A wallet-link nonce that was used in either form links nothing more',
  clauses: ['constant.nonce-single-use.wallet', ...nonceRefused],
  registers: 3,
  requests: 14,
  refusal: true,
  async run(t) {
    const other = await t.root();
    for (const form of formsOf(t)) {
      const one = await t.root();
      const nonce = await nonceFor(t, one);
      t.accepted(await link(t, one, finalize(t, form, { agent: one, nonce, wallet: t.wallet() })));
      for (const next of formsOf(t)) {
        const again = finalize(t, next, { agent: other, nonce, wallet: t.wallet() });
        const refused = await link(t, other, again);
        t.refused(refused, 'wallet/NONCE_INVALID', 'constant.nonce-single-use.wallet', ...nonceRefused);
      }
    }
    t.accepted(await linkWith(t, other));
  },
};

const walletNonceOfAnother: Check = {
  ...base,
  id: 'wallet/nonce-of-another',
  title: 'A nonce that another agent was given links no wallet, in either form',
  clauses: ['wallet.error.nonce-invalid'],
  registers: 2,
  requests: 8,
  refusal: true,
  async run(t) {
    const [one, other] = [await t.root(), await t.root()];
    const nonce = await nonceFor(t, one);
    for (const form of formsOf(t)) {
      const body = finalize(t, form, { agent: other, nonce, wallet: t.wallet() });
      t.refused(await link(t, other, body), 'wallet/NONCE_INVALID', 'wallet.error.nonce-invalid');
    }
    t.accepted(await linkWith(t, other));
  },
};

const walletNonceUnknown: Check = {
  ...base,
  id: 'wallet/nonce-unknown',
  title: 'A wallet link with a nonce that was never issued is refused in either form',
  clauses: [...nonceRefused],
  requests: 5,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    for (const form of formsOf(t)) {
      const nonce = t.hex(t.protocol.wallet.nonceBytes);
      const unknown = finalize(t, form, { agent, nonce, wallet: t.wallet() });
      t.refused(await link(t, agent, unknown), 'wallet/NONCE_INVALID', ...nonceRefused);
    }
    t.accepted(await linkWith(t, agent));
  },
};

const walletNonceOfRegistration: Check = {
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
      t.accepted(await register(t, { name, action: 'challenge' })).string('nonce'),
    );
    const body = finalize(t, 'self-custody', { agent, nonce, wallet: t.wallet() });
    t.refused(await link(t, agent, body), 'wallet/NONCE_INVALID', 'wallet.nonce.bound');
    t.accepted(await linkWith(t, agent));
  },
};

const walletLaterNonceTtl: Check = {
  ...base,
  id: 'wallet/later-nonce-ttl',
  title: 'A nonce that was asked for while an earlier one was good is good for 300 seconds itself',
  clauses: ['constant.nonce-ttl.wallet', 'wallet.transition.nonce'],
  needs: ['clock'],
  requests: 6,
  waits: ({ wallet }) => ({ sec: wallet.nonceTtlSec + 10 }),
  async run(t) {
    const { nonceTtlSec } = t.protocol.wallet;
    const agent = await t.root();
    await nonceFor(t, agent);
    await t.sleep({ sec: Math.max(0, nonceTtlSec - 10) });
    const nonce = await nonceFor(t, agent);
    await t.sleep({ sec: Math.min(20, nonceTtlSec - 1) });
    const body = finalize(t, 'self-custody', { agent, nonce, wallet: t.wallet() });
    t.accepted(await link(t, agent, body), 'constant.nonce-ttl.wallet', 'wallet.transition.nonce');
  },
};

const walletShared: Check = {
  ...base,
  id: 'wallet/shared',
  title: 'Two agents link one wallet, in either form',
  clauses: ['wallet.shared'],
  registers: 4,
  requests: 14,
  async run(t) {
    for (const form of formsOf(t)) {
      const wallet = t.wallet();
      for (const agent of [await t.root(), await t.root()]) {
        const body = finalize(t, form, { agent, nonce: await nonceFor(t, agent), wallet });
        t.accepted(await link(t, agent, body), 'wallet.shared');
      }
    }
  },
};

const walletNonceTtl: Check = {
  ...base,
  id: 'wallet/nonce-ttl',
  title: 'A wallet-link nonce is good for 300 seconds, in either form',
  clauses: ['constant.nonce-ttl.wallet', 'wallet.transition.nonce', 'wallet.error.nonce-invalid'],
  needs: ['clock'],
  registers: 4,
  requests: 28,
  refusal: true,
  waits: ({ wallet }) => ({ sec: wallet.nonceTtlSec }),
  async run(t) {
    const prepare = async (form: Form) => {
      const agent = await t.root();
      const body = finalize(t, form, { agent, nonce: await nonceFor(t, agent), wallet: t.wallet() });
      // A second challenge does not shorten the life of the first one's nonce.
      await nonceFor(t, agent);
      return { agent, body, form };
    };
    const { nonceTtlSec } = t.protocol.wallet;
    const startMs = t.nowMs();
    const pairs = [];
    for (const form of formsOf(t)) pairs.push({ inTime: await prepare(form), late: await prepare(form) });
    const madeMs = t.nowMs();
    const ttl = ['constant.nonce-ttl.wallet', 'wallet.transition.nonce'];
    // Whether the 300th second itself is in time is not said.
    await t.sleepUntil(startMs + nonceTtlSec * 1_000 - 1, true);
    for (const { inTime } of pairs) {
      const { agent, body, form } = inTime;
      const reply = await link(t, agent, body);
      // Where no nonce is good for a link, this one shows nothing of how long it is good.
      if (reply.status >= 400)
        await t.setup('a link with a fresh nonce', async () => t.accepted(await linkWith(t, agent, t.wallet(), form)));
      t.accepted(reply, ...ttl);
    }
    await t.sleepUntil(madeMs + (nonceTtlSec + 1) * 1_000);
    for (const { late } of pairs) {
      t.refused(await link(t, late.agent, late.body), 'wallet/NONCE_INVALID', ...ttl, 'wallet.error.nonce-invalid');
      t.accepted(await linkWith(t, late.agent));
    }
  },
};

/** How an agent comes to its wallet: at its registration, or by a link of either form. */
const linkedBy: Readonly<Record<string, (t: Trial) => Promise<{ agent: Agent; wallet: Wallet }>>> = {
  registration: async (t) => {
    const agent = await t.walletRoot();
    return { agent, wallet: agent.wallet };
  },
  'self-custody': (t) => rootWith(t, 'self-custody'),
  operator: (t) => rootWith(t, 'operator'),
};

async function rootWith(t: Trial, form: Form): Promise<{ agent: Agent; wallet: Wallet }> {
  const [agent, wallet] = [await t.root(), t.wallet()];
  await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, agent, wallet, form)));
  return { agent, wallet };
}

/** Other bodies for an agent that has a wallet. Each has a second fault, and the text leaves open which of two is reported. */
const otherBodies = (t: Trial, agent: Agent): readonly unknown[] => [
  ...formsOf(t).map((form) =>
    finalize(t, form, { agent, nonce: t.hex(t.protocol.wallet.nonceBytes), wallet: t.wallet() }),
  ),
  {},
  { action: 'unlink' },
  { wallet_nonce: 7, wallet_public_key: null },
];

const again = ['wallet.transition.again', 'wallet.error.wallet-already-linked'] as const;
const againCode = 'wallet.error.wallet-already-linked.code';

const walletAlreadyLinked: Check = {
  ...base,
  id: 'wallet/already-linked',
  title: 'An agent with a wallet links no second one, whatever it sends, and keeps the first',
  clauses: [...again, againCode],
  registers: 3,
  walletRegisters: 2,
  requests: 37,
  refusal: true,
  async run(t) {
    for (const [how, make] of Object.entries(linkedBy)) {
      if (how === 'operator' && !formsOf(t).includes(how)) continue;
      const { agent, wallet } = await make(t);
      const challenge = await link(t, agent, { action: 'challenge' });
      t.refused(challenge, 'wallet/WALLET_ALREADY_LINKED', ...again, againCode);
      for (const body of otherBodies(t, agent)) t.refusedWith(await link(t, agent, body), '4xx', ...again);
      const status = t.accepted(await t.call('status', { params: { hash: agent.hash } }));
      walletIs(t, status, wallet, 'wallet.transition.again');
    }
    t.accepted(await linkWith(t, await t.root()));
  },
};

const walletOfEthereum: Check = {
  ...base,
  id: 'wallet/ethereum-linked',
  title: 'An agent that registered with an Ethereum wallet links no second one, in either form',
  clauses: [...again, againCode],
  walletRegisters: 2,
  requests: 9,
  refusal: true,
  unsuitableFor: devnetOnly,
  async run(t) {
    const [agent, other] = [await ethereumRoot(t), await t.root()];
    const challenge = await link(t, agent, { action: 'challenge' });
    t.refused(challenge, 'wallet/WALLET_ALREADY_LINKED', ...again, againCode);
    for (const form of formsOf(t)) {
      const body = finalize(t, form, { agent, nonce: t.hex(t.protocol.wallet.nonceBytes), wallet: t.wallet() });
      t.refusedWith(await link(t, agent, body), '4xx', ...again);
    }
    t.accepted(await linkWith(t, other));
  },
};

const walletLinkedMeanwhile: Check = {
  ...base,
  id: 'wallet/linked-meanwhile',
  title: 'Of two links that were begun, the second to be finished is refused in either form',
  clauses: [...again],
  registers: 3,
  requests: 18,
  refusal: true,
  async run(t) {
    for (const form of formsOf(t)) {
      const [agent, wallet] = [await t.root(), t.wallet()];
      const late = finalize(t, form, { agent, nonce: await nonceFor(t, agent), wallet: t.wallet() });
      await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, agent, wallet, form)));
      t.refused(await link(t, agent, late), 'wallet/WALLET_ALREADY_LINKED', ...again);
      const status = t.accepted(await t.call('status', { params: { hash: agent.hash } }));
      walletIs(t, status, wallet, 'wallet.transition.again');
    }
    t.accepted(await linkWith(t, await t.root()));
  },
};

const walletPays: Check = {
  ...base,
  id: 'wallet/pays',
  title: 'An agent buys a SIGIL and a reissue from the wallet that it linked, in either form',
  clauses: [
    'wallet.transition.linked',
    'wallet.purpose',
    'passport.public-key.solana',
    'passport.field.agent-public-key',
  ],
  needs: ['payments'],
  registers: 2,
  requests: 23,
  lamports: ({ sigil, reissue: { feeLamports } }) => 2 * (sigil.narrowTaskFeeLamports + feeLamports),
  async run(t) {
    for (const form of formsOf(t)) {
      const [agent, wallet] = [await t.root({ init: true }), t.wallet()];
      t.accepted(await linkWith(t, agent, wallet, form), 'wallet.transition.linked');
      await t.fund(wallet, 2 * t.protocol.sigil.narrowTaskFeeLamports + t.protocol.reissue.feeLamports);
      const bought = await buy(t, { ...agent, wallet }, purchase(t));
      const reply = t.accepted(bought, 'wallet.transition.linked', 'wallet.purpose');
      t.shows('passport.public-key.solana').field(reply, 'passport.agent_public_key', wallet.address);
      const reported = String(reply.get('passport.agent_public_key')).toLowerCase();
      const own = [wallet.address, wallet.publicKeyHex].some((text) => reported.includes(text.toLowerCase()));
      t.shows('passport.field.agent-public-key').of(
        reply,
        'passport.agent_public_key',
        own,
        'the wallet of the agent',
        reply.get('passport.agent_public_key'),
      );
      t.accepted(await reissue(t, { ...agent, wallet }), 'wallet.transition.linked', 'wallet.purpose');
    }
  },
};

const walletLimit: Check = {
  ...base,
  id: 'wallet/limit',
  title: 'An address makes 30 wallet-link calls an hour, whoever the agent is',
  clauses: ['limit.wallet', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 40,
  refusal: true,
  waits: windowOf('wallet'),
  async run(t) {
    const agents = [await t.root(), await t.root()];
    const other = t.newAddress();
    const replies = new Map<number, Reply>();
    const send = async (n: number, address?: string): Promise<Reply> => {
      const key = agents[n % 2]?.key;
      return t.call('wallet', { key, body: { action: 'challenge' }, mayLimit: true, address });
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
    // Each of the two agents has sent half of them: it is the address whose bucket is full.
    const over = replies.get(t.protocol.limits.wallet.count + 1);
    if (over === undefined) throw new RangeError('a bucket is filled by one request more than it holds');
    t.shows('limit.per-ip.path').of(over, 'two agents of one address', isRateLimited(over), '429', over.status);
  },
};

const walletLimitForms: Check = {
  ...base,
  id: 'wallet/limit-forms',
  title: 'Calls that link a wallet count in the limit of those that ask for a nonce',
  clauses: ['limit.wallet'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 33,
  refusal: true,
  async run(t) {
    const { count } = t.protocol.limits.wallet;
    needReachableCount(count, REACH.bucket, 'calls fill limits.wallet');
    const [linking, { key }] = [await t.root(), await t.root()];
    const ask = (): Promise<Reply> => t.call('wallet', { key, body: { action: 'challenge' }, mayLimit: true });
    // A nonce, and the link with it.
    t.accepted(await linkWith(t, linking));
    for (let n = 2; n < count; n += 1) t.accepted(await ask(), 'limit.wallet');
    t.refused(await ask(), 'any/RATE_LIMITED', 'limit.wallet');
  },
};

export const walletChecks: readonly Check[] = [
  ...links,
  ...forgeries,
  ...otherMessages,
  ...wholeMessages,
  walletNonceOnce,
  walletNonceOfAnother,
  walletNonceUnknown,
  walletNonceOfRegistration,
  walletNonceTtl,
  walletLaterNonceTtl,
  walletShared,
  walletAlreadyLinked,
  walletOfEthereum,
  walletLinkedMeanwhile,
  walletPays,
  walletKeyInvalid,
  walletLimit,
  walletLimitForms,
];
