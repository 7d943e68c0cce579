/** The view of a conformance run: its verdict and what to do first, the matrix, what fails, what was not judged, every clause. */
import type { ConformanceResult } from '../conformance-result.js';
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
import { causesOf, findingTitle, sortedFindings } from '../findings-view.js';
import { nextSteps, type Step } from '../next-step.js';
import { lackingEndpoints } from '../not-served.js';
import { numberText, secondsText, solText } from '../numbers.js';
import { clausesLeft, unjudgedGroups } from '../unjudged.js';
import { verdictOf } from '../verdict-text.js';
import { CheckCard, VerdictBadge } from './check.js';
import { ClauseSections, clauseContext } from './clauses.js';
import { FindingCards, findingLink } from './findings.js';
import { html, type Markup, withCode } from './markup.js';
import { ClauseMatrix, StateBar } from './matrix.js';
import type { Place } from './page.js';
import { Command, DataTable, Facts, Figures, mono, Note, OverviewCard, VerdictBanner } from './parts.js';

/** A run, how its report is written, and whether the clauses that pass are folded. */
export interface ConformanceProps {
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  readonly folds?: boolean;
}

/** The places of the conformance view that a list of contents names. */
export function conformancePlaces({ result, writing }: ConformanceProps): readonly Place[] {
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
export function ConformanceCard({ result, writing }: ConformanceProps): Markup {
  const [must, decisions] = headlineParts(result);
  const figures = [
    { label: 'Checks', value: numberText(result.checks.length) },
    { label: 'Requests', value: numberText(result.requests) },
    { label: 'Wall time', value: secondsText(result.wall_s) },
  ];
  return OverviewCard({
    id: 'conformance',
    tone: isBad(result, writing) ? 'bad' : 'good',
    title: html`Conformance of <span class="mono">${result.target.base_url}</span>`,
    content: html`<p class="figure">${verdictOf(result, writing).word}</p><p>${must}.</p><p>${decisions}. Checks: ${verdictCounts(result)}.</p>${StateBar(result)}${Figures({ figures })}`,
    more: 'To the conformance part',
  });
}

/** The view of a conformance run as a part of a page. */
export function ConformanceView({ result, writing, folds = true }: ConformanceProps): Markup {
  const context = clauseContext(result, writing, folds);
  return html`<section class="part" id="conformance" aria-labelledby="conformance-title">
<h2 id="conformance-title">Conformance of ${mono(result.target.base_url)}</h2>
${VerdictBanner(verdictOf(result, writing))}
${notes(result)}
${FirstStep({ result, writing })}
${ClauseMatrix(result)}
${Figures({ figures: figuresOf(result) })}
${wrong(result, writing)}
${notServed(result)}
${unjudged(result)}
${notFollowed(result, writing)}
${ClauseSections(context)}
${about(result)}</section>`;
}

function notes(result: ConformanceResult): Markup {
  const { stopped, unpaid, checks } = result;
  return [
    stopped === undefined ? undefined : Note({ head: 'The run stopped before its end:', text: stopped }),
    unpaid === undefined ? undefined : Note({ head: 'Not all was paid for:', text: unpaid }),
    baselineFaults(result).map((text) => Note({ head: 'Baseline:', text })),
    checks.length > 0 ? undefined : Note({ head: 'No check ran.', text: 'Nothing was shown about the target.' }),
  ];
}

/** The first step to take, with expected and actual values where it is about a finding. */
export function FirstStep({ result, writing }: ConformanceProps): Markup {
  const steps = nextSteps(result, writing);
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
}: ConformanceResult): readonly { label: string; value: string }[] {
  const { must, decision } = summary.clauses;
  const share = (judged: number, total: number): string => `${numberText(judged)} of ${numberText(total)}`;
  return [
    { label: 'Clauses of the text judged', value: share(must.judged, must.total) },
    { label: 'Clauses of decisions judged', value: share(decision.judged, decision.total) },
    { label: 'Requests', value: numberText(requests) },
    { label: 'Fees paid', value: solText(lamports) },
    { label: 'Wall time', value: secondsText(wall_s) },
  ];
}

function about(result: ConformanceResult): Markup {
  const { target } = result;
  const beats = target.beats_url === null ? 'no beats service' : `beats service ${target.beats_url}`;
  const offers = target.offers.length === 0 ? 'nothing beyond its address' : target.offers.join(', ');
  const counted = VERDICTS.flatMap(({ verdict }) => {
    const count = result.checks.filter((check) => check.verdict === verdict).length;
    return count === 0 ? [] : [html`<li>${VerdictBadge({ verdict })}<b>${numberText(count)}</b></li>`];
  });
  return html`<h3 id="run">The run</h3><div class="card"><p>${headline(result)}. Checks:</p><ul class="key verdicts">${counted}</ul>
<p>${mono(target.base_url)}, ${target.network}, dialect ${target.dialect}, ${beats}. It offers the suite ${offers}. Started ${result.started_at}, seed ${result.seed}, exit status ${result.exit_status}.</p></div>`;
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

function notServed(result: ConformanceResult): Markup {
  const lacking = lackingEndpoints(result);
  if (lacking.length === 0) return undefined;
  const rows = lacking.map(({ name, section, status, note }) => [mono(name), section, status, note]);
  return html`<h3 id="not-served">What is not there</h3>${DataTable({ label: 'What is not there', heads: ['endpoint', 'section', 'answer', 'checks'], rows })}`;
}

function unjudged(result: ConformanceResult): Markup {
  const groups = unjudgedGroups(result);
  if (groups.length === 0) return undefined;
  const undecided = result.checks.filter((check) => isUndecided(check) && check.flaky === undefined);
  const rows = groups.map((group) => {
    const { verdict, label, reason, checks, provide } = group;
    const { must, decision } = clausesLeft(group);
    const counts = [must, decision, checks.length].map(numberText);
    return [verdict === undefined ? label : VerdictBadge({ verdict }), ...counts, reason, provide && withCode(provide)];
  });
  const heads = ['verdict', '#must clauses', '#of decisions', '#checks', 'reason', 'how to provide it'];
  return html`<h3 id="unjudged">What was not judged, and why</h3>
${undecided.length === 0 ? undefined : html`<ul class="findings">${undecided.map((check) => CheckCard({ check }))}</ul>`}
${DataTable({ label: 'What was not judged', heads, rows, named: 4 })}`;
}
