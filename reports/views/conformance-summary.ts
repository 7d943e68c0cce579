/** The summary of a conformance run: its verdict and what to do first, the matrix, figures, findings, what was not judged. It needs nothing of the specification. */
import type { ConformanceResult } from '../../results/conformance-result.js';
import { numberText, solText } from '../../results/numbers.js';
import { baselineFaults, type ConformanceWriting, isUndecided, wallText } from '../conformance/conformance-view.js';
import { causesOf, findingTitle, sortedFindings } from '../conformance/findings-view.js';
import type { Step } from '../conformance/next-step.js';
import type { RunSummary } from '../conformance/run-summary.js';
import { verdictOf } from '../conformance/verdict-text.js';
import { CheckCard, VerdictBadge } from './check.js';
import { FindingCards, findingLink } from './findings.js';
import { anchorOf, html, type Markup, withCode } from './markup.js';
import { ClauseMatrix } from './matrix.js';
import { Command, DataTable, Facts, Figures, mono, Note, VerdictBanner } from './parts.js';

/** A run, how its report is written, and what the specification says of it. */
interface SummaryProps {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  readonly summary: RunSummary;
}

/** All that the view says before every clause: verdict, first step, matrix, figures, findings and what was not judged. */
export function ConformanceSummary(props: SummaryProps): Markup {
  const { result, writing, summary } = props;
  return html`${VerdictBanner(verdictOf(result, writing))}
${notes(result)}
${firstStep(props)}
${ClauseMatrix(result)}
${Figures({ figures: figuresOf(result) })}
${wrong(result, writing)}
${notServed(summary)}
${unjudged(props)}
${notFollowed(result, writing)}`;
}

function notes(result: ConformanceResult): Markup {
  const { stopped, unpaid, checks, notes: remarks = [] } = result;
  return [
    stopped === undefined ? undefined : Note({ head: 'The run stopped before its end:', text: stopped }),
    unpaid === undefined ? undefined : Note({ head: 'Not all was paid for:', text: unpaid }),
    remarks.map((text) => Note({ head: 'Note:', text })),
    baselineFaults(result).map((text) => Note({ head: 'Baseline:', text })),
    checks.length > 0 ? undefined : Note({ head: 'No check ran.', text: 'Nothing was shown about the target.' }),
  ];
}

/** The first step to take, with expected and actual values where it is about a finding. */
function firstStep({ result, writing, summary: { steps } }: SummaryProps): Markup {
  if (steps.length === 0) return undefined;
  const causes = causesOf(sortedFindings(result, writing).failing);
  const step = (each: Step): Markup => {
    const { text, subject, frees, lines } = each;
    const cause = causes.find((finding) => findingTitle(finding) === subject);
    const named = cause === undefined ? html`<b>${subject}</b>` : html`<b>${findingLink(cause)}</b>`;
    return html`<p>${withCode(text)}${subject === undefined ? undefined : html` ${named}`}${frees === undefined ? undefined : ` (${frees})`}</p>${
      cause &&
      Facts({
        kind: 'facts',
        facts: [
          ['expected', cause.expected],
          ['actual', cause.actual],
          ['clause', result.clauses.find(({ id }) => id === cause.clauses[0])?.text],
        ],
      })
    }${lines.length === 0 ? undefined : Command({ text: lines.join('\n') })}`;
  };
  return html`<div class="card first"><h3 id="next">What to do first</h3>${steps.map(step)}</div>`;
}

function figuresOf({
  summary,
  requests,
  lamports,
  wall_s,
  replayed,
}: ConformanceResult): readonly { label: string; value: string }[] {
  const { must, decision } = summary.clauses;
  const share = (judged: number, total: number): string => `${numberText(judged)} of ${numberText(total)}`;
  return [
    { label: 'Clauses of the text judged', value: share(must.judged, must.total) },
    { label: 'Clauses of decisions judged', value: share(decision.judged, decision.total) },
    { label: 'Requests', value: numberText(requests) },
    { label: 'Fees paid', value: solText(lamports) },
    { label: 'Wall time', value: wallText({ wall_s, ...(replayed && { replayed }) }) },
  ];
}

function wrong(result: ConformanceResult, writing: ConformanceWriting): Markup {
  const { failing, known } = sortedFindings(result, writing);
  const findings = [...failing, ...known];
  const flaky = result.checks.filter((check) => check.flaky !== undefined).map((check) => CheckCard({ check }));
  return [
    findings.length === 0
      ? undefined
      : html`<h3 id="findings">Failures</h3>${FindingCards({ findings, result, writing })}`,
    flaky.length === 0
      ? undefined
      : html`<h3 id="flaky">What differs from run to run</h3><ul class="findings">${flaky}</ul>`,
  ];
}

function notFollowed(result: ConformanceResult, writing: ConformanceWriting): Markup {
  const { decisions: findings } = sortedFindings(result, writing);
  if (findings.length === 0) return undefined;
  return html`<h3 id="decisions">Decisions that are not followed</h3>${FindingCards({ findings, result, writing })}`;
}

function notServed({ lacking }: RunSummary): Markup {
  if (lacking.length === 0) return undefined;
  const rows = lacking.map(({ name, section, status, note }) => [mono(name), section, status, note]);
  return html`<h3 id="not-served">What is not there</h3>${DataTable({ label: 'What is not there', heads: ['endpoint', 'section', 'answer', 'checks'], rows })}`;
}

function unjudged({ result, summary }: SummaryProps): Markup {
  if (summary.unjudged.length === 0) return undefined;
  const undecided = result.checks.filter((check) => isUndecided(check) && check.flaky === undefined);
  const rows = summary.unjudged.map(({ verdict, label, reason, provide, must, decisions, checks, first, more }) => {
    const counts = [must, decisions, checks].map(numberText);
    const links = first.map(({ kind, id }) => html` <a class="mono" href="#${anchorOf(kind, id)}">${id}</a>`);
    const named = html`${reason}<br /><small>${links}${more === 0 ? undefined : ` and ${numberText(more)} more`}</small>`;
    return [verdict === undefined ? label : VerdictBadge({ verdict }), ...counts, named, provide && withCode(provide)];
  });
  const heads = ['verdict', '#must clauses', '#of decisions', '#checks', 'reason', 'how to provide it'];
  return html`<h3 id="unjudged">What was not judged, and why</h3>
${undecided.length === 0 ? undefined : html`<ul class="findings">${undecided.map((check) => CheckCard({ check }))}</ul>`}
${DataTable({ label: 'What was not judged', heads, rows, named: 4 })}`;
}
