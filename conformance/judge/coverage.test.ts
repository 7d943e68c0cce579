import { describe, expect, it } from 'vitest';
import type { Withheld } from '../../model/evidence.js';
import { countsOf } from '../../results/clause-counts.js';
import { decided, must } from '../../spec/clause.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { checksByClause, coverageOf, reportClauses } from './coverage.js';
import type { CheckRun } from './record.js';
import { exitStatusOf } from './verdict.js';

const list = [
  must('4.5', 'rule 1', 'x.must', { text: 'A must.' }),
  must('4.5', 'rule 2', 'x.other', { text: 'Another.' }),
  must('4.5', 'rule 3', 'x.excluded', { text: 'Nobody can judge it.', excluded: 'no reply shows it' }),
  decided('D-50', '4.5', 'x.decision', { text: 'A decision.' }),
];
const checks = [
  { id: 'a/1', clauses: ['x.must', 'x.decision'] },
  { id: 'a/2', clauses: ['x.must'] },
];

/** Evidence for a clause (`x.must`), or against it (`!x.must`). */
function seen(...marks: readonly string[]): readonly SeenEvidence[] {
  return marks.map((mark) => {
    const id = mark.replace('!', '');
    const level = id === 'x.decision' ? ('decision' as const) : ('must' as const);
    const base = { clauses: [id], level, n: 1, endpoint: 'GET /x', about: 'it' };
    return mark.startsWith('!') ? { ...base, ok: false, expected: 'e', actual: 'a' } : { ...base, ok: true };
  });
}

function ran(id: string, evidence: readonly SeenEvidence[], more: Partial<CheckRun> = {}): CheckRun {
  const listed = checks.find((check) => check.id === id)?.clauses ?? [];
  const base = { id, title: id, clauses: listed, level: 'must', wall_ms: 1, transcript: () => [] } as const;
  return { ...base, verdict: 'pass', evidence, withheld: [], ...more } as CheckRun;
}

const states = (...runs: readonly CheckRun[]): Record<string, string> =>
  Object.fromEntries(reportClauses(checks, runs, list).map(({ id, state }) => [id, state]));

