// The model's judgements of single exchanges, by literals of the specification.
import { describe, expect, it } from 'vitest';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { judge } from './judge.js';
import { requestOf } from './reading/call.js';
import { beatProofHolds } from './reading/proof.js';
import { emptyState, type State } from './state.js';

const BASE = 'http://registry.example';
const CONTROL = 'http://control.example';
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const HASH = `0x${'ab'.repeat(32)}`;
const KEY = 'pvn_payload.signature';
const WALLET = '4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K2jF2eqZ4xq4bq5q5N';
const SERVICE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly status?: number;
  readonly json: unknown;
}

/** The reply of GET /status, whole. */
const SHOWN = {
  ...{ exists: true, status: 'active', hash: HASH, type: 'root', depth: 0, name: 'Ada', metadata: null },
  ...{
    wallet: WALLET,
    wallet_model: 'operator',
    wallet_chain: 'solana',
    identity_class: 'narrow_task',
    sigil: 'auto-0123abcd*acme*ind',
    sigil_issued_at: 100,
    tier: 'ind',
    principal: 'acme',
  },
  ...{ registered: '2026-01-01T00:00:00.000Z', registered_by: null, tx_signature: null, beat_state: null },
  ...{ heartbeat_refused: false, heartbeat_refused_reason: null },
};

/** A service of which the model has seen a few calls. */
class Seen {
  readonly state: State = emptyState({
    protocol,
    dialect: dialects.service,
    baseUrl: BASE,
    beatsUrl: null,
    controlUrl: CONTROL,
    byoWallet: true,
    beatsRequired: true,
    needsSecret: false,
    mainnet: false,
    registrationSecret: undefined,
    adminKey: undefined,
    partnerKey: undefined,
    shapes: {},
  });
  #payments = 0;

  /** The ids of clauses that an exchange speaks against. */
  call({ path, method = 'POST', body = {}, key, status = 200, json }: Sent): readonly string[] {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const url = `${path.startsWith('/control') ? CONTROL : BASE}${path}`;
    const call = requestOf(this.state.settings, { method, url, headers, body: JSON.stringify(body) });
    if (call === undefined) throw new Error(`no endpoint takes ${path}`);
    const { evidence } = judge(this.state, call, { status, json });
    return evidence.flatMap(({ ok, clauses }) => (ok ? [] : clauses));
  }

  advance(anchor: number): void {
    this.call({
      path: '/control/v1/clock/advance',
      json: { now_ms: NOW_MS + anchor * 60_000, anchor_index: Math.floor(anchor) },
    });
  }

  pay(lamports: number): string {
    this.#payments += 1;
    const signature = `tx${this.#payments}`;
    this.call({
      path: '/control/v1/ledger/transfers',
      body: { from: WALLET, to: SERVICE, lamports },
      json: { signature },
    });
    return signature;
  }

  /** A root with a wallet and a SIGIL of class narrow_task, at anchor 100. */
  static withSigil(): Seen {
    const seen = new Seen();
    seen.advance(100);
    seen.call({ path: '/api/v1/fees/summary', method: 'GET', json: { payment_address: SERVICE } });
    const wallet = {
      name: 'Ada',
      operator_wallet_address: WALLET,
      wallet_model: 'operator',
      wallet_nonce: 'n',
      wallet_signature: 's',
    };
    seen.call({
      path: '/api/v1/register',
      body: wallet,
      json: { ok: true, hash: HASH, api_key: KEY, depth: 0, parent: null, name: 'Ada' },
    });
    seen.call({ path: '/api/v1/agent/init', key: KEY, json: { agent_hash: HASH, genesis: { index: 0, hash: 'g' } } });
    const bought = { identity_class: 'narrow_task', principal: 'acme', tier: 'ind' };
    const birth = { birth_tx: 'b', explorer_url: 'https://explorer.solana.com/tx/b?cluster=devnet' };
    const sigil = {
      ...bought,
      ...birth,
      sigil_name: 'auto-0123abcd',
      sigil: 'auto-0123abcd*acme*ind',
      issued_at_beat: 100,
    };
    const payment_tx = seen.pay(50_000_000);
    const fee = { amount_sol: 0.05, amount_lamports: 50_000_000, payment_tx };
    const json = { ok: true, sigil, fee, passport: passportOf({ last: 0, anchor: 100 }) };
    expect(seen.call({ path: '/api/v1/sigil', key: KEY, body: { ...bought, payment_tx }, json })).toEqual([]);
    return seen;
  }

