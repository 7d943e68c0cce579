// Replies that the text permits, because it gives no time, bound, unit, case or order: the model has nothing against them at must level.
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clauseById } from '../spec/clauses/index.js';
import { dialects } from '../spec/dialect.js';
import { HASH, KEY, Seen, type Sent } from '../test/fixtures/seen-service.js';
import { chainHashes } from './reading/chain.js';

const NAME = 'Kid';
const CHILD = `0x${'cd'.repeat(32)}`;
const FLAG = '00000000-0000-4000-8000-000000000001';
const CHILD_KEY = `${KEY}child`;
const capitals = (hash: string): string => `0x${hash.slice(2).toUpperCase()}`;
const refused = (status: number, code: string) => ({ status, json: { error: 'no', code } });

/** The clauses of the text that an exchange breaks. */
const against = (seen: Seen, sent: Sent): readonly string[] =>
  seen.call(sent).filter((id) => clauseById(id).level === 'must');

/** A service whose agent has been authorized to make a child. */
function authorized(): Seen {
  const seen = Seen.withSigil();
  const receipt = { beats_receipt: 'receipt', child_name: NAME };
  seen.state.receipts.set('receipt', { beats: 1_000, anchor: 100, difficulty: 1_000, used: false, tried: false });
  const json = { ok: true, eligible: true, spawn_authorization: 'auth', receipt_based: true, required_beats: 1_000 };
  expect(seen.call({ path: '/api/v1/agent/spawn', key: KEY, body: receipt, json })).toEqual([]);
  return seen;
}

const birth = { name: NAME, parent: HASH, spawn_authorization: 'auth' };
const registers = (reply: Pick<Sent, 'status' | 'json'>): Sent => ({
  path: '/api/v1/register',
  key: KEY,
  body: birth,
  ...reply,
});

/** The same with a child, linked and started. */
function withChild(): Seen {
  const seen = authorized();
  const json = { ok: true, hash: CHILD, api_key: CHILD_KEY, type: 'agent', parent: HASH, depth: 1, name: NAME };
  expect(against(seen, registers({ json }))).toEqual([]);
  seen.call({
    path: '/api/v1/agent/spawn',
    key: KEY,
    body: { child_name: NAME, child_hash: CHILD },
    json: { ok: true, child_hash: CHILD },
  });
  seen.call({
    path: '/api/v1/agent/init',
    key: CHILD_KEY,
    json: { agent_hash: CHILD, genesis: { index: 0, hash: 'g' } },
  });
  return seen;
}

const listed = (status: string) => ({
  parent_hash: HASH,
  child_hash: CHILD,
  status,
  max_heartbeats_epoch: 100,
  heartbeats_used_epoch: 0,
  expires_at: null,
});
const sponsors: Sent = {
  path: '/api/v1/agent/sponsor',
  key: KEY,
  body: { child_hash: CHILD },
  json: { ok: true, sponsorship: listed('active') },
};
const lists = (status: string): Sent => ({
  path: '/api/v1/agent/sponsor',
  method: 'GET',
  key: KEY,
  json: { ok: true, sponsorships: [{ ...listed(status), created_at: '2026-01-01T01:40:00.000Z' }] },
});
/** A heartbeat of the child that its parent pays, and its refusal. */
const paidByParent = (seen: Seen, code: string): Sent => ({
  path: '/api/v1/agent/heartbeat',
  key: CHILD_KEY,
  body: { payment_tx: seen.pay(500_000) },
  ...refused(code === 'WALLET_REQUIRED' ? 403 : 400, code),
});

describe('a time that the text does not give', () => {
  it('a spawn authorization may end before 300 seconds have passed, and not at once', () => {
    const seen = authorized();
    expect(against(seen, registers(refused(409, 'SPAWN_CONFLICT')))).toContain(
      'register.child.body.spawn-authorization',
    );
    const later = authorized();
    later.advance(101);
    const said = later.call(registers(refused(409, 'SPAWN_CONFLICT')));
    expect(said).toContain('spawn.authorization.ttl');
    expect(said.filter((id) => clauseById(id).level === 'must')).toEqual([]);
  });

  it('the nonce of a registration may end before 300 seconds have passed', () => {
    const seen = Seen.withSigil();
    const body = { name: 'Ada', action: 'challenge' };
    seen.call({ path: '/api/v1/register', body, json: { nonce: 'n1' } });
    seen.advance(102);
    const wallet = { wallet_public_key: 'ab'.repeat(32), wallet_signature: 'cd'.repeat(64), wallet_nonce: 'n1' };
    expect(
      against(seen, { path: '/api/v1/register', body: { name: 'Ada', ...wallet }, ...refused(400, 'NONCE_INVALID') }),
    ).toEqual([]);
  });
});

