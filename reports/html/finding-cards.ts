/** Writes findings for a page: one deviation a card, with its clauses, the checks that met it and the exchange that shows it. */

import { placeText } from '../../spec/clause.js';
import type { ConformanceResult, Finding } from '../conformance-result.js';
import { type ConformanceWriting, knownText, rerunCommand } from '../conformance-view.js';
import { causesOf, checkToRepeat, failsRunBy, findingTitle, followersOf } from '../findings-view.js';
import { countText } from '../numbers.js';
import { transcript } from './exchange.js';
import { anchorOf, type Html, html } from './markup.js';

const CHECKS_MAX = 12;

function findingAnchor({ id }: Finding): string {
  return anchorOf('finding', id);
}

/** A finding as a link to its card. */
export function findingLink(finding: Finding): Html {
  return html`<a href="#${findingAnchor(finding)}">${findingTitle(finding)}</a>`;
}

/** Findings as a list of cards; what may follow from one is in its card. */
export function findingCards(
  findings: readonly Finding[],
  result: ConformanceResult,
  writing: ConformanceWriting,
): Html {
  return html`<ul class="findings">${causesOf(findings).map((finding) => card(finding, result, writing))}</ul>`;
}

function card(finding: Finding, result: ConformanceResult, writing: ConformanceWriting): Html {
  const { expected, actual, known, checks } = finding;
  const again = checkToRepeat(finding, result);
  const shown = checks
    .slice(0, CHECKS_MAX)
    .map((id) => html` <a class="mono" href="#${anchorOf('check', id)}">${id}</a>`);
  const left = checks.length - shown.length;
  return html`<li class="card ${failsRunBy(finding, writing) ? 'fail' : 'advisory'}" id="${findingAnchor(finding)}">${mark(finding, writing)} <b>${findingTitle(finding)}</b>
${finding.clauses.map((id) => clauseLine(id, result))}
<dl class="facts"><dt>expected</dt><dd>${expected}</dd><dt>actual</dt><dd>${actual}</dd>${known === undefined ? undefined : html`<dt>known</dt><dd>${knownText(known)}</dd>`}<dt>met by</dt><dd>${countText(checks.length, 'check')}:${shown}${left > 0 ? ` and ${left} more` : undefined}</dd></dl>
${again === undefined ? undefined : html`<div class="script"><pre>${rerunCommand(result, again, writing)}</pre></div>`}
${finding.transcript.length === 0 ? undefined : html`<details class="seen"><summary>Where it was first seen</summary>${transcript(finding.transcript)}</details>`}
${following(followersOf(finding, result.findings), result)}</li>
`;
}

function following(findings: readonly Finding[], result: ConformanceResult): Html | undefined {
  if (findings.length === 0) return undefined;
  const items = findings.map(
    (
      finding,
    ) => html`<li id="${findingAnchor(finding)}"><b>${findingTitle(finding)}</b>: expected ${finding.expected}, got ${finding.actual}${finding.clauses.map((id) => clauseLine(id, result))}</li>
`,
  );
  return html`<details class="seen"><summary>${countText(findings.length, 'finding')} that may follow from it</summary><ul>${items}</ul></details>`;
}

function mark(finding: Finding, writing: ConformanceWriting): Html {
  if (finding.known !== undefined) return html`<span class="badge">known</span>`;
  return failsRunBy(finding, writing)
    ? html`<span class="badge fail">fail</span>`
    : html`<span class="badge advisory">advisory</span>`;
}

function clauseLine(id: string, result: ConformanceResult): Html {
  const clause = result.clauses.find((one) => one.id === id);
  const text = clause === undefined ? undefined : html` ${clause.text} <span class="why">(${placeText(clause)})</span>`;
  return html`<p><a class="mono" href="#${anchorOf('clause', id)}">${id}</a>${text}</p>`;
}
