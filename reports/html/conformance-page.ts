/** The page of a conformance run alone. Its content is in conformance-section.ts. */
import type { ConformanceResult } from '../conformance-result.js';
import type { ConformanceWriting } from '../conformance-view.js';
import { verdictText } from '../verdict-text.js';
import { conformancePlaces, conformanceSection } from './conformance-section.js';
import { page } from './page.js';

/** A conformance run as one HTML file: by section and clause, with transcripts and curl scripts. */
export function conformancePage(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  return page({
    title: 'Conformance report',
    lead: `${result.target.base_url}: ${verdictText(result, writing)}.`,
    places: conformancePlaces(result, writing).slice(1),
    parts: [conformanceSection(result, writing)],
    tool_version: result.tool_version,
  });
}
