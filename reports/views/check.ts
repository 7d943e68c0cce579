/** One check: its verdict, what it found, its transcript, and how to run it again. */
import type { CheckResult, ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import {
  type ConformanceWriting,
  flakyText,
  isContradicted,
  isUnjudged,
  knownText,
  rerunCommand,
  TRANSCRIPTS_FILE,
  VERDICTS,
} from '../conformance/conformance-view.js';
import { failedExchanges } from '../conformance/failed-exchanges.js';
import { findingsOfCheck, tellsLacking } from '../conformance/findings-view.js';
import { findingLink } from './findings.js';
import { anchorOf, html, type Markup } from './markup.js';
import { Badge, Command, Facts } from './parts.js';
import { TranscriptBlock } from './transcript.js';

/** A check of a run. */
interface CheckProps {
  readonly check: CheckResult;
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
}

/** Where the details of a check are on the page. */
export function checkAnchor(id: string): string {
  return anchorOf('check', id);
}

/** A verdict as a word in its colour. */
export function VerdictBadge({ verdict }: Pick<CheckResult, 'verdict'>): Markup {
  const label = VERDICTS.find((one) => one.verdict === verdict)?.label ?? verdict;
  return Badge({ kind: verdict, label });
}

/** The facts of a check: about, expected and actual, or why there is no judgement; and whether that is known or differs from run to run. */
function CheckFacts({ check }: Pick<CheckProps, 'check'>): Markup {
  const { about, expected, actual } = isContradicted(check) ? check : {};
  return Facts({
    kind: 'facts',
    facts: [
      ['about', about],
      ['expected', expected],
      ['actual', actual],
      ['reason', isUnjudged(check) ? check.reason : undefined],
      ['ended early', check.ended],
      ['known', check.known && knownText(check.known)],
      ['flaky', check.flaky && flakyText(check.flaky)],
    ],
  });
}

/** A check that was inconclusive, or is flaky, with its facts. */
export function CheckCard({ check }: Pick<CheckProps, 'check'>): Markup {
  return html`<li class="card ${check.verdict}">${VerdictBadge(check)} <b>${check.title}</b> <a class="mono" href="#${checkAnchor(check.id)}">${check.id}</a>${CheckFacts({ check })}</li>`;
}

/** One check, closed: its title and verdict; open: what it found, its transcript, its curl script and how to run it again. */
export function CheckDetails({ check, result, writing }: CheckProps): Markup {
  return html`<details class="check" id=${checkAnchor(check.id)}><summary>${VerdictBadge(check)} <span class="find">${check.title}</span> <span class="mono find">${check.id}</span></summary>
${CheckBody({ check, result, writing })}</details>`;
}

/** The body of a check that is open. Of a check that passed the transcript is left to the page's script, unless the page `packs` none. */
export function CheckBody({ check, result, writing, packs = true }: CheckProps & { readonly packs?: boolean }): Markup {
  const findings = findingsOfCheck(result, check.id, writing)
    .filter((finding) => !tellsLacking(finding, result))
    .map((finding) => html`<li>${findingLink(finding)}</li>`);
  return html`<div class="body">${CheckFacts({ check })}
${findings.length === 0 ? undefined : html`<h5>What it met</h5><ul>${findings}</ul>`}
<h5>Run it again</h5>${Command({ text: rerunCommand(result, check.id, writing) })}
${checkTranscript(check, result, packs)}</div>`;
}

/** Whether the transcript of a check unfolds by script: that of a passed check is seldom read. */
export function isPacked({ verdict, transcript }: CheckResult): boolean {
  return verdict === 'pass' && transcript.length > 0;
}

function checkTranscript(check: CheckResult, result: ConformanceResult, packs: boolean): Markup {
  const { transcript } = check;
  if (transcript.length === 0) return undefined;
  if (!packs || !isPacked(check))
    return TranscriptBlock({ exchanges: transcript, marks: failedExchanges(result, check.id, transcript) });
  return html`<div class="packed" data-check=${check.id}><p class="why">${countText(transcript.length, 'request')} and their replies unfold here by script; ${TRANSCRIPTS_FILE} has them too.</p></div>`;
}
