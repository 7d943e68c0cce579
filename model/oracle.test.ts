// Exchanges that overlap: replies that no order explains are evidence against the service.
import { describe, expect, it } from 'vitest';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { emptyState, newAgent } from './facts/state.js';
import { Oracle } from './oracle.js';

const SERVICE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const INVALID = { status: 401, body: '{"error":"no","code":"AUTH_MISSING"}' };

/** Sends requests that overlap as they are begun and ended, and collects the must clauses that the oracle finds broken. */
function overlapping() {
  const state = emptyState({
    ...{
      protocol,
      dialect: dialects.service,
      baseUrl: 'http://registry',
      beatsUrl: null,
      controlUrl: 'http://control',
    },
    ...{ byoWallet: true, beatsRequired: true, needsSecret: false, mainnet: false, shapes: {} },
    ...{ registrationSecret: undefined, adminKey: undefined, partnerKey: undefined },
  });
  const broken = new Set<string>();
  const oracle = new Oracle<string>(state, ({ judgement }) => {
    for (const { ok, level, clauses } of judgement.evidence)
      if (!ok && level === 'must') for (const clause of clauses) broken.add(clause);
  });
  const begin = (url: string, body: object, key = '', method = 'POST', address = '10.0.0.1') => {
    const headers = {
      ...{ 'content-type': 'application/json', 'x-forwarded-for': address },
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    };
    return oracle.begin({ method, url, headers, body: JSON.stringify(body) }, url);
  };
  return { begin, broken, state };
}

it('payments to the one address of the service do not hide what is wrong with a purchase', () => {
  const { begin, broken } = overlapping();
  const pay = (nth: number) => ({
    ended: begin('http://control/control/v1/ledger/transfers', {
      from: `wallet${nth}`.repeat(3),
      to: SERVICE,
      lamports: 1,
    }),
    reply: { status: 200, body: JSON.stringify({ signature: `signature${nth}`.repeat(3) }) },
  });
  const [first, ...others] = [1, 2, 3, 4, 5].map(pay);
  first?.ended(first.reply);
  const bought = begin('http://registry/api/v1/sigil', { payment_tx: 'signature1'.repeat(3) }, 'pvn_nobody.signature');
  bought({ status: 200, body: '{"ok":true}' });
  for (const { ended, reply } of others) ended(reply);
  expect([...broken]).toContain('auth.agent-key.invalid');
});

describe('requests at once are judged in all their orders', () => {
  it('a fault in any order is found among twelve that change nothing, of which there are 479 million orders', () => {
    const { begin, broken } = overlapping();
    const ends = Array.from({ length: 12 }, () =>
      begin('http://registry/api/v1/agent/init', {}, 'pvn_nobody.signature'),
    );
    for (const [at, end] of ends.entries()) end(at === 0 ? { status: 200, body: '{"ok":true}' } : INVALID);
    expect([...broken]).toContain('auth.agent-key.invalid');
  });

  /** A fault among changes by control calls, each of which leaves another state. */
  const wrongAmong = (changes: number): readonly string[] => {
    const { begin, broken } = overlapping();
    const fault = begin('http://registry/api/v1/agent/init', {}, 'pvn_nobody.signature');
    const ends = Array.from({ length: changes }, (_, nth) =>
      begin('http://control/control/v1/clock/advance', { ms: nth }),
    );
    fault({ status: 200, body: '{"ok":true}' });
    for (const [nth, end] of ends.entries())
      end({ status: 200, body: JSON.stringify({ now_ms: nth, anchor_index: nth }) });
    return [...broken];
  };

  it('a fault is proven among four changes, and not among so many that the search cannot try all orders', () => {
    expect(wrongAmong(4)).toContain('auth.agent-key.invalid');
    expect(wrongAmong(9)).toEqual([]);
  });
});

it('what two changes at once leave behind is not guessed, unlike what one change leaves', () => {
  const readAfter = (pairs: number): readonly string[] => {
    const { begin, broken } = overlapping();
    const [key, url] = [`pvt_${'1'.repeat(32)}`, 'http://registry/api/v1/partner/webhook'];
    const made = begin('http://control/control/v1/partners', {});
    made({ status: 200, body: JSON.stringify({ ref: 'partner', key }) });
    const body = { url: 'https://hook.example.com/', events: ['agent.frozen'] };
    const configured = { ok: true, webhook_url: body.url, webhook_secret: 's'.repeat(32), events: body.events };
    const put = { status: 200, body: JSON.stringify(configured) };
    const ends = Array.from({ length: pairs }, () => [begin(url, {}, key, 'DELETE'), begin(url, body, key, 'PUT')]);
    if (pairs === 0) begin(url, body, key, 'PUT')(put);
    for (const [removed, changed] of ends) {
      removed?.({ status: 200, body: '{"ok":true}' });
      changed?.(put);
    }
    broken.clear();
    const read = begin(url, {}, key, 'GET');
    read({ status: 404, body: '{"error":"no","code":"NOT_CONFIGURED"}' });
    return [...broken];
  };
  expect(readAfter(0)).toContain('partner-webhook.get.reply');
  expect(readAfter(1)).toEqual([]);
  expect(readAfter(4)).toEqual([]);
});

