import { describe, expect, it } from 'vitest';
import { check, decision, fail, fake, json, local, pass, run } from '../../test/fixtures/fake-target.js';
import { type Baseline, baselineText, parseBaseline, withBaseline } from './baseline.js';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');
const advisory = check('a/advisory', async (t) => t.equal('x', 1, 2), decision);
const unsure = check('a/unsure', async (t) => t.setup('it', async () => t.equal('x', 1, 2)));
const suite = [pass, fail, advisory, unsure];

const listing = (...entries: readonly [check: string, expires: string][]): Baseline => ({
  file: 'known.yaml',
  entries: entries.map(([id, expires]) => ({ check: id, reason: 'being mended', expires })),
});

describe('a run held against its known failures', () => {
  it.each([
    ['nothing is listed', [pass, fail], listing(), 1, []],
    ['the failure is listed', [pass, fail], listing(['a/fail', '2026-06-15']), 0, []],
    ['it alone ran', [fail], listing(['a/fail', '2026-06-15']), 0, []],
    ['its day is over', [pass, fail], listing(['a/fail', '2026-06-14']), 1, ['expired']],
    ['it passes again', [pass], listing(['a/pass', '2026-12-31']), 1, ['passes']],
    ['it passes again, after its day', [pass], listing(['a/pass', '2026-01-01']), 1, ['passes']],
    ['it names no check', [pass], listing(['a/gone', '2026-12-31']), 1, ['unknown']],
    ['its check was not tried', [pass], listing(['a/fail', '2026-12-31']), 0, []],
    ['another check fails', [pass, fail], listing(['a/advisory', '2026-12-31']), 1, []],
    ['a decision is listed', [pass, advisory], listing(['a/advisory', '2026-12-31']), 0, []],
    ['what could not tell is listed', [pass, unsure], listing(['a/unsure', '2026-12-31']), 2, []],
  ] as const)('%s', async (_, checks, baseline, status, faults) => {
    const judged = await run(local, checks, fake().transport);
    const result = withBaseline(judged, baseline, { checks: suite, nowMs: NOW_MS });
    expect(result.exit_status).toBe(status);
    expect(result.baseline?.faults.map(({ fault }) => fault)).toEqual(faults);
    expect(result.summary).toEqual(judged.summary);
  });

  it('reports the failure as known, and the clause as broken', async () => {
    const judged = await run(local, [fail], fake().transport);
    const result = withBaseline(judged, listing(['a/fail', '2026-12-31']), { checks: suite, nowMs: NOW_MS });
    expect(result.checks[0]).toMatchObject({
      verdict: 'fail',
      known: { reason: 'being mended', expires: '2026-12-31' },
    });
    expect(result.baseline).toMatchObject({ file: 'known.yaml', known: 1 });
    expect(result.clauses.find(({ id }) => id === 'register.route')?.state).toBe('fails');
  });

  it('does not excuse a flaky check, nor a run that stopped', async () => {
    const judged = await run(local, [fail], fake().transport);
    const known = listing(['a/fail', '2026-12-31']);
    const flaky = judged.checks.map((one) => ({ ...one, flaky: [{ seed: 1, verdict: 'fail' as const }] }));
    const of = (more: object) =>
      withBaseline({ ...judged, ...more }, known, { checks: suite, nowMs: NOW_MS }).exit_status;
    expect(of({ checks: flaky })).toBe(1);
    expect(of({ stopped: 'no reply', exit_status: 2 })).toBe(2);
  });

  it('asks for as much judging as before', async () => {
    const judged = await run(local, [fail], fake().transport);
    const known = listing(['a/fail', '2026-12-31']);
    expect(withBaseline(judged, known, { checks: suite, nowMs: NOW_MS, requireJudged: 50 }).exit_status).toBe(2);
  });
});

