import { describe, expect, it } from 'vitest';
import { cleanConformance } from '../../test/fixtures/results.js';
import { conformanceJson } from '../conformance/conformance-json.js';
import { conformanceSummary } from '../conformance/console.js';
import { ctrf } from '../conformance/ctrf.js';
import { junit } from '../conformance/junit.js';
import { conformanceMarkdown } from '../conformance/markdown.js';
import { sarif } from '../conformance/sarif.js';
import { conformancePage } from '../views/conformance-page.js';

const WHY = 'the budget of 1000 lamports is used up';
const result = { ...cleanConformance(), unpaid: WHY };

describe('a run that went on without what there was no money for', () => {
  it.each([
    ['console', conformanceSummary(result, { colour: false }), `not all was paid for: ${WHY}`],
    ['Markdown', conformanceMarkdown(result), `**Not all was paid for:** ${WHY}`],
    ['HTML', conformancePage(result), `<b>Not all was paid for:</b> ${WHY}`],
    ['SARIF', sarif(result), `not all was paid for: ${WHY}`],
    ['JSON', conformanceJson(result), `"unpaid": "${WHY}"`],
  ])('is told so, and never that it stopped: %s', (_, text, told) => {
    expect(text).toContain(told);
    expect(text).not.toContain('stopped');
  });

  it.each([
    ['JUnit', junit],
    ['CTRF', ctrf],
  ])('is no red test of its own: %s', (_, write) => {
    expect(write(result)).toBe(write(cleanConformance()));
  });
});

it('a remark that no clause is about is in the formats for readers, and fails nothing', () => {
  const noted = { ...cleanConformance(), notes: ['JSON comes as Content-Type text/plain from POST /api/v1/sigil'] };
  const texts = [
    conformanceSummary(noted, { colour: false }),
    conformanceMarkdown(noted),
    conformancePage(noted),
    sarif(noted),
    conformanceJson(noted),
  ];
  for (const text of texts) expect(text).toContain(noted.notes[0]);
  expect(junit(noted)).toBe(junit(cleanConformance()));
});