  /** A heartbeat that is accepted, as the text has it except for `more`. */
  heartbeat({
    anchor,
    nth,
    lamports = 500_000,
    tier = 1,
  }: {
    anchor: number;
    nth: number;
    lamports?: number;
    tier?: number;
  }) {
    const payment_tx = this.pay(lamports);
    const passport = passportOf({ last: anchor, anchor });
    const counts = { total_heartbeats: nth, heartbeat_count_epoch: nth, billing_epoch: 0, current_beat: anchor };
    const fee = { amount_sol: lamports / 1e9, amount_lamports: lamports, tier, payment_tx };
    const json = { ok: true, agent_hash: HASH, passport, lineage_proof: passport, ...counts, fee };
    return this.call({ path: '/api/v1/agent/heartbeat', key: KEY, body: { payment_tx }, json });
  }

  /** A heartbeat that is refused as too early. */
  tooSoon(next_eligible_beat: number) {
    const json = { error: 'wait', code: 'HEARTBEAT_TOO_SOON', next_eligible_beat };
    return this.call({
      path: '/api/v1/agent/heartbeat',
      key: KEY,
      body: { payment_tx: this.pay(500_000) },
      status: 429,
      json,
    });
  }
}

function passportOf({ last, anchor }: { readonly last: number; readonly anchor: number }): object {
  const issued_at = NOW_MS + anchor * 60_000;
  return {
    format_version: 1,
    agent_hash: HASH,
    agent_public_key: WALLET,
    authority_key_id: 'k',
    identity_class: 'narrow_task',
    registered_at_beat: 100,
    sigil_issued_at_beat: 100,
    last_heartbeat_beat: last,
    lineage_chain_hash: `0x${String(last + anchor).padStart(64, '0')}`,
    issued_at,
    valid_until: issued_at + 86_400_000,
    service_signature: 'ff'.repeat(64),
  };
}

describe('a heartbeat', () => {
  it('may come at the interval that the server says, which holds from then on', () => {
    const seen = Seen.withSigil();
    seen.advance(110);
    seen.heartbeat({ anchor: 110, nth: 1 });
    expect(seen.tooSoon(115)).toEqual([]);
    seen.advance(115);
    expect(seen.heartbeat({ anchor: 115, nth: 2 })).toEqual([]);
    expect(seen.tooSoon(125)).toEqual(['heartbeat.interval.min', 'heartbeat.interval.from-last']);
    seen.advance(119);
    expect(seen.heartbeat({ anchor: 119, nth: 3 })).toContain('heartbeat.interval.min');
  });

  it('of an agent that missed 61 anchors is refused from when the switch has taken one that was due, and not before', () => {
    const seen = Seen.withSigil();
    seen.advance(161);
    expect(seen.heartbeat({ anchor: 161, nth: 1 })).toEqual([]);
    seen.advance(222);
    const path = `/api/v1/status/${HASH}`;
    expect(seen.call({ path, method: 'GET', json: { ...SHOWN, status: 'frozen' } })).toEqual([]);
    expect(seen.heartbeat({ anchor: 222, nth: 2 })).toContain('dms.freeze.heartbeats');
  });

  it('costs less from the 101st and from the 1,001st of an epoch, which is more than a narrow_task may send', () => {
    const seen = Seen.withSigil();
    for (let nth = 1; nth <= 1_000; nth += 1) {
      const [lamports, tier] = nth <= 100 ? ([500_000, 1] as const) : ([300_000, 2] as const);
      seen.advance(100 + 10 * nth);
      expect(seen.heartbeat({ anchor: 100 + 10 * nth, nth, lamports, tier })).toEqual([]);
    }
    seen.advance(10_110);
    const said = seen.heartbeat({ anchor: 10_110, nth: 1_001, lamports: 200_000, tier: 3 });
    expect(said).toContain('heartbeat.cap.reached');
    expect(said).not.toContain('fee.heartbeat.tier-3');
  });
});

