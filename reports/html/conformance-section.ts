/** Writes the conformance part of a page: how much was judged, what fails, what was not judged, and every clause. */

import type { CheckResult, ConformanceResult } from '../conformance-result.js';
import {
  baselineFaults,
  type ConformanceWriting,
  headline,
  headlineParts,
  isBad,
  isUndecided,
  VERDICTS,
  verdictCounts,
} from '../conformance-view.js';
import { sortedFindings } from '../findings-view.js';
import { nextSteps } from '../next-step.js';
import { lackingEndpoints } from '../not-served.js';
import { numberText, secondsText, solText } from '../numbers.js';
import { clausesLeft, unjudgedGroups } from '../unjudged.js';
import { verdictText } from '../verdict-text.js';
import { checkAnchor, checkFacts, verdictBadge } from './check-details.js';
import { clauseSections, type Folding } from './clause-sections.js';
import { findingCards } from './finding-cards.js';
import { type Html, html, withCode } from './markup.js';
import { packedTranscripts } from './packed-transcripts.js';
import type { Place } from './page.js';
import { stateBar, stateKey } from './state-bar.js';

/** The places of the conformance part that a list of contents names. */
export function conformancePlaces(result: ConformanceResult, writing: ConformanceWriting): readonly Place[] {
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
export function conformanceCard(result: ConformanceResult, writing: ConformanceWriting): Html {
  const [must, decisions] = headlineParts(result);
  return html`<section class="card ${isBad(result, writing) ? 'bad' : 'good'}" aria-labelledby="card-conformance">
<h2 id="card-conformance">Conformance of <span class="mono">${result.target.base_url}</span></h2>
<p class="figure">${must}</p>
<p>${decisions}. Checks: ${verdictCounts(result)}.</p>
${stateBar(result.clauses)}
<dl class="stats">${stat('Checks', numberText(result.checks.length))}${stat('Requests', numberText(result.requests))}${stat('Wall time', secondsText(result.wall_s))}</dl>
<p class="more"><a href="#conformance">To the conformance part</a></p>
</section>`;
}

/**
 * The conformance part of a page: summary, failures, what was not judged, the decisions that are not followed, what to
 * do next, then every clause by section.
 */
export function conformanceSection(
  result: ConformanceResult,
  writing: ConformanceWriting,
  folding: Folding = 'passed',
): Html {
  const { target } = result;
  const beats = target.beats_url === null ? 'no beats service' : `beats service ${target.beats_url}`;
  const offers = target.offers.length === 0 ? 'nothing beyond its address' : target.offers.join(', ');
  return html`<section class="part" id="conformance" aria-labelledby="conformance-title">
<h2 id="conformance-title">Conformance</h2>
<p class="question">${verdictText(result, writing)}</p>
<p class="lead">${headline(result)}. <span class="mono">${target.base_url}</span>, ${target.network}, dialect ${target.dialect}, ${beats}. It offers the suite ${offers}. Started ${result.started_at}, seed ${result.seed}.</p>
${result.stopped === undefined ? undefined : html`<p class="note"><b>The run stopped before its end:</b> ${result.stopped}</p>`}
${result.unpaid === undefined ? undefined : html`<p class="note"><b>Not all was paid for:</b> ${result.unpaid}</p>`}
${baselineFaults(result).map((fault) => html`<p class="note"><b>Baseline:</b> ${fault}</p>`)}
${result.checks.length > 0 ? undefined : html`<p class="note"><b>No check ran.</b> Nothing was shown about the target.</p>`}
<div class="card">${stateBar(result.clauses)}${stateKey(result.clauses)}
${verdictKey(result)}
<dl class="stats">${stat('Checks', numberText(result.checks.length))}${stat('Requests', numberText(result.requests))}${stat('Fees paid', solText(result.lamports))}${stat('Wall time', secondsText(result.wall_s))}${stat('Exit status', String(result.exit_status))}</dl></div>
${wrong(result, writing)}
${notServed(result)}
${unjudged(result)}
${notFollowed(result, writing)}
${next(result, writing)}
${clauseSections(result, writing, folding)}
${packedTranscripts(result)}
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

function wrong(result: ConformanceResult, writing: ConformanceWriting): Html {
  const { failing, known } = sortedFindings(result, writing);
  const findings = [...failing, ...known];
  const flaky = result.checks.filter((check) => check.flaky !== undefined).map(checkCard);
  return html`${findings.length === 0 ? undefined : html`<h3 id="findings">Failures</h3>${findingCards(findings, result, writing)}`}
${flaky.length === 0 ? undefined : html`<h3 id="flaky">What differs from run to run</h3><ul class="findings">${flaky}</ul>`}`;
}

function notFollowed(result: ConformanceResult, writing: ConformanceWriting): Html {
  const { decisions } = sortedFindings(result, writing);
  if (decisions.length === 0) return html``;
  return html`<h3 id="decisions">Decisions that are not followed</h3>${findingCards(decisions, result, writing)}`;
}

/** A check that was inconclusive, or is flaky, with its facts. */
function checkCard(check: CheckResult): Html {
  return html`<li class="card ${check.verdict}">${verdictBadge(check.verdict)} <b>${check.title}</b> <a class="mono" href="#${checkAnchor(check.id)}">${check.id}</a>
${checkFacts(check)}</li>`;
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
    ({ text, subject, frees, lines }) =>
      html`<p>${withCode(text)}${subject === undefined ? undefined : html` <b>${subject}</b>`}${frees === undefined ? undefined : ` (${frees})`}</p>${lines.length === 0 ? undefined : html`<div class="script"><pre>${lines.join('\n')}</pre></div>`}`,
  );
  return steps.length === 0
    ? html``
    : html`<h3 id="next">What to do next</h3>
<div class="card">${steps}</div>`;
}

function unjudged(result: ConformanceResult): Html {
  const groups = unjudgedGroups(result);
  if (groups.length === 0) return html``;
  const undecided = result.checks.filter((check) => isUndecided(check) && check.flaky === undefined).map(checkCard);
  const rows = groups.map((group) => {
    const { verdict, label, reason, checks, provide } = group;
    const { must, decision } = clausesLeft(group);
    const counts = [must, decision, checks.length].map((count) => html`<td class="number">${numberText(count)}</td>`);
    return html`<tr><td>${verdict === undefined ? label : verdictBadge(verdict)}</td>${counts}<th scope="row" class="reason">${reason}</th><td>${provide === undefined ? '' : withCode(provide)}</td></tr>
`;
  });
  return html`<h3 id="unjudged">What was not judged, and why</h3>
${undecided.length === 0 ? undefined : html`<ul class="findings">${undecided}</ul>`}
<div class="card scroll" role="region" aria-label="What was not judged" tabindex="0"><table>
<thead><tr><th scope="col">verdict</th><th scope="col" class="number">must clauses</th><th scope="col" class="number">of decisions</th><th scope="col" class="number">checks</th><th scope="col">reason</th><th scope="col">how to provide it</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
