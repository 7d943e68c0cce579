import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { advisory, check, fail, fake, json, local, pass, record } from '../../test/fixtures/fake-target.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { Check } from '../trial/check.js';
import { type Baseline, type BaselineEntry, baselineText, parseBaseline } from './baseline.js';
import { conclude } from './conclude.js';
import type { RunRecord } from './record.js';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');
const ROUTE = 'register.route';
const EPOCH = 'clock.billing-epoch';
const unsure = check('a/unsure', () => Promise.reject(new Unjudged('inconclusive', 'nobody knows')));
/** Two clauses, of which it finds both broken, each by its own assertion. */
const twice = check(
  'a/twice',
  async (t) => {
    t.shows(ROUTE).equal('the answer', 41, 42);
    t.shows('init.route').equal('the question', 'why', 'what');
  },
  { clauses: [ROUTE, 'init.route'] },
);
const suite = [pass, fail, advisory, unsure, twice];

type Listed = readonly [check: string, expires: string, clause?: string];

const listing = (...entries: readonly Listed[]): Baseline => ({
  file: 'known.yaml',
  entries: entries.map(([id, expires, clause = ROUTE]) => ({ clause, check: id, reason: 'being fixed', expires })),
});

const findingListed = (finding: string): Baseline => ({
  file: 'known.yaml',
  entries: [{ finding, reason: 'being fixed', expires: '2026-12-31' }],
});

const judge = (...checks: Check[]): Promise<RunRecord> => record(local, checks, fake().transport);

interface Excusing {
  readonly checks: readonly Check[];
  readonly nowMs: number;
  readonly strict?: boolean;
  readonly requireJudged?: number;
}

const withBaseline = (judged: RunRecord, list: Baseline, { nowMs, ...more }: Excusing): ConformanceResult =>
  conclude([judged], { ...more, baseline: { list, nowMs } });
/** The result of a run without a baseline. */
const plain = (judged: RunRecord, strict = false): ConformanceResult => conclude([judged], { checks: suite, strict });