describe('a signed registration', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const KEY_HEX = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

  /** The clauses against the refusal of a registration whose message holds name and key as they are sent. */
  const refusedAs = (name: string, wallet_public_key: string): readonly string[] => {
    const seen = Seen.withSigil();
    seen.call({ path: '/api/v1/register', body: { name, action: 'challenge' }, json: { nonce: 'n1' } });
    const text = `${dialects.service.messagePrefix}-register:n1:${wallet_public_key}:${name}`;
    const wallet_signature = sign(null, Buffer.from(text), privateKey).toString('hex');
    const body = { name, wallet_public_key, wallet_nonce: 'n1', wallet_signature };
    return seen.call({ path: '/api/v1/register', body, status: 422, json: { message: 'no' } });
  };

  it('may be refused where its name has spaces around it or its key is in capitals, and not otherwise', () => {
    expect(refusedAs(' Ada ', KEY_HEX)).toEqual(['register.message.as-sent']);
    expect(refusedAs('Ada', KEY_HEX.toUpperCase())).toEqual(['register.message.as-sent']);
    expect(refusedAs('Ada', KEY_HEX)).toContain('register.self-custody.finalize');
  });
});

describe('a bound with two readings', () => {
  const metadata = (bytes: number): Sent => ({
    path: '/api/v1/register',
    body: { name: 'Ada', metadata: { pad: 'x'.repeat(bytes - '{"pad":""}'.length) } },
    ...refused(400, 'VALIDATION'),
  });

  it('metadata of 4,001 to 4,096 bytes may be refused, that of 3,998 not', () => {
    for (const bytes of [4_001, 4_096]) expect(against(Seen.withSigil(), metadata(bytes))).toEqual([]);
    expect(against(Seen.withSigil(), metadata(3_998))).toContain('register.no-wallet.default');
  });

  it('a proof with more spot checks than the older form may have too many, one with five not', () => {
    const submitted = (count: number): readonly string[] => {
      const seen = Seen.withSigil();
      const anchor = 'ee'.repeat(32);
      seen.state.anchors.set('100', { hash: anchor });
      const agent = seen.state.agents.get(HASH);
      if (agent === undefined) throw new Error('the agent is there');
      agent.chain = { beat: 0, hash: '00'.repeat(32) };
      const hashes = chainHashes({
        from: '00'.repeat(32),
        beats: 9,
        fromIndex: 0,
        anchorHash: anchor,
        difficulty: 1_000,
      });
      const checks = hashes.slice(1).map((hash, at) => ({ index: at + 1, hash, prev: hashes[at] }));
      const ends = { from_beat: 0, to_beat: 9, from_hash: '00'.repeat(32), to_hash: hashes[9], beats_computed: 9 };
      const body = { ...ends, global_anchor: 100, anchor_hash: anchor, spot_checks: checks.slice(-count) };
      return against(seen, { path: '/api/v1/agent/beats/submit', key: KEY, body, ...refused(400, 'PROOF_INVALID') });
    };
    for (const count of [6, 9]) expect(submitted(count)).toEqual([]);
    expect(submitted(5)).toContain('beats-submit.credit');
  });

  it('a name of 33 characters may be too long, one of 32 not', () => {
    const named = (length: number): Sent => ({
      path: '/api/v1/register',
      body: { name: 'n'.repeat(length) },
      ...refused(400, 'VALIDATION'),
    });
    expect(Seen.withSigil().call(named(33))).toEqual(['name.length']);
    expect(against(Seen.withSigil(), named(32))).toContain('register.no-wallet.default');
  });

  it('the sixth registration in a minute may be refused, unless as many were let through at once', () => {
    const register = (reply: Pick<Sent, 'status' | 'json'>): Sent => ({
      path: '/api/v1/register',
      body: { name: 'Ada' },
      address: '192.0.2.1',
      ...reply,
    });
    const taken = (seen: Seen, count: number): void => {
      for (let nth = 0; nth < count; nth += 1) {
        const hash = `0x${String(nth).padStart(64, '0')}`;
        seen.call(register({ json: { ok: true, hash, api_key: `pvn_${nth}.s`, depth: 0, parent: null, name: 'Ada' } }));
      }
    };
    const limited = register(refused(429, 'RATE_LIMITED'));
    const [five, four, six] = [Seen.withSigil(), Seen.withSigil(), Seen.withSigil()];
    taken(five, 5);
    expect(against(five, limited)).toEqual([]);
    taken(four, 4);
    expect(against(four, limited)).toEqual(['limit.register']);
    taken(six, 6);
    expect(against(six, limited)).toEqual(['limit.register']);
  });
});

