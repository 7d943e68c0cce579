import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  hostileConformance,
  standingConformance,
} from '../test/fixtures/results.js';
import { conformanceMarkdown } from './markdown.js';

/** The cells of a row, parted at pipes that no backslash escapes. */
function cells(line: string): number {
  return line.split(/(?<!\\)\|/u).length;
}

describe('conformanceMarkdown', () => {
  const text = conformanceMarkdown(conformanceFixture());

  it('begins with how much was judged', () => {
    expect(text.split('\n')[0]).toBe('## ❌ 7 of 15 clauses judged: 4 hold, 3 do not');
    expect(conformanceMarkdown(cleanConformance()).split('\n')[0]).toBe(
      '## ✅ 4 of 4 clauses judged: 4 hold, 0 do not',
    );
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const standing = conformanceMarkdown(standingConformance());
    expect(standing).toContain('**Baseline:** heartbeat/accepted passes again: take it off the list');
    expect(standing).toContain('| ☑️ known until 2026-12-31: the interval is being reworked');
    expect(standing).toContain('| ❌ flaky: seed 7 pass, seed 8 advisory | `heartbeat/frozen`');
    expect(standing).toMatch(/status\/found.*seed 7 pass, seed 8 inconclusive/);
  });

  it('lists what failed, and advisories after it', () => {
    expect(text).toContain(
      '| ❌ | `heartbeat/too-soon` A heartbeat nine beats after the last is refused | `heartbeat.interval.min` `heartbeat.interval.body` | status of the second heartbeat: `429 HEARTBEAT_TOO_SOON` | `200` |\n| ⚠️ advisory | `heartbeat/frozen`',
    );
    expect(text).toContain('`aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7`');
    expect(conformanceMarkdown(conformanceFixture(), { strict: true })).toContain('| ❌ | `heartbeat/frozen`');
  });

  it.each([
    '| error | 1 | the check threw: cannot read the reply |  |',
    '| inconclusive | 1 | three replies in a row were 503 |  |',
    '| not tested | 1 | the target offers no beats | give `beats_url` |',
    '| not applicable | 1 | the target declares partner-webhook unsupported |  |',
  ])('says why something was not judged: %s', (row) => {
    expect(text).toContain(row);
  });

  it('is three lines for a clean run', () => {
    expect(conformanceMarkdown(cleanConformance())).toBe(
      '## ✅ 4 of 4 clauses judged: 4 hold, 0 do not\n\n`http://127.0.0.1:8787` (devnet, dialect service): 2 passed in 3.25 s, seed 7, exit status 0.\n',
    );
  });

  it('does not let a run without checks look like a success', () => {
    const empty = conformanceMarkdown(emptyConformance());
    expect(empty).toContain('## ❌ 0 of 15 clauses judged');
    expect(empty).toContain('no check ran');
    expect(empty).toContain('**The run stopped:** three refused connections in a row');
  });

  it('shows twenty failures at most', () => {
    const failed = CHECKS.filter((check) => check.verdict === 'fail');
    const checks = Array.from({ length: 25 }, (_, at) =>
      failed.map((check) => ({ ...check, id: `many/${at}` })),
    ).flat();
    const many = conformanceMarkdown(conformanceFixture({ checks }));
    expect(many.match(/^\| ❌/gmu)).toHaveLength(20);
    expect(many).toContain('and 5 checks more.');
  });

  it('keeps hostile text in its cell and as text', () => {
    const hostile = conformanceMarkdown(hostileConformance());
    const rows = hostile.split('\n').filter((line) => line.startsWith('| ❌'));
    expect(rows).toHaveLength(1);
    expect(rows.map(cells)).toEqual([7]);
    // What stands outside of code has no tag and no code of its own.
    const outside = hostile.replace(/(?<!\\)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/gu, '');
    expect(outside).not.toContain('<');
    expect(hostile).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });
});
