/** Every clause, by section: what was found about it and by which evidence, and the form that filters them. */

import type {
  CheckResult,
  ClauseEvidence,
  ConformanceResult,
  ReportedClause,
} from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import { stateCounts, stateLabel, stateText } from '../conformance/clause-states.js';
import {
  bySection,
  type ConformanceWriting,
  clausePowerText,
  type ReportedSection,
} from '../conformance/conformance-view.js';
import { CheckDetails, checkAnchor, VerdictBadge } from './check.js';
import { anchorOf, html, type Markup } from './markup.js';
import { StateBar } from './matrix.js';
import { Badge, mono } from './parts.js';

/** How many pieces of evidence for a clause are shown; evidence against it is shown in full. */
export const FOR_MAX = 3;

/** All that the blocks below need to look up. */
export interface ClauseContext {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  /** The clause below which a check is shown in full; the other clauses that it judges have a link to it. */
  readonly homes: Readonly<Record<string, string>>;
  /** The clauses whose evidence unfolds by script: of those the page has the text alone. */
  readonly folded: readonly string[];
  /** The address of an exchange, where exchanges have addresses; undefined for one that is not kept. */
  readonly exchangeHref?: (n: number, check: string) => string | undefined;
}

/** The context of a page, with every clause that passes folded, by checks that passed, or with none. */
export function clauseContext(result: ConformanceResult, writing: ConformanceWriting, folds = true): ClauseContext {
  const homes = homesOf(result);
  return { result, writing, homes, folded: folds ? foldedOf(result, homes) : [] };
}

/** Every clause by section with its evidence and the checks that judge it, and the form that filters them. */
export function ClauseSections(context: ClauseContext): Markup {
  const { result, writing, homes, folded } = context;
  const homeless = result.checks.filter(({ id }) => homes[id] === undefined);
  const note = html`<p class="why" id="folded-note">The evidence for clauses that pass unfolds here by script; conformance.json has it too.</p>`;
  return html`<h3 id="clauses">Clauses by section</h3>${folded.length === 0 ? undefined : note}${filterForm(result)}
${bySection(result).map((section) => sectionDetails(section, context))}
${homeless.length === 0 ? undefined : html`<div class="card"><h4>Checks of clauses that are not listed</h4><ul class="checks">${homeless.map((check) => html`<li>${CheckDetails({ check, result, writing })}</li>`)}</ul></div>`}`;
}

function homesOf(result: ConformanceResult): Readonly<Record<string, string>> {
  const listing = new Map<string, string[]>();
  for (const clause of result.clauses) {
    for (const id of clause.checks) listing.set(id, [...(listing.get(id) ?? []), clause.id]);
  }
  const homes = result.checks.flatMap(({ id, clauses }) => {
    const listed = listing.get(id) ?? [];
    const home = clauses.find((clause) => listed.includes(clause)) ?? listed[0];
    return home === undefined ? [] : [[id, home] as const];
  });
  return Object.fromEntries(homes);
}

/** The clauses that pass if every check that is shown in full below them passed and has nothing else to report. */
function foldedOf({ clauses, checks, findings }: ConformanceResult, homes: ClauseContext['homes']): readonly string[] {
  const met = new Set(findings.flatMap((finding) => finding.checks));
  const told = checks.filter(
    ({ id, verdict, flaky, known, ended }) => verdict !== 'pass' || flaky || known || ended || met.has(id),
  );
  const kept = new Set(told.map(({ id }) => homes[id]));
  return clauses
    .filter(({ id, state, evidence }) => state === 'holds' && evidence.every(({ ok }) => ok) && !kept.has(id))
    .map(({ id }) => id);
}

function filterForm({ clauses }: ConformanceResult): Markup {
  const levels = (['must', 'decision'] as const).filter((level) => clauses.some((clause) => clause.level === level));
  const states = stateCounts(clauses).filter(({ count }) => count > 0);
  return html`<form class="filter card" hidden role="search" aria-label="Filter clauses">
<label><span class="unseen">Words in clauses and checks</span><input type="search" name="text" placeholder="Filter by words or id" /></label>
<fieldset><legend class="unseen">States and levels of clauses</legend>${states.map(({ state, label }) => box('state', state, label))}${levels.map((level) => box('level', level, level))}</fieldset>
<output aria-live="polite">${numberText(clauses.length)} of ${countText(clauses.length, 'clause')} shown</output></form>`;
}

function box(name: string, value: string, label: string): Markup {
  return html`<label><input type="checkbox" name=${name} value=${value} checked=${true} /> ${label}</label>`;
}

