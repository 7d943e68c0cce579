import { describe, expect, it } from 'vitest';
import type { ConformanceResult, Verdict } from '../../results/conformance-result.js';
import { jsonSchemas } from '../../results/schemas.js';
import { advisory, check, fail, fake, local, pass, record, run } from '../../test/fixtures/fake-target.js';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { Check } from '../trial/check.js';
import { conclude } from './conclude.js';
import type { RunRecord } from './record.js';

const ROUTE = 'register.route';
const untested = check('a/pass', () => Promise.reject(new Unjudged('not-tested', 'no clock')));
/** It is about one clause, and meets a deviation from another on its way. */
const passing = check('a/passing', async (t) => {
  t.shows(ROUTE).equal('it', 1, 1);
  t.shows('init.route').equal('the question', 'why', 'what');
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

  it('of a quick run has one check a clause, and counts those that it spared', async () => {
    const again = { ...pass, id: 'a/again' };
    const quick = { quick: true } as const;
    const result = await run(local, [pass, again, advisory], fake().transport, quick);
    expect(result.checks.map(({ id }) => id)).toEqual(['a/pass', 'a/advisory']);
    expect(result).toMatchObject({ mode: 'quick', spared: 1 });
    const judged = new Set(result.clauses.filter(({ state }) => state !== 'not-judged').map(({ id }) => id));
    const rest = await run(local, [pass, again], fake().transport, { ...quick, judged });
    expect([rest.checks.length, rest.spared]).toEqual([0, 2]);
    expect(await run(local, [pass, again], fake().transport)).not.toHaveProperty('mode');
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

const recorded = (...checks: readonly Check[]): Promise<RunRecord> => record(local, checks, fake().transport);

describe('runs against several deployments, as one', () => {
  const merged = (...records: [RunRecord, ...RunRecord[]]) =>
    conclude(records, { checks: [pass, fail], target: 'both' });

  it('judge a clause by the evidence of all', async () => {
    const [one, other] = [await recorded(untested), await recorded(pass)];
    expect(clauseOf(merged(one), ROUTE)).toMatchObject({ state: 'not-judged', reason: 'no clock' });
    const result = merged(one, other);
    expect(result).toMatchObject({ target: { base_url: 'both' }, exit_status: 0, summary: { pass: 1, not_tested: 0 } });
    expect(clauseOf(result, ROUTE)?.state).toBe('holds');
    expect(result).not.toHaveProperty('repeat');
    expect(result.requests).toBe(one.requests + other.requests);
  });

  it('keep a finding of either, with its transcript', async () => {
    const failed = await recorded(fail);
    const result = merged(await recorded(pass), failed);
    expect(result.findings).toEqual(merged(failed).findings);
    expect(result.exit_status).toBe(1);
  });

  it('exclude a clause only where each of them does', async () => {
    const [one] = (await recorded(pass)).clauses;
    const excluding = async (): Promise<RunRecord> => {
      const run = await recorded(pass);
      return {
        ...run,
        clauses: run.clauses.map((each) => (each === one ? { ...each, excluded: 'no such thing' } : each)),
      };
    };
    const stateIn = ({ clauses }: ConformanceResult) => clauses[0]?.state;
    expect(stateIn(merged(await excluding(), await excluding()))).toBe('excluded');
    expect(stateIn(merged(await excluding(), await recorded(pass)))).toBe('not-judged');
  });

  it('count decisions where they are strict', async () => {
    const records = [await recorded(pass, advisory)] as const;
    const checks = [pass, advisory];
    expect(conclude(records, { checks }).exit_status).toBe(0);
    expect(conclude(records, { checks, strict: true }).exit_status).toBe(1);
  });
});

const CLAUSES = [ROUTE, 'clock.billing-epoch'];

/** A check that ends as told. */
function ending(verdict: Verdict, seed: number): Check {
  return check(
    'a/1',
    async (t) => {
      if (verdict === 'not-tested' || verdict === 'inconclusive') throw new Unjudged(verdict, `in run ${seed}`);
      if (verdict === 'error') throw new Error(`in run ${seed}`);
      t.shows(ROUTE).equal(`in run ${seed}`, verdict === 'fail' ? 1 : 2, 2);
      t.shows('clock.billing-epoch').equal('the epoch', verdict === 'advisory' ? 1 : 2, 2);
    },
    { clauses: CLAUSES },
  );
}

const seeded = (seed: number, verdict: Verdict): Promise<RunRecord> =>
  record(local, [ending(verdict, seed)], fake().transport, { seed });
const A = { checks: [ending('pass', 0)] };

describe('runs with successive seeds, as one', () => {
  it.each<[Verdict[], Verdict, 0 | 1 | 2, boolean]>([
    [['pass', 'pass', 'pass'], 'pass', 0, false],
    [['fail', 'fail', 'fail'], 'fail', 1, false],
    [['pass', 'fail', 'pass'], 'fail', 1, true],
    [['pass', 'advisory', 'pass'], 'advisory', 1, true],
    [['advisory', 'advisory', 'advisory'], 'advisory', 0, false],
    [['inconclusive', 'pass', 'pass'], 'inconclusive', 1, true],
    [['error', 'error', 'error'], 'error', 2, false],
    [['pass', 'not-tested', 'pass'], 'pass', 0, false],
    [['not-tested', 'not-tested', 'not-tested'], 'not-tested', 2, false],
  ])('%j: %s, exit status %i, flaky %s', async (verdicts, verdict, status, flaky) => {
    const records = await Promise.all(verdicts.map((one, index) => seeded(5 + index, one)));
    const result = conclude(records as [RunRecord, ...RunRecord[]], A);
    expect(result).toMatchObject({ seed: 5, repeat: 3, exit_status: status });
    expect(result.checks.map((one) => [one.verdict, one.flaky !== undefined])).toEqual([[verdict, flaky]]);
  });

  it('name the seed of each verdict, and add up what the runs took', async () => {
    const records = [await seeded(5, 'pass'), await seeded(6, 'fail')] as const;
    const result = conclude(records, A);
    expect(result.checks[0]).toMatchObject({
      about: 'in run 6',
      flaky: [
        { seed: 5, verdict: 'pass' },
        { seed: 6, verdict: 'fail' },
      ],
    });
    expect(result.requests).toBe(records[0].requests + records[1].requests);
    expect(clauseOf(result, ROUTE)?.state).toBe('fails');
    expect(result.findings).toMatchObject([{ clauses: [ROUTE], about: 'in run 6' }]);
  });

  it('merge the deployments of a seed before they compare seeds', async () => {
    const records = [await seeded(5, 'not-tested'), await seeded(5, 'pass'), await seeded(6, 'pass')] as const;
    expect(conclude(records, A)).toMatchObject({ repeat: 2, exit_status: 0, checks: [{ verdict: 'pass' }] });
  });

  it.each([
    ['pass', 2],
    ['fail', 1],
  ] as const)('of which one could not judge any further, after a %s, are %i', async (verdict, status) => {
    const stopped = { ...(await seeded(6, verdict)), stopped: { reason: 'no reply', unjudgeable: true } };
    const result = conclude([await seeded(5, verdict), stopped], A);
    expect(result).toMatchObject({ exit_status: status, stopped: 'no reply' });
  });
});
