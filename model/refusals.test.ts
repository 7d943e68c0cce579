// Refusals with a status that the text does not give, and acceptances that show nothing, by literals of the specification.
import { describe, expect, it } from 'vitest';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { judge } from './exchange.js';
import { emptyState, type State } from './facts/state.js';
import { requestOf } from './reading/call.js';
import type { Settings } from './reading/settings.js';

const BASE = 'http://registry.example';
const SETTINGS: Settings = {
  ...{ protocol, dialect: dialects.service, baseUrl: BASE, beatsUrl: null, controlUrl: `${BASE}:1` },
  ...{ byoWallet: undefined, beatsRequired: true, needsSecret: false, mainnet: false, registrationSecret: undefined },
  ...{ adminKey: undefined, partnerKey: undefined, shapes: {} },
};
const HASH = `0x${'ab'.repeat(32)}`;
const KEY = 'pvn_payload.signature';
const PAID = { payment_tx: 'tx1' };

/** A request, and the status and code that answer it. */
interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly code?: string;
  readonly json?: object;
}

/** The clauses of the text that an exchange is evidence for, and those that it breaks. */
function seen(state: State, { path, method = 'POST', body = {}, headers = {}, status = 200, code, json }: Sent) {
  const sent = { 'content-type': 'application/json', ...headers };
  const request = { method, url: `${BASE}${path}`, headers: sent, body: JSON.stringify(body) };
  const call = requestOf(state.settings, request);
  if (call === undefined) throw new Error(`no endpoint takes ${path}`);
  const { evidence } = judge(state, call, { status, json: json ?? { error: 'no', code } });
  const of = (wanted: boolean): readonly string[] =>
    evidence.flatMap(({ ok, level, clauses }) => (ok === wanted && level === 'must' ? clauses : []));
  return { for: of(true), against: of(false) };
}

const bearer = { authorization: `Bearer ${KEY}` };
const registered = { ok: true, hash: HASH, api_key: KEY, depth: 0, parent: null, name: 'Ada' };

/** A root without a wallet; and a transfer of another wallet. */
function withRoot(settings: Partial<Settings> = {}): State {
  const state = emptyState({ ...SETTINGS, ...settings });
  seen(state, { path: '/api/v1/register', body: { name: 'Ada' }, json: registered });
  return state;
}

describe('a request without a key', () => {
  const reissue = { path: '/api/v1/agent/reissue-proof', body: PAID };

  it('gets 401, and no other status where nothing else is wrong with it', () => {
    const state = withRoot();
    expect(seen(state, { ...reissue, status: 401, code: 'AUTH_MISSING' }).against).toEqual([]);
    for (const [status, code] of [
      [403, 'FORBIDDEN'],
      [403, undefined],
      [422, 'NO_KEY'],
    ] as const)
      expect(seen(state, { ...reissue, status, ...(code && { code }) }).against).toContain('auth.agent-key.missing');
    const init = { path: '/api/v1/agent/init', status: 400, code: 'BAD_REQUEST' };
    expect(seen(state, init).against).toContain('auth.agent-key.missing');
    const passport = { path: '/api/v1/agent/passport', method: 'GET', status: 400, code: 'NO_KEY' };
    expect(seen(state, passport).against).toContain('auth.agent-key.missing');
  });

  it('may get another one for another fault', () => {
    const state = withRoot();
    const flag = { path: '/api/v1/agent/flag', status: 400, code: 'VALIDATION' };
    expect(seen(state, flag).against).toEqual([]);
    expect(seen(state, { path: '/api/v1/agent/metadata', method: 'PATCH', status: 404 }).against).toEqual([]);
    expect(seen(state, { ...reissue, status: 429, code: 'SLOW_DOWN' }).against).toEqual([]);
  });
});

describe('a reissue without a wallet', () => {
  const reissue = { path: '/api/v1/agent/reissue-proof', headers: bearer, body: PAID };

  it('gets 403 where agents need a wallet, which a purchase shows', () => {
    const state = withRoot();
    const genesis = { index: 0, hash: 'g' };
    seen(state, { path: '/api/v1/agent/init', headers: bearer, json: { agent_hash: HASH, genesis } });
    const refused = { ...reissue, status: 400, code: 'NO_WALLET' };
    expect(seen(state, refused).against).toEqual([]);
    const body = { identity_class: 'narrow_task', principal: 'acme', tier: 'ind', ...PAID };
    seen(state, { path: '/api/v1/sigil', headers: bearer, body, status: 403, code: 'WALLET_REQUIRED' });
    const owner = state.agents.get(HASH);
    if (owner !== undefined) owner.sigil = { ...body, sigil_name: 'a', sigil: 'a*acme*ind' } as never;
    state.payments.set('tx1', { from: 'W', to: 'S', lamports: 200_000, status: 'confirmed' } as never);
    expect(seen(state, refused).against).toContain('reissue-proof.byo-wallet');
    expect(seen(state, { ...reissue, status: 403, code: 'NO_WALLET' }).against).not.toContain(
      'reissue-proof.byo-wallet',
    );
  });
});

describe('an Ethereum wallet on mainnet', () => {
  it('is refused with 400, in whichever phase', () => {
    const secret = { mainnet: true, needsSecret: true, registrationSecret: 's' };
    const ask = {
      path: '/api/v1/register',
      headers: { 'x-registration-secret': 's' },
      body: { name: 'Ada', action: 'challenge', wallet_chain: 'ethereum' },
    };
    const asked = (reply: Partial<Sent>) => seen(emptyState({ ...SETTINGS, ...secret }), { ...ask, ...reply }).against;
    expect(asked({ json: { nonce: 'n'.repeat(64), expires_in: 300 } })).toEqual([]);
    expect(asked({ status: 400, code: 'NO_ETHEREUM' })).toEqual([]);
    expect(asked({ status: 403, code: 'NO_ETHEREUM' })).toEqual(['register.ethereum.mainnet']);
  });
});

describe('a registration token on devnet', () => {
  const TOKEN = 'ab'.repeat(32);
  const USE = ['register.header.token', 'register-token.use.header', 'register-token.use.replaces-secret'];
  const issue = { path: '/api/v1/register/token', json: { ok: true, token: TOKEN, expires_in_sec: 300, _info: 'i' } };
  const spend = (token: string, reply: Partial<Sent>): Sent => ({
    ...{ path: '/api/v1/register', body: { name: 'Ada' }, headers: { 'x-registration-token': token } },
    ...reply,
  });

  it('shows its use only where a bad one is refused', () => {
    for (const [bad, isRead] of [
      [{ status: 401, code: 'AUTH_INVALID' }, true],
      [{ status: 403, code: 'BAD_TOKEN' }, true],
      [{ json: { ...registered, hash: `0x${'cd'.repeat(32)}`, api_key: 'pvn_b.c' } }, false],
    ] as const) {
      const state = emptyState(SETTINGS);
      seen(state, issue);
      const { against } = seen(state, spend('cd'.repeat(32), bad));
      expect(against.filter((id) => id.includes('token'))).toEqual([]);
      const taken = seen(state, spend(TOKEN, { json: registered }));
      expect(USE.filter((id) => taken.for.includes(id))).toEqual(isRead ? USE : []);
      const again = { json: { ...registered, hash: `0x${'ef'.repeat(32)}`, api_key: 'pvn_d.e' } };
      expect(seen(state, spend(TOKEN, again)).against.includes('register-token.use.once')).toBe(isRead);
    }
  });
});