describe('absence before the first', () => {
  const passport = { path: '/api/v1/agent/passport', method: 'GET', json: { passport: null } };

  it('a passport may be null before there is one, and not after that', () => {
    const seen = withChild();
    expect(against(seen, { ...passport, key: CHILD_KEY })).toEqual([]);
    expect(against(seen, { ...passport, key: KEY })).toEqual(['passport.purpose']);
  });

  it('a passport may be null, or refused, after its 24 hours, and not in its last minute', () => {
    const read = (anchor: number, reply: Pick<Sent, 'status' | 'json'>): readonly string[] => {
      const seen = Seen.withSigil();
      seen.advance(anchor);
      const agent = seen.state.agents.get(HASH);
      if (agent === undefined) throw new Error('the agent is there');
      // It froze in the meantime, and has resynced.
      Object.assign(agent, { frozen: false, syncAnchor: anchor });
      return against(seen, { ...passport, key: KEY, ...reply });
    };
    const none = refused(404, 'NO_PASSPORT');
    for (const reply of [{ json: { passport: null } }, none]) {
      expect(read(100 + 1_440, reply)).toEqual([]);
      expect(read(100 + 1_439, reply)).toEqual(['passport.purpose']);
    }
  });

  it('a first heartbeat may be too soon after the SIGIL, by a decision, and not 10 beats later', () => {
    const tooSoon = (anchor: number): readonly string[] => {
      const seen = Seen.withSigil();
      seen.advance(anchor);
      return seen.tooSoon(anchor + 1);
    };
    expect(tooSoon(109)).toEqual(['heartbeat.interval.first']);
    expect(tooSoon(110).filter((id) => clauseById(id).level === 'must')).toContain('heartbeat.interval.min');
  });

  it('a result of a batch may lack the SIGIL and the chain that an agent does not have, and no others', () => {
    const batch = (seen: Seen, hash: string, lacks: string, more: object): readonly string[] => {
      const network = { current_anchor_index: 100, anchor_degraded: false };
      const found = {
        standing: 'active',
        agent: { hash },
        sigil: null,
        beat_state: null,
        network,
        lineage: [],
        root: HASH,
      };
      const { [lacks]: _, ...kept } = { ...found, ...more } as Record<string, unknown>;
      const json = {
        results: [{ verified: true, passport: null, ...kept }],
        summary: { total: 1, verified: 1, not_found: 0 },
      };
      return against(seen, { path: '/api/v1/verify/batch', body: { hashes: [hash] }, json });
    };
    const bare = authorized();
    expect(against(bare, registers({ json: { ok: true, hash: CHILD, api_key: CHILD_KEY } }))).toEqual([]);
    for (const lacks of ['sigil', 'beat_state'])
      expect(batch(bare, CHILD, lacks, {}), lacks).not.toContain('verify-batch.reply.found');
    for (const lacks of ['sigil', 'beat_state', 'root'])
      expect(batch(Seen.withSigil(), HASH, lacks, {}), lacks).toContain('verify-batch.reply.found');
  });
});

