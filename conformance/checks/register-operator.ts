/** Registration in the modes whose agent belongs to an address: operator and Ethereum wallets (4.2, modes 2 and 3). */

import { isHex } from '../../model/reading/field-tests.js';
import { keptName } from '../../spec/dialect-settings.js';
import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, offReason, Unjudged } from '../assertions/unjudged.js';
import { checksummed, EthereumWallet } from '../protocol/ethereum-wallet.js';
import {
  issueToken,
  lookupsReturn,
  nameIsSigned,
  register,
  TOKEN_ONCE,
  tokenOpensOnce,
  UNFIT_METADATA,
  unfitMetadata,
  unfitNotKept,
} from '../steps/register-call.js';
import { walletIs } from '../steps/wallet-call.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { type Agent, registrationHeaders, signedRegistration, type WalletAgent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 0, writes: true } as const;

/** A signing key and its address. */
interface Signer {
  readonly address: string;
  sign(text: string): string;
}

/** A mode of 4.2 whose agent belongs to an address. */
interface Mode extends Pick<Check, 'unsuitableFor'> {
  readonly word: 'operator' | 'ethereum';
  readonly challenge: Readonly<Record<string, string>>;
  readonly chain: string;
  readonly signer: (t: Trial) => Signer;
  readonly body: (address: string) => Readonly<Record<string, string>>;
  /** Clauses that a finished registration shows, and those that its reply does. */
  readonly taken: readonly string[];
  readonly shown: readonly string[];
}

/** Where Ethereum wallets are refused, nothing about their agents can be shown (4.2). */
export const devnetOnly = ({ network }: Target): string | undefined =>
  network === 'devnet' ? undefined : 'Ethereum wallets are for devnet, and the target is a mainnet';

const modes: readonly Mode[] = [
  {
    word: 'operator',
    challenge: { wallet_model: 'operator' },
    chain: 'solana',
    signer: (t) => t.wallet(),
    body: (address) => ({ wallet_model: 'operator', operator_wallet_address: address }),
    taken: ['register.chain.solana', 'key.wallet-signature.ed25519'],
    shown: ['agent.field.wallet-model.operator'],
  },
  {
    word: 'ethereum',
    challenge: { action: 'challenge', wallet_chain: 'ethereum' },
    chain: 'ethereum',
    signer: (t) => new EthereumWallet(Buffer.from(t.hex(32), 'hex')),
    body: (address) => ({ wallet_chain: 'ethereum', wallet_address: address }),
    taken: ['register.chain.ethereum', 'key.wallet-signature.ethereum'],
    shown: [],
    unsuitableFor: devnetOnly,
  },
];

const challenge = (t: Trial, { challenge: fields }: Mode, name: string, more: object = {}): Promise<Reply> =>
  register(t, { name, ...more, ...fields });

/** Phase 1, as setup: a nonce. */
const nonceFor = (t: Trial, mode: Mode, name: string): Promise<string> =>
  t.setup('a nonce', async () => t.accepted(await challenge(t, mode, name)).string('nonce'));