it('a proof of no beats does not hold', () => {
  const [hash, end] = ['ab'.repeat(32), { from_beat: 5, to_beat: 5, beats_computed: 0 }];
  const proof = { ...end, from_hash: hash, to_hash: hash, spot_checks: [{ index: 5, hash, prev: hash }] };
  expect(beatProofHolds(Seen.withSigil().state, proof)).toBe(false);
});

describe('a lookup', () => {
  it('of one address is refused after 120 in any minute, which 60 a minute let through at most', () => {
    const seen = Seen.withSigil();
    const look = { path: `/api/v1/status/${HASH}`, method: 'GET', json: SHOWN };
    for (let nth = 0; nth < 120; nth += 1) {
      seen.advance(100 + Math.floor(nth / 30) / 5);
      expect(seen.call(look)).toEqual([]);
    }
    expect(seen.call(look)).toEqual(['limit.status']);
  });

  it('that hands out a hash twice is noticed', () => {
    const seen = Seen.withSigil();
    const again = { ok: true, hash: HASH, api_key: `${KEY}2`, depth: 0, parent: null, name: 'Bob' };
    expect(seen.call({ path: '/api/v1/register', body: { name: 'Bob' }, json: again })).toContain('agent.field.hash');
    expect(seen.state.agents.get(HASH)?.name).toBe('Ada');
  });

  it('that shows an agent as frozen when another one is due is noticed', () => {
    const seen = Seen.withSigil();
    seen.advance(105);
    const bob = { hash: `0x${'cd'.repeat(32)}`, api_key: `${KEY}2`, depth: 0, parent: null, name: 'Bob' };
    seen.call({ path: '/api/v1/register', body: { name: 'Bob' }, json: { ok: true, ...bob } });
    seen.call({ path: '/api/v1/agent/init', key: bob.api_key, json: { agent_hash: bob.hash, genesis: { index: 0 } } });
    seen.advance(165);
    const path = `/api/v1/status/${bob.hash}`;
    expect(seen.call({ path, method: 'GET', json: { ...bob, status: 'frozen' } })).toContain('dms.freeze');
  });

  it('whose init alone shows a frozen agent otherwise, or shows no status, has a fault of init and none of the switch', () => {
    const again = { ok: true, already_initialized: true, agent_hash: HASH, genesis_hash: 'g' };
    const initShows = (frozen: boolean, status?: string): readonly string[] => {
      const seen = Seen.withSigil();
      seen.advance(175);
      const path = `/api/v1/status/${HASH}`;
      if (frozen) seen.call({ path, method: 'GET', json: { ...SHOWN, status: 'frozen' } });
      const found = seen.call({ path: '/api/v1/agent/init', key: KEY, json: { ...again, ...(status && { status }) } });
      return found.filter((id) => /^(dms\.|constant\.dms|service\.dms)/.test(id));
    };
    expect([initShows(true, 'frozen'), initShows(true, 'active'), initShows(true), initShows(false)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    // Where nothing else shows the freeze, it may be either.
    expect(initShows(false, 'active')).toContain('dms.freeze');
  });

  it('that shows a frozen agent as active, or another SIGIL than was bought, is noticed', () => {
    const seen = Seen.withSigil();
    const path = `/api/v1/status/${HASH}`;
    expect(seen.call({ path, method: 'GET', json: SHOWN })).toEqual([]);
    expect(seen.call({ path, method: 'GET', json: { ...SHOWN, tier: 'sov' } })).toContain('sigil.immutable');
    seen.advance(160);
    const frozen = { ...SHOWN, status: 'frozen' };
    expect(seen.call({ path, method: 'GET', json: frozen })).toContain('dms.freeze');
    seen.advance(161);
    expect(seen.call({ path, method: 'GET', json: frozen })).not.toContain('dms.freeze');
    expect(seen.call({ path, method: 'GET', json: SHOWN })).toContain('dms.freeze');
  });
});

it('a request to the service is no control call, where both have one address', () => {
  const settings = { ...new Seen().state.settings, controlUrl: BASE };
  const read = (path: string) => requestOf(settings, { method: 'POST', url: `${BASE}${path}`, headers: {} });
  expect(read('/api/v1/agent/init')).toMatchObject({ endpoint: { id: 'init' } });
  expect(read('/control/v1/clock/advance')).toEqual({ control: 'POST clock/advance', body: {} });
});
