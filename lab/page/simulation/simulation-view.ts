/** The Simulation view: a scenario, a changed rule, live charts of both arms, and their paired difference; or a sweep with its bands. */

import { EstimateBands, type ReportedSweep, SweepView } from '../../../reports/views/sweep.js';
import { numberText, solText } from '../../../results/numbers.js';
import type { SimulationResult } from '../../../results/simulation-result.js';
import type { TotalDifference } from '../../server/simulation/simulation-desk.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { CheckedEditor } from '../checked-editor.js';
import { useKept } from '../drafts.js';
import { html, useEffect, useLive, useState, type VNode } from '../markup.js';
import { figure, panel, pill, table } from '../parts.js';
import { goTo, nameAs, route } from '../place.js';
import { ShellCommand } from '../shell-command.js';
import { attempt, runsEnded, samples, simulation } from '../store.js';
import type { Line } from './charts.js';
import { MeasureChart } from './measure-chart.js';

interface Arm extends Pick<SimulationResult, 'question' | 'series' | 'command'> {
  readonly arm: 'base' | 'changed';
  readonly timesMs: readonly number[];
  readonly seed: number;
  readonly headlines: readonly { readonly label: string; readonly value: string }[];
  readonly expectations: readonly { readonly text: string; readonly holds: boolean; readonly measured: string }[];
}

interface Result {
  /** The text that was played; null where nothing of this name was. */
  readonly text: string | null;
  readonly arms: readonly Arm[];
  readonly sweep: ReportedSweep | null;
  readonly differences: readonly TotalDifference[];
}

interface Listed {
  readonly name: string;
  readonly question: string;
}

const CHARTS_MAX = 6;
const FIRST = 'keep-alive-cost';

/** The view. */
export function SimulationView(): VNode {
  const [kept, keep] = useKept('simulation/name', FIRST);
  const open = useLive(() => route.value);
  const name = open?.kind === 'scenario' ? open.id : kept;
  const running = useLive(() => simulation.value?.state === 'running');
  const list = useAnswer<{ readonly scenarios: readonly Listed[] }>('simulation/scenarios', {}, 0);
  const original = useAnswer<{ readonly text: string }>('simulation/scenario', { name }, 0);
  const [written, setWritten] = useState<{ readonly name: string; readonly text: string; readonly problems: number }>({
    ...{ name: '', text: '', problems: 0 },
  });
  const [set, setSet] = useKept(`simulation/set/${name}`, '');
  const [seeds, setSeeds] = useKept(`simulation/seeds/${name}`, 1);
  const isOpen = written.name === name;
  const sweeps = name.startsWith('sweep/');
  const listed = answered(list)?.scenarios ?? [];
  const isListed = listed.some((each) => each.name === name);
  useEffect(() => {
    if (open?.kind !== 'scenario') nameAs({ view: 'simulation', kind: 'scenario', id: name, atMs: null });
    else if (kept !== name && isListed) keep(name);
  }, [open, isListed]);
  const run = (event: Event): void => {
    event.preventDefault();
    void attempt('simulation/run', { text: written.text, name, ...(sweeps ? {} : { set, seeds }) });
  };
  return html`<h1>${listed.find((each) => each.name === name)?.question ?? 'Simulation'}</h1>
    <form class="tools" onSubmit=${run}>
      <label><span class="unseen">Scenario or sweep</span><select value=${name} onChange=${(event: Event) => goTo('simulation', 'scenario', (event.target as HTMLSelectElement).value)}>${[['Scenarios', false] as const, ['Sweeps', true] as const].map(([label, wanted]) => html`<optgroup label=${label}>${listed.filter((each) => each.name.startsWith('sweep/') === wanted).map((each) => html`<option value=${each.name} selected=${each.name === name}>${shownName(each.name)}</option>`)}</optgroup>`)}</select></label>
      ${
        sweeps
          ? null
          : html`<label class="grow"><span class="unseen">Numbers of a second arm</span><input type="text" placeholder="Second arm, such as protocol.dms.missedAnchorsMax=90" value=${set} onInput=${(event: Event) => setSet((event.target as HTMLInputElement).value)} /></label>
      <label>seeds <input type="number" min="1" max="30" value=${seeds} onInput=${(event: Event) => setSeeds(Number((event.target as HTMLInputElement).value))} /></label>`
      }
      ${running ? html`<button type="button" onClick=${() => attempt('simulation/stop')}>Stop</button>` : html`<button type="submit" class="main" disabled=${!isOpen || written.problems > 0}>Play</button>`}
    </form>
    <${Progress} name=${name} />
    <div class="split open wide"><section class="panel source" aria-label="Scenario">${
      original.state === 'there'
        ? html`<${CheckedEditor} key=${name} view="simulation" label="Scenario" name=${name} draft=${`simulation/text/${name}`} original=${original.value.text} change=${(text: string, problems: number) => setWritten({ name, text, problems })} />`
        : original.state === 'refused'
          ? html`<p class="empty">${original.why}</p>`
          : html`<${Loading} />`
    }</section>
    <div><${Results} key=${name} name=${name} text=${isOpen ? written.text : undefined} /></div></div>`;
}

