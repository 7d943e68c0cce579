import { describe, expect, it } from 'vitest';
import { conformanceFixture, HOSTILE } from '../../test/fixtures/results.js';
import { bySection, headline, rerunCommand, verdictCounts } from './conformance-view.js';

describe('headline', () => {
  it.each([
    [
      [640, 601, 576, 25],
      [361, 180, 150, 30],
      'Specification: 601 of 640 clauses judged: 576 pass, 25 fail. Decisions: 180 of 361 clauses judged: 150 pass, 30 fail',
    ],
    [
      [1, 1, 0, 1],
      [0, 0, 0, 0],
      'Specification: 1 of 1 clauses judged: 0 pass, 1 fail. Decisions: 0 of 0 clauses judged: 0 pass, 0 fail',
    ],
    [
      [1392, 1392, 1392, 0],
      [2, 0, 0, 0],
      'Specification: 1,392 of 1,392 clauses judged: 1,392 pass, 0 fail. Decisions: 0 of 2 clauses judged: 0 pass, 0 fail',
    ],
  ])('of %j and %j: %s', (ofMust, ofDecision, line) => {
    const counts = ([total = 0, judged = 0, hold = 0, fail = 0]: readonly number[]) => ({ total, judged, hold, fail });
    const { summary } = conformanceFixture();
    const clauses = { must: counts(ofMust), decision: counts(ofDecision) };
    expect(headline({ summary: { ...summary, clauses } })).toBe(line);
  });

  it('says that a run was quick, and how to run all', () => {
    const line = headline({ ...conformanceFixture(), mode: 'quick', spared: 284 });
    expect(line).toMatch(/fail\. Quick run: one judgement a clause, 284 checks spared; without --quick all run$/);
  });
});

describe('views of a result', () => {
  const result = conformanceFixture();

  it('orders sections by number, not by text', () => {
    expect(bySection(result).map(({ section }) => section)).toEqual([
      '1',
      '2.5',
      '2.9',
      '2.10',
      '3.1',
      '4.1',
      '4.2',
      '4.5',
      '4.10',
      '4.18',
    ]);
  });

  it('takes sections that are no numbers', () => {
    const [clause] = result.clauses;
    const clauses = ['b', '10', 'a', '9'].flatMap((section) => (clause === undefined ? [] : [{ ...clause, section }]));
    expect(new Set(bySection({ clauses }).map(({ section }) => section))).toEqual(new Set(['9', '10', 'a', 'b']));
  });

  it('says in words that nothing ran', () => {
    expect(verdictCounts({ checks: [] })).toBe('no check ran');
  });

  it('quotes what a shell would take apart', () => {
    expect(rerunCommand(result, 'heartbeat/too-soon', {})).toBe(
      'aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7',
    );
    expect(rerunCommand(result, "a'; rm -rf /", {})).toBe(
      "aips conform http://127.0.0.1:8787 --only 'a'\\''; rm -rf /' --seed 7",
    );
    expect(rerunCommand(result, HOSTILE, { command: 'aips conform self' })).toMatch(/^aips conform self --only '/u);
  });
});
