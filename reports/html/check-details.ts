/** Writes one check for a page: its verdict, what it found, its transcript, and how to run it again. */

import type { CheckResult, ConformanceResult } from '../conformance-result.js';
import {
  type ConformanceWriting,
  flakyText,
  isContradicted,
  isUnjudged,
  knownText,
  rerunCommand,
  VERDICTS,
} from '../conformance-view.js';
import { findingsOfCheck, tellsLacking } from '../findings-view.js';
import { findingLink } from './finding-cards.js';
import { anchorOf, type Html, html } from './markup.js';
import { checkTranscript } from './packed-transcripts.js';

/** Where the details of a check are on the page. */
export function checkAnchor(id: string): string {
  return anchorOf('check', id);
}

/** A verdict as a word in its colour. */
export function verdictBadge(verdict: CheckResult['verdict']): Html {
  const label = VERDICTS.find((one) => one.verdict === verdict)?.label ?? verdict;
  return html`<span class="badge ${verdict}">${label}</span>`;
}

/** The facts of a check: about, expected and actual, or why there is no judgement; and whether that is known or differs from run to run. */
export function checkFacts(check: CheckResult): Html {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ...(isContradicted(check)
      ? ([
          ['about', check.about],
          ['expected', check.expected],
          ['actual', check.actual],
        ] as const)
      : []),
    ['reason', isUnjudged(check) ? check.reason : undefined],
    ['ended early', check.ended],
    ['known', check.known && knownText(check.known)],
    ['flaky', check.flaky && flakyText(check.flaky)],
  ];
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`],
  );
  return shown.length === 0 ? html`` : html`<dl class="facts">${shown}</dl>`;
}

/** One check, closed: its title and verdict; open: what it found, its transcript, its curl script and how to run it again. */
export function checkDetails(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): Html {
  const findings = findingsOfCheck(result, check.id, writing)
    .filter((finding) => !tellsLacking(finding, result))
    .map((finding) => html`<li>${findingLink(finding)}</li>`);
  return html`<details class="check" id="${checkAnchor(check.id)}"><summary>${verdictBadge(check.verdict)} <span class="find">${check.title}</span> <span class="mono find">${check.id}</span></summary>
<div class="body">${checkFacts(check)}
${findings.length === 0 ? undefined : html`<h5>What it met</h5><ul>${findings}</ul>`}
<h5>Run it again</h5>
<div class="script"><pre>${rerunCommand(result, check.id, writing)}</pre></div>
${checkTranscript(check)}
</div></details>`;
}
