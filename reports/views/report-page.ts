/** Several results on one page: a headline, a card of each with red ones first, then each in full. */

import { type ConformanceResult, withoutTranscript } from '../../results/conformance-result.js';
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import { countText, numberText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import { addedUpText } from '../conformance/added-up.js';
import { type Verdict, verdictOf } from '../conformance/verdict-text.js';
import { withShortNames } from '../text/short-names.js';
import { ConformanceCard, ConformanceView } from './conformance.js';
import { EquilibriumCard, EquilibriumView, equilibriumVerdict } from './equilibrium.js';
import { apart, html, type Markup } from './markup.js';
import { page } from './page.js';
import { VerdictBanner } from './parts.js';
import { type ReportedSearch, SearchCard, SearchView, searchVerdict } from './search.js';
import { SimulationCard, SimulationView, simulationVerdict } from './simulation.js';
import { SurvivalPart } from './survival.js';
import { type ReportedSweep, SweepCard, SweepView, sweepVerdict } from './sweep.js';

/** A result, and the name of the folder that it was read from. */
export type Reported =
  | { readonly kind: 'conformance'; readonly name: string; readonly result: ConformanceResult }
  | { readonly kind: 'simulation'; readonly name: string; readonly result: SimulationResult }
  | { readonly kind: 'sweep'; readonly name: string; readonly result: ReportedSweep }
  | { readonly kind: 'search'; readonly name: string; readonly result: ReportedSearch }
  | { readonly kind: 'equilibrium'; readonly name: string; readonly result: EquilibriumResult };

/** All results as one HTML file. Of checks that passed the transcripts stay where they are: in the reports of each run. */
export function reportPage(given: readonly Reported[], toolVersion: string): string {
  const reported = withShortNames(given).toSorted((a, b) => badnessOf(b) - badnessOf(a));
  const bad = reported.filter((each) => badnessOf(each) > 0).map(({ name }) => name);
  const parts = reported.map((each, index) => {
    const place = `result-${index + 1}`;
    const { card, view } = viewsOf(each);
    return {
      place,
      card: apart(card, place),
      view: html`<h2 id=${place} class="mono">${each.name}</h2>${apart(view, place)}`,
    };
  });
  const counts = (['conformance run', 'simulation run', 'sweep', 'search', 'equilibrium search'] as const).flatMap(
    (kind) => {
      const count = reported.filter((each) => kind.startsWith(each.kind)).length;
      return count === 0
        ? []
        : [kind.endsWith('search') ? countText(count, kind, `${kind}es`) : countText(count, kind)];
    },
  );
  const together = addedUpText(reported.flatMap((each) => (each.kind === 'conformance' ? each.result : [])));
  return page({
    title: 'Agent Identity and Provenance Service: results',
    lead: `${listText(counts)} on one page.`,
    places: parts.map(({ place }, index) => ({ id: place, label: reported[index]?.name ?? '' })),
    parts: [
      // One result says its verdict itself.
      parts.length < 2 ? undefined : VerdictBanner(headlineOf(bad, reported.length)),
      together === undefined ? undefined : html`<p>${together}.</p>`,
      parts.length < 2 ? undefined : html`<div class="overview">${parts.map(({ card }) => card)}</div>`,
      ...parts.map(({ view }) => view),
    ],
    tool_version: toolVersion,
  });
}

function headlineOf(bad: readonly string[], count: number): Verdict {
  if (bad.length === 0)
    return { tone: 'good', word: 'No failure', text: `${countText(count, 'result')}, none of them red.` };
  const word = `${numberText(bad.length)} of ${countText(count, 'result')} ${bad.length === 1 ? 'is' : 'are'} no success`;
  return { tone: 'bad', word, text: `No success: ${listText(bad)}.` };
}

/** Failures come first, then runs without a verdict. */
function badnessOf(each: Reported): number {
  if (each.kind === 'conformance' && each.result.exit_status === 0) return 0;
  const { tone } = verdictOfReported(each);
  return each.kind === 'conformance' ? { bad: 2, open: 1, good: 1 }[tone] : tone === 'bad' ? 2 : 0;
}

function verdictOfReported(each: Reported): Verdict {
  if (each.kind === 'simulation') return simulationVerdict(each.result);
  if (each.kind === 'sweep') return sweepVerdict(each.result);
  if (each.kind === 'equilibrium') return equilibriumVerdict(each.result);
  return each.kind === 'search' ? searchVerdict(each.result) : verdictOf(each.result, {});
}

/** Words as a list: "a", "a and b", "a, b and c". */
function listText(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function viewsOf(each: Reported): { readonly card: Markup; readonly view: Markup } {
  if (each.kind === 'simulation') return { card: SimulationCard(each), view: SimulationView(each) };
  if (each.kind === 'sweep')
    return {
      card: SweepCard({ sweep: each.result }),
      view: SweepView({ sweep: each.result, survival: SurvivalPart(each.result) }),
    };
  if (each.kind === 'search')
    return { card: SearchCard({ search: each.result }), view: SearchView({ search: each.result }) };
  if (each.kind === 'equilibrium') return { card: EquilibriumCard(each), view: EquilibriumView(each) };
  const checks = each.result.checks.map((check) => (check.verdict === 'pass' ? withoutTranscript(check) : check));
  const props = { result: { ...each.result, checks }, writing: {}, folds: false };
  return { card: ConformanceCard(props), view: ConformanceView(props) };
}
