// The model's judgements of single exchanges, by literals of the specification.
import { describe, expect, it } from 'vitest';
import { clauseById } from '../spec/clauses/index.js';
import { BASE, HASH, KEY, Seen, SHOWN } from '../test/fixtures/seen-service.js';
import { beatProofFaults } from './facts/proof.js';
import { requestOf } from './reading/call.js';

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
  const { faults } = beatProofFaults(Seen.withSigil().state, proof);
  expect(faults).toContain('proof.field.beats-computed');
  expect(clauseById('proof.field.beats-computed').level).toBe('must');
});

it('a wallet link without nonce and signature that is accepted shows no form of the body', () => {
  const seen = new Seen();
  const bob = { hash: `0x${'cd'.repeat(32)}`, api_key: `${KEY}2`, depth: 0, parent: null, name: 'Bob' };
  seen.call({ path: '/api/v1/register', body: { name: 'Bob' }, json: { ok: true, ...bob } });
  const said = seen.call({ path: '/api/v1/agent/wallet', key: bob.api_key, body: { action: null }, json: {} });
  expect(said.filter((id) => clauseById(id).level === 'must')).toEqual([]);
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
