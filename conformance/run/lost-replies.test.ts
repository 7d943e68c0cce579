// One reply that is lost, whichever it is, costs at most one check; replies that stay lost cost an offer, and not the run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, controlled, fake, json, local, pass, run } from '../../test/fixtures/fake-target.js';
import { type Judged, startJudged } from '../../test/fixtures/target.js';
import { once, type Session } from '../trial/session.js';
import { type Transport, TransportFailure, type WireRequest } from '../wire/transport.js';
import { conform } from './runner.js';

const lost = (): TransportFailure => new TransportFailure('broken', 'lost');

/** Loses the reply to the n-th request: the request too, or its reply only. */
function losing(inner: Transport, n: number, served: boolean): { send: Transport; readonly lost: () => string } {
  let sent = 0;
  let what = '';
  const send: Transport = async (request) => {
    sent += 1;
    if (sent !== n) return inner(request);
    what = `${request.method} ${new URL(request.url).pathname}`;
    if (served) await inner(request);
    throw lost();
  };
  return { send, lost: () => what };
}

describe('one lost reply', () => {
  let server: Judged;
  beforeAll(async () => {
    server = await startJudged('devnet', {});
  });
  afterAll(() => server.close());
  const only = ['heartbeat/own-wallet', 'heartbeat/too-soon'];
  const judged = (send: Transport, seed: number) =>
    conform(server.target, {
      seed,
      only,
      toolVersion: 'test',
      nowWallMs: Date.now,
      transport: send,
    });

  it('costs at most one check, with its request or after that was served', async () => {
    const seen = new Set<string>();
    // The questions of the run, of which those of init are alike, and what follows.
    const places = Array.from({ length: 42 }, (_, at) => at + 1).filter((n) => n < 8 || n % 4 === 0);
    for (const n of places) {
      const { send, lost } = losing(server.send, n, n % 2 === 0);
      const { summary, stopped } = await judged(send, n);
      seen.add(lost());
      expect({ n, lost: lost(), stopped, passed: summary.pass + summary.inconclusive }).toMatchObject({
        stopped: undefined,
        passed: 2,
      });
      expect(summary.inconclusive).toBeLessThan(2);
    }
    for (const path of [
      'GET /control/v1/capabilities',
      'POST /control/v1/clock/advance',
      'POST /api/v1/agent/init',
      'POST /api/v1/register',
    ])
      expect([...seen]).toContain(path);
  });
});

describe('replies that stay lost while the run gets to know its target', () => {
  const gone = (): never => {
    throw lost();
  };
  const probe = (answer: () => never | Promise<never>) => ({ 'GET /api/v1/.well-known/authority-key': answer });

  it.each([
    ['of the first route: the next is tried', probe(gone), local, undefined],
    ['of the sum of fees: it is not known', { 'GET /api/v1/fees/summary': gone }, local, undefined],
    [
      'of init: addresses are not counted on',
      { 'POST /api/v1/agent/init': gone },
      controlled,
      /whether the target tells clients apart failed/,
    ],
    [
      'of the capabilities: no clock is',
      { 'GET /control/v1/capabilities': gone },
      controlled,
      /the control API http:\/\/127\.0\.0\.1:2 gave no reply to GET capabilities/,
    ],
    [
      'of the clock: no clock is',
      { 'POST /control/v1/clock/advance': gone },
      controlled,
      /gave no reply to POST clock\/advance/,
    ],
  ] as const)('%s', async (_which, routes, target, reason) => {
    const needy = check('a/needy', async () => undefined, { needs: ['clock', 'client-ip'] });
    const answers = { 'POST /api/v1/register': () => json(400, { error: 'no' }), ...routes };
    const result = await run(target, [pass, needy], fake(answers).transport);
    expect([result.stopped, result.checks[0]?.verdict]).toEqual([undefined, 'pass']);
    const verdict = target === controlled && !('POST /api/v1/agent/init' in routes) ? 'inconclusive' : 'not-tested';
    if (reason !== undefined) expect(result.checks[1]).toMatchObject({ verdict, reason });
  });
});

it('what is asked once for all is asked again by another check that waited for it', async () => {
  const session = { once: new Map() } as unknown as Session;
  let asked = 0;
  const ask = async (): Promise<number> => {
    asked += 1;
    await Promise.resolve();
    if (asked === 1) throw lost();
    return asked;
  };
  const all = [1, 2, 3].map(() => once(session, 'x', ask));
  expect(await Promise.allSettled(all)).toMatchObject([{ status: 'rejected' }, { value: 2 }, { value: 2 }]);
});

it('a mismatch after a request that was sent twice is inconclusive, and the transcript has both', async () => {
  const resent = 'a connection was lost';
  const path = '/api/v1/thing';
  const answer = ({ method }: WireRequest) => ({
    ...json(409, { error: 'again' }),
    ...(method === 'POST' ? { resent } : {}),
  });
  const looks = check('a/look', async (t) => {
    const reply = await t.raw({ method: 'POST', path });
    t.shows('register.route').equal('status', reply.status, 200);
  });
  const { checks, exit_status } = await run(local, [looks], fake({ [`POST ${path}`]: answer }).transport);
  expect(exit_status).toBe(2);
  expect(checks[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/may have served the request twice/),
    transcript: [{ failure: `${resent}; sent again` }, { response: { status: 409 } }],
  });
});

