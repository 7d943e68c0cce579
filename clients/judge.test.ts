import { describe, expect, it } from 'vitest';
import { type Alteration, type Exchange, fieldsOf, type WatchedRun } from './exchange.js';
import { clientClauses, clientReport, judgeClient } from './judge.js';

const KEY = 'pvn_a.0';
const SECRET = '5ec7e7'.repeat(8);

interface Given {
  readonly status?: number;
  readonly reply?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly alteration?: Alteration;
  readonly atMs?: number;
  readonly query?: string;
}

let count = 0;

/** One exchange; without more it is an accepted JSON request of an agent. */
function ex(
  call: string,
  body?: object,
  { status = 200, reply = {}, headers, alteration, atMs = 0, query = '' }: Given = {},
): Exchange {
  const [method, path] = call.split(' ') as [string, string];
  count += 1;
  return {
    n: count,
    service: path.startsWith('beats:') ? 'beats' : 'registry',
    method,
    path: `/api/v1${path.replace('beats:', '')}`,
    query,
    headers: headers ?? { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    text: body === undefined ? '' : JSON.stringify(body),
    body: fieldsOf(body),
    status,
    reply: fieldsOf(reply),
    alteration,
    cameMs: atMs,
    answeredMs: atMs,
  };
}

const refused = (code: string, status = 400): Given => ({ status, reply: { code, error: code } });
const born = () =>
  ex(
    'POST /register',
    { name: 'a' },
    { reply: { api_key: KEY, secret: SECRET, hash: '0x1' }, headers: { 'content-type': 'application/json' } },
  );

function verdictOf(id: string, exchanges: readonly Exchange[], exitStatus: number | null = 0) {
  const run: WatchedRun = { exchanges, exitStatus };
  return judgeClient(run).find((each) => each.id === id)?.verdict;
}

/** Of each clause a run that holds it, and one that breaks it. */
const rows: readonly (readonly [id: string, held: () => readonly Exchange[], broken: () => readonly Exchange[]])[] = [
  [
    'client.body.json',
    () => [ex('POST /a', {})],
    () => [ex('POST /a', {}, { headers: { 'content-type': 'text/plain' } })],
  ],
  ['client.path.known', () => [ex('GET /a')], () => [ex('GET /a', undefined, refused('NOT_FOUND', 404))]],
  [
    'client.path.retired',
    () => [ex('POST /agent/heartbeat', {})],
    () => [ex('POST /agent/checkin', {}, { status: 410 })],
  ],
  ['client.register.name', () => [born()], () => [ex('POST /register', {})]],
  [
    'client.register.metadata',
    () => [ex('POST /register', { name: 'a', metadata: {} })],
    () => [ex('POST /register', { name: 'a', metadata: [1] })],
  ],
  [
    'client.register.metadata',
    () => [ex('POST /register', { metadata: { a: 1 } })],
    () => [ex('POST /register', { metadata: { a: 'x'.repeat(5_000) } })],
  ],
  [
    'client.register.token-once',
    () => [ex('POST /register', {}, { headers: { 'x-registration-token': 't' } })],
    () => [1, 2].map(() => ex('POST /register', {}, { headers: { 'x-registration-token': 't' } })),
  ],
  [
    'client.wallet.nonce-once',
    () => [ex('POST /agent/wallet', { wallet_nonce: 'n' })],
    () => [1, 2].map(() => ex('POST /agent/wallet', { wallet_nonce: 'n' })),
  ],
  [
    'client.wallet.signature',
    () => [ex('POST /register', { wallet_nonce: 'n' })],
    () => [ex('POST /register', { wallet_nonce: 'n' }, refused('SIGNATURE_INVALID'))],
  ],
  [
    'client.wallet.private-key',
    () => [ex('POST /register', { wallet_signature: 's' })],
    () => [ex('POST /register', { private_key: 's' })],
  ],
  [
    'client.secret.kept',
    () => [born(), ex('POST /agent/init', {})],
    () => [born(), ex('POST /agent/init', { s: SECRET })],
  ],
  [
    'client.key.header',
    () => [born(), ex('POST /agent/init')],
    () => [born(), ex('GET /status/0x1', undefined, { query: `key=${KEY}` })],
  ],
  ['client.key.sent', () => [ex('POST /agent/init')], () => [ex('POST /agent/init', {}, refused('AUTH_MISSING', 401))]],
  [
    'client.key.registry-only',
    () => [born(), ex('GET beats:/beat/key', undefined, { headers: {} })],
    () => [born(), ex('GET beats:/beat/key')],
  ],
  [
    'client.key.each-own',
    () => [born(), ex('POST /agent/init')],
    () => [born(), ex('POST /agent/init', {}, { headers: { authorization: 'Bearer pvn_b.1' } })],
  ],
  [
    'client.child.authorization',
    () => [ex('POST /register', { parent: '0x1', spawn_authorization: 's' })],
    () => [ex('POST /register', { parent: '0x1' })],
  ],
  [
    'client.sigil.principal',
    () => [ex('POST /sigil', { principal: 'lab' })],
    () => [ex('POST /sigil', { principal: 'My Lab' })],
  ],
  [
    'client.sigil.once',
    () => [ex('POST /sigil', {})],
    () => [ex('POST /sigil', {}, refused('SIGIL_ALREADY_EXISTS', 409))],
  ],
  [
    'client.metadata.mutable',
    () => [ex('PATCH /agent/metadata', { substrate: 'open' })],
    () => [ex('PATCH /agent/metadata', { tier: 'org' })],
  ],
  [
    'client.metadata.vocabulary',
    () => [ex('PATCH /agent/metadata', {})],
    () => [ex('PATCH /agent/metadata', {}, refused('VALIDATION'))],
  ],
  [
    'client.passport.altered',
    () => [
      ex('POST /agent/heartbeat', {}, { alteration: 'altered-passport' }),
      ex('GET /agent/passport'),
      ex('POST /agent/heartbeat', {}),
    ],
    () => [ex('POST /agent/heartbeat', {}, { alteration: 'altered-passport' }), ex('POST /agent/heartbeat', {})],
  ],
  [
    'client.authority-key.pinned',
    () => [ex('GET /.well-known/authority-key'), ex('POST /agent/heartbeat', {}, { alteration: 'altered-passport' })],
    () => [
      ex('GET /.well-known/authority-key'),
      ex('POST /agent/heartbeat', {}, { alteration: 'altered-passport' }),
      ex('GET /.well-known/authority-key'),
    ],
  ],
  ['client.payment.named', () => [ex('POST /sigil', { payment_tx: 'p' })], () => [ex('POST /sigil', {})]],
  ['client.payment.exact', () => [ex('POST /sigil', {})], () => [ex('POST /sigil', {}, refused('PAYMENT_INVALID'))]],
  [
    'client.payment.once',
    () => [ex('POST /sigil', { payment_tx: 'p' })],
    () => [ex('POST /sigil', { payment_tx: 'p' }), ex('POST /agent/heartbeat', { payment_tx: 'p' })],
  ],
  [
    'client.payment.sender',
    () => [ex('POST /sigil', {})],
    () => [ex('POST /sigil', {}, refused('PAYMENT_SENDER_MISMATCH'))],
  ],
  [
    'client.payment.wallet',
    () => [ex('POST /sigil', {})],
    () => [ex('POST /sigil', {}, refused('WALLET_REQUIRED', 403))],
  ],
  [
    'client.init.first',
    () => [ex('POST /agent/heartbeat', {})],
    () => [ex('POST /agent/heartbeat', {}, refused('AGENT_NOT_INITIALIZED', 409))],
  ],
  [
    'client.heartbeat.sigil',
    () => [ex('POST /agent/heartbeat', {})],
    () => [ex('POST /agent/heartbeat', {}, refused('SIGIL_REQUIRED', 403))],
  ],
  [
    'client.heartbeat.interval',
    () => [ex('POST /agent/heartbeat', {}, refused('HEARTBEAT_TOO_SOON', 429)), ex('POST /agent/heartbeat', {})],
    () => [1, 2].map(() => ex('POST /agent/heartbeat', {}, refused('HEARTBEAT_TOO_SOON', 429))),
  ],
  [
    'client.heartbeat.global-anchor',
    () => [ex('POST /agent/heartbeat', { global_anchor: 7 })],
    () => [ex('POST /agent/heartbeat', { global_anchor: -1 })],
  ],
  [
    'client.limit.retry-after',
    () => [
      ex('GET /beat/anchor', undefined, { status: 429, alteration: 'rate-limited', reply: { retry_after_ms: 2_000 } }),
      ex('GET /beat/anchor', undefined, { atMs: 2_000 }),
    ],
    () => [
      ex('GET /beat/anchor', undefined, { status: 429, alteration: 'rate-limited', reply: { retry_after_ms: 2_000 } }),
      ex('GET /beat/anchor', undefined, { atMs: 1_900 }),
    ],
  ],
  [
    'client.refusal.no-repeat',
    () => [1, 2, 3].map(() => ex('POST /sigil', {}, refused('X'))),
    () => [1, 2, 3, 4].map(() => ex('POST /sigil', {}, refused('X'))),
  ],
  [
    'client.proof.count',
    () => [ex('POST /agent/beats/submit', { proof: { from_beat: 0, to_beat: 5, beats_computed: 5, spot_checks: [] } })],
    () => [ex('POST /agent/beats/submit', { from_beat: 0, to_beat: 5, beats_computed: 6, spot_checks: [] })],
  ],
  [
    'client.proof.end-shown',
    () => [ex('POST /agent/beats/submit', { to_beat: 5, spot_checks: [{ index: 5 }] })],
    () => [ex('POST /agent/beats/submit', { to_beat: 5, spot_checks: [{ index: 4 }] })],
  ],
  [
    'client.proof.checks',
    () => [ex('POST beats:/beat/work-proof', { work_proof: { beats_computed: 2, spot_checks: [1, 2] } })],
    () => [ex('POST beats:/beat/work-proof', { beats_computed: 9, spot_checks: [1, 2] })],
  ],
  [
    'client.proof.anchor-age',
    () => [
      ex('GET /beat/anchor', undefined, { alteration: 'stale-anchor', reply: { anchor: { hash: 'old' } } }),
      ex('POST beats:/beat/work-proof', { anchor_hash: 'new', spot_checks: [] }),
    ],
    () => [
      ex('GET /beat/anchor', undefined, { alteration: 'stale-anchor', reply: { anchor: { hash: 'old' } } }),
      ex('POST beats:/beat/work-proof', { anchor_hash: 'old', spot_checks: [] }),
    ],
  ],
  [
    'client.proof.true',
    () => [ex('POST beats:/beat/work-proof', { spot_checks: [] })],
    () => [
      ex('POST beats:/beat/work-proof', { spot_checks: [] }, { reply: { valid: false, reason: 'spot_check_failed' } }),
    ],
  ],
  [
    'client.proof.continues',
    () => [ex('POST /agent/beats/submit', {})],
    () => [ex('POST /agent/beats/submit', {}, refused('CHAIN_MISMATCH', 409))],
  ],
  [
    'client.receipt.once',
    () => [ex('POST /agent/spawn', { beats_receipt: 'r' })],
    () => [ex('POST /agent/resync', { beats_receipt: 'r' }), ex('POST /agent/spawn', { beats_receipt: 'r' })],
  ],
  [
    'client.receipt.intact',
    () => [
      ex('POST beats:/beat/work-proof', {}, { reply: { receipt: { a: 1 } } }),
      ex('POST /agent/spawn', { beats_receipt: { a: 1 } }),
    ],
    () => [
      ex('POST beats:/beat/work-proof', {}, { reply: { receipt: { a: 1 } } }),
      ex('POST /agent/spawn', { beats_receipt: { a: 2 } }),
    ],
  ],
  [
    'client.spawn.enough',
    () => [ex('POST /agent/spawn', { beats_receipt: 'r' })],
    () => [ex('POST /agent/spawn', { beats_receipt: 'r' }, refused('INSUFFICIENT_BEATS'))],
  ],
  [
    'client.spawn.finalized',
    () => [
      ex('POST /register', { spawn_authorization: 's' }, { reply: { hash: '0x2' } }),
      ex('POST /agent/spawn', { child_hash: '0x2' }),
    ],
    () => [ex('POST /register', { spawn_authorization: 's' }, { reply: { hash: '0x2' } })],
  ],
  [
    'client.frozen.silent',
    () => [ex('POST /agent/heartbeat', {}, refused('AGENT_FROZEN', 403)), ex('POST /agent/resync', {})],
    () => [
      ex('POST /agent/heartbeat', {}, refused('AGENT_FROZEN', 403)),
      ex('POST /agent/heartbeat', {}, refused('AGENT_FROZEN', 403)),
    ],
  ],
  [
    'client.frozen.recovers',
    () => [ex('POST /agent/heartbeat', {}, refused('AGENT_FROZEN', 403)), ex('POST /agent/resync', {})],
    () => [
      ex('POST /agent/heartbeat', {}, refused('AGENT_FROZEN', 403)),
      ex('POST /agent/resync', {}, refused('INVALID_RECEIPT', 402)),
    ],
  ],
  [
    'client.resync.frozen-only',
    () => [ex('POST /agent/resync', {})],
    () => [ex('POST /agent/resync', {}, refused('AGENT_WRONG_STATE', 409))],
  ],
  [
    'client.resync.nonce-once',
    () => [ex('POST /agent/resync', { challenge_nonce: 'n' })],
    () => [1, 2].map(() => ex('POST /agent/resync', { challenge_nonce: 'n' })),
  ],
  [
    'client.resync.enough',
    () => [ex('POST /agent/resync', { beats_receipt: 'r' })],
    () => [ex('POST /agent/resync', { beats_receipt: 'r' }, refused('INVALID_RECEIPT', 402))],
  ],
  [
    'client.sponsor.bounds',
    () => [ex('POST /agent/sponsor', { max_heartbeats_epoch: 10_000 })],
    () => [ex('POST /agent/sponsor', { max_heartbeats_epoch: 10_001 })],
  ],
  [
    'client.batch.size',
    () => [ex('POST /verify/batch', {})],
    () => [ex('POST /verify/batch', {}, refused('BATCH_TOO_LARGE'))],
  ],
  ['client.flag.reason', () => [ex('POST /agent/flag', {})], () => [ex('POST /agent/flag', {}, refused('VALIDATION'))]],
  ['client.replies.extra-fields', () => [born(), ex('POST /agent/init')], () => [born()]],
];

describe('the checklist of clients', () => {
  it('has at least 30 clauses, each with an id of its own and a sentence', () => {
    expect(clientClauses.length).toBeGreaterThanOrEqual(30);
    expect(new Set(clientClauses.map(({ id }) => id)).size).toBe(clientClauses.length);
    for (const { text, section } of clientClauses) {
      expect(text).toMatch(/^[A-Z_].+\.$|^beats_computed .+\.$|^global_anchor, .+\.$/);
      expect(section).toMatch(/^\d(\.\d+)?$/);
    }
  });

  it('sees nothing in nothing', () => {
    expect(judgeClient({ exchanges: [], exitStatus: 0 }).map(({ verdict }) => verdict)).toEqual(
      clientClauses.map(() => 'not-seen'),
    );
  });

  it.each(rows)('tells whether %s', (id, held, broken) => {
    expect(verdictOf(id, held())).toBe('held');
    expect(verdictOf(id, broken())).toBe('broken');
  });

  it('tells whether client.replies.alias-gone, by how the client ends', () => {
    const beat = () => [ex('POST /agent/heartbeat', {})];
    expect(verdictOf('client.replies.alias-gone', beat())).toBe('held');
    expect(verdictOf('client.replies.alias-gone', beat(), 1)).toBe('broken');
  });

  it('is tested whole', () => {
    const tested = [...rows.map(([id]) => id), 'client.replies.alias-gone'];
    expect(clientClauses.map(({ id }) => id).filter((id) => !tested.includes(id))).toEqual([]);
  });

  it('reports what fails first, with the request', () => {
    const verdicts = judgeClient({ exchanges: [ex('POST /agent/checkin', {}, { status: 410 })], exitStatus: 0 });
    const lines = clientReport(verdicts, 1).split('\n');
    expect(lines[0]).toBe('FAIL      client.path.retired (4.15)');
    expect(lines[2]).toMatch(/request \d+, POST \/api\/v1\/agent\/checkin \(410\): it calls the check-in/);
    expect(lines.at(-1)).toMatch(/^1 request: \d+ clauses pass, 1 fail, \d+ not seen$/);
  });
});