describe('a status that the text does not show', () => {
  it('a sustained complaint may count as pending until it is resolved', () => {
    const seen = withChild();
    const flag = (
      id: string,
      reply: Pick<Sent, 'status' | 'json'> = { json: { flagged: true, flag_id: id, status: 'pending' } },
    ) =>
      against(seen, {
        path: '/api/v1/agent/flag',
        key: KEY,
        body: { target_hash: CHILD, asserted_class: 'autonomous', reason: 'r' },
        ...reply,
      });
    const review = (outcome: string): void => {
      seen.call({ path: `/control/v1/flags/${FLAG}/review`, body: { outcome }, json: { ok: true } });
    };
    const duplicate = refused(409, 'FLAG_DUPLICATE');
    expect(flag(FLAG)).toEqual([]);
    review('sustain');
    expect(flag(FLAG, duplicate)).toEqual([]);
    review('resolve');
    expect(flag(FLAG, duplicate)).toContain('flag.rule.one-pending');
    expect(flag('00000000-0000-4000-8000-000000000002')).toEqual([]);
  });
});

describe('the case of hex', () => {
  it('an agent may be unknown by its hash in capitals', () => {
    const seen = Seen.withSigil();
    const path = `/api/v1/status/${capitals(HASH)}`;
    for (const reply of [refused(400, 'INVALID_HASH'), { status: 404, json: { exists: false, hash: capitals(HASH) } }])
      expect(seen.call({ path, method: 'GET', ...reply })).toEqual(['agent.hash.case']);
    const missing = { verified: false, hash: capitals(HASH), error: 'none' };
    const batch = { results: [missing], summary: { total: 1, verified: 0, not_found: 1 } };
    const body = { hashes: [capitals(HASH)] };
    expect(seen.call({ path: '/api/v1/verify/batch', body, json: batch })).toEqual(['verify-batch.case']);
  });

  it('a chain that is shown in capitals may be continued in small letters', () => {
    const seen = Seen.withSigil();
    const agent = seen.state.agents.get(HASH);
    if (agent === undefined) throw new Error('the agent is there');
    agent.chain = { beat: 0, hash: 'AB'.repeat(32) };
    const hash = 'cd'.repeat(32);
    const proof = {
      from_beat: 0,
      to_beat: 1,
      from_hash: 'ab'.repeat(32),
      to_hash: hash,
      beats_computed: 1,
      global_anchor: 100,
      anchor_hash: hash,
    };
    const body = { ...proof, spot_checks: [{ index: 1, hash, prev: 'ab'.repeat(32) }] };
    expect(against(seen, { path: '/api/v1/agent/beats/submit', key: KEY, body, json: { ok: true } })).not.toContain(
      'proof.field.from-hash',
    );
  });
});

describe('a proof whose shown beats hold', () => {
  const [from, anchor] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const BEATS = 8;
  const shown = [1, 3, 5, 6, 8];
  const whole = chainHashes({ from, beats: BEATS, fromIndex: 0, anchorHash: anchor, difficulty: 1_000 });
  const proofOf = (hashes: readonly string[]) => ({
    ...{ from_beat: 0, to_beat: BEATS, beats_computed: BEATS, global_anchor: 100, anchor_hash: anchor },
    ...{ from_hash: from, to_hash: hashes[BEATS] },
    spot_checks: shown.map((index) => ({ index, hash: hashes[index], prev: hashes[index - 1] })),
  });
  /** Beats after the third that follow from another hash. */
  const elsewhere = chainHashes({
    from: 'ef'.repeat(32),
    beats: BEATS - 4,
    fromIndex: 4,
    anchorHash: anchor,
    difficulty: 1_000,
  });
  const broken = [...whole.slice(0, 4), ...elsewhere];

  it.each([
    ['beats-submit', '/api/v1/agent/beats/submit', (proof: object) => proof],
    ['a resync', '/api/v1/agent/resync', (proof: object) => ({ action: 'prove', challenge_nonce: 'nonce', proof })],
  ])('may be refused by %s if a hidden beat does not follow, and not if all do', (_, path, bodyOf) => {
    const said = [broken, whole].map((hashes) => {
      const seen = Seen.withSigil();
      const agent = seen.state.agents.get(HASH);
      if (agent === undefined) throw new Error('the agent is there');
      Object.assign(agent, {
        chain: { beat: 0, hash: from },
        started: true,
        frozen: path.endsWith('resync'),
        syncAnchor: 100,
      });
      seen.state.anchors.set('100', { hash: anchor });
      seen.state.tickets.set('nonce', {
        kind: 'resync',
        of: HASH,
        madeMs: seen.state.nowMs,
        used: false,
        tried: false,
      });
      return against(seen, { path, key: KEY, body: bodyOf(proofOf(hashes)), ...refused(400, 'OTHER') });
    });
    expect(said[0]).toEqual([]);
    expect(said[1]?.length).toBeGreaterThan(0);
  });
});

