/** Writes every clause for a page, by section: what was found about it and by which evidence, and the form that filters them. */

import { stateCounts, stateLabel, stateText } from '../clause-states.js';
import type { CheckResult, ClauseEvidence, ConformanceResult, ReportedClause } from '../conformance-result.js';
import { bySection, type ConformanceWriting, type ReportedSection } from '../conformance-view.js';
import { countText, numberText } from '../numbers.js';
import { checkAnchor, checkDetails, verdictBadge } from './check-details.js';
import { anchorOf, type Html, html, trusted } from './markup.js';
import { packedElement } from './packed-element.js';
import { stateBar } from './state-bar.js';
import { CLAUSE_TEXT } from './unfold.js';

/** How many pieces of evidence for a clause are shown; evidence against it is shown in full. */
const FOR_MAX = 3;

/** All that the blocks below need to look up. */
interface PageContext {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  readonly checks: ReadonlyMap<string, CheckResult>;
  /** The clause below which a check is shown in full; the other clauses that it judges have a link to it. */
  readonly homes: ReadonlyMap<string, string>;
  /** The clauses of which the page shows the text alone, until its script unfolds them. */
  readonly folded: ReadonlySet<string>;
}

/** Which clauses are folded: all that pass, by checks that passed, or none. */
export type Folding = 'passed' | 'none';

/**
 * Every clause by section with its evidence and the checks that judge it, and the form that filters them. Of clauses that pass only the
 * text is there to be read without script.
 */
export function clauseSections(result: ConformanceResult, writing: ConformanceWriting, folding: Folding): Html {
  const checks = new Map(result.checks.map((check) => [check.id, check]));
  const homes = homesOf(result);
  const folded = folding === 'none' ? new Set<string>() : foldedOf(result, homes);
  const found: PageContext = { result, writing, checks, homes, folded };
  const homeless = result.checks.filter((check) => !found.homes.has(check.id));
  const sections = bySection(result);
  const unfolded = sections.flatMap(({ clauses }) => clauses.filter(({ id }) => folded.has(id)));
  return html`<h3 id="clauses">Clauses by section</h3>
${folded.size === 0 ? undefined : html`<p class="why" id="folded-note">The evidence for clauses that pass unfolds here by script; conformance.json has it too.</p>`}
${filterForm(result)}
${sections.map((section) => sectionDetails(section, found))}
${
  unfolded.length === 0
    ? undefined
    : packedElement(
        'packed-clauses',
        unfolded.map((clause) => clauseBlock(clause, trusted(CLAUSE_TEXT), found).text),
      )
}
${homeless.length === 0 ? undefined : html`<div class="card"><h4>Checks of clauses that are not listed</h4><ul class="checks">${homeless.map((check) => html`<li>${checkDetails(check, result, writing)}</li>`)}</ul></div>`}`;
}

function homesOf(result: ConformanceResult): Map<string, string> {
  const listing = new Map<string, string[]>();
  for (const clause of result.clauses) {
    for (const id of clause.checks) listing.set(id, [...(listing.get(id) ?? []), clause.id]);
  }
  const homes = new Map<string, string>();
  for (const check of result.checks) {
    const listed = listing.get(check.id) ?? [];
    const home = check.clauses.find((id) => listed.includes(id)) ?? listed[0];
    if (home !== undefined) homes.set(check.id, home);
  }
  return homes;
}

/** The clauses that pass if every check that is shown in full below them passed and has nothing else to report. */
function foldedOf({ clauses, checks, findings }: ConformanceResult, homes: ReadonlyMap<string, string>): Set<string> {
  const met = new Set(findings.flatMap((finding) => finding.checks));
  const told = checks.filter(
    ({ id, verdict, flaky, known, ended }) => verdict !== 'pass' || flaky || known || ended || met.has(id),
  );
  const kept = new Set(told.map(({ id }) => homes.get(id)));
  const quiet = clauses.filter(
    ({ id, state, evidence }) => state === 'holds' && evidence.every(({ ok }) => ok) && !kept.has(id),
  );
  return new Set(quiet.map(({ id }) => id));
}

