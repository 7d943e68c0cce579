/** Registration with a self-custody wallet in the older two-phase form (4.2, mode 4), and the nonces of every form. */
import { isAbsent, isAgentHash, isFilled, isHex, oneOf } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import type { Wallet } from '../protocol/wallet.js';
import {
  nameIsSigned,
  register,
  TOKEN_ONCE,
  tokenOpensOnce,
  UNFIT_METADATA,
  unfitMetadata,
  unfitNotKept,
} from '../steps/register-call.js';
import { walletIs } from '../steps/wallet-call.js';
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

/** Clauses for which an accepted registration is evidence. */
const taken = [
  'register.self-custody.finalize',
  'register.self-custody.message',
  'key.wallet-signature.ed25519',
  'key.wallet-signature.use',
  'register.nonce.field',
  'dialect.message-prefix',
] as const;

const registerSelfCustody: Check = {
  id: 'register/self-custody',
  title: 'A nonce signed by the wallet makes an agent with that wallet',
  clauses: [
    'register.self-custody.challenge',
    'register.self-custody.challenge.reply',
    'register.self-custody.challenge.reply.only',
    ...taken,
    'register.self-custody.reply',
    'register.self-custody.reply.fields',
    'register.nonce.form',
    'agent.older.signature',
    'agent.older.explorer-url',
    'agent.older.no-ok',
    'agent.field.wallet-chain',
  ],
  needs: [],
  registers: 0,
  walletRegisters: 2,
  requests: 3,
  writes: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const sent = await register(t, { name, action: 'challenge' });
    const challenge = t.accepted(sent, 'register.self-custody.challenge');
    const nonce = challenge.string('nonce');
    t.shows('register.nonce.form').fieldIs(challenge, 'nonce', isHex(t.protocol.registration.nonceBytes));
    const fields = Object.keys(Object(challenge.json));
    t.shows('register.self-custody.challenge.reply.only').exactly('fields of the challenge reply', fields, ['nonce']);
    const reply = t.accepted(await register(t, signedRegistration(t, { name, nonce, wallet })), ...taken);
    const older = t.shows('register.self-custody.reply.fields');
    older.fieldIs(reply, 'hash', isAgentHash);
    older.fieldIs(reply, 'api_key', isFilled);
    older.fieldIs(reply, 'secret', isHex(t.protocol.agent.secretBytes));
    older.field(reply, 'type', 'root');
    older.field(reply, 'parent', null);
    older.field(reply, 'depth', 0);
    older.exactField(reply, 'name', name);
    older.field(reply, 'wallet_model', 'self-custody');
    older.field(reply, 'wallet_chain', 'solana');
    older.fieldIs(reply, 'birth_tx', isAbsent);
    const status = t.accepted(await t.call('status', { params: { hash: reply.string('hash') } }));
    // The specification shows wallet_chain only in lookups.
    const chains = oneOf(['solana', 'ethereum']);
    t.shows('agent.field.wallet-chain').through('D-19').fieldIs(status, 'wallet_chain', chains);
    walletIs(t, status, wallet, 'register.self-custody.finalize');
  },
};

const registerSelfCustodyToken: Check = {
  id: 'register/self-custody-token',
  title: 'A token that opened a registration with a self-custody wallet opens no other',
  clauses: TOKEN_ONCE,
  needs: [],
  registers: 2,
  tokens: 1,
  walletRegisters: 2,
  requests: 5,
  writes: true,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    await tokenOpensOnce(t, {
      ask: (headers) => register(t, { name, action: 'challenge' }, { headers }),
      finish: (nonce, headers) => register(t, signedRegistration(t, { name, nonce, wallet }), { headers }),
    });
  },
};

const registerSelfCustodyMetadata: Check = {
  id: 'register/self-custody-metadata',
  title: 'Neither more than 4 KB nor what is no object is kept as metadata of an agent with a self-custody wallet',
  clauses: UNFIT_METADATA,
  needs: [],
  registers: 0,
  walletRegisters: 8,
  requests: 11,
  writes: true,
  async run(t) {
    for (const metadata of unfitMetadata(t)) {
      const name = t.word();
      const asked = await register(t, { name, action: 'challenge', metadata });
      const nonce = asked.status < 300 ? asked.get('nonce') : undefined;
      const signed = (own: string): object => signedRegistration(t, { name, nonce: own, wallet: t.wallet() });
      const last = typeof nonce === 'string' ? await register(t, { ...signed(nonce), metadata }) : asked;
      await unfitNotKept(t, metadata, last);
    }
    t.accepted(await finish(t));
  },
};