describe('what ends with what', () => {
  it('a sponsorship that was made after a freeze was due may be active', () => {
    const seen = withChild();
    seen.advance(150);
    seen.heartbeat({ anchor: 150, nth: 1 });
    // The child is due at anchor 161, and its freeze has not been seen.
    seen.advance(165);
    seen.call(sponsors);
    seen.call({
      path: `/api/v1/agent/beat-status/${CHILD}`,
      method: 'GET',
      json: { agent_hash: CHILD, beat_initialized: true, heartbeat: { status: 'frozen' } },
    });
    expect(against(seen, lists('active'))).toEqual([]);
    expect(against(seen, lists('revoked'))).toEqual([]);
  });

  it('one that was made before is revoked', () => {
    const seen = withChild();
    seen.call(sponsors);
    seen.advance(150);
    seen.heartbeat({ anchor: 150, nth: 1 });
    seen.advance(165);
    seen.call({
      path: `/api/v1/agent/beat-status/${CHILD}`,
      method: 'GET',
      json: { agent_hash: CHILD, beat_initialized: true, heartbeat: { status: 'frozen' } },
    });
    expect(against(seen, lists('active'))).toContain('sponsor.transition.frozen.child');
  });

  it("a parent's lost key may leave the sponsorships that it pays, a child's ends them", () => {
    const revoke = (hash: string): Sent => ({ path: `/control/v1/agents/${hash}/revoke-key`, json: { ok: true } });
    const seen = withChild();
    seen.call(sponsors);
    seen.call(revoke(HASH));
    const payment_tx = seen.pay(500_000);
    const paid = { amount_sol: 0.0005, amount_lamports: 500_000, tier: 1, payment_tx };
    const json = { ok: true, agent_hash: CHILD, total_heartbeats: 1, fee: paid };
    const path = '/api/v1/agent/heartbeat';
    const said = against(seen, { path, key: CHILD_KEY, body: { payment_tx }, json });
    expect(said.filter((id) => id.startsWith('heartbeat.error') || id.startsWith('heartbeat.child'))).toEqual([]);
    const other = withChild();
    other.call(sponsors);
    other.call(revoke(HASH));
    for (const code of ['WALLET_REQUIRED', 'PAYMENT_SENDER_MISMATCH'])
      expect(against(other, paidByParent(other, code))).toEqual([]);
    const third = withChild();
    third.call(sponsors);
    third.call(revoke(CHILD));
    expect(against(third, lists('active'))).toEqual(['sponsor.transition.key-revoked']);
  });

  it('a refused request may use up the token that it shows', () => {
    const seen = Seen.withSigil();
    seen.call({
      path: '/api/v1/register/token',
      json: { ok: true, token: 'ab'.repeat(32), expires_in_sec: 300, _info: 'x' },
    });
    const headers = { 'x-registration-token': 'ab'.repeat(32) };
    const register: Sent = {
      path: '/api/v1/register',
      body: { name: 'Ada' },
      headers,
      ...refused(401, 'AUTH_INVALID'),
    };
    expect(against(seen, register)).not.toEqual([]);
    seen.call({ ...register, body: {}, ...refused(400, 'VALIDATION') });
    expect(seen.call(register)).toEqual(['register.token.spent']);
  });
});

