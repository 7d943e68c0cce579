import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { signingKey } from '../../beats/signing.js';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const SECRET = 'correct horse';
async function onMainnet(): Promise<void> {
  deployment.close();
  const overlay = { limits: { registerToken: { count: 50 } } };
  deployment = await Deployment.start({ policy: { network: 'mainnet', registrationSecret: SECRET }, overlay });
}

type Headers = Readonly<Record<string, string>>;
const register = (body: object, headers: Headers = {}) => ask(deployment, 'POST /register', { body, headers });
const token = async (): Promise<string> => (await ask(deployment, 'POST /register/token', { body: {} })).body.token;
const statusOf = async (hash: string) => (await ask(deployment, `GET /status/${hash}`)).body;

const AGENT = 'ok hash api_key secret type parent depth name wallet_model wallet_chain metadata birth_tx'.split(' ');

describe('the headers of a registration (4.2)', () => {
  const root = { name: 'x' };

  it('[register.header.content-type] are 415 without application/json', async () => {
    expect(outcomeOf(await register(root, { 'Content-Type': 'text/plain' }))).toBe('415 CONTENT_TYPE_REQUIRED');
    expect(outcomeOf(await register(root, { 'Content-Type': 'application/json' }))).toBe('200');
  });

  it('[register.header.secret.mainnet] on mainnet a root shows the secret', async () => {
    await onMainnet();
    expect(outcomeOf(await register(root))).toBe('401 AUTH_MISSING');
    expect(outcomeOf(await register(root, { 'x-registration-secret': `${SECRET}r` }))).toBe('401 AUTH_INVALID');
    expect(outcomeOf(await register(root, { 'x-registration-secret': SECRET }))).toBe('200');
  });

  it.each([null, SECRET])(
    '[register.header.secret.devnet] on devnet it may do without (configured: %s)',
    async (secret) => {
      deployment.close();
      deployment = await Deployment.start({ policy: { registrationSecret: secret } });
      expect(outcomeOf(await register(root))).toBe('200');
    },
  );

  it('[register.secret.ignored] a secret is ignored where none is configured (D-46)', async () => {
    expect(outcomeOf(await register(root, { 'x-registration-secret': 'any' }))).toBe('200');
  });

  it('[register.header.token] [register-token.use.header] [register-token.use.replaces-secret] a token will do in place of the secret', async () => {
    await onMainnet();
    expect(outcomeOf(await register(root, { 'x-registration-token': '0'.repeat(64) }))).toBe('401 AUTH_INVALID');
    expect(outcomeOf(await register(root, { 'x-registration-token': await token() }))).toBe('200');
  });

  it('[register-token.use.once] [register.token.spent] makes one agent, and only that uses it up (D-46)', async () => {
    const headers = { 'x-registration-token': await token() };
    expect(outcomeOf(await register({ name: 1 }, headers))).toBe('400 VALIDATION');
    expect(outcomeOf(await register({ name: 'x', action: 'challenge' }, headers))).toBe('200');
    expect(outcomeOf(await register(root, headers))).toBe('200');
    expect(outcomeOf(await register(root, headers))).toBe('401 AUTH_INVALID');
  });

  it('[register-token.use.window] is valid for 300 s and no longer', async () => {
    const [last, late] = [await token(), await token()];
    deployment.advance(300_000);
    expect(outcomeOf(await register(root, { 'x-registration-token': last }))).toBe('200');
    deployment.advance(1);
    expect(outcomeOf(await register(root, { 'x-registration-token': late }))).toBe('401 AUTH_INVALID');
  });

  it('[register.secret.both-phases] both phases of a wallet ask for one (D-46)', async () => {
    await onMainnet();
    const headers = { 'x-registration-secret': SECRET };
    const first = { name: 'x', action: 'challenge' };
    expect(outcomeOf(await register(first))).toBe('401 AUTH_MISSING');
    const { nonce } = (await register(first, headers)).body;
    const second = await signed.register(nonce, 'x');
    expect(outcomeOf(await register(second))).toBe('401 AUTH_MISSING');
    expect(outcomeOf(await register(second, headers))).toBe('200');
  });
});

