import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { signingKey } from '../../beats/signing.js';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { register: { count: 1_000 } } } });
});
afterEach(() => deployment.close());

const codeOf = (reply: { readonly status: number; readonly body: { readonly code?: string } }): string =>
  reply.status === 200 ? '200' : `${reply.status} ${reply.body.code}`;

describe('a root without a wallet (4.2, mode 1; 2.1)', () => {
  it('gets the agent object', async () => {
    const { body } = await deployment.post('/register', { name: ' weather ', metadata: { a: [1] } });
    expect(body).toEqual({
      ok: true,
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      api_key: expect.stringMatching(/^pvn_[A-Za-z0-9_-]+\.[0-9a-f]{64}$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: 'root',
      parent: null,
      depth: 0,
      name: 'weather',
      metadata: { a: [1] },
      wallet_model: 'self-custody',
      wallet_chain: null,
      birth_tx: expect.stringMatching(/^rec_[0-9a-f]{32}$/),
    });
  });

  it.each([
    ['1 character', 'x', '200'],
    ['64 characters', 'x'.repeat(64), '200'],
    ['64 characters and space', ` ${'x'.repeat(64)}\n`, '200'],
    ['64 characters outside the first plane', '😀'.repeat(64), '200'],
    ['65 characters', 'x'.repeat(65), '400 VALIDATION'],
    ['65 characters outside the first plane', '😀'.repeat(65), '400 VALIDATION'],
    ['none', '', '400 VALIDATION'],
    ['space alone', ' \t\u2003\ufeff', '400 VALIDATION'],
    ['a number', 1, '400 VALIDATION'],
    ['null', null, '400 VALIDATION'],
    ['a list', ['x'], '400 VALIDATION'],
  ])('a name of %s: %s', async (_what, name, outcome) => {
    expect(codeOf(await deployment.post('/register', { name }))).toBe(outcome);
  });

  it('without metadata has {} at registration and null in lookups (D-45)', async () => {
    const { body } = await deployment.post('/register', { name: 'x' });
    expect(body.metadata).toEqual({});
    expect((await deployment.get(`/status/${body.hash}`)).body.metadata).toBeNull();
  });
});

describe('a root with its own wallet (4.2, mode 4)', () => {
  it('gets the older object, without ok and birth_tx, and its signature can be found (D-45)', async () => {
    const agent = await deployment.register();
    const { body } = await agent.get(`/status/${agent.hash}`);
    expect(body).toMatchObject({
      wallet: agent.key.publicKeyBase58,
      wallet_model: 'self-custody',
      wallet_chain: 'solana',
    });
  });

  const key = signingKey(Buffer.alloc(32, 1));
  const challenge = async (): Promise<string> =>
    (await deployment.post('/register', { name: 'x', action: 'challenge' })).body.nonce as string;
  const finish = (nonce: string, over: object = {}) =>
    deployment.post('/register', {
      name: 'x',
      wallet_nonce: nonce,
      wallet_public_key: key.publicKeyHex,
      wallet_signature: key.signHex(`service-register:${nonce}:${key.publicKeyHex}:x`),
      ...over,
    });

  it('answers with the fields of 2.1 that it has', async () => {
    const { body } = await finish(await challenge());
    const fields = 'hash api_key secret type parent depth name wallet_model wallet_chain signature explorer_url';
    expect(Object.keys(body)).toEqual(fields.split(' '));
    expect(body.explorer_url).toBe(`https://explorer.solana.com/tx/${body.signature}?cluster=devnet`);
  });

  it('nonces last 300 s and work once', async () => {
    const [first, second] = [await challenge(), await challenge()];
    deployment.advance(300_000);
    expect(codeOf(await finish(first))).toBe('200');
    expect(codeOf(await finish(first))).toBe('400 NONCE_INVALID');
    deployment.advance(1);
    expect(codeOf(await finish(second))).toBe('400 NONCE_INVALID');
  });

  it.each([
    ['another name', { name: 'y' }, '400 SIGNATURE_INVALID'],
    ['a signature of another form', { wallet_signature: 'x' }, '400 SIGNATURE_INVALID'],
    ['a key of another form', { wallet_public_key: 'x' }, '400 VALIDATION'],
    ['no signature', { wallet_signature: undefined }, '400 VALIDATION'],
    ['a nonce that nobody issued', { wallet_nonce: '0'.repeat(64) }, '400 NONCE_INVALID'],
    ['a nonce like a property', { wallet_nonce: 'constructor' }, '400 NONCE_INVALID'],
  ])('with %s: %s', async (_what, over, outcome) => {
    expect(codeOf(await finish(await challenge(), over))).toBe(outcome);
  });
});

describe('tokens and secrets over HTTP (4.2, 4.3, D-46)', () => {
  const SECRET = 'correct horse';
  beforeEach(async () => {
    deployment.close();
    deployment = await Deployment.start({
      policy: { network: 'mainnet', registrationSecret: SECRET },
      overlay: { limits: { register: { count: 1_000 }, registerToken: { count: 50 } } },
    });
  });
  const token = async (): Promise<string> => (await deployment.post('/register/token')).body.token as string;
  const register = (headers: Readonly<Record<string, string>>, body: object = { name: 'x' }) =>
    deployment.post('/register', body, headers);

  it('on mainnet a root shows one or the other', async () => {
    expect(codeOf(await register({}))).toBe('401 AUTH_MISSING');
    expect(codeOf(await register({ 'x-registration-secret': 'wrong' }))).toBe('401 AUTH_INVALID');
    expect(codeOf(await register({ 'x-registration-secret': SECRET }))).toBe('200');
    expect(codeOf(await register({ 'X-Registration-Token': await token() }))).toBe('200');
  });

  it('a token works once, within 300 s, and an invalid body does not use it up', async () => {
    const [good, old] = [await token(), await token()];
    const headers = { 'x-registration-token': good };
    expect(codeOf(await register(headers, { name: '' }))).toBe('400 VALIDATION');
    expect(codeOf(await register(headers))).toBe('200');
    expect(codeOf(await register(headers))).toBe('401 AUTH_INVALID');
    deployment.advance(300_001);
    expect(codeOf(await register({ 'x-registration-token': old }))).toBe('401 AUTH_INVALID');
  });

  it('is asked for in both phases of a wallet, and used up by the second', async () => {
    const body = { name: 'x', action: 'challenge' };
    expect(codeOf(await register({}, body))).toBe('401 AUTH_MISSING');
    const headers = { 'x-registration-token': await token() };
    expect(codeOf(await register(headers, body))).toBe('200');
    expect(codeOf(await register(headers, body))).toBe('200');
    expect(codeOf(await register(headers))).toBe('200');
    expect(codeOf(await register(headers, body))).toBe('401 AUTH_INVALID');
  });

  it('two registrations at the same moment do not share a token', async () => {
    const headers = { 'x-registration-token': await token() };
    const outcomes = (await Promise.all([1, 2, 3, 4].map(() => register(headers)))).map(codeOf);
    expect(outcomes.toSorted()).toEqual(['200', '401 AUTH_INVALID', '401 AUTH_INVALID', '401 AUTH_INVALID']);
  });
});