const shownName = (name: string): string => name.replace('sweep/', '');

/** The latest results of this scenario or sweep; while it is played, those so far. */
function Results({ name, text }: { readonly name: string; readonly text: string | undefined }): VNode {
  const playing = useLive(() => simulation.value?.state === 'running' && simulation.value.name === name);
  const ended = useLive(() => runsEnded.value);
  const sampled = useLive(() => Object.keys(samples.value).length > 0);
  // The bands of a sweep narrow as its runs end.
  const share = useLive(() => (name.startsWith('sweep/') ? simulation.value?.share : 0));
  const answer = useAnswer<Result>('simulation/result', { name }, `${ended} ${share} ${playing}`);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const result = answer.value;
  const note =
    playing || text === undefined || result.text === null || result.text === text
      ? null
      : html`<p class="soft">These results are of the text as it was when it was played; it has been changed since.</p>`;
  if (result.sweep !== null) return html`${note}${sweepOf(result.sweep)}`;
  if (playing)
    return sampled && !name.startsWith('sweep/')
      ? html`<${LiveCharts} />`
      : html`<p class="empty">It is being played: results begin with the next sample.</p>`;
  if (result.text === null)
    return panel(
      'No run yet',
      html`<p class="empty">Play this: charts grow as time passes. With numbers of a second arm, both are played with the same seeds, and their difference is paired: chance cancels out. A sweep plays many arms, and its bands narrow as runs end.</p>`,
    );
  return html`${note}${done(result)}`;
}

/** A sweep that is under way has its bands alone: they are of the runs that have ended. */
function sweepOf(sweep: ReportedSweep): VNode {
  if (sweep.runs === sweep.runs_planned) return html`${SweepView({ sweep })}`;
  const soFar = `${numberText(sweep.runs)} of ${numberText(sweep.runs_planned)} runs`;
  return html`<h2>${sweep.summary.question}</h2><p class="soft">${soFar}</p><h3>Estimates so far</h3>${EstimateBands(sweep.summary)}`;
}

/** How far the latest run is, under the name of what it plays. */
function Progress({ name }: { readonly name: string }): VNode | null {
  const word = useLive(() => simulation.value);
  if (word === null) return null;
  const of = word.name === name ? '' : `${shownName(word.name)}: `;
  if (word.name !== name && word.state !== 'running') return null;
  return html`<div class="progress" role="progressbar" aria-label="Simulated time" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(word.share * 100)}><i class="s-active" style=${{ width: `${word.share * 100}%` }}></i></div>
    <p class="soft" aria-live="polite">${of}Run ${word.n}, ${word.arm} arm, seed ${word.seed}: ${word.state}${word.error === undefined ? '' : `: ${word.error}`}</p>`;
}

