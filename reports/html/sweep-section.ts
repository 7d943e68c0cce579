/** The part of a page on a sweep: its estimates by measure and arm, its expectations and the runs that failed. The shell of the page is in page.ts. */
import { countText, measureText, numberText } from '../numbers.js';
import { shownInterval } from '../shown-interval.js';
import type { SweepEstimate, SweepSummary } from '../sweep-result.js';
import { dataTable } from './data-table.js';
import { type Html, html } from './markup.js';

/** A sweep, and the runs that it should have. */
export interface ReportedSweep {
  readonly summary: SweepSummary;
  /** The files of the sweep and of its scenario, as they were named. */
  readonly file: string;
  readonly scenario_file: string;
  /** How many runs there are, those that failed among them, and how many there should be. */
  readonly runs: number;
  readonly runs_planned: number;
}

function heldText({ summary: { expectations } }: ReportedSweep): string {
  const held = expectations.filter(({ holds }) => holds).length;
  return expectations.length === 0 ? 'no expectations' : `${held} of ${expectations.length} expectations pass`;
}

function isGood({ summary, runs, runs_planned }: ReportedSweep): boolean {
  const { expectations, failures } = summary;
  return runs >= runs_planned && failures.length === 0 && expectations.every(({ holds }) => holds);
}

function missingText({ runs, runs_planned }: ReportedSweep): string {
  return `${runs} of ${runs_planned} runs have been played`;
}

/** A summary card of a sweep. */
export function sweepCard(sweep: ReportedSweep): Html {
  const { summary, runs, runs_planned } = sweep;
  const failed = summary.failures.length === 0 ? '' : `, ${numberText(summary.failures.length)} failed`;
  return html`<section class="card ${isGood(sweep) ? 'good' : 'bad'}" aria-labelledby="card-sweep">
<h2 id="card-sweep">Sweep <span class="mono">${summary.name}</span></h2>
<p class="figure">${countText(summary.arms.length, 'arm')}</p>
<p>${runs < runs_planned ? missingText(sweep) : countText(runs, 'run')}${failed}; ${heldText(sweep)}.</p>
<p class="more"><a href="#sweep">To the sweep part</a></p>
</section>`;
}

/** The sweep part of a page. */
export function sweepSection(sweep: ReportedSweep): Html {
  const { summary, runs, runs_planned } = sweep;
  const incomplete = html`<p class="note"><b>The sweep is not complete.</b> ${missingText(sweep)}: aips experiment resume goes on, and aips experiment merge puts shards together.</p>`;
  return html`<section class="part" id="sweep" aria-labelledby="sweep-title">
<h2 id="sweep-title">Sweep: ${summary.name}</h2>
<p class="question">${summary.question}</p>
${runs < runs_planned ? incomplete : undefined}
<h3 id="estimates">Estimates</h3>
${estimateTables(summary)}
${expectationTable(summary)}
${failureTable(summary)}
<h3 id="sweep-reproduce">Reproduce every number</h3>
<div class="card"><div class="script"><pre>aips experiment sweep ${sweep.file}</pre></div>
<dl class="proof"><dt>digest</dt><dd class="mono">${summary.digest}</dd>
<dt>runs</dt><dd class="mono">SHA-256 ${summary.runs_digest}</dd>
<dt>scenario</dt><dd class="mono">${sweep.scenario_file}</dd>
${summary.behaviours === undefined ? undefined : html`<dt>behaviours</dt><dd class="mono">${summary.behaviours.file}, SHA-256 ${summary.behaviours.sha256}</dd>`}
<dt>version</dt><dd>aips-lab ${summary.version}</dd></dl></div>
</section>`;
}

function nameOf({ measure, group }: SweepEstimate): string {
  return group === null ? measure : `${measure}.${group}`;
}

/** A table for each measure, a row for each arm. */
function estimateTables({ arms, estimates }: SweepSummary): Html {
  const keyOf = (each: SweepEstimate): string => `${nameOf(each)} ${each.time_ms}`;
  const keys = [...new Set(estimates.map(keyOf))];
  return html`${keys.map((key) => {
    const own = estimates.filter((each) => keyOf(each) === key);
    const name = nameOf(own[0] as SweepEstimate);
    const rows = own.map((each) => {
      const interval = shownInterval(each);
      const text = (value: number): string => measureText(value, each.unit);
      const between = interval === null ? '' : `${text(interval[0])} to ${text(interval[1])}`;
      return html`<tr><th scope="row" class="mono">${arms[each.arm]?.name ?? ''}</th><td class="number">${text(each.mean)}</td><td class="number">${between}</td><td class="number">${numberText(each.n)}</td></tr>
`;
    });
    return html`<h4 class="mono">${name}</h4>${dataTable(name, ['arm', '#mean', '#95 % interval', '#runs'], rows)}`;
  })}`;
}

function expectationTable({ arms, expectations }: SweepSummary): Html {
  if (expectations.length === 0) return html``;
  const rows = expectations.map(
    ({
      text,
      arm,
      holds,
      measured,
    }) => html`<tr><td><span class="badge ${holds ? 'pass' : 'fail'}">${holds ? 'pass' : 'fail'}</span></td><th scope="row" class="mono">${text}</th><td class="mono">${arms[arm]?.name ?? ''}</td><td class="number">${measured === null ? 'no run' : numberText(measured)}</td></tr>
`,
  );
  return html`<h3 id="sweep-expectations">Expectations over replicates</h3>
${dataTable('Expectations', ['verdict', 'expectation', 'arm', '#measured'], rows)}`;
}

function failureTable({ arms, failures }: SweepSummary): Html {
  if (failures.length === 0) return html``;
  const rows = failures.map(
    ({
      arm,
      replicate,
      seed,
      error,
    }) => html`<tr><th scope="row" class="mono">${arms[arm]?.name ?? ''}</th><td class="number">${numberText(replicate)}</td><td class="mono">${seed}</td><td>${error}</td></tr>
`,
  );
  return html`<h3 id="failures">Runs that failed</h3>
${dataTable('Runs that failed', ['arm', '#replicate', 'seed', 'why'], rows)}`;
}