describe('POST /register/token (4.3)', () => {
  it.each([undefined, {}, { any: 'thing' }])(
    '[register-token.body] [register-token.reply] [register-token.reply.ok] [register-token.reply.token] [register-token.reply.expires-in-sec] [register-token.reply.info] answers the body %j',
    async (body) => {
      const { body: told } = await ask(deployment, 'POST /register/token', { body });
      expect(told).toEqual({
        ok: true,
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        expires_in_sec: 300,
        _info: expect.any(String),
      });
    },
  );

  it.each([[[]], ['"x"'], ['null'], ['{']])('[register-token.body] the body %j is no object: 400', async (body) => {
    expect(outcomeOf(await ask(deployment, 'POST /register/token', { body }))).toBe('400 INVALID_JSON');
  });
});

describe('a root without a wallet (4.2, mode 1)', () => {
  it('[register.no-wallet.default] [register.no-wallet.reply] [register.no-wallet.identity-only] takes one phase, and gets the agent object and no wallet', async () => {
    const { body } = await register({ name: 'x', metadata: { a: [1] } });
    expect(Object.keys(body).toSorted()).toEqual(AGENT.toSorted());
    const object = {
      type: 'root',
      parent: null,
      depth: 0,
      name: 'x',
      wallet_model: 'self-custody',
      wallet_chain: null,
    };
    expect(body).toMatchObject({ ok: true, ...object, metadata: { a: [1] } });
    expect(await statusOf(body.hash)).toMatchObject({ wallet: null, wallet_chain: null, sigil: null });
  });

  it.each([
    ['[register.no-wallet.body.name]', {}, '400 VALIDATION'],
    ['[register.no-wallet.body.name]', { name: 5 }, '400 VALIDATION'],
    ['[register.no-wallet.body.name]', { name: null }, '400 VALIDATION'],
    ['[register.no-wallet.body.name]', { name: 'x' }, '200'],
    ['[register.no-wallet.body.metadata]', { name: 'x', metadata: [] }, '400 VALIDATION'],
    ['[register.no-wallet.body.metadata]', { name: 'x', metadata: 'a' }, '400 VALIDATION'],
    ['[register.no-wallet.body.metadata]', { name: 'x', metadata: null }, '400 VALIDATION'],
    ['[register.no-wallet.body.metadata]', { name: 'x', metadata: {} }, '200'],
  ])('%s the body %j: %s', async (_clause, body, outcome) => {
    expect(outcomeOf(await register(body))).toBe(outcome);
  });
});

const key = signingKey(Buffer.alloc(32, 1));
const ethereum = ethereumWallet(9);

/** Phase 2 of each mode with a wallet, signed over the message of 4.2 unless stated otherwise. */
const signed = {
  register: (nonce: string, name: string, message = `service-register:${nonce}:${key.publicKeyHex}:${name}`) => ({
    ...{ name, wallet_nonce: nonce, wallet_public_key: key.publicKeyHex },
    wallet_signature: key.signHex(message),
  }),
  operator: (
    nonce: string,
    name: string,
    message = `service-register-operator:${nonce}:${key.publicKeyBase58}:${name}`,
  ) => ({
    ...{ name, wallet_model: 'operator', wallet_nonce: nonce, operator_wallet_address: key.publicKeyBase58 },
    wallet_signature: key.signHex(message),
  }),
  ethereum: (
    nonce: string,
    name: string,
    message = `service-register-ethereum:${nonce}:${ethereum.address}:${name}`,
  ) => ({
    ...{ name, wallet_chain: 'ethereum', wallet_nonce: nonce, wallet_address: ethereum.address },
    wallet_signature: ethereum.sign(message),
  }),
};
type Mode = keyof typeof signed;
const modes = ['register', 'operator', 'ethereum'] as const;