function sectionDetails({ section, title, clauses }: ReportedSection, context: ClauseContext): Markup {
  const open = clauses.some((clause) => clause.state === 'fails' && clause.level === 'must');
  return html`<details class="section card" id=${anchorOf('section', section)} open=${open}><summary><h4>${section} ${title}</h4>${StateBar({ clauses })}<p class="counts">${countText(clauses.length, 'clause')}: ${stateText(clauses)}</p></summary>${clauses.map((clause) => clauseDetails(clause, context))}</details>`;
}

function clauseDetails(clause: ReportedClause, context: ClauseContext): Markup {
  const { id, state, level, text } = clause;
  // There are a thousand of them: one that is folded says no more than it must.
  if (context.folded.includes(id))
    return html`<details class="clause folded" id=${anchorOf('clause', id)} data-level=${level === 'must' ? undefined : level}><summary>${text}</summary></details>`;
  return html`<details class="clause" id=${anchorOf('clause', id)} data-state=${state} data-level=${level} open=${state === 'fails' && level === 'must'}><summary>${Badge({ kind: state, label: stateLabel(state) })} <span class="find">${text}</span> <span class="mono find">${id}</span></summary>${ClauseBody({ clause, context })}</details>`;
}

/** The body of a clause that is open: where it rests, why it is not judged, its evidence and its checks. */
export function ClauseBody({
  clause,
  context,
}: {
  readonly clause: ReportedClause;
  readonly context: ClauseContext;
}): Markup {
  const { level, where, excluded, reason } = clause;
  const { clausePages } = context.writing;
  const checks = clause.checks.flatMap((id) => context.result.checks.find((check) => check.id === id) ?? []);
  return html`<div class="body"><p class="why">${clausePages === undefined ? mono(clause.id) : html`<a class="mono" href=${`${clausePages}${clause.id}/index.html`}>${clause.id}</a>`} ${stateLabel(clause.state)}; ${level}, ${where}</p>
${excluded === undefined ? undefined : html`<p class="why">Excluded: ${excluded}</p>`}
${reason === undefined ? undefined : html`<p class="why">Not judged: ${reason}</p>`}
${clause.power === undefined ? undefined : html`<p class="why">Power: the run would notice ${clausePowerText(clause.power)} planted mistakes</p>`}
${evidenceList(clause, context)}
${checks.length === 0 ? undefined : html`<ul class="checks">${checks.map((check) => html`<li>${checkItem(check, clause, context)}</li>`)}</ul>`}</div>`;
}

function evidenceList(clause: ReportedClause, context: ClauseContext): Markup {
  const { evidence } = clause;
  const [against, inFavour] = [evidence.filter(({ ok }) => !ok), evidence.filter(({ ok }) => ok)];
  const shown = [...against, ...inFavour.slice(0, FOR_MAX)];
  if (shown.length === 0) return undefined;
  const left = evidence.length - shown.length;
  return html`<ul class="evidence">${shown.map((each) => evidenceItem(each, clause, context))}${left > 0 ? html`<li class="why">and ${numberText(left)} more that it passes</li>` : undefined}</ul>`;
}

function evidenceItem(evidence: ClauseEvidence, clause: ReportedClause, context: ClauseContext): Markup {
  const { check, about, ok, expected = '', actual = '' } = evidence;
  const seen = ok ? undefined : `: expected ${expected}, got ${actual}`;
  return html`<li>${ok ? '✓' : '✗'} ${about}${seen} <span class="why">in <a class="mono" href="#${placeOf(check, clause, context)}">${check}</a> ${stepOf(evidence, context)}</span></li>`;
}

/** The request of a piece of evidence: as a link, where exchanges have addresses. */
function stepOf({ check, step, n }: ClauseEvidence, { exchangeHref }: ClauseContext): Markup {
  if (exchangeHref === undefined || n === undefined) return step;
  const href = exchangeHref(n, check);
  return href === undefined ? `${step} (this exchange is not kept)` : html`<a href=${href}>${step}</a>`;
}

/** Where a check is, for a link from a clause: to a check that is folded it leads to the clause that is there. */
function placeOf(check: string, from: ReportedClause, { homes, folded }: ClauseContext): string {
  const home = homes[check];
  const reached = home === undefined || home === from.id || !folded.includes(home);
  return reached ? checkAnchor(check) : anchorOf('clause', home);
}

function checkItem(check: CheckResult, clause: ReportedClause, context: ClauseContext): Markup {
  const { result, writing, homes } = context;
  if (homes[check.id] === clause.id) return CheckDetails({ check, result, writing });
  return html`<span class="elsewhere">${VerdictBadge(check)} <span class="find">${check.title}</span> <a class="mono find" href="#${placeOf(check.id, clause, context)}">${check.id}</a></span>`;
}
