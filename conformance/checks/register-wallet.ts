import { registeredSelfCustody, registrationNonce } from '../../spec/endpoints/register.js';
import type { Reply } from '../assertions/reply.js';
import type { Wallet } from '../protocol/wallet.js';
import { judgeLimit } from '../steps/limit.js';
import { register } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { signedRegistration } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Phase 1, as setup: the nonce for a name. */
function nonceFor(t: Trial, name: string): Promise<string> {
  return t.setup('a nonce', async () => (await register(t, { name, action: 'challenge' })).string('nonce'));
}

/** Phase 2 with a nonce of its own. */
async function finish(t: Trial, name = t.word(), wallet = t.wallet()): Promise<Reply> {
  return register(t, signedRegistration(t, { name, nonce: await nonceFor(t, name), wallet }));
}

const selfCustody: Check = {
  id: 'register/self-custody',
  title: 'A nonce signed by the wallet makes an agent with that wallet',
  clauses: [
    'register.self-custody.challenge',
    'register.self-custody.challenge.reply',
    'register.self-custody.challenge.reply.only',
    'register.self-custody.finalize',
    'register.self-custody.message',
    'register.self-custody.reply',
    'register.self-custody.reply.fields',
    'register.nonce.field',
    'register.nonce.form',
    'register.message.as-sent',
    'dialect.message-prefix',
    'agent.older.signature',
    'agent.older.explorer-url',
    'agent.older.no-ok',
    'agent.field.wallet-chain',
    'key.wallet-signature.ed25519',
    'key.wallet-signature.use',
  ],
  needs: [],
  registers: 0,
  walletRegisters: 2,
  requests: 3,
  writes: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const challenge = t.accepted(await register(t, { name, action: 'challenge' }), registrationNonce);
    const nonce = challenge.string('nonce');
    t.decided('D-45', () => t.equal('fields of the challenge reply', Object.keys(Object(challenge.json)), ['nonce']));
    const reply = t.accepted(await register(t, signedRegistration(t, { name, nonce, wallet })));
    reply.string('signature');
    reply.string('explorer_url');
    t.equal('ok', reply.get('ok'), undefined);
    t.decided('D-45', () => {
      t.accepted(reply, registeredSelfCustody);
      t.equal('name', reply.get('name'), name);
      t.equal('wallet_model', reply.get('wallet_model'), 'self-custody');
      t.equal('wallet_chain', reply.get('wallet_chain'), 'solana');
      t.equal('birth_tx', reply.get('birth_tx'), undefined);
    });
    // Of its fields the specification shows wallet_chain in lookups alone.
    t.proves(...selfCustody.clauses.filter((id) => id !== 'agent.field.wallet-chain'));
    const status = t.accepted(await t.call('status', { params: { hash: reply.string('hash') } }));
    t.shown(status, 'wallet_chain', 'solana', 'D-19');
    t.shown(status, 'wallet', wallet.address, 'D-19');
  },
};

/** What is wrong with the signature of phase 2: the wallet that signs, or the text. */
type Forgery = (parts: {
  readonly prefix: string;
  readonly nonce: string;
  readonly name: string;
  readonly wallet: Wallet;
  readonly other: Wallet;
}) => string;

function forgery(word: string, title: string, forge: Forgery): Check {
  return {
    id: `register/signature-${word}`,
    title,
    clauses: ['register.self-custody.message', 'key.wallet-signature.ed25519'],
    needs: [],
    registers: 0,
    walletRegisters: 4,
    requests: 4,
    writes: true,
    refusal: true,
    async run(t) {
      const [name, wallet] = [t.word(), t.wallet()];
      const nonce = await nonceFor(t, name);
      const prefix = t.facts.dialect.messagePrefix;
      const wallet_signature = forge({ prefix, nonce, name, wallet, other: t.wallet() });
      const body = { ...signedRegistration(t, { name, nonce, wallet }), wallet_signature };
      t.refused(await register(t, body), 'register/SIGNATURE_INVALID');
      t.accepted(await finish(t, name, wallet));
    },
  };
}

const forgeries: readonly Check[] = [
  forgery('of-another', 'A signature by another wallet is refused', ({ prefix, nonce, name, wallet, other }) =>
    other.sign(`${prefix}-register:${nonce}:${wallet.publicKeyHex}:${name}`),
  ),
  forgery('other-name', 'A signature over another name is refused', ({ prefix, nonce, name, wallet }) =>
    wallet.sign(`${prefix}-register:${nonce}:${wallet.publicKeyHex}:${name}x`),
  ),
  forgery('other-nonce', 'A signature over another nonce is refused', ({ prefix, nonce, name, wallet }) =>
    wallet.sign(`${prefix}-register:${[...nonce].reverse().join('')}x:${wallet.publicKeyHex}:${name}`),
  ),
  forgery(
    'other-prefix',
    'A signature over the message of another flow is refused',
    ({ prefix, nonce, name, wallet }) => wallet.sign(`${prefix}-link-wallet:${nonce}:${wallet.publicKeyHex}:${name}`),
  ),
  forgery('not-hex', 'A signature that is no signature is refused', () => 'not a signature'),
];

