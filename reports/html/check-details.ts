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
import { countText } from '../numbers.js';
import { clipped } from '../visible.js';
import { transcript } from './exchange.js';
import { anchorOf, type Html, html } from './markup.js';

const CURL_MAX = 40_000;

/** Where the details of a check stand on the page. */
export function checkAnchor(id: string): string {
  return anchorOf('check', id);
}

/** A verdict as a word in its colour. */
export function verdictBadge(verdict: CheckResult['verdict']): Html {
  const label = VERDICTS.find((one) => one.verdict === verdict)?.label ?? verdict;
  return html`<span class="badge ${verdict}">${label}</span>`;
}

/** What was looked at, expected and found, or why nothing was found; and whether that is known, or differs from run to run. */
export function checkFacts(check: CheckResult): Html {
  const { known, flaky } = check;
  const standing = html`${known === undefined ? undefined : html`<dt>known</dt><dd>${knownText(known)}</dd>`}${flaky === undefined ? undefined : html`<dt>flaky</dt><dd>${flakyText(flaky)}</dd>`}`;
  if (isContradicted(check)) {
    return html`<dl class="facts"><dt>about</dt><dd>${check.about}</dd><dt>expected</dt><dd>${check.expected}</dd><dt>actual</dt><dd>${check.actual}</dd>${standing}</dl>`;
  }
  return isUnjudged(check) ? html`<dl class="facts"><dt>reason</dt><dd>${check.reason}</dd>${standing}</dl>` : html``;
}

/** One check, closed: its title and verdict; open: what it found, its transcript, its curl script and how to run it again. */
export function checkDetails(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): Html {
  const exchanges = check.transcript.length;
  return html`<details class="check" id="${checkAnchor(check.id)}"><summary>${verdictBadge(check.verdict)} <span class="find">${check.title}</span> <span class="mono find">${check.id}</span></summary>
<div class="body">${checkFacts(check)}
<h5>Run it again</h5>
<div class="script"><pre>${rerunCommand(result, check.id, writing)}</pre></div>
${exchanges === 0 ? undefined : html`<h5>Transcript, ${countText(exchanges, 'request')}</h5>${transcript(check.transcript)}`}
${check.curl === '' ? undefined : html`<h5>The same by curl</h5>${curlScript(check.curl)}`}
</div></details>`;
}

function curlScript(curl: string): Html {
  const { text, left } = clipped(curl, CURL_MAX);
  // Half a script is not worth copying: it has no copy button.
  if (left > 0) return html`<pre>${text}…</pre><p class="why">The whole script is in conformance.json.</p>`;
  return html`<div class="script"><pre>${text}</pre></div>`;
}