/** The fields of phase 2; the signature is over what is sent, unless another is given. */
interface Parts {
  readonly name: string;
  readonly nonce: string;
  readonly signer: Signer;
  readonly address?: string;
  readonly signature?: string;
  readonly metadata?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The field that carries the nonce in phase 2, by D-18. */
const NONCE_FIELD = 'wallet_nonce';
/** Others in which an operator's may be: 4.2 gives the field of the other modes and not of that one. */
const OTHER_NONCE_FIELDS = ['nonce', 'operator_nonce', 'challenge_nonce'];

function finalize(t: Trial, mode: Mode, parts: Parts, field = NONCE_FIELD): Promise<Reply> {
  const { name, nonce, signer, address = signer.address } = parts;
  const message = `${t.facts.dialect.messagePrefix}-register-${mode.word}:${nonce}:${address}:${name}`;
  const wallet_signature = parts.signature ?? signer.sign(message);
  const more = parts.metadata === undefined ? {} : { metadata: parts.metadata };
  const body = { name, ...more, ...mode.body(address), [field]: nonce, wallet_signature };
  return register(t, body, parts.headers === undefined ? {} : { headers: parts.headers });
}

/** Another field with which an operator's agent is made, found out once for the whole run; null: with none of them. */
function otherNonceField(t: Trial, mode: Mode): Promise<string | null> {
  return once(t.session, 'operator nonce field', async () => {
    const trial = t.session.runTrial();
    for (const field of OTHER_NONCE_FIELDS) {
      const [name, signer] = [trial.word(), mode.signer(trial)];
      const nonce = (await challenge(trial, mode, name)).get('nonce');
      if (typeof nonce !== 'string') break;
      if ((await finalize(trial, mode, { name, nonce, signer }, field)).status < 300) return field;
    }
    return null;
  });
}

/** A phase 2 that lacks nothing. Where it is refused for the field of its nonce alone, the check says nothing. */
async function finalizeWhole(t: Trial, mode: Mode, parts: Parts): Promise<Reply> {
  const reply = await finalize(t, mode, parts);
  const field = reply.status < 300 || mode.word !== 'operator' ? null : await otherNonceField(t, mode);
  if (field === null) return reply;
  t.alsoShows('register.nonce.field').that('field of the nonce in phase 2', false, NONCE_FIELD, field);
  throw new Unjudged(
    'not-tested',
    notFollowed('D-18', `the nonce of an operator's registration is read from ${field}`),
  );
}

/** As setup: a root agent of a mode, with a signer. Two registrations of the wallet flow. */
function rootOf(t: Trial, word: Mode['word'], signer: Signer): Promise<Agent> {
  return t.setup(`a root agent in the ${word} mode`, async () => {
    const mode = modes.find((each) => each.word === word);
    if (mode === undefined) throw new Error(`there is no ${word} mode`);
    const name = t.word();
    const reply = t.accepted(await finalizeWhole(t, mode, { name, nonce: await nonceFor(t, mode, name), signer }));
    return { name, hash: reply.string('hash'), key: reply.string('api_key'), secret: String(reply.get('secret')) };
  });
}

/** As setup: a root agent with a fresh Ethereum wallet. Two registrations of the wallet flow. */
export const ethereumRoot = (t: Trial): Promise<Agent> =>
  rootOf(t, 'ethereum', new EthereumWallet(Buffer.from(t.hex(32), 'hex')));

/** As setup: a root agent with a fresh operator wallet, its chain started. Two registrations of the wallet flow. */
export async function operatorRoot(t: Trial): Promise<WalletAgent> {
  const wallet = t.wallet();
  const agent = await rootOf(t, 'operator', wallet);
  await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
  return { ...agent, wallet };
}

const unless = ({ unsuitableFor }: Mode): Pick<Check, 'unsuitableFor'> =>
  unsuitableFor === undefined ? {} : { unsuitableFor };

const made = modes.map((mode): Check => {
  const taken = [
    `register.${mode.word}.message`,
    `register.${mode.word}.finalize`,
    ...mode.taken,
    'dialect.message-prefix',
  ];
  return {
    ...base,
    ...unless(mode),
    id: `register/${mode.word}`,
    title: `A nonce signed for an address makes an agent in the ${mode.word} mode`,
    clauses: [
      `register.${mode.word}.challenge`,
      `register.${mode.word}.challenge.reply`,
      ...taken,
      ...mode.shown,
      'register.nonce.field',
      'register.nonce.form',
      'agent.field.wallet-chain',
      'agent.field.name',
      'agent.field.secret',
      'agent.field.birth-tx',
      'register.metadata.returned.status',
      'register.metadata.returned.verify',
    ],
    walletRegisters: 2,
    requests: 5,
    async run(t) {
      const [name, signer] = [t.word(), mode.signer(t)];
      if (!servesMode(t.protocol, `register/${mode.word}`)) {
        const gone = await register(t, { name, ...mode.challenge }, { mayBeOff: true });
        t.refused(gone, 'register/VALIDATION', `register.${mode.word}.challenge`);
        for (const clause of [
          `register.${mode.word}.challenge.reply`,
          ...taken,
          'register.nonce.field',
          ...mode.shown,
        ]) {
          t.shows(clause).unjudged(offReason(`register/${mode.word}`));
        }
        return;
      }
      // Phase 1 is as mode 1, which takes metadata; in which phase it counts is not shown.
      const metadata = { mark: t.word(), list: [1, { a: null }] };
      const asked = t.accepted(await challenge(t, mode, name, { metadata }), `register.${mode.word}.challenge`);
      t.shows('register.nonce.form').fieldIs(asked, 'nonce', isHex(t.protocol.registration.nonceBytes));
      const { nonceTtlSec } = t.protocol.registration;
      t.shows(`register.${mode.word}.challenge.reply`).field(asked, 'expires_in', nonceTtlSec);
      const sent = await finalizeWhole(t, mode, { name, nonce: asked.string('nonce'), signer, metadata });
      const reply = t.accepted(sent, ...taken, 'register.nonce.field');
      t.shows('agent.field.name').exactField(reply, 'name', name);
      t.shows('agent.field.wallet-chain').field(reply, 'wallet_chain', mode.chain);
      const status = t.accepted(await t.call('status', { params: { hash: reply.string('hash') } }));
      walletIs(t, status, signer, `register.${mode.word}.finalize`);
      await lookupsReturn(t, reply, metadata);
    },
  };
});

const forged = modes.flatMap((mode) =>
  (
    [
      ['of-another', 'by another wallet', (t, { signer: _, ...parts }, text) => mode.signer(t).sign(text(parts))],
      [
        'of-link',
        'over the message of another flow',
        (_t, { signer, ...parts }, text) => signer.sign(text(parts).replace(/-register-\w+:/, '-register:')),
      ],
    ] satisfies readonly (readonly [
      string,
      string,
      (t: Trial, parts: Parts, text: (of: Omit<Parts, 'signer'>) => string) => string,
    ])[]
  ).map(
    ([word, how, forge]): Check => ({
      ...base,
      ...unless(mode),
      id: `register/${mode.word}-signature-${word}`,
      title: `A registration in the ${mode.word} mode signed ${how} is refused`,
      clauses: [`register.${mode.word}.message`, 'register.error.signature-invalid'],
      walletRegisters: 4,
      requests: 4,
      refusal: true,
      async run(t) {
        const [name, signer] = [t.word(), mode.signer(t)];
        const parts = { name, nonce: await nonceFor(t, mode, name), signer };
        const prefix = t.facts.dialect.messagePrefix;
        const text = ({ name: own, nonce }: Omit<Parts, 'signer'>): string =>
          `${prefix}-register-${mode.word}:${nonce}:${signer.address}:${own}`;
        const signature = forge(t, parts, text);
        const refused = await finalize(t, mode, { ...parts, signature });
        const clauses = [`register.${mode.word}.message`, 'register.error.signature-invalid'];
        t.refused(refused, 'register/SIGNATURE_INVALID', ...clauses);
        t.accepted(await finalizeWhole(t, mode, { name, nonce: await nonceFor(t, mode, name), signer }));
      },
    }),
  ),
);

const namesSigned = modes.map((mode) =>
  nameIsSigned(
    mode.word,
    `register.${mode.word}.message`,
    async (t, { sent, signed, asked = sent }) => {
      const issued = await challenge(t, mode, asked);
      // The form of a name is left open, and either phase may refuse it.
      if (issued.status >= 400) return issued;
      const [signer, nonce] = [mode.signer(t), issued.string('nonce')];
      const { messagePrefix } = t.facts.dialect;
      const text = `${messagePrefix}-register-${mode.word}:${nonce}:${signer.address}:${signed}`;
      const parts = { name: sent, nonce, signer, signature: signer.sign(text) };
      return signed === keptName(t.facts.dialect, sent) ? finalizeWhole(t, mode, parts) : finalize(t, mode, parts);
    },
    mode,
  ),
);

const bound = modes.map(
  (mode): Check => ({
    ...base,
    ...unless(mode),
    id: `register/${mode.word}-nonce-of-another`,
    title: `A nonce of the self-custody flow makes no agent in the ${mode.word} mode`,
    clauses: ['register.nonce.bound', 'register.error.nonce-invalid'],
    walletRegisters: 4,
    requests: 4,
    refusal: true,
    async run(t) {
      const [name, signer] = [t.word(), mode.signer(t)];
      const nonce = await t.setup('a nonce', async () =>
        (await register(t, { name, action: 'challenge' })).string('nonce'),
      );
      const refused = await finalize(t, mode, { name, nonce, signer });
      t.refused(refused, 'register/NONCE_INVALID', 'register.nonce.bound', 'register.error.nonce-invalid');
      t.accepted(await finalizeWhole(t, mode, { name, nonce: await nonceFor(t, mode, name), signer }));
    },
  }),
);

const [operator, ethereum] = modes as readonly [Mode, Mode];

const unfitMetadataKept = modes.map(
  (mode): Check => ({
    ...base,
    ...unless(mode),
    id: `register/${mode.word}-metadata`,
    title: `Neither more than 4 KB nor what is no object is kept as metadata of an agent in the ${mode.word} mode`,
    clauses: UNFIT_METADATA,
    walletRegisters: 8,
    requests: 11,
    async run(t) {
      for (const metadata of unfitMetadata(t)) {
        const [name, signer] = [t.word(), mode.signer(t)];
        const asked = await challenge(t, mode, name, { metadata });
        const nonce = asked.status < 300 ? asked.get('nonce') : undefined;
        const isAsked = typeof nonce === 'string';
        await unfitNotKept(
          t,
          metadata,
          isAsked ? await finalizeWhole(t, mode, { name, nonce, signer, metadata }) : asked,
        );
      }
      const [name, signer] = [t.word(), mode.signer(t)];
      t.accepted(await finalizeWhole(t, mode, { name, nonce: await nonceFor(t, mode, name), signer }));
    },
  }),
);

const registerOperatorWalletShared: Check = {
  ...base,
  id: 'register/operator-wallet-shared',
  title: 'A wallet that is the self-custody wallet of one agent is the operator wallet of the next',
  clauses: ['agent.field.wallet-model.operator', 'wallet.shared'],
  walletRegisters: 4,
  requests: 5,
  async run(t) {
    const [first, name, wallet] = [t.word(), t.word(), t.wallet()];
    await t.setup('an agent with a self-custody wallet', async () => {
      const nonce = t.accepted(await register(t, { name: first, action: 'challenge' })).string('nonce');
      t.accepted(await register(t, signedRegistration(t, { name: first, nonce, wallet })));
    });
    const nonce = await nonceFor(t, operator, name);
    const made = t.accepted(await finalizeWhole(t, operator, { name, nonce, signer: wallet }), 'wallet.shared');
    const looked = t.accepted(await t.call('status', { params: { hash: made.string('hash') } }));
    for (const reply of [made, looked]) {
      if (typeof reply.get('wallet_model') !== 'string') continue;
      t.shows('agent.field.wallet-model.operator').field(reply, 'wallet_model', 'operator');
    }
  },
};

const tokens = modes.map(
  (mode): Check => ({
    ...base,
    ...unless(mode),
    id: `register/${mode.word}-token`,
    title: `A token that opened a registration in the ${mode.word} mode opens no other`,
    clauses: TOKEN_ONCE,
    registers: 2,
    tokens: 1,
    walletRegisters: 3,
    requests: 6,
    refusal: true,
    async run(t) {
      const [name, signer] = [t.word(), mode.signer(t)];
      await tokenOpensOnce(t, {
        ask: (headers) => register(t, { name, ...mode.challenge }, { headers }),
        finish: async (nonce, headers) => {
          const reply = await finalize(t, mode, { name, nonce, signer, headers });
          // A nonce that is read from another field is no matter of tokens (D-18).
          if (reply.status < 300 || reply.status === t.row('register/AUTH_INVALID').status) return reply;
          return finalizeWhole(t, mode, { name, nonce, signer });
        },
      });
    },
  }),
);

const registerEthereumAddressCase: Check = {
  ...base,
  unsuitableFor: devnetOnly,
  id: 'register/ethereum-address-case',
  title: 'An Ethereum address is taken in capitals too, and signed as it was sent',
  clauses: ['register.ethereum.address-case', 'register.message.as-sent'],
  walletRegisters: 2,
  requests: 3,
  async run(t) {
    const [name, signer] = [t.word(), ethereum.signer(t)];
    const address = `0x${signer.address.slice(2).toUpperCase()}`;
    const nonce = await nonceFor(t, ethereum, name);
    const reply = await finalize(t, ethereum, { name, nonce, signer, address });
    t.accepted(reply, 'register.ethereum.address-case', 'register.message.as-sent');
  },
};

const registerEthereumChecksummed: Check = {
  ...base,
  unsuitableFor: devnetOnly,
  id: 'register/ethereum-checksummed',
  title: 'A message that holds the address in mixed case, as wallets show it and as it is sent, is signed well',
  clauses: ['register.ethereum.message', 'register.ethereum.finalize'],
  walletRegisters: 2,
  requests: 2,
  async run(t) {
    const [name, signer] = [t.word(), ethereum.signer(t)];
    const address = checksummed(signer.address);
    const nonce = await nonceFor(t, ethereum, name);
    const reply = await finalize(t, ethereum, { name, nonce, signer, address });
    t.accepted(reply, 'register.ethereum.message', 'register.ethereum.finalize');
  },
};

const registerEthereumMainnet: Check = {
  ...base,
  unsuitableFor: ({ network, registrationSecret }) =>
    network === 'mainnet' && registrationSecret !== undefined
      ? undefined
      : 'it holds on mainnet, with a registration_secret in the target file',
  id: 'register/ethereum-mainnet',
  title: 'Mainnet refuses an Ethereum wallet, and takes an operator one',
  clauses: ['register.ethereum.mainnet', 'register.error.wallet-chain-unsupported'],
  tokens: 2,
  walletRegisters: 6,
  requests: 8,
  refusal: true,
  async run(t) {
    const [name, signer] = [t.word(), ethereum.signer(t)];
    // Whichever credential a registration carries.
    for (const credential of [
      async () => registrationHeaders(t.session),
      async () => ({ 'x-registration-token': await issueToken(t) }),
    ]) {
      const asked = await register(t, { name, ...ethereum.challenge }, { headers: await credential() });
      // 4.2 does not say in which of the two phases it is refused.
      const isAsked = asked.status < 300 && typeof asked.get('nonce') === 'string';
      const parts = async () => ({ name, nonce: asked.string('nonce'), signer, headers: await credential() });
      const last = isAsked ? await finalize(t, ethereum, await parts()) : asked;
      t.refusedWith(last, t.row('register/WALLET_CHAIN_UNSUPPORTED').status, 'register.ethereum.mainnet');
      t.refused(last, 'register/WALLET_CHAIN_UNSUPPORTED', 'register.error.wallet-chain-unsupported');
    }
    const nonce = await nonceFor(t, operator, name);
    t.accepted(await finalizeWhole(t, operator, { name, nonce, signer: operator.signer(t) }));
  },
};

export const registerOperatorChecks: readonly Check[] = [
  ...made,
  ...forged,
  ...namesSigned,
  ...bound,
  ...unfitMetadataKept,
  registerOperatorWalletShared,
  ...tokens,
  registerEthereumAddressCase,
  registerEthereumChecksummed,
  registerEthereumMainnet,
];
