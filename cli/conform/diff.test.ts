import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparedReport } from '../../reports/conformance/conformance-diff.js';
import { conformanceJson } from '../../reports/conformance/conformance-json.js';
import { aips } from '../../test/fixtures/aips.js';
import { conformanceFixture } from '../../test/fixtures/results.js';

const place = mkdtempSync(join(tmpdir(), 'aips-diff-'));
const before = comparedReport.parse(JSON.parse(conformanceJson(conformanceFixture())));
const holding = before.clauses.find(({ state, level }) => state === 'holds' && level === 'must')?.id;
const after = {
  ...before,
  clauses: before.clauses.map((clause) => (clause.id === holding ? { ...clause, state: 'fails' } : clause)),
};
for (const [file, text] of [
  ['conformance.json', JSON.stringify(before)],
  ['after.json', JSON.stringify(after)],
  ['text.json', 'no JSON'],
  ['other.json', '{"schema": "aips-lab/simulation/1"}'],
] as const)
  writeFileSync(join(place, file), text);

describe('aips conform diff', () => {
  it('ends with 1 for a regression, and writes it as Markdown; a folder stands for its report', async () => {
    const { status, stdout } = await aips(place, 'conform', 'diff', '.', 'after.json', '--markdown', 'out/diff.md');
    expect([status, stdout.split('\n').slice(0, 3)]).toEqual([
      1,
      [
        expect.stringMatching(/^1 regressed, 0 fixed/),
        'regressed',
        expect.stringContaining(`${holding}: passes → fails`),
      ],
    ]);
    expect(readFileSync(join(place, 'out/diff.md'), 'utf8')).toContain('❌ 1 regressed');
  });

  it('ends with 0 for what is fixed or the same', async () => {
    const { status, stdout } = await aips(place, 'conform', 'diff', 'after.json', 'conformance.json', '--json');
    expect([status, JSON.parse(stdout).fixed[0].id]).toEqual([0, holding]);
    expect((await aips(place, 'conform', 'diff', 'after.json', 'after.json')).status).toBe(0);
  });

  it.each([
    ['none.json', 'there is no such conformance report'],
    ['text.json', 'text.json: is not JSON'],
    ['other.json', 'is not a conformance report that this version reads: it is aips-lab/simulation/1, and'],
  ])('ends with 2 for %s: %s', async (file, message) => {
    const { status, stderr } = await aips(place, 'conform', 'diff', file, 'after.json');
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
