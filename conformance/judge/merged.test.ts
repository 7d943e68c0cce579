import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { conformanceFixture, judged } from '../../test/fixtures/results.js';
import { mergedResult } from './merged.js';
import { notServedIn } from './not-served.js';

/** A result after the checks of these ids ran again, all of which passed and showed their clauses. */
function mended(before: ConformanceResult, ids: readonly string[]): ConformanceResult {
  const checks = before.checks.flatMap((check) => {
    const { id, title, clauses, level, wall_ms } = check;
    return ids.includes(id) ? [{ id, title, clauses, level, wall_ms, transcript: [], verdict: 'pass' as const }] : [];
  });
  const clauses = before.clauses.map((clause) => {
    const check = checks.find((one) => one.clauses.includes(clause.id));
    const { reason: _, why: __, ...rest } = clause;
    if (check === undefined)
      return { ...rest, state: 'not-judged' as const, why: { kind: 'unchosen' as const }, evidence: [] };
    const evidence = [{ check: check.id, step: '#1', level: clause.level, about: 'it', ok: true }];
    return { ...rest, state: 'holds' as const, evidence };
  });
  return { ...before, requests: 3, findings: [], checks, clauses, exit_status: 0 };
}

describe('a run of what failed, put into the run before', () => {
  const before = conformanceFixture();
  const failing = before.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

  it('has every check of then, and of those that ran again what they say now', () => {
    const now = mergedResult(before, mended(before, failing));
    expect(now.checks.map(({ id }) => id)).toEqual(before.checks.map(({ id }) => id));
    expect(now.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(now.findings.filter(({ level }) => level === 'must')).toEqual([]);
    expect(now.summary).toMatchObject({
      fail: 0,
      pass: before.summary.pass + failing.length,
      advisory: before.summary.advisory,
    });
    expect(now.requests).toBe(3);
    // A check without a verdict stays without one.
    expect(now.exit_status).toBe(2);
    const untouched = before.clauses.filter(({ state, evidence }) => state === 'holds' && evidence.length > 0);
    const states = new Map(now.clauses.map(({ id, state }) => [id, state]));
    expect(untouched.map(({ id }) => states.get(id))).toEqual(untouched.map(() => 'holds'));
  });

  it('is of a quick run where the run before was one', () => {
    const quick = { ...before, mode: 'quick' as const, spared: 200 };
    expect(mergedResult(quick, mended(before, failing))).toMatchObject({ mode: 'quick', spared: 200 });
    expect(mergedResult(before, { ...mended(before, failing), mode: 'quick', spared: 3 })).not.toHaveProperty('mode');
  });

  it('lacks no endpoint that no check lacks any more, whichever checks met it', () => {
    const [one, other] = ['a/1', 'a/2'].map((id) => ({
      ...judged(id, []),
      ...{ verdict: 'not-tested' as const, reason: 'needs it', not_served: id === 'a/1' ? 'init' : 'sigil' },
    }));
    const then = { ...before, checks: [...before.checks, ...(one && other ? [one, other] : [])] };
    const lacking = notServedIn(then.checks);
    expect(lacking.map(({ endpoint }) => endpoint)).toEqual(['init', 'sigil']);
    const now = mergedResult({ ...then, not_served: lacking }, mended(then, ['a/1']));
    expect(now.not_served?.map(({ endpoint }) => endpoint)).toEqual(['sigil']);
  });

  it('still fails by what did not run again', () => {
    const decision = before.checks.filter(({ verdict }) => verdict === 'advisory').map(({ id }) => id);
    const now = mergedResult(before, mended(before, decision));
    expect(now.exit_status).toBe(1);
    expect(now.findings.map(({ level }) => level)).toContain('must');
    expect(now.findings.filter(({ checks }) => checks.some((id) => decision.includes(id)))).toEqual([]);
  });
});
