import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { freshKey } from '../../../test/fixtures/parties.js';
import { describeRefusals, expectAccepted, expectRefusal, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start({ policy: { registrationSecret: 'open sesame' } });
});
afterEach(() => deployment.close());

const root = (body: object = {}, headers: Record<string, string> = {}) =>
  deployment.post('/register', { name: 'root', ...body }, headers);
const withSecret = (secret: string) => root({}, { 'x-registration-secret': secret });
const withToken = (token: string) => root({}, { 'x-registration-token': token });
const token = async () => (await deployment.post('/register/token')).body.token as string;
const bytesOf = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) });

const bodies: readonly RefusalRow[] = [
  ...[undefined, '', '  ', 'x'.repeat(65), 1, null].map(
    (name): RefusalRow => ({
      ids: 'register.error.validation',
      what: `the name ${JSON.stringify(name)}`,
      is: [400, 'VALIDATION'],
      pair: async () => [root({ name }), () => root()],
    }),
  ),
  ...[[], 'text', 1, null].map(
    (metadata): RefusalRow => ({
      ids: 'register.error.validation.metadata',
      what: `the metadata ${JSON.stringify(metadata)}`,
      is: [400, 'VALIDATION'],
      pair: async () => [root({ metadata }), () => root({ metadata: {} })],
    }),
  ),
  {
    ids: 'register.error.validation.metadata constant.registration-metadata',
    what: 'metadata of 4,097 bytes, where 4,096 pass',
    is: [400, 'VALIDATION'],
    pair: async () => [root({ metadata: bytesOf(4_097) }), () => root({ metadata: bytesOf(4_096) })],
  },
  ...[
    { action: 'start' },
    { wallet_model: 'broker' },
    { wallet_chain: 'bitcoin' },
    { wallet_nonce: 'n', wallet_signature: 's' },
    { operator_wallet_address: '1'.repeat(32) },
    { spawn_authorization: 1 },
  ].map(
    (fault): RefusalRow => ({
      ids: 'register.error.validation.form',
      what: JSON.stringify(fault),
      // A body with `spawn_authorization` registers a child, and its parent key is checked before the body.
      is: 'spawn_authorization' in fault ? [401, 'AUTH_MISSING'] : [400, 'VALIDATION'],
      pair: async () => [root(fault), () => root()],
    }),
  ),
];

const credentials: readonly RefusalRow[] = [
  {
    ids: 'register.error.auth-invalid key.registration-secret',
    what: 'another secret',
    is: [401, 'AUTH_INVALID'],
    pair: async () => [withSecret('open barley'), () => withSecret('open sesame')],
  },
  {
    ids: 'register.error.auth-invalid.token key.registration-token',
    what: 'a token that nobody was given',
    is: [401, 'AUTH_INVALID'],
    pair: async () => [withToken('0'.repeat(64)), async () => withToken(await token())],
  },
  {
    ids: 'register.error.auth-invalid.token key.registration-token',
    what: 'a token that was used',
    is: [401, 'AUTH_INVALID'],
    pair: async () => {
      const used = await token();
      expect((await withToken(used)).status).toBe(200);
      return [withToken(used), async () => withToken(await token())];
    },
  },
  {
    ids: 'register.error.auth-invalid.token key.registration-token constant.registration-token-ttl',
    what: 'a token a millisecond over its 300 seconds',
    is: [401, 'AUTH_INVALID'],
    pair: async () => {
      const old = await token();
      deployment.advance(1);
      const younger = await token();
      deployment.advance(300_000);
      return [withToken(old), () => withToken(younger)];
    },
  },
];

const ofToken: readonly RefusalRow[] = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'].map(
  (type) => ({
    ids: 'register-token.error.content-type-required error.content-type-required',
    what: type,
    is: [415, 'CONTENT_TYPE_REQUIRED'],
    pair: async () => [
      deployment.post('/register/token', {}, { 'Content-Type': type }),
      () => deployment.post('/register/token', {}, { 'Content-Type': 'application/json; charset=utf-8' }),
    ],
  }),
);

describeRefusals('the body of a registration (7)', bodies);
describeRefusals('the credential of a registration (7)', credentials);
describeRefusals('register/token (7)', ofToken);

describe('what a network asks of a root (5)', () => {
  const start = async (policy: object) => {
    await deployment.close();
    deployment = await Deployment.start({ policy });
  };

  it('[register.error.auth-missing] [key.registration-secret.mainnet] mainnet asks for secret or token', async () => {
    await start({ network: 'mainnet', registrationSecret: 'open sesame' });
    expectRefusal(await root(), [401, 'AUTH_MISSING']);
    expectRefusal(await withSecret('open barley'), [401, 'AUTH_INVALID']);
    expectAccepted(await withSecret('open sesame'));
    expectAccepted(await withToken(await token()));
  });

  it.each(['register', 'challenge'])('mainnet asks for it in every phase: %s', async (action) => {
    await start({ network: 'mainnet', registrationSecret: 'open sesame' });
    const body = action === 'challenge' ? { action } : {};
    expectRefusal(await root(body), [401, 'AUTH_MISSING']);
    expectAccepted(await root(body, { 'x-registration-secret': 'open sesame' }));
  });

  it('[key.registration-secret.devnet] devnet does not, even where one is configured', async () => {
    expectAccepted(await root());
    await start({ registrationSecret: null });
    expectAccepted(await root());
  });

  it('[register.error.wallet-chain-unsupported] mainnet takes no Ethereum wallet, devnet does', async () => {
    const challenge = { action: 'challenge', wallet_chain: 'ethereum' };
    expectAccepted(await root(challenge));
    await start({ network: 'mainnet', registrationSecret: 'open sesame' });
    const secret = { 'x-registration-secret': 'open sesame' };
    const refused = await root(challenge, secret);
    expectRefusal(refused, [400, 'WALLET_CHAIN_UNSUPPORTED']);
    const address = { wallet_chain: 'ethereum', wallet_address: `0x${'1'.repeat(40)}` };
    const finish = { ...address, wallet_nonce: '0', wallet_signature: freshKey().signHex('x') };
    expectRefusal(await root(finish, secret), [400, 'WALLET_CHAIN_UNSUPPORTED']);
    expectAccepted(await root({ action: 'challenge' }, secret));
  });

  it('[constant.registration-token-form] a token has 64 hex characters, and each is another', async () => {
    const [one, two] = [await token(), await token()];
    for (const each of [one, two]) expect(each).toMatch(/^[0-9a-f]{64}$/);
    expect(one).not.toBe(two);
  });
});