const asked: Record<Mode, object> = {
  register: { name: 'Zoë', action: 'challenge' },
  operator: { name: 'Zoë', wallet_model: 'operator' },
  ethereum: { action: 'challenge', wallet_chain: 'ethereum' },
};
const nonceFor = async (mode: Mode): Promise<string> => (await register(asked[mode])).body.nonce;

describe('a root with a wallet (4.2, modes 2 to 4)', () => {
  it.each([
    ['[register.operator.challenge] [register.operator.challenge.reply]', 'operator', { expires_in: 300 }],
    ['[register.ethereum.challenge] [register.ethereum.challenge.reply]', 'ethereum', { expires_in: 300 }],
    [
      '[register.self-custody.challenge] [register.self-custody.challenge.reply] [register.self-custody.challenge.reply.only]',
      'register',
      {},
    ],
  ] as const)('[register.nonce.form] %s phase 1 of %s answers with a nonce and %j', async (_clause, mode, more) => {
    expect((await register(asked[mode])).body).toEqual({ nonce: expect.stringMatching(/^[0-9a-f]{64}$/), ...more });
  });

  it.each([
    ['[register.operator.finalize]', 'operator', { wallet_model: 'operator', wallet_chain: 'solana' }],
    ['[register.ethereum.finalize]', 'ethereum', { wallet_model: 'self-custody', wallet_chain: 'ethereum' }],
    ['[register.self-custody.finalize]', 'register', { wallet_model: 'self-custody', wallet_chain: 'solana' }],
  ] as const)('[register.nonce.field] %s phase 2 of %s makes an agent with %j', async (_clause, mode, kind) => {
    const wallet = mode === 'ethereum' ? ethereum.address : key.publicKeyBase58;
    const body = signed[mode](await nonceFor(mode), 'Zoë');
    for (const field of Object.keys(body).filter((name) => name.startsWith('wallet_') && name !== 'wallet_model')) {
      // Without a chain, a body with wallet_address still counts as mode 3, and is refused for what it lacks.
      expect(outcomeOf(await register({ ...body, [field]: undefined }))).toBe('400 VALIDATION');
    }
    const made = (await register(body)).body;
    expect(made).toMatchObject({ name: 'Zoë', type: 'root', ...kind });
    expect(await statusOf(made.hash)).toMatchObject({ wallet, ...kind });
  });

  it('[register.self-custody.reply] [register.self-custody.reply.fields] the older form has its own fields (D-45)', async () => {
    const { body } = await register(signed.register(await nonceFor('register'), 'x'));
    const fields = 'hash api_key secret type parent depth name wallet_model wallet_chain signature explorer_url';
    expect(Object.keys(body)).toEqual(fields.split(' '));
    expect(body.explorer_url).toContain(body.signature);
  });

  const clauses = {
    register: '[register.self-custody.message]',
    operator: '[register.operator.message] [register.chain.solana]',
    ethereum: '[register.ethereum.message] [register.chain.ethereum]',
  };
  const prefixes = ['register', 'register-operator', 'register-ethereum', 'link-wallet'] as const;
  const messages = modes.flatMap((mode) => prefixes.map((word) => [clauses[mode], mode, word] as const));

  it.each(messages)('%s phase 2 of %s, signed over service-%s', async (_clause, mode, word) => {
    const nonce = await nonceFor(mode);
    const address = { register: key.publicKeyHex, operator: key.publicKeyBase58, ethereum: ethereum.address }[mode];
    const right = mode === 'register' ? 'register' : `register-${mode}`;
    const body = signed[mode](nonce, 'x', `service-${word}:${nonce}:${address}:x`);
    expect(outcomeOf(await register(body))).toBe(word === right ? '200' : '400 SIGNATURE_INVALID');
  });

  it.each(modes)(
    '[register.message.as-sent] [register.self-custody.message] phase 2 of %s signs the name as it is sent (D-46)',
    async (mode) => {
      const nonce = await nonceFor(mode);
      const body = signed[mode](nonce, ' Zoë ');
      expect(outcomeOf(await register({ ...body, name: 'Zoë' }))).toBe('400 SIGNATURE_INVALID');
      expect((await register(body)).body).toMatchObject({ name: 'Zoë' });
    },
  );

  it('[register.chain.ethereum] [register.chain.solana] [register.error.signature-invalid] a key of the other chain signs nothing', async () => {
    const nonce = await nonceFor('ethereum');
    const body = signed.ethereum(nonce, 'x');
    const message = `service-register-ethereum:${nonce}:${ethereum.address}:x`;
    const foreign = await register({ ...body, wallet_signature: `0x${key.signHex(message)}1b` });
    expect(outcomeOf(foreign)).toBe('400 SIGNATURE_INVALID');
    expect(outcomeOf(await register({ ...body, wallet_chain: 'solana' }))).toBe('400 VALIDATION');
    expect(outcomeOf(await register(body))).toBe('200');
    const operator = signed.operator(await nonceFor('operator'), 'x');
    expect((await register({ ...operator, wallet_chain: 'solana' })).body.wallet_chain).toBe('solana');
  });

  it('[register.ethereum.address-case] [wallet.shared] one wallet has many agents, however its address is written (D-18)', async () => {
    const shouted = `0x${ethereum.address.slice(2).toUpperCase()}`;
    for (const address of [ethereum.address, shouted]) {
      const nonce = await nonceFor('ethereum');
      const body = signed.ethereum(nonce, 'x', `service-register-ethereum:${nonce}:${address}:x`);
      const made = (await register({ ...body, wallet_address: address })).body;
      expect((await statusOf(made.hash)).wallet).toBe(ethereum.address);
    }
  });

  it('[register.ethereum.mainnet] mainnet refuses Ethereum in both phases, and no other wallet', async () => {
    await onMainnet();
    const headers = { 'x-registration-secret': SECRET };
    expect(outcomeOf(await register(asked.ethereum, headers))).toBe('400 WALLET_CHAIN_UNSUPPORTED');
    const second = signed.ethereum('0'.repeat(64), 'x');
    expect(outcomeOf(await register(second, headers))).toBe('400 WALLET_CHAIN_UNSUPPORTED');
    expect(outcomeOf(await register(asked.operator, headers))).toBe('200');
  });

  it.each(modes)(
    '[register.nonce.once] [register.nonce.ttl] [register.error.nonce-invalid] a nonce of %s is valid once, for 300 s',
    async (mode) => {
      const [last, late] = [signed[mode](await nonceFor(mode), 'x'), signed[mode](await nonceFor(mode), 'x')];
      deployment.advance(300_000);
      expect((await register(last)).status).toBe(200);
      expect(outcomeOf(await register(last))).toBe('400 NONCE_INVALID');
      deployment.advance(1);
      expect(outcomeOf(await register(late))).toBe('400 NONCE_INVALID');
    },
  );

  it.each(modes)('[register.nonce.bound] a nonce of %s serves no other flow (D-18)', async (mode) => {
    const nonce = await nonceFor(mode);
    for (const other of modes.filter((each) => each !== mode)) {
      expect(outcomeOf(await register(signed[other](nonce, 'x')))).toBe('400 NONCE_INVALID');
    }
    expect((await register(signed[mode](nonce, 'x'))).status).toBe(200);
  });

  it.each([
    ['service', '400 SIGNATURE_INVALID'],
    ['provenonce', '200'],
  ])('[dialect.message-prefix] the dialect provenonce answers a message of %s with %s', async (prefix, outcome) => {
    deployment.close();
    deployment = await Deployment.start({ dialect: dialects.provenonce });
    const nonce = await nonceFor('operator');
    const message = `${prefix}-register-operator:${nonce}:${key.publicKeyBase58}:x`;
    expect(outcomeOf(await register(signed.operator(nonce, 'x', message)))).toBe(outcome);
  });
});