describe('the file', () => {
  const entry = 'check: a/b\n    reason: r\n    expires: 2026-12-31';
  it('is read', () => {
    const text = `known_failures:\n  - ${entry}\n    link: https://example.org/1\n`;
    expect(parseBaseline(text, 'k.yaml')).toEqual({
      ok: true,
      value: {
        file: 'k.yaml',
        entries: [{ check: 'a/b', reason: 'r', expires: '2026-12-31', link: 'https://example.org/1' }],
      },
    });
  });

  it.each([
    ['', 1, 'known_failures', 'must be a list'],
    ['known_failures: none', 1, 'known_failures', 'must be a list'],
    ['known_failures: []\nmore: 1', 2, 'more', 'is not a key that is known here'],
    [`known_failures:\n  - ${entry}\n    until: x`, 5, 'known_failures.0.until', 'is not a key'],
    ['known_failures:\n  - check: a/b\n    expires: 2026-12-31', 2, 'known_failures.0.reason', 'must be a reason'],
    [
      'known_failures:\n  - check: a/b\n    reason: " "\n    expires: 2026-12-31',
      3,
      'known_failures.0.reason',
      'reason',
    ],
    [
      'known_failures:\n  - reason: r\n    check: 4\n    expires: 2026-12-31',
      3,
      'known_failures.0.check',
      'must be the id',
    ],
    ['known_failures:\n  - check: a/b\n    reason: r', 2, 'known_failures.0.expires', 'must be a day'],
    [`known_failures:\n  - ${entry.replace('12-31', '02-30')}`, 4, 'known_failures.0.expires', 'a day of the calendar'],
    [`known_failures:\n  - ${entry.replace('-12-31', '')}`, 4, 'known_failures.0.expires', 'must be a day'],
    [`known_failures:\n  - ${entry}\n    link: issue 4`, 5, 'known_failures.0.link', 'must be an http or https URL'],
    [`known_failures:\n  - ${entry}\n  - ${entry}`, 5, 'known_failures.1.check', 'lists a/b a second time'],
    ['known_failures: [', 1, '', 'is not YAML'],
  ])('%j is refused with line and key', (text, line, key, message) => {
    const parsed = parseBaseline(text, 'k.yaml');
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems[0]).toMatchObject({ file: 'k.yaml', line });
    if (key !== '') expect(problems[0]?.key).toBe(key);
    expect(problems[0]?.message).toContain(message);
  });

  it('is written from a run, and excuses it for 90 days', async () => {
    const odd = check('a/odd', async (t) => t.equal('a "quoted":\ntext # with all', 'x'.repeat(400), 'y'));
    const checks = [pass, fail, advisory, odd];
    const judged = await run(local, checks, fake().transport);
    const text = baselineText(judged, NOW_MS);
    const parsed = parseBaseline(text, 'k.yaml');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.value.entries.map((one) => [one.check, one.expires])).toEqual([
      ['a/fail', '2026-09-13'],
      ['a/odd', '2026-09-13'],
    ]);
    expect(parsed.value.entries[0]?.reason).toBe('the answer: expected 42, got 41');
    expect(withBaseline(judged, parsed.value, { checks, nowMs: NOW_MS }).exit_status).toBe(0);
  });

  it('keeps what an earlier one says of a failure, and drops what is mended', async () => {
    const judged = await run(local, [pass, fail], fake().transport);
    const link = 'https://example.org/1';
    const earlier = listing(['a/pass', '2026-12-31'], ['a/fail', '2026-07-01']);
    const entries = earlier.entries.map((one) => ({ ...one, link }));
    const parsed = parseBaseline(baselineText(judged, NOW_MS, { ...earlier, entries }), 'k.yaml');
    expect(parsed).toMatchObject({
      ok: true,
      value: { entries: [{ check: 'a/fail', reason: 'being mended', link, expires: '2026-07-01' }] },
    });
  });

  it('of a run without failures is empty, and can be read', async () => {
    const judged = await run(local, [pass], fake().transport);
    expect(parseBaseline(baselineText(judged, NOW_MS), 'k.yaml')).toEqual({
      ok: true,
      value: { file: 'k.yaml', entries: [] },
    });
  });
});

it('what lacks an endpoint of whose checks none was chosen is listed, and excused, by the check that would fail for it', async () => {
  const needs = check('a/needs', async (t) => void (await t.call('status')));
  const own = check('status/reply', async () => {}, { clauses: ['status.route'] });
  const lacking = { 'GET /api/v1/status/': () => json(405, { error: 'no' }) };
  const judged = await run(local, [pass, needs], fake(lacking).transport, { unprobed: true });
  expect(judged).toMatchObject({ exit_status: 1, summary: { fail: 0 } });
  const parsed = parseBaseline(baselineText(judged, NOW_MS), 'known.yaml');
  expect(parsed).toMatchObject({
    ok: true,
    value: { entries: [{ check: 'status/reply', reason: 'GET /api/v1/status/:hash is not served' }] },
  });
  if (!parsed.ok) return;
  const excusing = { checks: [pass, needs, own], nowMs: NOW_MS };
  expect(withBaseline(judged, parsed.value, excusing).exit_status).toBe(0);
  expect(withBaseline(judged, listing(), excusing).exit_status).toBe(1);
  expect(withBaseline(judged, listing(['status/reply', '2026-06-14']), excusing).exit_status).toBe(1);
});
