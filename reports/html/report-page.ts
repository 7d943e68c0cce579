/** Several results on one page: a card of each on top, then each in full. One of each kind, as the demo has them, is index-page.ts. */

import type { ConformanceResult } from '../conformance-result.js';
import { countText } from '../numbers.js';
import { withShortNames } from '../short-names.js';
import type { SimulationResult } from '../simulation-result.js';
import { conformanceCard, conformanceSection } from './conformance-section.js';
import { Html, html } from './markup.js';
import { page } from './page.js';
import { type ReportedSearch, searchCard, searchSection } from './search-section.js';
import { simulationCard, simulationSection } from './simulation-section.js';
import { type ReportedSweep, sweepCard, sweepSection } from './sweep-section.js';

/** A result, and the name of the folder that it was read from. */
export type Reported =
  | { readonly kind: 'conformance'; readonly name: string; readonly result: ConformanceResult }
  | { readonly kind: 'simulation'; readonly name: string; readonly result: SimulationResult }
  | { readonly kind: 'sweep'; readonly name: string; readonly result: ReportedSweep }
  | { readonly kind: 'search'; readonly name: string; readonly result: ReportedSearch };

/** All results as one HTML file. Of checks that passed the transcripts stay where they are: in the reports of each run. */
export function reportPage(given: readonly Reported[], toolVersion: string): string {
  const reported = withShortNames(given).toSorted((a, b) => badnessOf(b) - badnessOf(a));
  const bad = reported.filter((each) => badnessOf(each) > 0).map(({ name }) => name);
  const parts = reported.map((each, index) => {
    const place = `result-${index + 1}`;
    const { card, section } = partsOf(each);
    const heading = html`<h2 id="${place}" class="mono">${each.name}</h2>`;
    return { place, card: apart(card, place), section: html`${heading}${apart(section, place)}` };
  });
  const counts = (['conformance run', 'simulation run', 'sweep', 'search'] as const).flatMap((kind) => {
    const count = reported.filter((each) => kind.startsWith(each.kind)).length;
    return count === 0 ? [] : [kind === 'search' ? countText(count, kind, 'searches') : countText(count, kind)];
  });
  return page({
    title: 'Agent Identity and Provenance Service: results',
    lead: `${bad.length === 0 ? '' : `No success: ${listText(bad)}. `}${listText(counts)} on one page.`,
    places: parts.map(({ place }, index) => ({ id: place, label: reported[index]?.name ?? '' })),
    parts: [html`<div class="overview">${parts.map(({ card }) => card)}</div>`, ...parts.map(({ section }) => section)],
    tool_version: toolVersion,
  });
}

/** Failures come first, then runs without a verdict. */
function badnessOf(each: Reported): number {
  return each.kind === 'conformance' ? ([0, 2, 1][each.result.exit_status] ?? 0) : 0;
}

/** Words as a list: "a", "a and b", "a, b and c". */
function listText(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function partsOf(each: Reported): { readonly card: Html; readonly section: Html } {
  if (each.kind === 'simulation') return { card: simulationCard(each.result), section: simulationSection(each.result) };
  if (each.kind === 'sweep') return { card: sweepCard(each.result), section: sweepSection(each.result) };
  if (each.kind === 'search') return { card: searchCard(each.result), section: searchSection(each.result) };
  const checks = each.result.checks.map((check) => (check.verdict === 'pass' ? { ...check, transcript: [] } : check));
  const result = { ...each.result, checks };
  return { card: conformanceCard(result, {}), section: conformanceSection(result, {}, 'none') };
}

/** A part whose ids, and what refers to them, are apart from those of other parts. Text holds no quotes that are not escaped. */
function apart({ text }: Html, prefix: string): Html {
  const named = (ids: string): string =>
    ids
      .split(' ')
      .map((id) => `${prefix}-${id}`)
      .join(' ');
  return new Html(
    text
      .replaceAll(
        / (id|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"/g,
        (_, name, ids) => ` ${name}="${named(ids)}"`,
      )
      .replaceAll(/ href="#([^"]+)"/g, (_, id) => ` href="#${named(id)}"`)
      .replaceAll(/url\(#([^)"]+)\)/g, (_, id) => `url(#${named(id)})`),
  );
}
