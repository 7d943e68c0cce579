import type { CheckResult, ConformanceResult } from '../conformance-result.js';
import {
  baselineFaults,
  type ConformanceWriting,
  failedClauses,
  failsRun,
  isContradicted,
  judgedLine,
  unjudgedGroups,
  unsaidClauses,
  VERDICTS,
  verdictCounts,
} from '../conformance-view.js';
import { tellsLacking } from '../findings.js';
import { lackingEndpoints, nextSteps } from '../not-served.js';
import { countText, numberText, secondsText, solText } from '../numbers.js';
import { checkAnchor, checkFacts, verdictBadge } from './check-details.js';
import { clauseSections } from './clause-sections.js';
import { anchorOf, type Html, html, withCode } from './markup.js';
import type { Place } from './page.js';
import { stateBar, stateKey } from './state-bar.js';

/** The places of the conformance part that a list of contents names. */
export function conformancePlaces(result: ConformanceResult): readonly Place[] {
  return [
    { id: 'conformance', label: 'Conformance' },
    ...(result.checks.some(needsAttention) ? [{ id: 'findings', label: 'What does not hold' }] : []),
    ...(lackingEndpoints(result).length > 0 ? [{ id: 'not-served', label: 'What is not there' }] : []),
    ...(unjudgedGroups(result).length > 0 ? [{ id: 'unjudged', label: 'What was not judged' }] : []),
    { id: 'clauses', label: 'Clauses' },
  ];
}

function needsAttention(check: CheckResult): boolean {
  if (tellsLacking(check)) return false;
  return isContradicted(check) || check.verdict === 'error' || check.verdict === 'inconclusive';
}

/** A summary card of a conformance run. */
export function conformanceCard(result: ConformanceResult, writing: ConformanceWriting): Html {
  const wrong = result.exit_status !== 0 || result.checks.some((check) => failsRun(check, writing));
  const [judged = '', found = ''] = judgedLine(result).split(': ');
  return html`<section class="card ${wrong ? 'bad' : 'good'}" aria-labelledby="card-conformance">
<h2 id="card-conformance">Conformance of <span class="mono">${result.target.base_url}</span></h2>
<p class="figure">${judged}</p>
<p>${found}. Checks: ${verdictCounts(result)}.</p>
${stateBar(result.clauses)}
<dl class="stats">${stat('Checks', numberText(result.checks.length))}${stat('Requests', numberText(result.requests))}${stat('Wall time', secondsText(result.wall_s))}</dl>
<p class="more"><a href="#conformance">To the conformance part</a></p>
</section>`;
}

/** The conformance part of a page: summary, what does not hold, what was not judged, then every clause by section. */
export function conformanceSection(result: ConformanceResult, writing: ConformanceWriting): Html {
  const { target } = result;
  const beats = target.beats_url === null ? 'no beats service' : `beats service ${target.beats_url}`;
  const offers = target.offers.length === 0 ? 'nothing beyond its address' : target.offers.join(', ');
  return html`<section class="part" id="conformance" aria-labelledby="conformance-title">
<h2 id="conformance-title">Conformance</h2>
<p class="question">${judgedLine(result)}</p>
<p class="lead"><span class="mono">${target.base_url}</span>, ${target.network}, dialect ${target.dialect}, ${beats}. It offers the suite ${offers}. Started ${result.started_at}, seed ${result.seed}.</p>
${result.stopped === undefined ? undefined : html`<p class="note"><b>The run stopped before its end:</b> ${result.stopped}</p>`}
${result.unpaid === undefined ? undefined : html`<p class="note"><b>Not all was paid for:</b> ${result.unpaid}</p>`}
${baselineFaults(result).map((fault) => html`<p class="note"><b>Baseline:</b> ${fault}</p>`)}
${result.checks.length > 0 ? undefined : html`<p class="note"><b>No check ran.</b> Nothing was shown about the target.</p>`}
<div class="card">${stateBar(result.clauses)}${stateKey(result.clauses)}
${verdictKey(result)}
<dl class="stats">${stat('Checks', numberText(result.checks.length))}${stat('Requests', numberText(result.requests))}${stat('Fees paid', solText(result.lamports))}${stat('Wall time', secondsText(result.wall_s))}${stat('Exit status', String(result.exit_status))}</dl></div>
${findings(result, writing)}
${notServed(result)}
${unjudged(result)}
${next(result, writing)}
${clauseSections(result, writing)}
</section>`;
}

