import { describe, expect, it } from 'vitest';
import { clauseById } from '../../spec/clauses/index.js';
import { type EndpointId, endpointIds, routeClauseOf } from '../../spec/endpoint-ids.js';
import { type Answer, check, fake, json, local, run } from '../../test/fixtures/fake-target.js';
import { Reply } from '../assertions/reply.js';
import { Presence, tried, UNKNOWN_PATH } from './presence.js';

const STATUS = `/api/v1/status/0x${'0'.repeat(64)}`;
const params = { hash: `0x${'0'.repeat(64)}` };
const nowhere: Answer = ({ method, url }) => ({
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: `<pre>Cannot ${method} ${new URL(url).pathname}</pre>`,
});

/** A check that asks for a status, and one that is another's and needs it. */
const own = check(
  'status/reply',
  async (t) => {
    t.accepted(await t.call('status', { params }), 'status.purpose');
  },
  { clauses: ['status.route', 'status.purpose'] },
);
const other = check(
  'dms/other',
  async (t) => void t.shows('dms.freeze').field(await t.call('status', { params }), 'status', 'b'),
  { clauses: ['dms.freeze'] },
);

const found = async (answers: Readonly<Record<string, Answer>>, checks = [own, other], more = {}) =>
  run({ ...local, ...more }, checks, fake(answers).transport, { unprobed: true });

describe('an endpoint that is not there', () => {
  it.each([
    ['express', nowhere, nowhere],
    ['a JSON handler', () => json(404, { error: 'Not found' }), () => json(404, { error: 'Not found' })],
    [
      'one that repeats the path',
      () => json(404, { message: `Route GET:${STATUS} not found`, statusCode: 404 }),
      () => json(404, { message: `Route GET:${UNKNOWN_PATH} not found`, statusCode: 404 }),
    ],
    ['another method', () => json(405, { error: 'no' }), nowhere],
    ['a stub', () => json(501, { error: 'later' }), nowhere],
  ] as const)('is told by %s: one check fails, the others need it', async (_, status, unknown) => {
    const result = await found({ [`GET ${STATUS}`]: status, [`GET ${UNKNOWN_PATH}`]: unknown });
    const [first, second] = result.checks;
    expect(first).toMatchObject({ verdict: 'fail', about: 'GET /api/v1/status/:hash' });
    expect(second).toMatchObject({
      verdict: 'not-tested',
      reason: 'needs GET /api/v1/status/:hash, which the target does not serve',
    });
    expect(result.not_served).toEqual([
      {
        endpoint: 'status',
        method: 'GET',
        path: '/api/v1/status/:hash',
        section: expect.any(String),
        stem: 'status',
        checks: 1,
      },
    ]);
    expect(result.exit_status).toBe(1);
    const states = result.clauses.filter(({ state }) => state !== 'not-judged' && state !== 'excluded');
    expect(states.map(({ id, state }) => [id, state])).toEqual([['status.route', 'fails']]);
  });

  it('is not told by a 404 that differs from that of an unknown path: that is a failure', async () => {
    const answers = {
      [`GET ${STATUS}`]: () => json(404, { error: 'no such agent' }),
      [`GET ${UNKNOWN_PATH}`]: nowhere,
    };
    const result = await found(answers);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    expect(result.not_served).toBeUndefined();
  });

  it('is there when it answers another request, and the one that it did not is a failure', async () => {
    let asked = 0;
    const status: Answer = (request) => (asked++ === 0 ? nowhere(request) : json(200, { status: 'b' }));
    const result = await found({ [`GET ${STATUS}`]: status }, [
      other,
      check('dms/more', other.run, { clauses: other.clauses }),
    ]);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    expect(result.checks[0]).toMatchObject({ expected: 'an answer, as other requests got' });
    expect(result.not_served).toBeUndefined();
  });

  it('fails the run although no check of its own was chosen, unless the target file declares it', async () => {
    const answers = { [`GET ${STATUS}`]: nowhere };
    const pass = check('a/pass', async () => {});
    expect((await found(answers, [pass, other])).exit_status).toBe(1);
    const declared = await found(answers, [pass, own, other], { unsupported: ['status'] });
    expect(declared.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'not-applicable', 'not-tested']);
    expect(declared).toMatchObject({ exit_status: 0 });
    expect(declared.not_served).toBeUndefined();
  });

  it('leaves what a check has shown before standing', async () => {
    const shows = check('dms/shows', async (t) => {
      t.shows('dms.freeze').equal('x', 1, 1);
      await t.call('status', { params });
    });
    const result = await found({ [`GET ${STATUS}`]: nowhere }, [{ ...shows, clauses: ['dms.freeze', 'dms.stalled'] }]);
    // No check of the endpoint was chosen: the one that needed it says that it is not there.
    expect(result.checks[0]).toMatchObject({ verdict: 'fail', about: 'GET /api/v1/status/:hash: existence' });
    expect(result.clauses.find(({ id }) => id === 'dms.freeze')?.state).toBe('holds');
    expect(result.clauses.find(({ id }) => id === 'status.route')?.state).toBe('fails');
    expect(result.coverage).toMatchObject({ judged: 2, held: 1 });
  });
});

it.each([
  ['not there', [501]],
  ['not there, as 400 may come from a validator before an empty handler', [400, 501]],
  ['not there, as 401 says nothing', [400, 401, 400, 501]],
  ['there', [200, 501]],
  ['there', [400, 200, 400, 501]],
  ['there', [400, 404]],
] as const)('an endpoint is %s: %j', async (is, statuses) => {
  const presence = new Presence();
  for (const status of statuses)
    await tried(() =>
      presence.note(new Reply('POST x', status, {}, '{}', 'sigil'), async () => Promise.reject(status)),
    );
  expect(presence.unservedBy('sigil') === undefined ? 'there' : 'not there').toBe(is.slice(0, is.indexOf('there') + 5));
  expect(presence.isServed('sigil')).toBe(is === 'there');
});

it('every endpoint has a clause that says that it exists', () => {
  for (const id of endpointIds) expect(clauseById(routeClauseOf(id)).text).toMatch(/^(GET|POST|PUT|PATCH|DELETE) /);
});

it('a reply without a field ends the check that needs it, and names a decision where that alone shows the field', () => {
  const reply = (id: EndpointId): Reply => new Reply('POST x', 200, {}, '{"genesis":{}}', id);
  for (const [id, field] of [
    ['init', 'agent_hash'],
    ['init', 'genesis.hash'],
    ['register', 'nonce'],
  ] as const)
    expect(() => reply(id).string(field)).toThrow(/^needs [\w.]+ of POST x, a string, and got nothing$/);
  expect(() => reply('status').string('status')).toThrow('and got nothing: D-19 is not followed');
});