describe('a call that has no effect', () => {
  /** Where an exchange has evidence against the text: the endpoint, and its clauses. */
  const blamed = (seen: Seen, sent: Sent): readonly string[] => {
    const found = seen.evidence(sent).filter(({ ok, level }) => !ok && level === 'must');
    return [...new Set(found.map(({ endpoint, clauses }) => `${endpoint}: ${clauses.join()}`))];
  };
  const ADMIN = 'pva_admin';
  const reissue = (seen: Seen, lamports: number, reply: Pick<Sent, 'status' | 'json'>): Sent => {
    const body = { payment_tx: seen.pay(lamports) };
    return { path: '/api/v1/agent/reissue-proof', key: KEY, body, ...reply };
  };

  it('is the deletion of a subsidy that still lowers the fee, and not the call that is paid', () => {
    const deleted = (): Seen => {
      const seen = Seen.withSigil();
      seen.call({ path: '/control/v1/admin-keys', json: { key: ADMIN } });
      const [agent_hash, fee_type] = [HASH, 'reissuance'];
      const path = '/api/v1/admin/agent/subsidy';
      const terms = { agent_hash, fee_type, discount_bps: 5_000, reason: 'r' };
      const subsidy = { ...terms, floor_lamports: 5_000, valid_until: null };
      expect(against(seen, { path, key: ADMIN, body: terms, json: { ok: true, subsidy } })).toEqual([]);
      const gone = { ok: true, deleted: true, agent_hash, fee_type };
      expect(against(seen, { path, method: 'DELETE', key: ADMIN, body: { agent_hash, fee_type }, json: gone })).toEqual(
        [],
      );
      return seen;
    };
    const [refusing, taking, other] = [deleted(), deleted(), deleted()];
    const named = ['DELETE /api/v1/admin/agent/subsidy: subsidy.delete.reply'];
    expect(blamed(refusing, reissue(refusing, 200_000, refused(400, 'PAYMENT_INVALID')))).toEqual(named);
    const fee = { amount_sol: 0.0001, amount_lamports: 100_000 };
    expect(blamed(taking, reissue(taking, 100_000, { json: { ok: true, fee } }))).toContain(named[0]);
    expect(blamed(other, reissue(other, 7, { json: { ok: true } })).join()).toContain(
      'reissue-proof.error.payment-invalid.amount',
    );
  });

  it('is the end of a sponsorship that is still listed as active, or still pays', () => {
    const ended = (): Seen => {
      const seen = withChild();
      seen.call(sponsors);
      const body = { child_hash: CHILD };
      seen.call({ path: '/api/v1/agent/sponsor', method: 'DELETE', key: KEY, body, json: { ok: true, revoked: true } });
      return seen;
    };
    const named = 'DELETE /api/v1/agent/sponsor: sponsor.transition.revoke';
    expect(blamed(ended(), lists('active'))).toEqual([named]);
    const seen = ended();
    const body = { payment_tx: seen.pay(500_000) };
    const paid = blamed(seen, {
      path: '/api/v1/agent/heartbeat',
      key: CHILD_KEY,
      body,
      json: { ok: true, agent_hash: CHILD },
    });
    expect(paid[0]).toBe(named);
  });
});

describe('the order of errors', () => {
  it('a payment_tx that is no text may be refused before the interval, the wallet or the SIGIL', () => {
    const seen = Seen.withSigil();
    seen.advance(110);
    seen.heartbeat({ anchor: 110, nth: 1 });
    const odd: Sent = { path: '/api/v1/agent/heartbeat', body: { payment_tx: 7 }, ...refused(400, 'VALIDATION') };
    expect(seen.call({ ...odd, key: KEY })).toEqual([]);
    const bare = withChild();
    expect(bare.call({ ...odd, key: CHILD_KEY })).toEqual([]);
  });

  it('a body with a field of another form may be refused for it, whether or not the call needs the field', () => {
    const seen = Seen.withSigil();
    const resync: Sent = {
      path: '/api/v1/agent/resync',
      key: KEY,
      body: { action: null },
      ...refused(400, 'VALIDATION'),
    };
    expect(seen.call(resync)).toEqual([]);
    const register: Sent = {
      path: '/api/v1/register',
      body: { name: 'Ada', action: null },
      ...refused(400, 'VALIDATION'),
    };
    expect(seen.call(register)).toEqual([]);
    expect(against(seen, { ...register, body: { name: 'Ada' } })).toContain('register.no-wallet.default');
  });
});