describe('a clause', () => {
  it.each([
    ['holds by evidence for it alone', [seen('x.must'), []], 'holds', 'not-judged'],
    ['holds by that of one of several checks', [seen(), seen('x.must')], 'holds', 'not-judged'],
    ['does not hold by any evidence against it', [seen('x.must'), seen('x.must', '!x.must')], 'fails', 'not-judged'],
    ['is not judged by a check that passed without looking at it', [[], []], 'not-judged', 'not-judged'],
    ['of a decision is judged apart', [seen('!x.must', 'x.decision'), []], 'fails', 'holds'],
    ['of the text does not fall with a decision', [seen('x.must', '!x.decision'), []], 'holds', 'fails'],
  ] as const)('%s', (_, [first, second], ofMust, ofDecision) => {
    expect(states(ran('a/1', first), ran('a/2', second))).toEqual({
      'x.must': ofMust,
      'x.decision': ofDecision,
      'x.other': 'not-judged',
      'x.excluded': 'excluded',
    });
  });

  it('that a check about something else found broken falls, and names that check', () => {
    const [, other] = reportClauses(checks, [ran('a/1', seen('!x.other'))], list);
    expect(other).toMatchObject({ state: 'fails', checks: ['a/1'], where: 'rule 2' });
    expect(other?.evidence).toEqual([
      { check: 'a/1', step: '#1 GET /x', n: 1, level: 'must', about: 'it', ok: false, expected: 'e', actual: 'a' },
    ]);
  });

  it('keeps the first evidence of each check for it, and what is against it', () => {
    const many = [...seen('x.must', 'x.must'), ...Array.from({ length: 30 }, () => seen('!x.must')).flat()];
    const [found] = reportClauses(checks, [ran('a/1', many), ran('a/2', seen('x.must', 'x.must'))], list);
    const kept = (check: string, ok: boolean) =>
      found?.evidence.filter((one) => one.check === check && one.ok === ok).length;
    expect([kept('a/1', true), kept('a/1', false), kept('a/2', true)]).toEqual([1, 20, 1]);
  });

  const withheld = (reason: string): readonly Withheld[] => [{ clauses: ['x.must'], reason }];
  it.each([
    ['why an assertion was withheld', [ran('a/1', [], { withheld: withheld('D-05 is not followed') })], 'D-05 is not'],
    ['why its check was not run', [ran('a/1', [], { verdict: 'not-tested', reason: 'no clock' })], 'no clock'],
    ['why its check ended early', [ran('a/1', [], { ended: 'needs a nonce' })], 'needs a nonce'],
    [
      'which endpoint its check found missing',
      [ran('a/1', [], { not_served: 'init' })],
      'needs POST /api/v1/agent/init',
    ],
    ['that none of its checks was chosen', [], 'none of its checks was chosen'],
    ['that no check reached it', [ran('a/1', [])], 'no check reached it'],
  ] as const)('that is not judged says %s', (_, runs, reason) => {
    const [found] = reportClauses(checks, runs, list);
    expect(found?.state).toBe('not-judged');
    expect(found?.reason).toContain(reason);
  });

  it('that no check of the suite is about says so', () => {
    const other = reportClauses(checks, [], list).find(({ id }) => id === 'x.other');
    expect(other).toMatchObject({ state: 'not-judged', reason: 'the suite has no check of it' });
  });

  it('that is judged or excluded has no reason', () => {
    const found = reportClauses(checks, [ran('a/1', seen('x.must', '!x.decision'))], list);
    expect(found.filter(({ state }) => state !== 'not-judged').map(({ reason }) => reason)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('counts', () => {
  const reported = reportClauses(checks, [ran('a/1', seen('x.must', '!x.decision'))], list);

  it('are of all clauses together, and of each level without what is excluded', () => {
    expect(coverageOf(reported)).toEqual({ clauses: 4, judged: 2, held: 1, excluded: 1 });
    expect(countsOf(reported, 'must')).toEqual({ total: 2, judged: 1, hold: 1, fail: 0 });
    expect(countsOf(reported, 'decision')).toEqual({ total: 1, judged: 1, hold: 0, fail: 1 });
  });

  it('of checks by clause are the matrix', () => {
    expect(checksByClause(checks).get('x.must')).toEqual(['a/1', 'a/2']);
  });
});

describe('exit status', () => {
  const none = { pass: 0, fail: 0, advisory: 0, 'not-applicable': 0, 'not-tested': 0, inconclusive: 0, error: 0 };
  it.each([
    ['only passes', { pass: 3 }, {}, 0],
    ['an advisory', { advisory: 1 }, {}, 0],
    ['a failure', { pass: 3, fail: 1 }, { failures: 1 }, 1],
    ['a failure that is excused', { pass: 3, fail: 1 }, {}, 0],
    ['a failure beside an error', { fail: 1, error: 1 }, { failures: 1 }, 1],
    ['a failure, and then a target that stopped answering', { fail: 1 }, { failures: 1, unjudgeable: true }, 1],
    ['a failure where too little was judged', { fail: 1 }, { failures: 1, judgedPercent: 0, requiredPercent: 50 }, 1],
    ['a flaky check, or a baseline that is not true', { pass: 3 }, { faults: 1 }, 1],
    ['an error', { pass: 3, error: 1 }, {}, 2],
    ['an inconclusive check', { pass: 3, inconclusive: 1 }, {}, 2],
    ['nothing judged', { 'not-tested': 3, 'not-applicable': 1 }, {}, 2],
    ['nothing run', {}, {}, 2],
    ['too little judged', { pass: 3 }, { judgedPercent: 49.9, requiredPercent: 50 }, 2],
    ['just enough judged', { pass: 3 }, { judgedPercent: 50, requiredPercent: 50 }, 0],
    ['too few mistakes noticed', { pass: 3 }, { powerPercent: 74.9, requiredPower: 75 }, 2],
    ['just enough mistakes noticed', { pass: 3 }, { powerPercent: 75, requiredPower: 75 }, 0],
    ['a target that stopped answering', { pass: 3 }, { unjudgeable: true }, 2],
  ] as const)('%s', (_, counts, more, expected) => {
    const fine = { failures: 0, unjudgeable: false, judgedPercent: 100, requiredPercent: 0, faults: 0 };
    const outcome = { ...fine, powerPercent: 100, requiredPower: 0, ...more };
    expect(exitStatusOf({ ...outcome, counts: { ...none, ...counts } })).toBe(expected);
  });
});