it('a partner is refused by its limit alone; a key of no partner counts with others of its address', () => {
  const refusedFirst = (isPartner: boolean): readonly string[] => {
    const { begin, broken, state } = overlapping();
    const key = `pvt_${'1'.repeat(32)}`;
    state.nowMs = 0;
    if (isPartner)
      begin('http://control/control/v1/partners', {})({ status: 200, body: JSON.stringify({ ref: 'partner', key }) });
    const ended = begin('http://registry/api/v1/partner/webhook', {}, key, 'PUT');
    ended({ status: 429, body: '{"error":"no","code":"RATE_LIMITED"}' });
    return [...broken].filter((clause) => clause.startsWith('limit.'));
  };
  expect(refusedFirst(true)).toEqual(['limit.partner-webhook']);
  expect(refusedFirst(false)).toEqual([]);
});

it('an agent whose registration was sent twice is not judged by what comes later: nobody knows which reply is of which', () => {
  const { begin, broken } = overlapping();
  const [hash, api_key] = [`0x${'ab'.repeat(32)}`, 'pvn_abcdefghijklmnop.signature'];
  const register = begin('http://registry/api/v1/register', { name: 'Ada' });
  register({ status: 200, body: JSON.stringify({ ok: true, hash, api_key }) }, false);
  begin('http://registry/api/v1/agent/init', {}, api_key)({ status: 200, body: '{"status":"active"}' });
  begin(`http://registry/api/v1/status/${hash}`, {}, '', 'GET')({ status: 200, body: JSON.stringify({ hash }) });
  expect([...broken]).toEqual([]);
});

describe('a complaint may be blocked', () => {
  const OTHERS = 20;
  /** The reply RATE_LIMITED to a complaint of 20 or fewer, of which the others are pending, under way, or closed while it is under way. */
  const blockedWith = (others: number, how: 'pending' | 'under-way' | 'closed'): readonly string[] => {
    const { begin, broken, state } = overlapping();
    state.nowMs = 0;
    const [key, hash] = [`pvn_${'1'.repeat(64)}.x`, `0x${'1'.repeat(64)}`];
    const none = { name: undefined, metadata: undefined, wallet: null, parent: undefined };
    state.agents.set(hash, newAgent(state, { ...none, hash, written: hash }));
    state.keys.set(key, { hash });
    const complain = (nth: number, by: string) => {
      const target_hash = `0x${String(nth).padStart(64, '0')}`;
      const body = { target_hash, asserted_class: 'autonomous', reason: 'r' };
      return begin('http://registry/api/v1/agent/flag', body, by, 'POST', `10.0.0.${nth}`);
    };
    const idOf = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
    const all = Array.from({ length: others }, (_, nth) => nth + 1);
    if (how !== 'under-way')
      for (const nth of all) state.flags.set(idOf(nth), { reporter: `r${nth}`, target: `t${nth}`, status: 'pending' });
    const under = how === 'under-way' ? all.map((nth) => complain(nth, `pvn_${nth}.x`)) : [];
    const end = complain(0, key);
    if (how === 'closed')
      for (const nth of all)
        begin(`http://control/control/v1/flags/${idOf(nth)}/review`, { outcome: 'dismiss' })({
          status: 200,
          body: '{}',
        });
    end({ status: 429, body: '{"error":"no","code":"RATE_LIMITED"}' });
    for (const each of under) each(INVALID);
    return [...broken].filter((clause) => clause.startsWith('limit.flag'));
  };

  it.each(['pending', 'under-way', 'closed'] as const)('by as many that are %s, and not by fewer', (how) => {
    expect(blockedWith(OTHERS - 1, how)).not.toEqual([]);
    expect(blockedWith(OTHERS, how)).toEqual([]);
  });
});

describe('requests count in their limits when they may have been served', () => {
  /** Registrations after the clock was moved by an hour, whose reply waits for another request; then one that is refused. */
  const refusedAfter = (sent: number): readonly string[] => {
    const { begin, broken, state } = overlapping();
    state.nowMs = 0;
    const registration = () => begin('http://registry/api/v1/register', {});
    const slow = begin('http://registry/api/v1/agent/init', {}, 'pvn_nobody.signature', 'POST', '10.0.0.2');
    const clock = begin('http://control/control/v1/clock/advance', { ms: 3_600_000 });
    clock({ status: 200, body: '{"now_ms":3600000,"anchor_index":60}' });
    for (let nth = 0; nth < sent; nth += 1) registration()({ status: 400, body: '{"error":"no","code":"VALIDATION"}' });
    slow(INVALID);
    registration()({ status: 429, body: '{"error":"no","code":"RATE_LIMITED"}' });
    return [...broken].filter((clause) => clause.startsWith('limit.'));
  };

  it('those sent while the new time was not known yet count at the new time', () => {
    expect(refusedAfter(5)).toEqual([]);
    expect(refusedAfter(3)).toContain('limit.register');
  });

  it('those under way count at any time', () => {
    const { begin, broken, state } = overlapping();
    state.nowMs = 0;
    const ends = Array.from({ length: 6 }, () => begin('http://registry/api/v1/register', {}));
    begin('http://control/control/v1/clock', {}, '', 'GET')({ status: 200, body: '{"now_ms":0,"anchor_index":0}' });
    state.nowMs = 3_600_000;
    ends[0]?.({ status: 429, body: '{"error":"no","code":"RATE_LIMITED"}' });
    expect([...broken].filter((clause) => clause.startsWith('limit.'))).toEqual([]);
  });
});