it.each([
  [
    'to a base elsewhere',
    'https://there.example/base/api/v1/.well-known/authority-key',
    /give base_url: https:\/\/there\.example\/base$/,
  ],
  ['relative', '/other/api/v1/.well-known/authority-key', /give base_url: http:\/\/127\.0\.0\.1:1\/other$/],
  ['to a page', 'https://there.example/login', /Location https:\/\/there\.example\/login.*base_url has to be/],
  ['to itself', '/api/v1/.well-known/authority-key', /base_url has to be/],
])('a redirect %s says where to, and what base_url has to be', async (_what, location, says) => {
  const { transport } = fake({ 'GET /api/v1/.well-known/authority-key': () => json(308, {}, { location }) });
  const all: Transport = async (request) => ({
    ...(await transport(request)),
    ...(request.method === 'GET' ? {} : { body: 'no' }),
  });
  const routes: Transport = async (request) =>
    request.url.includes('fees') ? { status: 404, headers: {}, body: '' } : all(request);
  expect((await run(local, [pass], routes)).stopped).toMatch(says);
});

it('a byte order mark before JSON is read over, and reported as a decision that is not followed', async () => {
  const path = '/api/v1/thing';
  const answer = () => ({ ...json(200, {}), body: '\uFEFF{"a":1}' });
  const looks = check('a/look', async (t) => {
    t.shows('register.route').equal('a', (await t.raw({ method: 'GET', path })).get('a'), 1);
  });
  const { checks, findings, exit_status } = await run(local, [looks], fake({ [`GET ${path}`]: answer }).transport);
  expect([checks[0]?.verdict, exit_status]).toEqual(['pass', 0]);
  expect(findings).toMatchObject([{ level: 'decision', clauses: ['convention.no-byte-order-mark'] }]);
});

describe('an endpoint that breaks off', () => {
  const path = '/api/v1/agent/heartbeat';
  const beats = (id: string, ...clauses: readonly string[]) =>
    check(
      id,
      async (t) => {
        t.mustSucceed(await t.call('heartbeat', { key: 'k', body: {} }));
      },
      { clauses },
    );
  const all = [pass, ...['b/1', 'b/2', 'b/3'].map((id) => beats(id, 'fee.field.tier'))];

  it('every time is one finding that names it, and the checks that need it wait for it', async () => {
    const gone = () => {
      throw new TransportFailure('broken', 'with advice', 'the connection is closed');
    };
    const result = await run(local, all, fake({ [`POST ${path}`]: gone }).transport);
    expect(result.findings).toMatchObject([
      {
        id: 'no-reply-post-agent-heartbeat',
        clauses: ['heartbeat.route'],
        ...{ endpoint: `POST ${path}`, cause: 'no-reply', about: 'no reply', actual: 'the connection is closed' },
        checks: ['b/1', 'b/2', 'b/3'],
      },
    ]);
    expect([result.exit_status, result.summary.inconclusive]).toEqual([1, 0]);
    const why = { kind: 'no-reply', of: 'heartbeat' };
    // The first that met it fails, so that a reader of checks alone does not miss it.
    expect(result.checks.slice(1).map(({ verdict, why }) => [verdict, why])).toEqual([
      ['fail', why],
      ['not-tested', why],
      ['not-tested', why],
    ]);
  });

  it('once is no finding', async () => {
    let sent = 0;
    const once = () => {
      sent += 1;
      if (sent === 2) throw lost();
      return json(200, {});
    };
    const result = await run(local, all, fake({ [`POST ${path}`]: once }).transport);
    expect([result.findings.filter(({ cause }) => cause === 'no-reply'), result.summary.inconclusive]).toEqual([[], 1]);
  });
});

it('JSON under another Content-Type, or under none, is a note and no finding', async () => {
  const typed = (type: string | undefined) => () => ({
    ...json(200, { ok: true }),
    headers: type === undefined ? {} : { 'content-type': type },
  });
  const asks = check('a/asks', async (t) => {
    for (const id of ['heartbeat', 'sigil', 'init', 'spawn'] as const) await t.call(id, { key: 'k', body: {} });
    t.shows('register.route').equal('it', 1, 1);
  });
  const routes = {
    'POST /api/v1/agent/heartbeat': typed('text/plain; charset=utf-8'),
    'POST /api/v1/sigil': typed('text/plain; charset=utf-8'),
    'POST /api/v1/agent/init': typed(undefined),
    'POST /api/v1/agent/spawn': typed('application/problem+json; charset=utf-8'),
  };
  const { notes, exit_status, checks } = await run(local, [asks], fake(routes).transport);
  expect([checks[0]?.verdict, exit_status]).toEqual(['pass', 0]);
  const unread = ': clients that go by Content-Type do not read it';
  expect(notes?.toSorted()).toEqual([
    `JSON comes as Content-Type text/plain; charset=utf-8 from POST /api/v1/agent/heartbeat and 1 more${unread}`,
    `JSON comes without a Content-Type from POST /api/v1/agent/init${unread}`,
  ]);
});