const registerMessageAsSent: Check = {
  id: 'register/message-as-sent',
  title: 'A signed message holds the name and the key exactly as they are sent, untrimmed and in capitals',
  clauses: ['register.message.as-sent'],
  needs: [],
  registers: 0,
  walletRegisters: 2,
  requests: 2,
  writes: true,
  async run(t) {
    const [name, wallet] = [` ${t.word()} `, t.wallet()];
    const nonce = await nonceFor(t, name);
    const wallet_public_key = wallet.publicKeyHex.toUpperCase();
    const prefix = t.facts.dialect.messagePrefix;
    const wallet_signature = wallet.sign(`${prefix}-register:${nonce}:${wallet_public_key}:${name}`);
    const body = { name, wallet_public_key, wallet_nonce: nonce, wallet_signature };
    t.accepted(await register(t, body), 'register.message.as-sent');
  },
};

/** A faulty signature of phase 2: by another wallet, or over another text. */
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
    clauses: ['register.self-custody.message', 'key.wallet-signature.ed25519', 'register.error.signature-invalid'],
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
      const clauses = ['register.self-custody.message', 'key.wallet-signature.ed25519'];
      const refused = await register(t, body);
      t.refused(refused, 'register/SIGNATURE_INVALID', ...clauses, 'register.error.signature-invalid');
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

const registerNameSigned = nameIsSigned(
  'self-custody',
  'register.self-custody.message',
  async (t, { sent, signed, asked = sent }) => {
    const [wallet, nonce] = [t.wallet(), await nonceFor(t, asked)];
    return register(t, { ...signedRegistration(t, { name: signed, nonce, wallet }), name: sent });
  },
);

const registerWalletKeyMalformed: Check = {
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
    const clauses = ['register.self-custody.finalize', 'register.error.validation.form'];
    t.refused(await register(t, cut), 'register/VALIDATION', ...clauses);
    t.accepted(await finish(t, name, wallet));
  },
};

const registerNonceOnce: Check = {
  id: 'register/nonce-once',
  title: 'A registration nonce makes one agent',
  clauses: ['register.nonce.once', 'register.error.nonce-invalid'],
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
    const again = await register(t, body);
    t.refused(again, 'register/NONCE_INVALID', 'register.nonce.once', 'register.error.nonce-invalid');
    // Another name: whether two agents may have one is not shown.
    t.accepted(await finish(t, t.word(), wallet));
  },
};

const registerNonceUnknown: Check = {
  id: 'register/nonce-unknown',
  title: 'A nonce that was never issued is refused',
  clauses: ['register.nonce.bound', 'register.error.nonce-invalid'],
  needs: [],
  registers: 0,
  walletRegisters: 3,
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    const [name, wallet] = [t.word(), t.wallet()];
    const nonce = t.hex(t.protocol.registration.nonceBytes);
    const refused = await register(t, signedRegistration(t, { name, nonce, wallet }));
    t.refused(refused, 'register/NONCE_INVALID', 'register.nonce.bound', 'register.error.nonce-invalid');
    t.accepted(await finish(t, name, wallet));
  },
};

const registerNonceTtl: Check = {
  id: 'register/nonce-ttl',
  title: 'A registration nonce is good for 300 seconds',
  clauses: ['register.nonce.ttl', 'register.error.nonce-invalid'],
  needs: ['clock'],
  registers: 0,
  walletRegisters: 6,
  requests: 10,
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
    t.accepted(await register(t, inTime), 'register.nonce.ttl');
    await t.sleepUntil(madeMs + (ttlSec + 1) * 1_000);
    const refused = await register(t, late);
    t.refused(refused, 'register/NONCE_INVALID', 'register.nonce.ttl', 'register.error.nonce-invalid');
    t.accepted(await finish(t));
  },
};

const registerWalletShared: Check = {
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
    const other = t.accepted(await finish(t, t.word(), wallet), 'wallet.shared');
    const differ = one.string('hash') !== other.string('hash');
    t.shows('wallet.shared').of(other, 'hash of two agents of one wallet', differ, 'two values', 'the same twice');
  },
};

export const registerWalletChecks: readonly Check[] = [
  registerSelfCustody,
  registerSelfCustodyToken,
  registerSelfCustodyMetadata,
  registerMessageAsSent,
  ...forgeries,
  registerNameSigned,
  registerWalletKeyMalformed,
  registerNonceOnce,
  registerNonceUnknown,
  registerNonceTtl,
  registerWalletShared,
];
