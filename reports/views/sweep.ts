/** The view of a sweep: what it shows, its arms with their bands by measure, its expectations and the runs that failed. */
import { countText, numberText } from '../../results/numbers.js';
import type { SweepEstimate, SweepSummary } from '../../results/sweep-result.js';
import type { Verdict } from '../conformance/verdict-text.js';
import { shownInterval } from '../experiment/shown-interval.js';
import { ArmBands } from './chart.js';
import { html, type Markup } from './markup.js';
import { Command, DataTable, Facts, mono, Note, OverviewCard, PassBadge, VerdictBanner } from './parts.js';

/** A sweep, and the runs that it should have. */
export interface ReportedSweep {
  readonly summary: SweepSummary;
  /** The files of the sweep and of its scenario, as they were named. */
  readonly file: string;
  readonly scenario_file: string;
  /** How many runs there are, those that failed among them, and how many there should be. */
  readonly runs: number;
  readonly runs_planned: number;
  /** Its curves of survival as SVG; absent: it has none. */
  readonly survival?: string | undefined;
}

/** The verdict on a sweep: by its expectations, and by whether all of its runs came to their end. */
export function sweepVerdict({ summary, runs, runs_planned }: ReportedSweep): Verdict {
  const { expectations, failures, arms } = summary;
  const missed = expectations.filter(({ holds }) => !holds);
  const held = `${expectations.length - missed.length} of ${countText(expectations.length, 'expectation')} pass`;
  const failed = failures.length === 0 ? '' : `, ${numberText(failures.length)} failed`;
  const text = `${countText(arms.length, 'arm')}, ${countText(runs, 'run')}${failed}`;
  if (runs < runs_planned)
    return { tone: 'bad', word: 'Not complete', text: `${runs} of ${runs_planned} runs have been played${failed}` };
  const why = missed.map((each) => `${each.text} fails in ${arms[each.arm]?.name ?? ''}`);
  if (missed.length > 0) return { tone: 'bad', word: held, text: `${text}; ${why.join('; ')}` };
  if (failures.length > 0) return { tone: 'bad', word: `${countText(failures.length, 'run')} failed`, text };
  return {
    tone: expectations.length === 0 ? 'open' : 'good',
    word: expectations.length === 0 ? text : held,
    text: expectations.length === 0 ? 'The sweep states no expectation.' : text,
  };
}

/** A summary card of a sweep. */
export function SweepCard({ sweep }: { readonly sweep: ReportedSweep }): Markup {
  const { tone, word, text } = sweepVerdict(sweep);
  return OverviewCard({
    id: 'sweep',
    tone: tone === 'bad' ? 'bad' : 'good',
    title: html`Sweep ${mono(sweep.summary.name)}`,
    content: html`<p class="figure">${countText(sweep.summary.arms.length, 'arm')}</p><p>${word}: ${text}.</p>`,
    more: 'To the sweep part',
  });
}

/** The view of a sweep as a part of a page. `survival`: the part about its curves of survival, which the page of the lab does without. */
export function SweepView({ sweep, survival }: { readonly sweep: ReportedSweep; readonly survival?: Markup }): Markup {
  const { summary, runs, runs_planned, file, scenario_file } = sweep;
  const { behaviours } = summary;
  const goOn = 'aips experiment resume goes on, and aips experiment merge puts shards together.';
  return html`<section class="part" id="sweep" aria-labelledby="sweep-title">
<h2 id="sweep-title">Sweep: ${summary.name}</h2>
<p class="question">${summary.question}</p>
${VerdictBanner(sweepVerdict(sweep))}
${runs < runs_planned ? Note({ head: 'The sweep is not complete.', text: goOn }) : undefined}
<h3 id="estimates">Estimates</h3>${EstimateBands(summary)}
${survival}
${expectationTable(summary)}
${failureTable(summary)}
<h3 id="sweep-reproduce">Reproduce every number</h3>
<div class="card">${Command({ text: `aips experiment sweep ${file}` })}${Facts({
    kind: 'proof',
    facts: [
      ['digest', mono(summary.digest)],
      ['runs', mono(`SHA-256 ${summary.runs_digest}`)],
      ['scenario', mono(scenario_file)],
      ['behaviours', behaviours && mono(`${behaviours.file}, SHA-256 ${behaviours.sha256}`)],
      ['version', `aips-lab ${summary.version}`],
    ],
  })}</div></section>`;
}

function nameOf({ measure, group }: SweepEstimate): string {
  return group === null ? measure : `${measure}.${group}`;
}

/** A figure for each measure: its arms with their bands. */
export function EstimateBands({ arms, estimates }: Pick<SweepSummary, 'arms' | 'estimates'>): Markup {
  const keyOf = (each: SweepEstimate): string => `${nameOf(each)} ${each.time_ms}`;
  const keys = [...new Set(estimates.map(keyOf))];
  const figures = keys.map((key, at) => {
    const own = estimates.filter((each) => keyOf(each) === key);
    const bands = own.map((each) => ({
      name: arms[each.arm]?.name ?? '',
      mean: each.mean,
      interval: shownInterval(each),
      runs: each.n,
    }));
    const [first] = own;
    return ArmBands({
      id: `estimate-${at + 1}`,
      title: first === undefined ? '' : nameOf(first),
      unit: first?.unit ?? '',
      bands,
    });
  });
  return html`<div class="charts">${figures}</div>`;
}

function expectationTable({ arms, expectations }: SweepSummary): Markup {
  if (expectations.length === 0) return undefined;
  const rows = expectations.map(({ text, arm, holds, measured }) => [
    PassBadge({ holds }),
    mono(text),
    mono(arms[arm]?.name ?? ''),
    measured === null ? 'no run with a value' : numberText(measured),
  ]);
  return html`<h3 id="sweep-expectations">Expectations over replicates</h3>${DataTable({ label: 'Expectations', heads: ['verdict', 'expectation', 'arm', '#measured'], rows, named: 1 })}`;
}

function failureTable({ arms, failures }: SweepSummary): Markup {
  if (failures.length === 0) return undefined;
  const rows = failures.map(({ arm, replicate, seed, error }) => [
    mono(arms[arm]?.name ?? ''),
    numberText(replicate),
    mono(String(seed)),
    error,
  ]);
  return html`<h3 id="failures">Runs that failed</h3>${DataTable({ label: 'Runs that failed', heads: ['arm', '#replicate', 'seed', 'why'], rows })}`;
}
