import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../reports/conformance-result.js';
import { decided, must } from '../../spec/clause.js';
import { checksByClause, coverageOf, reportClauses } from './coverage.js';
import { exitStatusOf } from './verdict.js';

const list = [
  must('4.5', 'x.must', 'A must.'),
  must('4.5', 'x.unjudged', 'Nobody judges it.'),
  must('4.5', 'x.excluded', 'Nobody can.', 'no reply shows it'),
  decided('D-50', '4.5', 'x.decision', 'A decision.'),
];
const checks = [
  { id: 'a/1', clauses: ['x.must', 'x.decision'] },
  { id: 'a/2', clauses: ['x.must'] },
];

function result(id: string, verdict: CheckResult['verdict']): CheckResult {
  const base = { id, title: id, clauses: [], level: 'must' as const, wall_ms: 1, transcript: [], curl: '' };
  if (verdict === 'pass') return { ...base, verdict };
  if (verdict === 'fail' || verdict === 'advisory') return { ...base, verdict, about: 'a', expected: 'e', actual: 'x' };
  return { ...base, verdict, reason: 'r' };
}

const states = (one: CheckResult['verdict'], other: CheckResult['verdict']) =>
  Object.fromEntries(
    reportClauses(checks, [result('a/1', one), result('a/2', other)], list).map(({ id, state }) => [id, state]),
  );

describe('clauses of a report', () => {
  it.each([
    ['pass', 'pass', 'holds', 'holds'],
    ['fail', 'pass', 'fails', 'fails'],
    ['pass', 'fail', 'fails', 'holds'],
    ['advisory', 'pass', 'holds', 'fails'],
    ['not-tested', 'pass', 'holds', 'not-judged'],
    ['inconclusive', 'error', 'not-judged', 'not-judged'],
    ['not-applicable', 'not-tested', 'not-judged', 'not-judged'],
  ] as const)('%s and %s: must %s, decision %s', (one, other, ofMust, ofDecision) => {
    const found = states(one, other);
    expect(found).toEqual({
      'x.must': ofMust,
      'x.decision': ofDecision,
      'x.unjudged': 'not-judged',
      'x.excluded': 'excluded',
    });
  });

  it.each([
    ['a failure that speaks of one clause says nothing of the other', { fails: ['x.must'] }, 'fails', 'not-judged'],
    ['what a failed check has shown holds', { fails: ['x.must'], holds: ['x.decision'] }, 'fails', 'holds'],
    ['a failure may be about a clause of others', { fails: ['x.unjudged'] }, 'not-judged', 'not-judged', 'fails'],
    ['a failure about nothing that is listed', { fails: [] }, 'not-judged', 'not-judged'],
  ] as const)('%s', (_, attributed, ofMust, ofDecision, ofUnjudged?: string) => {
    const failed = { ...result('a/1', 'fail'), ...attributed } as CheckResult;
    const found = Object.fromEntries(reportClauses(checks, [failed], list).map(({ id, state }) => [id, state]));
    expect(found).toMatchObject({
      'x.must': ofMust,
      'x.decision': ofDecision,
      'x.unjudged': ofUnjudged ?? 'not-judged',
    });
  });

  it('an advisory shows what it does not speak about, and never fails a must', () => {
    const advisory = { ...result('a/1', 'advisory'), fails: ['x.decision', 'x.must'] } as CheckResult;
    const found = Object.fromEntries(reportClauses(checks, [advisory], list).map(({ id, state }) => [id, state]));
    expect(found).toMatchObject({ 'x.must': 'not-judged', 'x.decision': 'fails' });
  });

  it('a check that waits for an endpoint has shown what it had shown before', () => {
    const waiting: CheckResult = { ...result('a/1', 'not-tested'), holds: ['x.must'], not_served: 'status' };
    const found = Object.fromEntries(reportClauses(checks, [waiting], list).map(({ id, state }) => [id, state]));
    expect(found).toMatchObject({ 'x.must': 'holds', 'x.decision': 'not-judged' });
  });

  it('counts what was judged, and what holds', () => {
    const reported = reportClauses(checks, [result('a/1', 'advisory'), result('a/2', 'pass')], list);
    expect(coverageOf(reported)).toEqual({ clauses: 4, judged: 2, held: 1, excluded: 1 });
    expect(checksByClause(checks).get('x.must')).toEqual(['a/1', 'a/2']);
  });
});

describe('exit status', () => {
  const none = { pass: 0, fail: 0, advisory: 0, 'not-applicable': 0, 'not-tested': 0, inconclusive: 0, error: 0 };
  it.each([
    ['only passes', { pass: 3 }, {}, 0],
    ['an advisory', { advisory: 1 }, {}, 0],
    ['a failure', { pass: 3, fail: 1 }, {}, 1],
    ['a failure beside an error', { fail: 1, error: 1 }, {}, 1],
    ['an error', { pass: 3, error: 1 }, {}, 2],
    ['an inconclusive check', { pass: 3, inconclusive: 1 }, {}, 2],
    ['nothing judged', { 'not-tested': 3, 'not-applicable': 1 }, {}, 2],
    ['too little judged', { pass: 3 }, { judgedPercent: 49.9, requiredPercent: 50 }, 2],
    ['just enough judged', { pass: 3 }, { judgedPercent: 50, requiredPercent: 50 }, 0],
    ['a target that stopped answering', { pass: 3, fail: 1 }, { unjudgeable: true }, 2],
  ] as const)('%s', (_, counts, more, expected) => {
    const outcome = { unjudgeable: false, judgedPercent: 100, requiredPercent: 0, ...more };
    expect(exitStatusOf({ ...outcome, counts: { ...none, ...counts } })).toBe(expected);
  });
});
