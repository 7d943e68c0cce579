import { describe, expect, it } from 'vitest';
import type { Cause } from '../../spec/causes.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { findingIdOf, findingsOf } from './findings.js';
import type { CheckRun } from './record.js';

const against: SeenEvidence = {
  clauses: ['fee.field.tier'],
  level: 'must',
  n: 2,
  endpoint: 'POST /api/v1/agent/heartbeat',
  about: 'fee.tier',
  ok: false,
  expected: 'a number',
  actual: '"1"',
};
const exchange = { request: { method: 'POST', url: 'http://x/', headers: {} } };

function ran(id: string, ...evidence: readonly SeenEvidence[]): CheckRun {
  const base = { id, title: id, clauses: [], level: 'must', wall_ms: 1, verdict: 'pass' } as const;
  return { ...base, transcript: () => [], evidence: evidence.map((one) => ({ ...one, exchange })), withheld: [] };
}

describe('findings', () => {
  it('are one for a deviation that many checks met, with what the first of them saw', () => {
    const later = { ...against, actual: '"2"', n: 9 };
    expect(findingsOf([ran('a/1', against), ran('a/2', later, later)])).toEqual([
      {
        id: 'fee.field.tier-post-agent-heartbeat-fee.tier',
        clauses: ['fee.field.tier'],
        level: 'must',
        endpoint: 'POST /api/v1/agent/heartbeat',
        about: 'fee.tier',
        expected: 'a number',
        actual: '"1"',
        checks: ['a/1', 'a/2'],
        transcript: [exchange],
      },
    ]);
  });

  it('are several where endpoint, field, clauses or level differ', () => {
    const others: readonly Partial<SeenEvidence>[] = [
      { endpoint: 'POST /api/v1/sigil' },
      { about: 'fee.amount_sol' },
      { clauses: ['fee.field.amount-sol'] },
      { clauses: ['fee.amount-sol.decimal'], level: 'decision' },
    ];
    const evidence = [against, ...others.map((other) => ({ ...against, ...other }))];
    expect(findingsOf([ran('a/1', ...evidence)])).toHaveLength(5);
  });

  it('stand behind the one that each of their checks had met before, and say so', () => {
    const early = { ...against, n: 1, about: 'hash', clauses: ['agent.field.hash'], endpoint: 'POST /api/v1/register' };
    const apart = { ...against, about: 'sigil', clauses: ['sigil.reply'] };
    const found = findingsOf([
      ran('a/1', early, against),
      ran('a/2', early, against),
      ran('a/3', early),
      ran('a/4', apart),
    ]);
    expect(found.map(({ about, follows }) => [about, follows])).toEqual([
      ['hash', undefined],
      ['fee.tier', found[0]?.id],
      ['sigil', undefined],
    ]);
    const decided = findingsOf([
      ran('a/1', early, { ...against, level: 'decision', clauses: ['fee.amount-sol.decimal'] }),
    ]);
    expect(decided.map(({ follows }) => follows)).toEqual([undefined, undefined]);
    // One check that met it first by itself is enough to make it a cause.
    const alone = findingsOf([ran('a/1', early, against), ran('a/2', { ...early, n: 3 }, against)]);
    expect(alone.map(({ follows }) => follows)).toEqual([undefined, undefined]);
  });

  it('are one for the status of a reply and for the refusal that it should be', () => {
    const status = { ...against, about: 'status', clauses: ['heartbeat.interval.min'], actual: '200' };
    const refusal = { ...status, about: 'too soon', clauses: ['heartbeat.error.too-soon', 'heartbeat.interval.min'] };
    expect(findingsOf([ran('a/1', status, refusal)]).map(({ clauses }) => clauses)).toEqual([
      ['heartbeat.interval.min', 'heartbeat.error.too-soon'],
    ]);
    expect(findingsOf([ran('a/1', status, { ...refusal, n: 3 })])).toHaveLength(2);
  });

  it('do not depend on the order in which an assertion names its clauses', () => {
    const [one, other] = [
      ['a.b', 'c.d'],
      ['c.d', 'a.b'],
    ].map((clauses) => ({ ...against, clauses }));
    expect(one && other && findingsOf([ran('a/1', one), ran('a/2', other)])).toHaveLength(1);
  });

  it('stand against the text first, and by how many checks met them', () => {
    const rare = { ...against, about: 'rare' };
    const decided = { ...against, about: 'decided', level: 'decision' as const };
    const runs = [ran('a/1', decided, rare, against), ran('a/2', decided, against), ran('a/3', decided)];
    expect(findingsOf(runs).map(({ about, checks }) => [about, checks.length])).toEqual([
      ['fee.tier', 2],
      ['rare', 1],
      ['decided', 3],
    ]);
  });

  it('are one for what a whole service has not, at whatever endpoints and against whatever clauses', () => {
    const code = { ...against, about: 'code', actual: 'nothing in 400 {}', absent: true } as const;
    const decided = {
      ...code,
      clauses: ['flag.error.x'],
      endpoint: 'POST /api/v1/agent/flag',
      level: 'decision',
    } as const;
    const bound = { ...code, clauses: ['sigil.error.validation'], endpoint: 'POST /api/v1/sigil' };
    const { absent: _, ...there } = code;
    const other = { ...there, actual: '"BROKEN"' };
    const found = findingsOf([ran('a/1', decided), ran('a/2', bound, other), ran('a/3', code)]);
    expect(found.map(({ id, level, clauses, endpoint, checks }) => ({ id, level, clauses, endpoint, checks }))).toEqual(
      [
        {
          id: 'errors-without-code',
          level: 'must',
          clauses: ['sigil.error.validation', 'flag.error.x', 'fee.field.tier'],
          endpoint: 'POST /api/v1/sigil and 2 more',
          checks: ['a/1', 'a/2', 'a/3'],
        },
        {
          id: 'fee.field.tier-post-agent-heartbeat-code',
          level: 'must',
          clauses: ['fee.field.tier'],
          endpoint: 'POST /api/v1/agent/heartbeat',
          checks: ['a/2'],
        },
      ],
    );
    expect(found[0] && findingIdOf(found[0])).toBe('errors-without-code');
  });

  it.each([
    ['lookups-without-limit', 'limit.status', 'limit.beat-key', 'the request over the limit', '200 {}', 'effect'],
    ['server-error-on-bad-json', 'error.invalid-json', 'error.invalid-json', 'status', '500 {}', 'server-error'],
  ] as const)('are one for %s', (id, clause, another, about, actual, cause) => {
    const one = { ...against, level: 'decision' as const, clauses: [clause], about, actual, cause };
    const two = { ...one, clauses: [another], endpoint: 'GET /api/v1/other' };
    expect(findingsOf([ran('a/1', one), ran('a/2', two)]).map((found) => [found.id, found.checks])).toEqual([
      [id, ['a/1', 'a/2']],
    ]);
    expect(findingsOf([ran('a/1', { ...one, clauses: ['limit.flag.ip'] })])[0]?.id).not.toBe(id);
  });

  it('are in the order in which to fix them: no reply, 5xx, a refused good request, a missing effect, a field; then by stage', () => {
    const of = (cause: Cause, endpoint: string, about: string = cause): SeenEvidence => ({
      ...against,
      cause,
      endpoint,
      about,
      clauses: [`${cause} ${about}`],
    });
    const found = findingsOf([
      ran('partner-webhook/event', of('effect', '', 'the delivery')),
      ran('heartbeat/1', of('effect', 'POST /api/v1/agent/heartbeat')),
      ran('heartbeat/2', of('field', 'POST /api/v1/register')),
      ran('heartbeat/3', of('field', 'POST /api/v1/register')),
      ran('sigil/1', of('refused', 'POST /api/v1/sigil')),
      ran('sigil/2', of('refused', 'POST /api/v1/agent/init', 'again')),
      ran('wallet/1', of('server-error', 'POST /api/v1/agent/wallet')),
      ran('flag/1', of('no-reply', 'POST /api/v1/agent/flag')),
    ]);
    expect(found.map(({ endpoint, about }) => [endpoint.replace('/api/v1', ''), about])).toEqual([
      ['POST /agent/flag', 'no reply'],
      ['POST /agent/wallet', 'an error of the server'],
      ['POST /agent/init', 'again'],
      ['POST /sigil', 'refused'],
      ['POST /agent/heartbeat', 'effect'],
      ['', 'the delivery'],
      ['POST /register', 'field'],
    ]);
  });

  it('are one for each endpoint that fails, and one for all of three that fail alike', () => {
    const failed = (endpoint: string, body: string, about = 'status'): SeenEvidence => ({
      ...against,
      ...{ cause: 'server-error', endpoint: `POST /api/v1/${endpoint}`, about, clauses: [`${endpoint} ${about}`] },
      exchange: { ...exchange, response: { status: 500, headers: {}, body } },
    });
    const own = (id: string, ...seen: readonly SeenEvidence[]): CheckRun => ({ ...ran(id), evidence: seen });
    const two = [
      own('a/1', failed('sigil', 'no')),
      own('a/2', failed('sigil', 'no', 'another')),
      own('a/3', failed('agent/init', 'no')),
    ];
    expect(findingsOf(two).map(({ id, checks }) => [id, checks])).toEqual([
      ['server-error-post-agent-init', ['a/3']],
      ['server-error-post-sigil', ['a/1', 'a/2']],
    ]);
    const three = ['sigil', 'agent/init', 'agent/flag'].map((at, n) =>
      own(`a/${n}`, failed(at, `POST /${at}: id ${n}7`)),
    );
    expect(findingsOf([...three, own('b/1', failed('agent/wallet', 'other'))])).toMatchObject([
      { about: 'an error of the server', endpoint: 'POST /api/v1/agent/wallet' },
      {
        endpoint: 'POST /api/v1/sigil and 2 more',
        endpoints: ['POST /api/v1/sigil', 'POST /api/v1/agent/init', 'POST /api/v1/agent/flag'],
        checks: ['a/0', 'a/1', 'a/2'],
      },
    ]);
  });

  it('are none of what holds', () => {
    expect(findingsOf([ran('a/1', { ...against, ok: true })])).toEqual([]);
  });

  it('are apart where a baseline excuses them in one check and not in another', () => {
    const known = { reason: 'r', expires: '2026-12-31' };
    const excuseOf = (_: unknown, check: string) => (check === 'a/1' ? known : undefined);
    const found = findingsOf([ran('a/1', against), ran('a/2', against)], excuseOf);
    expect(found.map((one) => [one.id, one.checks, one.known])).toEqual([
      ['fee.field.tier-post-agent-heartbeat-fee.tier', ['a/1'], known],
      ['fee.field.tier-post-agent-heartbeat-fee.tier-2', ['a/2'], undefined],
    ]);
    expect(findingIdOf(against)).toBe('fee.field.tier-post-agent-heartbeat-fee.tier');
  });
});
