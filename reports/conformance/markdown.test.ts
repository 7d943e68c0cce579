import { describe, expect, it } from 'vitest';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  FINDINGS,
  hostileConformance,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { conformanceMarkdown } from './markdown.js';

/** The cells of a row, parted at pipes that no backslash escapes. */
function cells(line: string): number {
  return line.split(/(?<!\\)\|/u).length;
}

describe('conformanceMarkdown', () => {
  const text = conformanceMarkdown(conformanceFixture());

  it('begins with the verdict, and how much was judged', () => {
    expect(text.split('\n').slice(0, 3)).toEqual([
      '## ❌ Not conformant: 1 finding; 46 % of the specification judged',
      '',
      'Specification: 6 of 13 clauses judged: 4 pass, 2 fail. Decisions: 1 of 1 clauses judged: 0 pass, 1 fail.',
    ]);
  });

  it('tells known failures, flaky checks, and what is wrong with the baseline', () => {
    const standing = conformanceMarkdown(standingConformance());
    expect(standing).toContain(
      '**Baseline:** heartbeat.reply in heartbeat/accepted passes again: take it off the list',
    );
    expect(standing).toContain('| ☑️ known until 2026-12-31: the interval is being reworked');
    expect(standing).toContain('❌ `heartbeat/frozen` is flaky: seed 7 pass, seed 8 advisory.');
    expect(standing).toMatch(/status\/found.*seed 7 pass, seed 8 inconclusive/);
  });

  it('lists what fails by cause, then what was not judged, and decisions last', () => {
    expect(text).toContain(
      [
        '| | failure | clauses | expected | actual | checks |',
        '|---|---|---|---|---|---|',
        '| ❌ | `POST /api/v1/agent/heartbeat: status` | heartbeat.interval.min (section 4.5, paragraph “Minimum interval”): Heartbeats lie at least 10 beats apart.<br>heartbeat.interval.body (section 4.5, paragraph “Minimum interval”): The refusal names the next eligible beat. | `429 HEARTBEAT_TOO_SOON` | `200` | `heartbeat/accepted` `heartbeat/too-soon` |'
          .replaceAll('(section', '\\(section')
          .replaceAll('”)', '”\\)'),
        '',
        'See the first again: `aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7`',
      ].join('\n'),
    );
    const places = ['| failure |', 'not judged', 'decision that is not followed', '**Next:**'];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
    expect(text).toContain('| ⚠️ advisory | `POST /api/v1/agent/heartbeat: code`');
    const strict = conformanceMarkdown(conformanceFixture(), { strict: true });
    expect(strict).toContain('| ❌ | `POST /api/v1/agent/heartbeat: code`');
    expect(strict).not.toContain('decision that is not followed');
  });

  it('lists what is not there, and what to do about it', () => {
    const lacking = conformanceMarkdown(lackingConformance());
    expect(lacking).toContain(
      '| ❌ | `GET /api/v1/status/:hash` | 4.1 | 404 | 1 check and 1 must clause wait for it |',
    );
    expect(lacking).toContain('**Next:** build `GET /api/v1/status/:hash` (2 checks, 1 must clause)');
    expect(lacking).toContain('- `unsupported: [status]`');
  });

  it.each([
    '| error | 1 | 0 | 1 | the check threw: cannot read the reply |  |',
    '| inconclusive | 1 | 0 | 1 | three replies in a row were 503 |  |',
    '| not tested | 1 | 0 | 1 | the target offers no beats | give `beats_url` |',
    '| not applicable | 1 | 0 | 1 | the target declares partner-webhook unsupported |  |',
  ])('says why something was not judged: %s', (row) => {
    expect(text).toContain(row);
  });

  it('is a few lines for a clean run', () => {
    expect(conformanceMarkdown(cleanConformance())).toBe(
      '## ✅ Conformant: no failure; 100 % of the specification judged\n\nSpecification: 4 of 4 clauses judged: 4 pass, 0 fail. Decisions: 0 of 0 clauses judged: 0 pass, 0 fail.\n\n`http://127.0.0.1:8787` (devnet, dialect service): 2 passed in 3.25 s, seed 7, exit status 0.\n',
    );
  });

  it('does not let a run without checks look like a success', () => {
    const empty = conformanceMarkdown(emptyConformance());
    expect(empty).toContain(
      '## ❌ Could not judge: three refused connections in a row; 0 % of the specification judged',
    );
    expect(empty).toContain('no check ran');
    expect(empty).toContain('**The run stopped:** three refused connections in a row');
  });

  it('shows twenty findings of a kind at most', () => {
    const findings = Array.from({ length: 25 }, (_, at) =>
      FINDINGS.map((one) => ({ ...one, id: `${at} ${one.id}` })),
    ).flat();
    const many = conformanceMarkdown(conformanceFixture({ findings }));
    expect(many.match(/^\| ❌/gmu)).toHaveLength(20);
    expect(many.match(/^\| ⚠️/gmu)).toHaveLength(20);
    expect(many.match(/^and 5 findings more\.$/gmu)).toHaveLength(2);
  });

  it('names the first clauses and checks of a finding, and counts the others', () => {
    const ids = Array.from({ length: 6 }, (_, at) => `many/${at}`);
    const findings = FINDINGS.slice(0, 1).map((one) => ({ ...one, checks: ids, clauses: ids }));
    const many = conformanceMarkdown(conformanceFixture({ findings }));
    expect(many).toContain('many/3<br>and 2 more clauses |');
    expect(many).toContain('`many/3` and 2 more checks |');
  });

  it('keeps hostile text in its cell and as text', () => {
    const hostile = conformanceMarkdown(hostileConformance());
    const rows = hostile.split('\n').filter((line) => line.startsWith('| ❌'));
    expect(rows).toHaveLength(1);
    expect(rows.map(cells)).toEqual([8]);
    // Text outside of code has no tag and no code of its own.
    const outside = hostile.replace(/(?<!\\)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/gu, '');
    expect(outside).not.toContain('<');
    expect(hostile).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });
});
