// Traffic from an unknown start: what was there before is unknown until a reply shows it, and is judged from then on.
import { describe, expect, it } from 'vitest';
import { clauseById } from '../spec/clauses/index.js';
import { BASE, HASH, KEY, NOW_MS, passportOf, SETTINGS } from '../test/fixtures/seen-service.js';
import { openState } from './facts/open-state.js';
import { Oracle } from './oracle.js';

interface Exchange {
  readonly path?: string;
  readonly method?: string;
  readonly key?: string;
  readonly body?: object;
  readonly status?: number;
  readonly json?: object;
  /** When it begins and ends by the clock of the observer, in ms since the start. */
  readonly at?: number;
  readonly tookMs?: number;
}

/** Watches exchanges from an unknown start. */
function watching() {
  const broken: string[] = [];
  const held = new Set<string>();
  const oracle = new Oracle<string>(openState(SETTINGS), ({ judgement }) => {
    for (const { ok, clauses } of judgement.evidence)
      for (const id of clauses.filter((each) => clauseById(each).level === 'must')) ok ? held.add(id) : broken.push(id);
  });
  const begin = ({ path = '/api/v1/agent/heartbeat', method = 'POST', key = KEY, body = {}, at = 0 }: Exchange) =>
    oracle.begin(
      {
        ...{ method, url: `${BASE}${path}`, body: JSON.stringify(body) },
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      },
      path,
      NOW_MS + at,
    );
  const reply = ({ status = 200, json = {}, at = 0, tookMs = 10 }: Exchange) =>
    [
      { status, body: JSON.stringify(json), headers: { date: new Date(NOW_MS + at).toUTCString() } },
      true,
      NOW_MS + at + tookMs,
    ] as const;
  return {
    broken,
    held,
    state: oracle.state,
    begin,
    see: (exchange: Exchange): readonly string[] => {
      const before = broken.length;
      begin(exchange)(...reply(exchange));
      return broken.slice(before);
    },
  };
}

/** The nth heartbeat of an agent in an epoch, at a beat; beats are a minute apart. */
function heartbeat(beat: number, nth: number, more: { readonly tier?: number; readonly tx?: string } = {}): Exchange {
  const { tier = nth <= 100 ? 1 : 2, tx = `tx${beat}` } = more;
  const lamports = tier === 1 ? 500_000 : 300_000;
  const passport = passportOf({ last: beat, anchor: beat });
  const fee = { amount_sol: lamports / 1e9, amount_lamports: lamports, tier, payment_tx: tx };
  const counts = { total_heartbeats: nth + 50, heartbeat_count_epoch: nth, billing_epoch: 0, current_beat: beat };
  const json = { ok: true, agent_hash: HASH, passport, lineage_proof: passport, ...counts, fee };
  return { body: { payment_tx: tx }, json, at: beat * 60_000 };
}

describe('an agent from before the traffic', () => {
  it('is judged from its second heartbeat on', () => {
    const { see, held } = watching();
    expect(see(heartbeat(500, 7))).toEqual([]);
    expect(see(heartbeat(510, 8))).toEqual([]);
    expect([...held]).toEqual(
      expect.arrayContaining(['heartbeat.interval.min', 'fee.heartbeat.tier-1', 'heartbeat.reply.current-beat']),
    );
  });

  it.each([
    ['a heartbeat after 9 beats, where 10 are the least', heartbeat(509, 8), 'heartbeat.interval.min'],
    ['a count that leaves one out', heartbeat(510, 9), 'fee.heartbeat.epoch'],
    ['tier 3', heartbeat(510, 8, { tier: 3 }), 'fee.heartbeat.tier-1'],
    ['a payment that was used before', heartbeat(510, 8, { tx: 'tx500' }), 'heartbeat.error.payment-already-used'],
    ['an earlier beat than before', heartbeat(499, 8), 'heartbeat.interval.min'],
  ])('breaks a clause by %s', (_, next, clause) => {
    const { see } = watching();
    expect(see(heartbeat(500, 7))).toEqual([]);
    expect(see(next)).toContain(clause);
  });

  it('breaks the tier with the 101st heartbeat of an epoch at tier 1', () => {
    const { see } = watching();
    expect(see(heartbeat(500, 100))).toEqual([]);
    expect(see(heartbeat(510, 101, { tier: 1 }))).toContain('fee.heartbeat.tier-2');
  });

  it.each([
    ['a key', { status: 401, json: { error: 'no', code: 'AUTH_MISSING' } }],
    ['a freeze', { status: 403, json: { error: 'no', code: 'AGENT_FROZEN' } }],
    ['a payment', { status: 402, json: { error: 'no', code: 'PAYMENT_INVALID' } }],
    [
      'a nonce',
      {
        path: '/api/v1/agent/wallet',
        body: { wallet_nonce: 'n', wallet_public_key: 'ab'.repeat(32), wallet_signature: 's' },
      },
    ],
    [
      'a lookup',
      { path: `/api/v1/status/0x${'ef'.repeat(32)}`, method: 'GET', json: { exists: true, status: 'frozen' } },
    ],
  ])('may be refused or accepted for %s that was not seen', (_, exchange: Exchange) => {
    expect(watching().see(exchange)).toEqual([]);
  });

  it('is unknown again after a request whose reply is lost, and known after the next reply', () => {
    const { see, begin } = watching();
    see(heartbeat(500, 7));
    begin({ ...heartbeat(510, 8) })();
    // The lost heartbeat may have been accepted, or not.
    expect(see(heartbeat(511, 9))).toEqual([]);
    expect(see(heartbeat(515, 10))).toContain('heartbeat.interval.min');
  });
});

describe('the time of the service', () => {
  const token = (nth: number, at: number): Exchange => ({
    path: '/api/v1/register/token',
    json: { ok: true, token: String(nth).padStart(64, '0'), expires_in_sec: 300 },
    at,
  });
  const register = (nth: number, at: number): Exchange => ({
    ...{ path: '/api/v1/agent/init', key: `pvn_${nth}.x`, at },
    json: { agent_hash: `0x${String(nth).padStart(64, '0')}`, already_initialized: true },
  });

  it('runs with the observer if passports agree with the Date header, and stands by itself if they do not', () => {
    const { see, state } = watching();
    expect(state.clock.kind).toBe('unknown');
    see(heartbeat(500, 7));
    expect(state.clock.kind).toBe('wall');
    see({ ...token(1, 500 * 60_000 + 1_000) });
    expect(state.nowMs).toBe(NOW_MS + 500 * 60_000 + 1_000);
    see(register(1, 500 * 60_000 + 2_000));
    see({ ...heartbeat(560, 8), at: 501 * 60_000 });
    expect(state.clock.kind).toBe('own');
    see(token(2, 502 * 60_000));
    expect(state.nowMs).toBeUndefined();
  });
});
