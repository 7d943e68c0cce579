/** The page of a conformance run alone. Its content is in conformance.ts. */
import type { ConformanceResult } from '../../results/conformance-result.js';
import type { ConformanceWriting } from '../conformance/conformance-view.js';
import { verdictText } from '../conformance/verdict-text.js';
import { clauseContext } from './clauses.js';
import { ConformanceView, conformancePlaces } from './conformance.js';
import { PackedResult } from './packed.js';
import { page } from './page.js';

/** A conformance run as one HTML file: by section and clause, with transcripts and curl scripts. */
export function conformancePage(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  return page({
    title: 'Conformance report',
    lead: `${result.target.base_url}: ${verdictText(result, writing)}.`,
    places: conformancePlaces({ result, writing }).slice(1),
    parts: [ConformanceView({ result, writing }), PackedResult(clauseContext(result, writing))],
    tool_version: result.tool_version,
  });
}
