import { stateLabel, stateText } from '../clause-states.js';
import type { CheckResult, ConformanceResult, ReportedClause } from '../conformance-result.js';
import { bySection, type ConformanceWriting, type ReportedSection, VERDICTS } from '../conformance-view.js';
import { countText } from '../numbers.js';
import { checkAnchor, checkDetails, verdictBadge } from './check-details.js';
import { anchorOf, type Html, html } from './markup.js';
import { stateBar } from './state-bar.js';

/** What every block below needs to look up. */
interface Found {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  readonly checks: ReadonlyMap<string, CheckResult>;
  /** The clause below which a check stands in full; below the other clauses that it judges it is a link. */
  readonly homes: ReadonlyMap<string, string>;
}

/** Every clause by section with the checks that judge it, and the form that filters them. */
export function clauseSections(result: ConformanceResult, writing: ConformanceWriting): Html {
  const checks = new Map(result.checks.map((check) => [check.id, check]));
  const found: Found = { result, writing, checks, homes: homesOf(result) };
  const homeless = result.checks.filter((check) => !found.homes.has(check.id));
  return html`<h3 id="clauses">Clauses by section</h3>
${filterForm(result)}
${bySection(result).map((section) => sectionDetails(section, found))}
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

function filterForm(result: ConformanceResult): Html {
  const used = VERDICTS.filter(({ verdict }) => result.checks.some((check) => check.verdict === verdict));
  const boxes = [...used, { verdict: 'none', label: 'no check' }].map(
    ({ verdict, label }) => html`<label><input type="checkbox" value="${verdict}" checked> ${label}</label>`,
  );
  return html`<form class="filter card" hidden role="search" aria-label="Filter clauses">
<label><span class="unseen">Words in clauses and checks</span><input type="search" name="text" placeholder="Filter by words or id"></label>
<fieldset><legend class="unseen">Verdicts of checks</legend>${boxes}</fieldset>
<output aria-live="polite"></output>
</form>`;
}

function sectionDetails({ section, title, clauses }: ReportedSection, found: Found): Html {
  const open = clauses.some((clause) => clause.state === 'fails') ? html` open` : undefined;
  return html`<details class="section card" id="${anchorOf('section', section)}"${open}><summary><h4>${section} ${title}</h4>${stateBar(clauses)}<p class="counts">${countText(clauses.length, 'clause')}: ${stateText(clauses)}</p></summary>
${clauses.map((clause) => clauseBlock(clause, found))}
</details>
`;
}

function clauseBlock(clause: ReportedClause, found: Found): Html {
  const checks = clause.checks.flatMap((id) => found.checks.get(id) ?? []);
  const verdicts = checks.length === 0 ? 'none' : [...new Set(checks.map((check) => check.verdict))].join(' ');
  const items = checks.map(
    (check) => html`<li>${checkItem(check, clause, found)}</li>
`,
  );
  return html`<div class="clause" id="${anchorOf('clause', clause.id)}" data-verdicts="${verdicts}">
<p class="head"><span class="badge ${clause.state}">${stateLabel(clause.state)}</span> <span class="mono find">${clause.id}</span> <span>${clause.level}</span></p>
<p class="find">${clause.text}</p>
${clause.excluded === undefined ? undefined : html`<p class="why">No black-box check can judge it: ${clause.excluded}</p>`}
${checks.length > 0 || clause.state === 'excluded' ? undefined : html`<p class="why">No check of this run judges it.</p>`}
${checks.length === 0 ? undefined : html`<ul class="checks">${items}</ul>`}
</div>
`;
}

function checkItem(check: CheckResult, clause: ReportedClause, { result, writing, homes }: Found): Html {
  if (homes.get(check.id) === clause.id) return checkDetails(check, result, writing);
  return html`<span class="elsewhere">${verdictBadge(check.verdict)} <span class="find">${check.title}</span> <a class="mono find" href="#${checkAnchor(check.id)}">${check.id}</a></span>`;
}
