import { describe, expect, it } from 'vitest';
import { conformanceFixture, HOSTILE } from '../test/fixtures/results.js';
import { bySection, judgedLine, rerunCommand, unjudgedGroups, verdictCounts } from './conformance-view.js';

describe('judgedLine', () => {
  it.each([
    [392, 214, 212, '214 of 392 clauses judged: 212 hold, 2 do not'],
    [2, 2, 1, '2 of 2 clauses judged: 1 holds, 1 does not'],
    [1, 0, 0, '0 of 1 clause judged: 0 hold, 0 do not'],
    [1392, 1392, 1392, '1,392 of 1,392 clauses judged: 1,392 hold, 0 do not'],
  ])('of %i clauses, %i judged, %i held: %s', (clauses, judged, held, line) => {
    expect(judgedLine({ coverage: { clauses, judged, held, excluded: 0 } })).toBe(line);
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

  it('groups what was not judged by verdict and reason', () => {
    expect(unjudgedGroups(result).map(({ verdict, reason, checks }) => [verdict, reason, checks.length])).toEqual([
      ['error', 'the check threw: cannot read the reply', 1],
      ['inconclusive', 'three replies in a row were 503', 1],
      ['not-tested', 'the target offers no clock', 2],
      ['not-tested', 'the target offers no beats', 1],
      ['not-applicable', 'the target declares partner-webhook unsupported', 1],
    ]);
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
    expect(rerunCommand(result, HOSTILE, { command: 'aips conform --self' })).toMatch(/^aips conform --self --only '/u);
  });
});