function read(text: string): readonly BaselineEntry[] {
  const parsed = parseBaseline(text, 'k.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value.entries;
}

it('a finding that a run does not meet may be met by a check that was not chosen, or that a quick run spared', async () => {
  const judged = await judge(pass);
  const known = findingListed('register.route-the-answer');
  const faultsOf = (one: RunRecord, checks: readonly Check[]) =>
    withBaseline(one, known, { checks, nowMs: NOW_MS }).baseline?.faults;
  expect(faultsOf(judged, [pass])).toMatchObject([{ fault: 'passes' }]);
  expect(faultsOf(judged, suite)).toEqual([]);
  expect(faultsOf({ ...judged, spared: ['a/fail'] }, [pass])).toEqual([]);
});

describe('a run held against its known failures', () => {
  it.each([
    ['nothing is listed', [pass, fail], listing(), 1, []],
    ['the failure is listed', [pass, fail], listing(['a/fail', '2026-06-15']), 0, []],
    ['it alone ran', [fail], listing(['a/fail', '2026-06-15']), 0, []],
    ['its day is over', [pass, fail], listing(['a/fail', '2026-06-14']), 1, ['expired']],
    ['it holds again', [pass], listing(['a/pass', '2026-12-31']), 1, ['passes']],
    ['it holds again, after its day', [pass], listing(['a/pass', '2026-01-01']), 1, ['passes']],
    ['it names no check', [pass], listing(['a/gone', '2026-12-31']), 1, ['unknown']],
    ['it names no clause', [pass], listing(['a/pass', '2026-12-31', 'register.rout']), 1, ['unknown']],
    ['its check was not tried', [pass], listing(['a/fail', '2026-12-31']), 0, []],
    ['another check fails', [pass, fail], listing(['a/twice', '2026-12-31']), 1, []],
    ['a decision is listed', [pass, advisory], listing(['a/advisory', '2026-12-31', EPOCH]), 0, []],
    ['what could not tell is listed', [pass, unsure], listing(['a/unsure', '2026-12-31']), 2, []],
    ['the finding is listed', [pass, fail], findingListed('register.route-the-answer'), 0, []],
    ['the finding may have been met by what was not judged', [pass, unsure], findingListed('x'), 2, []],
  ] as const)('%s', async (_, checks, baseline, status, faults) => {
    const judged = await judge(...checks);
    const result = withBaseline(judged, baseline, { checks: suite, nowMs: NOW_MS });
    expect(result.exit_status).toBe(status);
    expect(result.baseline?.faults.map(({ fault }) => fault)).toEqual(faults);
    expect(result.summary).toEqual(plain(judged).summary);
  });

  it('reports the finding and its check as known, and the clause as broken', async () => {
    const judged = await judge(fail);
    const result = withBaseline(judged, listing(['a/fail', '2026-12-31']), { checks: suite, nowMs: NOW_MS });
    const known = { reason: 'being fixed', expires: '2026-12-31' };
    expect(result.checks[0]).toMatchObject({ verdict: 'fail', known });
    expect(result.findings).toMatchObject([{ clauses: [ROUTE], about: 'the answer', checks: ['a/fail'], known }]);
    expect(result.baseline).toMatchObject({ file: 'known.yaml', known: 1 });
    expect(result.clauses.find(({ id }) => id === ROUTE)?.state).toBe('fails');
  });

  it('fails for a clause that breaks anew in a check of which another is excused', async () => {
    const judged = await judge(twice);
    const one = withBaseline(judged, listing(['a/twice', '2026-12-31']), { checks: suite, nowMs: NOW_MS });
    expect(one.exit_status).toBe(1);
    expect(one.checks[0]?.known).toBeUndefined();
    expect(one.findings.map(({ clauses, known }) => [clauses[0], known !== undefined])).toEqual([
      [ROUTE, true],
      ['init.route', false],
    ]);
    const both = listing(['a/twice', '2026-12-31'], ['a/twice', '2026-12-31', 'init.route']);
    const all = withBaseline(judged, both, { checks: suite, nowMs: NOW_MS });
    expect(all).toMatchObject({ exit_status: 0, checks: [{ known: { reason: 'being fixed' } }] });
  });

  it('excuses a check alone, not another that meets the same', async () => {
    const result = withBaseline(await judge(fail, twice), listing(['a/fail', '2026-12-31']), {
      checks: suite,
      nowMs: NOW_MS,
    });
    const answers = result.findings.filter(({ about }) => about === 'the answer');
    expect(answers.map(({ checks, known }) => [checks, known !== undefined])).toEqual([
      [['a/fail'], true],
      [['a/twice'], false],
    ]);
    expect(result.exit_status).toBe(1);
  });

  it('excuses evidence against several clauses only when all are listed', async () => {
    const joint = check(
      'a/joint',
      async (t) => {
        t.shows(ROUTE, 'init.route').equal('the answer', 41, 42);
      },
      { clauses: [ROUTE, 'init.route'] },
    );
    const judged = await judge(joint);
    const of = (baseline: Baseline) => withBaseline(judged, baseline, { checks: [joint], nowMs: NOW_MS }).exit_status;
    expect(of(listing(['a/joint', '2026-12-31']))).toBe(1);
    expect(of(listing(['a/joint', '2026-12-31'], ['a/joint', '2026-12-31', 'init.route']))).toBe(0);
  });

  it('tells when a clause that a check met in passing holds again', async () => {
    const passing = (ok: boolean) =>
      check('a/passing', async (t) => {
        t.shows(ROUTE).equal('it', 1, 1);
        t.shows('init.route').equal('the question', ok ? 'what' : 'why', 'what');
      });
    const about = check(
      'a/about',
      async (t) => {
        t.shows('init.route').equal('the question', 'what', 'what');
      },
      { clauses: ['init.route'] },
    );
    const listed = listing(['a/passing', '2026-12-31', 'init.route']);
    const broken = [passing(false), about];
    const excused = withBaseline(await judge(...broken), listed, { checks: broken, nowMs: NOW_MS });
    expect(excused).toMatchObject({ exit_status: 0, baseline: { known: 1, faults: [] } });
    const fixed = [passing(true), about];
    const told = withBaseline(await judge(...fixed), listed, { checks: fixed, nowMs: NOW_MS });
    expect(told).toMatchObject({ exit_status: 1, baseline: { known: 0, faults: [{ fault: 'passes' }] } });
  });

  it('excuses a failed check although a decision beside it is not followed, unless the run is strict', async () => {
    const both = check(
      'a/both',
      async (t) => {
        t.shows(ROUTE).equal('the answer', 41, 42);
        t.shows(EPOCH).equal('x', 1, 2);
      },
      { clauses: [ROUTE, EPOCH] },
    );
    const judged = await judge(both);
    const of = (strict: boolean) =>
      withBaseline(judged, listing(['a/both', '2026-12-31']), { checks: [both], nowMs: NOW_MS, strict });
    expect(of(false)).toMatchObject({
      exit_status: 0,
      checks: [{ verdict: 'fail', known: { reason: 'being fixed' } }],
    });
    expect(of(true).exit_status).toBe(1);
    expect(of(true).checks[0]?.known).toBeUndefined();
  });

  it('counts decisions where the run is strict', async () => {
    const judged = await record(local, [pass, advisory], fake().transport, { strict: true });
    const of = (baseline: Baseline) =>
      withBaseline(judged, baseline, { checks: suite, nowMs: NOW_MS, strict: true }).exit_status;
    expect(of(listing())).toBe(1);
    expect(of(listing(['a/advisory', '2026-12-31', EPOCH]))).toBe(0);
  });

  it('does not excuse a flaky check, nor a run that stopped', async () => {
    const judged = await judge(fail);
    const known = listing(['a/fail', '2026-12-31']);
    const of = (...records: [RunRecord, ...RunRecord[]]) =>
      conclude(records, { checks: suite, baseline: { list: known, nowMs: NOW_MS } }).exit_status;
    expect(of(judged)).toBe(0);
    const holds = check('a/fail', async (t) => void t.shows(ROUTE).equal('the answer', 42, 42));
    expect(of(judged, { ...(await judge(holds)), seed: 2 })).toBe(1);
    expect(of({ ...judged, stopped: { reason: 'no reply', unjudgeable: true } })).toBe(2);
  });

  it('asks for as much judging as before', async () => {
    const known = listing(['a/fail', '2026-12-31']);
    const excusing = { checks: suite, nowMs: NOW_MS, requireJudged: 50 };
    expect(withBaseline(await judge(fail), known, excusing).exit_status).toBe(2);
  });
});

describe('the file', () => {
  const entry = 'clause: a.b\n    check: a/b\n    reason: r\n    expires: 2026-12-31';
  it('is read, entries of both forms', () => {
    const finding = '  - finding: a.b-c\n    reason: r\n    expires: 2026-12-31';
    const text = `known_failures:\n  - ${entry}\n    link: https://example.org/1\n${finding}\n`;
    expect(read(text)).toEqual([
      { clause: 'a.b', check: 'a/b', reason: 'r', expires: '2026-12-31', link: 'https://example.org/1' },
      { finding: 'a.b-c', reason: 'r', expires: '2026-12-31' },
    ]);
  });

  it.each([
    ['', 1, 'known_failures', 'must be a list'],
    ['known_failures: none', 1, 'known_failures', 'must be a list'],
    ['known_failures: []\nmore: 1', 2, 'more', 'is not a key that is known here'],
    [`known_failures:\n  - ${entry}\n    until: x`, 6, 'known_failures.0.until', 'is not a key'],
    ['known_failures:\n  - finding: x\n    expires: 2026-12-31', 2, 'known_failures.0.reason', 'must be a reason'],
    [
      'known_failures:\n  - finding: x\n    reason: " "\n    expires: 2026-12-31',
      3,
      'known_failures.0.reason',
      'reason',
    ],
    [
      'known_failures:\n  - reason: r\n    clause: a.b\n    check: 4\n    expires: 2026-12-31',
      4,
      'known_failures.0.check',
      'must be the id',
    ],
    [
      'known_failures:\n  - check: a/b\n    reason: r\n    expires: 2026-12-31',
      2,
      '',
      'must name a clause and a check',
    ],
    [`known_failures:\n  - ${entry}\n    finding: x`, 2, '', 'or a finding'],
    ['known_failures:\n  - finding: x\n    reason: r', 2, 'known_failures.0.expires', 'must be a day'],
    [`known_failures:\n  - ${entry.replace('12-31', '02-30')}`, 5, 'known_failures.0.expires', 'a day of the calendar'],
    [`known_failures:\n  - ${entry.replace('-12-31', '')}`, 5, 'known_failures.0.expires', 'must be a day'],
    [`known_failures:\n  - ${entry}\n    link: issue 4`, 6, 'known_failures.0.link', 'must be an http or https URL'],
    [`known_failures:\n  - ${entry}\n  - ${entry}`, 6, '', 'lists a.b in a/b a second time'],
    ['known_failures: [', 1, '', 'is not YAML'],
  ])('%j is refused with line and key', (text, line, key, message) => {
    const parsed = parseBaseline(text, 'k.yaml');
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems[0]).toMatchObject({ file: 'k.yaml', line });
    if (key !== '') expect(problems[0]?.key).toBe(key);
    expect(problems[0]?.message).toContain(message);
  });

  it('is written from a run, clause by clause and check by check, and excuses it for 90 days', async () => {
    const odd = check('a/odd', async (t) => {
      t.shows(ROUTE).equal('a "quoted":\ntext # with all', 'x'.repeat(400), 'y');
    });
    const checks = [pass, fail, advisory, odd, twice];
    const judged = await judge(...checks);
    const entries = read(baselineText(plain(judged), NOW_MS));
    expect(entries.map((one) => ('check' in one ? [one.clause, one.check, one.expires] : []))).toEqual([
      [ROUTE, 'a/fail', '2026-09-13'],
      [ROUTE, 'a/twice', '2026-09-13'],
      [ROUTE, 'a/odd', '2026-09-13'],
      ['init.route', 'a/twice', '2026-09-13'],
    ]);
    expect(entries[0]?.reason).toBe('the answer: expected 42, got 41');
    const excusing = { checks, nowMs: NOW_MS };
    expect(withBaseline(judged, { file: 'k.yaml', entries }, excusing).exit_status).toBe(0);
  });

  it('holds decisions where the run is strict, and no flaky check', async () => {
    const judged = await judge(advisory, fail);
    expect(read(baselineText(plain(judged, true), NOW_MS, undefined, true))).toMatchObject([
      { check: 'a/fail' },
      { clause: EPOCH, check: 'a/advisory' },
    ]);
    const flaky = plain(judged).checks.map((one) => ({ ...one, flaky: [{ seed: 1, verdict: 'fail' as const }] }));
    expect(read(baselineText({ ...plain(judged), checks: flaky }, NOW_MS))).toEqual([]);
  });

  it('keeps what an earlier one says of a failure, in its form, and drops what is fixed', async () => {
    const judged = await judge(pass, fail);
    const link = 'https://example.org/1';
    const earlier = listing(['a/pass', '2026-12-31'], ['a/fail', '2026-07-01']);
    const entries = earlier.entries.map((one) => ({ ...one, link }));
    expect(read(baselineText(plain(judged), NOW_MS, { ...earlier, entries }))).toEqual([
      { clause: ROUTE, check: 'a/fail', reason: 'being fixed', link, expires: '2026-07-01' },
    ]);
    const found = findingListed('register.route-the-answer');
    expect(read(baselineText(plain(judged), NOW_MS, found))).toEqual(found.entries);
  });

  it('of a run without failures is empty, and can be read', async () => {
    expect(read(baselineText(plain(await judge(pass)), NOW_MS))).toEqual([]);
  });
});

it('an endpoint that is not there, of whose checks none was chosen, is excused in the check that saw it', async () => {
  const needs = check('a/needs', async (t) => void (await t.call('status')));
  const own = check('status/reply', async () => {}, { clauses: ['status.route'] });
  const lacking = { 'GET /api/v1/status/': () => json(405, { error: 'no' }) };
  const judged = await record(local, [pass, needs], fake(lacking).transport, { unprobed: true });
  expect(plain(judged)).toMatchObject({ exit_status: 1, not_served: [{ endpoint: 'status' }] });
  const entries = read(baselineText(plain(judged), NOW_MS));
  expect(entries).toMatchObject([
    {
      clause: 'status.route',
      check: 'a/needs',
      reason: expect.stringContaining('GET /api/v1/status/:hash: existence: expected the endpoint, got 405'),
    },
  ]);
  const excusing = { checks: [pass, needs, own], nowMs: NOW_MS };
  expect(withBaseline(judged, { file: 'k.yaml', entries }, excusing).exit_status).toBe(0);
  expect(withBaseline(judged, listing(), excusing).exit_status).toBe(1);
});