function stat(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function verdictKey(result: ConformanceResult): Html {
  const items = VERDICTS.flatMap(({ verdict }) => {
    const count = result.checks.filter((check) => check.verdict === verdict).length;
    return count === 0 ? [] : [html`<li>${verdictBadge(verdict)}<b>${numberText(count)}</b></li>`];
  });
  return items.length === 0 ? html`` : html`<ul class="key verdicts" aria-label="Checks by verdict">${items}</ul>`;
}

function findings(result: ConformanceResult, writing: ConformanceWriting): Html {
  const rank = (check: CheckResult): number => (failsRun(check, writing) ? 0 : isContradicted(check) ? 2 : 1);
  const checks = result.checks.filter(needsAttention).sort((a, b) => rank(a) - rank(b));
  if (checks.length === 0) return html``;
  const items = checks.map(
    (
      check,
    ) => html`<li class="card ${check.verdict}">${verdictBadge(check.verdict)} <b>${check.title}</b> <a class="mono" href="#${checkAnchor(check.id)}">${check.id}</a>
${clauseFacts(check, result)}${checkFacts(check)}</li>`,
  );
  return html`<h3 id="findings">What does not hold, or could not be told</h3>
<ul class="findings">${items}</ul>`;
}

function clauseFacts(check: CheckResult, result: ConformanceResult): Html {
  const unsaid = unsaidClauses(check);
  const lines = failedClauses(check).map((id) => {
    const clause = result.clauses.find((one) => one.id === id);
    const text = clause === undefined ? undefined : html` (${clause.section}) ${clause.text}`;
    return html`<p><a class="mono" href="#${anchorOf('clause', id)}">${id}</a>${text}</p>`;
  });
  return html`${lines}${unsaid === 0 ? undefined : html`<p class="why">Of ${countText(unsaid, 'other clause')} of the check it says nothing.</p>`}`;
}

function notServed(result: ConformanceResult): Html {
  const lacking = lackingEndpoints(result);
  if (lacking.length === 0) return html``;
  const rows = lacking.map(
    ({ name, section, status, note }) =>
      html`<tr><th scope="row" class="mono">${name}</th><td>${section}</td><td>${status}</td><td>${note}</td></tr>
`,
  );
  return html`<h3 id="not-served">What is not there</h3>
<div class="card scroll" role="region" aria-label="What is not there" tabindex="0"><table>
<thead><tr><th scope="col">endpoint</th><th scope="col">section</th><th scope="col">answer</th><th scope="col">checks</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function next(result: ConformanceResult, writing: ConformanceWriting): Html {
  const steps = nextSteps(result, writing).map(
    ({ text, lines }) => html`<p>${text}</p><div class="script"><pre>${lines.join('\n')}</pre></div>`,
  );
  return steps.length === 0
    ? html``
    : html`<h3 id="next">What to do next</h3>
<div class="card">${steps}</div>`;
}

function unjudged(result: ConformanceResult): Html {
  const groups = unjudgedGroups(result);
  if (groups.length === 0) return html``;
  const rows = groups.map(
    ({
      verdict,
      reason,
      checks,
      provide,
    }) => html`<tr><td>${verdictBadge(verdict)}</td><td class="number">${checks.length}</td><th scope="row" class="reason">${reason}</th><td>${provide === undefined ? '' : withCode(provide)}</td></tr>
`,
  );
  return html`<h3 id="unjudged">What was not judged, and why</h3>
<div class="card scroll" role="region" aria-label="What was not judged" tabindex="0"><table>
<thead><tr><th scope="col">verdict</th><th scope="col" class="number">checks</th><th scope="col">reason</th><th scope="col">how to provide it</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