const keyMalformed: Check = {
  id: 'register/wallet-key-malformed',
  title: 'A wallet public key that is no 64 hex characters is refused',
  clauses: ['register.self-custody.finalize', 'register.error.validation.form'],
  needs: [],
  registers: 0,
  walletRegisters: 4,
  requests: 4,
  writes: true,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const signed = signedRegistration(t, { name, nonce: await nonceFor(t, name), wallet });
    const cut = { ...signed, wallet_public_key: wallet.publicKeyHex.slice(1) };
    t.refused(await register(t, cut), 'register/VALIDATION');
    t.accepted(await finish(t, name, wallet));
  },
};

const nonceOnce: Check = {
  id: 'register/nonce-once',
  title: 'A registration nonce makes one agent',
  clauses: ['register.nonce.once'],
  needs: [],
  registers: 0,
  walletRegisters: 5,
  requests: 5,
  writes: true,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const body = signedRegistration(t, { name, nonce: await nonceFor(t, name), wallet });
    t.accepted(await register(t, body));
    t.refused(await register(t, body), 'register/NONCE_INVALID');
    t.accepted(await finish(t, name, wallet));
  },
};

const nonceUnknown: Check = {
  id: 'register/nonce-unknown',
  title: 'A nonce that was never issued is refused',
  clauses: ['register.nonce.bound', 'register.nonce.form'],
  needs: [],
  registers: 0,
  walletRegisters: 3,
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const nonce = t.hex(t.protocol.registration.nonceBytes);
    t.refused(await register(t, signedRegistration(t, { name, nonce, wallet })), 'register/NONCE_INVALID');
    t.accepted(await finish(t, name, wallet));
  },
};

const nonceTtl: Check = {
  id: 'register/nonce-ttl',
  title: 'A registration nonce is good for 300 seconds',
  clauses: ['register.nonce.ttl'],
  needs: ['clock'],
  registers: 0,
  walletRegisters: 4,
  requests: 8,
  writes: true,
  refusal: true,
  waits: ({ registration }) => ({ sec: registration.nonceTtlSec }),
  async run(t) {
    const ttlSec = t.protocol.registration.nonceTtlSec;
    const make = async () => {
      const [name, wallet] = [t.word(), t.wallet()];
      return signedRegistration(t, { name, nonce: await nonceFor(t, name), wallet });
    };
    const startMs = t.nowMs();
    const [inTime, late] = [await make(), await make()];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + ttlSec * 1_000, true);
    t.accepted(await register(t, inTime));
    await t.sleepUntil(madeMs + (ttlSec + 1) * 1_000);
    t.refused(await register(t, late), 'register/NONCE_INVALID');
  },
};

const shared: Check = {
  id: 'register/wallet-shared',
  title: 'One wallet may belong to two agents',
  clauses: ['wallet.shared'],
  needs: [],
  registers: 0,
  walletRegisters: 4,
  requests: 4,
  writes: true,
  async run(t) {
    const wallet = t.wallet();
    const one = t.accepted(await finish(t, t.word(), wallet));
    const other = t.accepted(await finish(t, t.word(), wallet));
    const different = one.string('hash') !== other.string('hash');
    t.that('hash of two agents of one wallet', different, 'two values', 'the same value twice');
  },
};

const limit: Check = {
  id: 'register/limit-wallet-flow',
  title: 'An address makes 30 calls of the wallet flow an hour',
  clauses: ['limit.register.wallet-flow', 'limit.error.rate-limited', 'limit.window', 'limit.retry-after'],
  needs: ['clock', 'client-ip'],
  registers: 0,
  walletRegisters: 35,
  requests: 35,
  writes: true,
  refusal: true,
  waits: windowOf('registerWalletFlow'),
  async run(t) {
    const other = t.newAddress();
    const challenge = (address?: string): Promise<Reply> =>
      register(t, { name: t.word(), action: 'challenge' }, { address, mayLimit: true });
    await judgeLimit(t, { limit: 'registerWalletFlow', send: () => challenge(), other: () => challenge(other) });
  },
};

export const registerWalletChecks: readonly Check[] = [
  selfCustody,
  ...forgeries,
  keyMalformed,
  nonceOnce,
  nonceUnknown,
  nonceTtl,
  shared,
  limit,
];
