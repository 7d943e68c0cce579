import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../reports/conformance-result.js';
import { jsonSchemas } from '../../reports/schemas.js';
import { advisory, check, fail, fake, local, pass, run } from '../../test/fixtures/fake-target.js';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { Unjudged } from '../assertions/unjudged.js';
import { mergedResult, runsOf } from './result.js';

const ROUTE = 'register.route';
const untested = check('a/pass', () => Promise.reject(new Unjudged('not-tested', 'no clock')));
/** It is about one clause, and meets a deviation from another on its way. */
const passing = check('a/passing', async (t) => {
  t.shows(ROUTE).equal('it', 1, 1);
  t.alsoShows('init.route').equal('the question', 'why', 'what');
});

const judge = (...checks: (typeof pass)[]): Promise<ConformanceResult> => run(local, checks, fake().transport);
const clauseOf = ({ clauses }: ConformanceResult, id: string) => clauses.find((one) => one.id === id);

describe('the result of a run', () => {
  it('is of version 2, and as its schema has it', async () => {
    const result = await judge(pass, fail, advisory);
    expect(result.schema).toBe('aips-lab/conformance/2');
    expect(schemaFaults(jsonSchemas().conformance, result)).toEqual([]);
    for (const one of result.checks)
      for (const gone of ['curl', 'holds', 'fails']) expect(one).not.toHaveProperty(gone);
  });

  it('counts clauses of the text and of decisions apart', async () => {
    const { summary, exit_status } = await judge(pass, advisory);
    expect(summary.clauses.must).toMatchObject({ judged: 1, hold: 1, fail: 0 });
    expect(summary.clauses.decision).toMatchObject({ judged: 1, hold: 0, fail: 1 });
    expect([summary.pass, summary.advisory, exit_status]).toEqual([1, 1, 0]);
  });

  it('fails one of the checks that met a deviation in passing, where no check about it did', async () => {
    const result = await judge(passing, check('b/passing', passing.run));
    expect(result.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['a/passing', 'fail'],
      ['b/passing', 'pass'],
    ]);
    expect(result.findings).toMatchObject([{ clauses: ['init.route'], checks: ['a/passing', 'b/passing'] }]);
    expect(result.exit_status).toBe(1);
  });

  it('fails for a decision only where the run is strict', async () => {
    const strict = await run(local, [pass, advisory], fake().transport, { strict: true });
    expect([strict.exit_status, strict.summary.fail]).toEqual([1, 1]);
  });

  it('asks for a share of the must clauses, whatever is judged of decisions', async () => {
    const { must } = (await judge(pass)).summary.clauses;
    const percent = (100 * must.judged) / must.total;
    const of = async (requireJudged: number) =>
      (await run(local, [pass, advisory], fake().transport, { requireJudged })).exit_status;
    expect([await of(percent), await of(percent + 0.01)]).toEqual([0, 2]);
  });
});

describe('runs of several configurations as one', () => {
  const merged = (...runs: [ConformanceResult, ...ConformanceResult[]]) =>
    mergedResult(runs, [pass, fail], { target: 'both' });

  it('judge a clause by the evidence of all', async () => {
    const [one, other] = [await judge(untested), await judge(pass)];
    expect(clauseOf(one, ROUTE)).toMatchObject({ state: 'not-judged', reason: 'no clock' });
    const result = merged(one, other);
    expect(result).toMatchObject({ target: { base_url: 'both' }, exit_status: 0, summary: { pass: 1, not_tested: 0 } });
    expect(clauseOf(result, ROUTE)?.state).toBe('holds');
    expect(result.requests).toBe(one.requests + other.requests);
  });

  it('keep a finding of either, with its transcript', async () => {
    const failed = await judge(fail);
    const result = merged(await judge(pass), failed);
    expect(result.findings).toEqual(failed.findings);
    expect(result.exit_status).toBe(1);
  });

  it('count decisions where they are strict', async () => {
    const runs: [ConformanceResult] = [await judge(pass, advisory)];
    const checks = [pass, advisory];
    expect(mergedResult(runs, checks, { target: 'x' }).exit_status).toBe(0);
    expect(mergedResult(runs, checks, { target: 'x', strict: true }).exit_status).toBe(1);
  });

  it('give back what each check saw', async () => {
    const result = await judge(fail, passing);
    const evidence = runsOf(result).map(({ id, evidence: own }) => [
      id,
      own.map(({ clauses, ok }) => [clauses[0], ok]),
    ]);
    expect(evidence).toEqual([
      ['a/fail', [[ROUTE, false]]],
      [
        'a/passing',
        [
          [ROUTE, true],
          ['init.route', false],
        ],
      ],
    ]);
  });
});
