/** The view of a conformance run: its verdict and what to do first, the matrix, what fails, what was not judged, every clause. */
import type { ConformanceResult } from '../../results/conformance-result.js';
import { numberText } from '../../results/numbers.js';
import {
  type ConformanceWriting,
  headline,
  headlineParts,
  isBad,
  powerText,
  VERDICTS,
  verdictCounts,
  wallText,
} from '../conformance/conformance-view.js';
import { sortedFindings } from '../conformance/findings-view.js';
import { lackingEndpoints } from '../conformance/not-served.js';
import { summaryOfRun } from '../conformance/run-summary.js';
import { unjudgedGroups } from '../conformance/unjudged.js';
import { verdictOf } from '../conformance/verdict-text.js';
import { VerdictBadge } from './check.js';
import { ClauseSections, clauseContext } from './clauses.js';
import { ConformanceSummary } from './conformance-summary.js';
import { html, type Markup } from './markup.js';
import { StateBar } from './matrix.js';
import type { Place } from './page.js';
import { Figures, mono, OverviewCard } from './parts.js';

/** A run, how its report is written, and whether the clauses that pass are folded. */
interface ConformanceProps {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  readonly folds?: boolean;
}

/** The places of the conformance view that a list of contents names. */
export function conformancePlaces({ result, writing }: ConformanceProps): readonly Place[] {
  const { failing, known, decisions } = sortedFindings(result, writing);
  const place = (id: string, label: string, is: boolean): Place[] => (is ? [{ id, label }] : []);
  return [
    { id: 'conformance', label: 'Conformance' },
    ...place('findings', 'Failures', failing.length + known.length > 0),
    ...place('not-served', 'What is not there', lackingEndpoints(result).length > 0),
    ...place('unjudged', 'What was not judged', unjudgedGroups(result).length > 0),
    ...place('decisions', 'Decisions', decisions.length > 0),
    { id: 'clauses', label: 'Clauses' },
  ];
}

/** A summary card of a conformance run. */
export function ConformanceCard({ result, writing }: ConformanceProps): Markup {
  const [must, decisions] = headlineParts(result);
  const figures = [
    { label: 'Checks', value: numberText(result.checks.length) },
    { label: 'Requests', value: numberText(result.requests) },
    { label: 'Wall time', value: wallText(result) },
  ];
  return OverviewCard({
    id: 'conformance',
    tone: isBad(result, writing) ? 'bad' : 'good',
    title: html`Conformance of <span class="mono">${result.target.base_url}</span>`,
    content: html`<p class="figure">${verdictOf(result, writing).word}</p><p>${must}.</p><p>${decisions}. Checks: ${verdictCounts(result)}.</p>${StateBar(result)}${Figures({ figures })}`,
    more: 'To the conformance part',
  });
}

/** The view of a conformance run as a part of a page. */
export function ConformanceView({ result, writing, folds = true }: ConformanceProps): Markup {
  const context = clauseContext(result, writing, folds);
  return html`<section class="part" id="conformance" aria-labelledby="conformance-title">
<h2 id="conformance-title">Conformance of ${mono(result.target.base_url)}</h2>
${ConformanceSummary({ result, writing, summary: summaryOfRun(result, writing) })}
${ClauseSections(context)}
${about(result)}</section>`;
}

function about(result: ConformanceResult): Markup {
  const { target } = result;
  const power = powerText(result);
  const beats = target.beats_url === null ? 'no beats service' : `beats service ${target.beats_url}`;
  const offers = target.offers.length === 0 ? 'nothing beyond its address' : target.offers.join(', ');
  const counted = VERDICTS.flatMap(({ verdict }) => {
    const count = result.checks.filter((check) => check.verdict === verdict).length;
    return count === 0 ? [] : [html`<li>${VerdictBadge({ verdict })}<b>${numberText(count)}</b></li>`];
  });
  return html`<h3 id="run">The run</h3><div class="card"><p>${headline(result)}. ${power === undefined ? '' : `${power}. `}Checks:</p><ul class="key verdicts">${counted}</ul>
<p>${mono(target.base_url)}, ${target.network}, dialect ${target.dialect}, ${beats}. It offers the suite ${offers}. Started ${result.started_at}, seed ${result.seed}, exit status ${result.exit_status}.</p></div>`;
}
