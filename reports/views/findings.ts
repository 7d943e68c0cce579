/** Findings: one deviation a card, with its clauses, the checks that met it and the exchange that shows it. */

import type { ConformanceResult, Finding } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { placeText } from '../../spec/clause.js';
import { type ConformanceWriting, knownText, rerunCommand } from '../conformance/conformance-view.js';
import { causesOf, checkToRepeat, failsRunBy, findingTitle, followersOf } from '../conformance/findings-view.js';
import { anchorOf, html, type Markup } from './markup.js';
import { Badge, Command, Facts } from './parts.js';
import { Exchanges } from './transcript.js';

const CHECKS_MAX = 12;

/** Findings of a run, and how its report is written. */
interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
}

function findingAnchor({ id }: Finding): string {
  return anchorOf('finding', id);
}

/** A finding as a link to its card. */
export function findingLink(finding: Finding): Markup {
  return html`<a href="#${findingAnchor(finding)}">${findingTitle(finding)}</a>`;
}

/** Findings as a list of cards; what may follow from one is in its card. */
export function FindingCards({ findings, result, writing }: FindingsProps): Markup {
  return html`<ul class="findings">${causesOf(findings).map((finding) => card(finding, result, writing))}</ul>`;
}

function card(finding: Finding, result: ConformanceResult, writing: ConformanceWriting): Markup {
  const { expected, actual, known, checks, transcript } = finding;
  const again = checkToRepeat(finding, result);
  const fails = failsRunBy(finding, writing);
  const shown = checks
    .slice(0, CHECKS_MAX)
    .map((id) => html` <a class="mono" href="#${anchorOf('check', id)}">${id}</a>`);
  const left = checks.length - shown.length;
  return html`<li class="card ${fails ? 'fail' : 'advisory'}" id=${findingAnchor(finding)}>${mark(finding, fails)} <b>${findingTitle(finding)}</b>
${finding.clauses.map((id) => clauseLine(id, result))}
${Facts({
  kind: 'facts',
  facts: [
    ['expected', expected],
    ['actual', actual],
    ['known', known && knownText(known)],
    ['met by', html`${countText(checks.length, 'check')}:${shown}${left > 0 ? ` and ${left} more` : undefined}`],
  ],
})}
${again === undefined ? undefined : Command({ text: rerunCommand(result, again, writing) })}
${transcript.length === 0 ? undefined : html`<details class="seen"><summary>Where it was first seen</summary>${Exchanges({ exchanges: transcript })}</details>`}
${following(followersOf(finding, result.findings), result)}</li>`;
}

function following(findings: readonly Finding[], result: ConformanceResult): Markup {
  if (findings.length === 0) return undefined;
  const items = findings.map(
    (finding) =>
      html`<li id=${findingAnchor(finding)}><b>${findingTitle(finding)}</b>: expected ${finding.expected}, got ${finding.actual}${finding.clauses.map((id) => clauseLine(id, result))}</li>`,
  );
  return html`<details class="seen"><summary>${countText(findings.length, 'finding')} that may follow from it</summary><ul>${items}</ul></details>`;
}

function mark({ known }: Finding, fails: boolean): Markup {
  if (known !== undefined) return Badge({ kind: 'known', label: 'known' });
  return Badge(fails ? { kind: 'fail', label: 'fail' } : { kind: 'advisory', label: 'advisory' });
}

function clauseLine(id: string, result: ConformanceResult): Markup {
  const clause = result.clauses.find((one) => one.id === id);
  const text = clause && html` ${clause.text} <span class="why">(${placeText(clause)})</span>`;
  return html`<p><a class="mono" href="#${anchorOf('clause', id)}">${id}</a>${text}</p>`;
}