function filterForm({ clauses }: ConformanceResult): Html {
  const levels = (['must', 'decision'] as const).filter((level) => clauses.some((clause) => clause.level === level));
  const boxes = [
    ...stateCounts(clauses)
      .filter(({ count }) => count > 0)
      .map(({ state, label }) => box('state', state, label)),
    ...levels.map((level) => box('level', level, level)),
  ];
  return html`<form class="filter card" hidden role="search" aria-label="Filter clauses">
<label><span class="unseen">Words in clauses and checks</span><input type="search" name="text" placeholder="Filter by words or id"></label>
<fieldset><legend class="unseen">States and levels of clauses</legend>${boxes}</fieldset>
<output aria-live="polite">${numberText(clauses.length)} of ${countText(clauses.length, 'clause')} shown</output>
</form>`;
}

function box(name: string, value: string, label: string): Html {
  return html`<label><input type="checkbox" name="${name}" value="${value}" checked> ${label}</label>`;
}

function sectionDetails({ section, title, clauses }: ReportedSection, found: PageContext): Html {
  const open = clauses.some((clause) => clause.state === 'fails' && clause.level === 'must') ? html` open` : undefined;
  return html`<details class="section card" id="${anchorOf('section', section)}"${open}><summary><h4>${section} ${title}</h4>${stateBar(clauses)}<p class="counts">${countText(clauses.length, 'clause')}: ${stateText(clauses)}</p></summary>
${clauses.map((clause) => (found.folded.has(clause.id) ? foldedClause(clause) : clauseBlock(clause, html`${clause.text}`, found)))}
</details>
`;
}

function foldedClause({ id, text }: ReportedClause): Html {
  return html`<p class="folded" id="${anchorOf('clause', id)}">${text}</p>
`;
}

function clauseBlock(clause: ReportedClause, text: Html, found: PageContext): Html {
  const checks = clause.checks.flatMap((id) => found.checks.get(id) ?? []);
  const items = checks.map(
    (check) => html`<li>${checkItem(check, clause, found)}</li>
`,
  );
  return html`<div class="clause" id="${anchorOf('clause', clause.id)}" data-state="${clause.state}" data-level="${clause.level}">
<p class="head"><span class="badge ${clause.state}">${stateLabel(clause.state)}</span> <span class="mono find">${clause.id}</span> <span>${clause.level}</span> <span>${clause.where}</span></p>
<p class="find">${text}</p>
${clause.excluded === undefined ? undefined : html`<p class="why">Excluded: ${clause.excluded}</p>`}
${clause.reason === undefined ? undefined : html`<p class="why">Not judged: ${clause.reason}</p>`}
${evidenceList(clause, found)}
${checks.length === 0 ? undefined : html`<ul class="checks">${items}</ul>`}
</div>
`;
}

function evidenceList(clause: ReportedClause, found: PageContext): Html {
  const { evidence } = clause;
  const [against, inFavour] = [evidence.filter(({ ok }) => !ok), evidence.filter(({ ok }) => ok)];
  const shown = [...against, ...inFavour.slice(0, FOR_MAX)];
  if (shown.length === 0) return html``;
  const left = evidence.length - shown.length;
  return html`<ul class="evidence">${shown.map((each) => evidenceItem(each, clause, found))}${left > 0 ? html`<li class="why">and ${numberText(left)} more that it passes</li>` : undefined}</ul>`;
}

function evidenceItem(evidence: ClauseEvidence, clause: ReportedClause, found: PageContext): Html {
  const { check, step, about, ok, expected = '', actual = '' } = evidence;
  const seen = ok ? undefined : html`: expected ${expected}, got ${actual}`;
  return html`<li>${ok ? '✓' : '✗'} ${about}${seen} <span class="why">in <a class="mono" href="#${placeOf(check, clause, found)}">${check}</a> ${step}</span></li>`;
}

/** Where a check is, for a link from a clause: from one that is not folded to a folded one it leads to the clause that is there. */
function placeOf(check: string, from: ReportedClause, { homes, folded }: PageContext): string {
  const home = homes.get(check);
  const reached = home === undefined || !folded.has(home) || folded.has(from.id);
  return reached ? checkAnchor(check) : anchorOf('clause', home);
}

function checkItem(check: CheckResult, clause: ReportedClause, found: PageContext): Html {
  const { result, writing, homes } = found;
  if (homes.get(check.id) === clause.id) return checkDetails(check, result, writing);
  return html`<span class="elsewhere">${verdictBadge(check.verdict)} <span class="find">${check.title}</span> <a class="mono find" href="#${placeOf(check.id, clause, found)}">${check.id}</a></span>`;
}
