import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONTROL_TOKEN, Deployment, sendRaw, type TestAgent } from '../../../test/fixtures/http.js';
import { beatsRoutes, registryRoutes } from './routes.js';

/** Requests that are right, nearly right, or nonsense. */
interface Fuzzed {
  readonly app: 'registry' | 'beats' | 'control';
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

let deployment: Deployment;
let agent: TestAgent;

beforeAll(async () => {
  const many = { count: 1_000_000 };
  deployment = await Deployment.start({
    overlay: {
      limits: { register: many, registerWalletFlow: many, heartbeat: many, sigil: many, resyncReceipt: many },
    },
  });
  agent = await deployment.agent();
});
afterAll(() => deployment.close());

const controlPaths = [
  '/control/v1/capabilities',
  '/control/v1/clock/advance',
  '/control/v1/ledger/wallets',
  '/control/v1/ledger/transfers',
  '/control/v1/anchors/stall',
  '/control/v1/agents/:hash/revoke-key',
  '/control/v1/fingerprint',
];
const known = {
  registry: registryRoutes.map(({ endpoint }) => endpoint.path),
  beats: beatsRoutes.map(({ endpoint }) => endpoint.path),
  control: controlPaths,
} as const;

const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
/** Text without the characters that would end a request line or a header. */
const lineText = fc.string({ unit: 'binary-ascii', maxLength: 60 }).map((text) => text.replace(/[\0-\x20\x7f]/g, '~'));
const hash = fc.oneof(
  hex(64).map((digits) => `0x${digits}`),
  hex(63).map((digits) => `0x${digits}`),
  lineText,
  fc.constant('%'),
  fc.constant('%E0%A4%A'),
);

const path = (app: Fuzzed['app']): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(fc.constantFrom(...known[app]), hash).map(([at, own]) => at.replace(':hash', own)),
    },
    { weight: 1, arbitrary: lineText.map((text) => `/${text}`) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...known[app]), lineText).map(([at, text]) => at + text) },
  );

const fieldNames =
  'name metadata action wallet_model wallet_chain wallet_public_key wallet_nonce wallet_signature wallet_address parent spawn_authorization payment_tx global_anchor identity_class principal tier beats_receipt challenge_nonce proof work_proof from_hash to_hash beats_computed difficulty anchor_hash anchor_index spot_checks ms anchors address lamports from to status on seed __proto__ constructor toString';
const plausible = fc.oneof(
  fc.constantFrom(
    'challenge',
    'prove',
    'operator',
    'ethereum',
    'solana',
    'narrow_task',
    'org',
    'acme',
    'auto',
    'confirmed',
  ),
  fc.constantFrom(0, 1, -1, 0.5, 1_000, 2 ** 53, -(2 ** 53), 1e308, true, false, null),
  hex(64),
  hex(128),
  fc.jsonValue({ maxDepth: 3 }),
);
const fields = fc.dictionary(fc.constantFrom(...fieldNames.split(' ')), plausible, {
  maxKeys: 8,
  noNullPrototype: false,
});
const workProof = fc.record({
  work_proof: fc.record({
    from_hash: hex(64),
    to_hash: hex(64),
    beats_computed: fc.nat(20_000),
    difficulty: fc.constantFrom(0, 99, 100, 5_000, 5_001),
    anchor_hash: hex(64),
    anchor_index: fc.nat(3),
    spot_checks: fc.array(fc.record({ index: fc.nat(), hash: hex(64), prev: hex(64) }), { maxLength: 30 }),
  }),
});
const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: fields.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 2, arbitrary: workProof.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 40_000 }).map((depth) => Buffer.from(`{"a":${'['.repeat(depth)}`)),
  },
);

const headers: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant('the key') },
      { weight: 1, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: lineText.map((text) => `Authorization: ${text}`) },
      { weight: 1, arbitrary: lineText.map((text) => `Authorization: Bearer pvn_${text}.00`) },
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('Content-Type: application/json') },
      { weight: 1, arbitrary: lineText.map((text) => `Content-Type: ${text}`) },
      { weight: 1, arbitrary: fc.constant('Content-Type: application/json\r\nContent-Encoding: gzip') },
    ),
    fc.oneof(fc.ipV4(), fc.ipV6(), lineText).map((text) => `X-Forwarded-For: ${text}`),
    fc.oneof(
      fc.constant(''),
      lineText.map((text) => `x-registration-token: ${text}`),
    ),
  )
  .map((lines) => lines.filter((line) => line !== ''));

const fuzzed: fc.Arbitrary<Fuzzed> = fc
  .constantFrom('registry', 'registry', 'registry', 'beats', 'control' as const)
  .chain((app) =>
    fc.record({
      app: fc.constant(app),
      method: fc.constantFrom(
        'POST',
        'POST',
        'POST',
        'GET',
        'GET',
        'HEAD',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'TRACE',
      ),
      path: path(app),
      headers,
      body,
    }),
  );

function bytesOf({ app, method, path, headers, body }: Fuzzed): Buffer {
  const key = app === 'control' ? CONTROL_TOKEN : agent.apiKey;
  const own = headers.map((line) => (line === 'the key' ? `Authorization: Bearer ${key}` : line));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Content-Length: ${body.length}`,
    ...own,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

describe('whatever is sent', () => {
  it('is answered in time, in JSON, and never by a bug of ours', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fuzzed, async (one) => {
        const reply = await sendRaw(deployment.port(one.app), bytesOf(one));
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        expect(reply.status).toBeGreaterThanOrEqual(200);
        expect(reply.status).toBeLessThan(500);
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
        if (one.method === 'HEAD') expect(reply.text).toBe('');
        else expect(deployment.faultOf(one, reply)).toBeNull();
      }),
      { seed: 20_260_101, numRuns: 700 },
    );
    // This deployment writes no memos: a server of an earlier test in this process may still give up on one.
    const own = shown.mock.calls.filter(([text]) => !String(text).startsWith('the memo '));
    expect(own).toEqual([]);
    shown.mockRestore();
    // Every kind of status occurs, so the requests do not all fail early.
    for (const status of [200, 400, 401, 404, 405, 415])
      expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(5);
  });

  it('leaves a state that still answers and has a fingerprint', async () => {
    expect((await deployment.get(`/verify/${agent.hash}`)).status).toBe(200);
    expect((await deployment.control('GET', '/fingerprint')).body.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