/** Apart from the view, which is not drawn again with each sample. */
function LiveCharts(): VNode {
  const live = useLive(() => samples.value);
  const times = live['base']?.timesSec ?? [];
  const names = Object.keys(live['base']?.values ?? {}).slice(0, CHARTS_MAX);
  return html`<div class="charts">${names.map(
    (
      measure,
    ) => html`<${MeasureChart} key=${measure} title=${nameText(measure)} unit=${measure.endsWith('_lamports') ? 'lamports' : ''} timesSec=${times}
    lines=${Object.entries(live).map(([arm, { values }], at): Line => ({ name: arm, slot: at === 0 ? 'one' : 'two', values: values[measure] ?? [] }))} />`,
  )}</div>`;
}

function done({ arms, differences }: Result): VNode {
  const [base] = arms;
  if (base === undefined) return html`<p class="empty">The run was stopped before its end.</p>`;
  const measures = telling(arms).slice(0, CHARTS_MAX);
  return html`${differences.length === 0 ? null : panel('What the change does', differenceTable(differences), html`<span class="soft">${differences[0]?.interval === null ? 'one pair: no interval; give more seeds' : 'mean of the pairs, with its interval of 95 %'}</span>`)}
    <dl class="figures">${base.headlines.slice(0, 5).map(({ label, value }) => figure(label, value))}</dl>
    <div class="charts">${measures.map(
      (
        series,
      ) => html`<${MeasureChart} key=${`done ${series.name}`} title=${series.label} unit=${series.unit} timesSec=${base.timesMs.map((ms) => ms / 1_000)}
      lines=${arms.map((arm, at): Line => ({ name: arm.arm, slot: at === 0 ? 'one' : 'two', values: arm.series.find((each) => each.name === series.name && each.group === undefined)?.values ?? [] }))} />`,
    )}</div>
    ${arms.map((arm) => html`${arm.expectations.length === 0 ? null : panel(`Expectations, ${arm.arm} arm`, html`<ul class="evidence">${arm.expectations.map(({ text, holds, measured }) => html`<li>${pill(holds ? 'passes' : 'fails', holds ? 'good' : 'bad')} <code>${text}</code> <span class="soft">${measured}</span></li>`)}</ul>`)}<${ShellCommand} text=${arm.command} />`)}`;
}

/** The measures of all agents: those that differ between the arms come first, those that never change last. */
function telling([base, changed]: readonly Arm[]): Arm['series'] {
  const rank = ({ name, values }: Arm['series'][number]): number => {
    const other = changed?.series.find((each) => each.name === name && each.group === undefined)?.values ?? values;
    if (values.some((value, at) => value !== other[at])) return 0;
    return values.some((value) => value !== values.at(-1)) ? 1 : 2;
  };
  return (base?.series ?? []).filter(({ group }) => group === undefined).toSorted((a, b) => rank(a) - rank(b));
}

const nameText = (name: string): string => name.replace(/_lamports$/u, '').replaceAll('_', ' ');

function differenceTable(differences: readonly TotalDifference[]): VNode {
  const moved = differences.filter(({ difference }) => difference !== 0);
  const clear = (each: TotalDifference): boolean =>
    each.interval !== null && (each.interval[0] > 0 || each.interval[1] < 0);
  const number = (total: string, value: number): string =>
    total.endsWith('lamports')
      ? solText(value)
      : Number.isInteger(value)
        ? numberText(value)
        : String(Number(value.toPrecision(4)));
  return table<TotalDifference>(
    'Paired differences',
    [
      { name: 'total', of: ({ total }) => nameText(total) },
      {
        name: 'difference',
        numeric: true,
        of: ({ total, difference, interval }) =>
          html`<b>${difference > 0 ? '+' : ''}${number(total, difference)}</b>${interval === null ? null : html`<br /><small class="soft">${interval.map((end) => number(total, end).replace(' SOL', '')).join(' to ')}</small>`}`,
      },
      ...(differences[0]?.interval === null
        ? []
        : [
            {
              name: 'verdict',
              of: (each: TotalDifference) => (clear(each) ? pill('clear', 'good') : pill('may be chance', 'plain')),
            },
          ]),
      { name: 'base', numeric: true, of: ({ total, base }) => number(total, base) },
      { name: 'changed', numeric: true, of: ({ total, changed }) => number(total, changed) },
    ],
    moved,
    'Nothing is different: this number does not matter to this population.',
  );
}
