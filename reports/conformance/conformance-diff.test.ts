import { describe, expect, it } from 'vitest';
import { conformanceFixture } from '../../test/fixtures/results.js';
import { type ComparedReport, comparedReport, compareReports, hasRegressed } from './conformance-diff.js';
import { conformanceDiffConsole, conformanceDiffJson, conformanceDiffMarkdown } from './conformance-diff-text.js';
import { conformanceJson } from './conformance-json.js';

type State = ComparedReport['clauses'][number]['state'];

/** A report in which clauses have these states. A name that begins with `d` is of a decision. */
function report(states: Readonly<Record<string, State>>, more: Partial<ComparedReport> = {}): ComparedReport {
  const clauses = Object.entries(states).map(([id, state]) => {
    return {
      id,
      section: '4.5',
      level: id.startsWith('d') ? 'decision' : 'must',
      text: `States ${id}.`,
      state,
    } as const;
  });
  const target = { base_url: 'http://127.0.0.1:1' };
  return { schema: 'aips-lab/conformance/2', tool_version: '0.0.0', target, clauses, checks: [], ...more };
}

const before = report({
  a: 'holds',
  b: 'fails',
  c: 'not-judged',
  e: 'holds',
  f: 'fails',
  g: 'excluded',
  d1: 'holds',
  gone: 'holds',
  other: 'holds',
});
const after: ComparedReport = {
  ...report({
    a: 'fails',
    b: 'holds',
    c: 'holds',
    e: 'not-judged',
    f: 'fails',
    g: 'excluded',
    d1: 'fails',
    fresh: 'holds',
    other: 'fails',
  }),
  checks: [{ id: 'x/one', verdict: 'fail', clauses: ['a'], about: 'status', expected: '200', actual: '500 | <b>' }],
};
const reworded = {
  ...after,
  clauses: after.clauses.map((clause) =>
    clause.id === 'other' ? { ...clause, text: 'States something else.' } : clause,
  ),
};
const diff = compareReports({ ...before, checks: [{ id: 'x/one', verdict: 'pass', clauses: ['a'] }] }, reworded);

describe('compareReports', () => {
  it.each([
    ['pass', ['b'], []],
    ['not-tested', [], ['b']],
    ['error', [], ['b']],
  ])(
    'calls a clause fixed only where a check that found it wrong has judged again: %s',
    (verdict, fixed, unconfirmed) => {
      const failed = report({ b: 'fails' });
      const from = {
        ...failed,
        clauses: failed.clauses.map((clause) => ({ ...clause, evidence: [{ check: 'x/one', ok: false }] })),
        checks: [{ id: 'x/one', verdict: 'fail', clauses: ['b'] }],
      };
      const to = report({ b: 'holds' }, { checks: [{ id: 'x/one', verdict, clauses: ['b'] }] });
      const found = compareReports(from, to);
      expect([found.fixed, found.unconfirmed].map((clauses) => clauses.map(({ id }) => id))).toEqual([
        fixed,
        unconfirmed,
      ]);
      expect(conformanceDiffConsole(found).includes('not confirmed')).toBe(unconfirmed.length > 0);
    },
  );

  it('tells regressed, fixed, newly judged, no longer judged and still failing apart', () => {
    const ids = (clauses: readonly { readonly id: string }[]) => clauses.map(({ id }) => id);
    expect([diff.regressed, diff.fixed, diff.newly_judged, diff.no_longer_judged].map(ids)).toEqual([
      ['a', 'd1'],
      ['b'],
      ['c'],
      ['e'],
    ]);
    expect(diff.still_failing).toEqual(['f']);
    expect(diff.regressed[0]).toMatchObject({
      from: 'holds',
      to: 'fails',
      why: 'status: expected 200, got 500 | <b> (x/one)',
    });
    expect(diff.checks).toEqual([{ id: 'x/one', from: 'pass', to: 'fail' }]);
  });

  it('does not blame a server for a specification that changed', () => {
    expect(diff.specification).toEqual({
      clauses_added: ['fresh'],
      clauses_removed: ['gone'],
      clauses_changed: ['other'],
      checks_added: [],
      checks_removed: [],
    });
    expect(diff.regressed.map(({ id }) => id)).not.toContain('other');
    expect(compareReports(before, before)).toMatchObject({ regressed: [], fixed: [], newly_judged: [], checks: [] });
  });

  it.each<[string, Record<string, State>, Record<string, State>, boolean, boolean]>([
    ['a must clause that held', { a: 'holds' }, { a: 'fails' }, true, true],
    ['a decision that held', { d1: 'holds' }, { d1: 'fails' }, false, true],
    ['a must clause that was judged', { a: 'holds' }, { a: 'not-judged' }, false, true],
    ['a failure that nobody had seen', { a: 'not-judged' }, { a: 'fails' }, false, true],
    ['one that failed before', { a: 'fails' }, { a: 'fails' }, false, false],
    ['one that is fixed', { a: 'fails' }, { a: 'holds' }, false, false],
  ])('%s is a regression, or strictly one', (_what, from, to, lax, strict) => {
    const compared = compareReports(report(from), report(to));
    expect([hasRegressed(compared, false), hasRegressed(compared, true)]).toEqual([lax, strict]);
  });

  it('reads what the suite writes', () => {
    const written = comparedReport.parse(JSON.parse(conformanceJson(conformanceFixture())));
    expect(written.clauses.length).toBeGreaterThan(0);
    expect(compareReports(written, written).checks).toEqual([]);
  });
});

describe('the writers', () => {
  it('say it on the console', () => {
    const lines = conformanceDiffConsole(diff).split('\n');
    expect(lines[0]).toBe(
      '2 regressed, 1 fixed, 1 newly judged, 1 no longer judged, 1 still failing; 3 changes of specification and suite',
    );
    expect(lines).toContain('  must     a: passes → fails (status: expected 200, got 500 | <b> (x/one))');
    expect(lines).toContain('  clauses changed: other');
  });

  it('say it in Markdown of the size of a comment', () => {
    const text = conformanceDiffMarkdown(diff);
    expect(text).toContain('## ❌ 2 regressed');
    expect(text).toContain('| `a` | must | passes → fails | status: expected 200, got 500 \\| &lt;b> \\(x/one\\) |');
    expect(text).toContain('- clauses removed: 1');
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`m${i}`, 'holds' as const]));
    const worse = Object.fromEntries(Object.keys(many).map((id) => [id, 'fails' as const]));
    const large = conformanceDiffMarkdown(compareReports(report(many), report(worse)));
    expect([large.length < 10_000, large.includes('and 280 more.')]).toEqual([true, true]);
    expect(conformanceDiffMarkdown(compareReports(before, before)).split('\n')[0]).toBe(
      '## ✅ 0 regressed, 0 fixed, 0 newly judged, 0 no longer judged, 2 still failing; the same specification and suite',
    );
  });

  it('count checks that came and went', () => {
    const more = { ...before, checks: [{ id: 'x/new', verdict: 'pass', clauses: [] }] };
    expect(conformanceDiffConsole(compareReports(before, more))).toContain('; 1 change of specification and suite\n');
  });

  it('say it as JSON that reads back', () => {
    expect(JSON.parse(conformanceDiffJson(diff))).toEqual(diff);
  });
});
