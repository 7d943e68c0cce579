/** The Simulation view: a scenario with its arms, live charts, and the results; or a sweep with its bands. */

import { EstimateBands, type ReportedSweep, SweepView } from '../../../reports/views/sweep.js';
import { numberText } from '../../../results/numbers.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { CheckedEditor, draftText } from '../checked-editor.js';
import { useKept } from '../drafts.js';
import { html, useEffect, useLive, useState, type VNode } from '../markup.js';
import { panel } from '../parts.js';
import { goTo, nameAs, route } from '../place.js';
import { attempt, runsEnded, samples, simulation } from '../store.js';
import { staleWords } from './arm-words.js';
import { Arms, type ArmText } from './arms.js';
import { type Arm, Exports, LiveCharts, Played } from './results.js';

interface Result {
  /** The text that was played; null where nothing of this name was. */
  readonly text: string | null;
  readonly arms: readonly Arm[];
  readonly sweep: ReportedSweep | null;
}

interface Listed {
  readonly name: string;
  readonly question: string;
}

const FIRST = 'keep-alive-cost';
const SWEEP_FILES = [
  ['CSV', 'rows.csv', 'csv'],
  ['Parquet', 'rows.parquet', 'parquet'],
] as const;

/** The view. */
export function SimulationView(): VNode {
  const [kept, keep] = useKept('simulation/name', FIRST);
  const open = useLive(() => route.value);
  const name = open?.kind === 'scenario' ? open.id : kept;
  const running = useLive(() => simulation.value?.state === 'running');
  const list = useAnswer<{ readonly scenarios: readonly Listed[] }>('simulation/scenarios', {}, 0);
  const original = useAnswer<{ readonly text: string }>('simulation/scenario', { name }, 0);
  const [written, setWritten] = useState({ draft: '', text: '', problems: 0 });
  const [arms, setArms] = useKept<readonly ArmText[]>(`simulation/arms/${name}`, []);
  const [arm, openArm] = useKept(`simulation/arm/${name}`, '');
  const [incoming, write] = useState<{ readonly text: string } | undefined>(undefined);
  const [seeds, setSeeds] = useKept(`simulation/seeds/${name}`, 1);
  const draftOf = (id: string): string => `simulation/text/${name}${id === '' ? '' : `/${id}`}`;
  const draft = draftOf(arm);
  const isOpen = written.draft === draft;
  const originalOf = (id: string): string | undefined =>
    id === '' ? answered(original)?.text : arms.find((each) => each.id === id)?.text;
  const textOf = (id: string): string | undefined =>
    isOpen && id === arm ? written.text : (draftText(draftOf(id)) ?? originalOf(id));
  const others = arms.map((each) => ({ name: each.name, text: textOf(each.id) ?? each.text }));
  const sweeps = name.startsWith('sweep/');
  const listed = answered(list)?.scenarios ?? [];
  const isListed = listed.some((each) => each.name === name);
  useEffect(() => {
    if (open?.kind !== 'scenario') nameAs({ view: 'simulation', kind: 'scenario', id: name, atMs: null });
    else if (kept !== name && isListed) keep(name);
  }, [open, isListed]);
  const run = (event: Event): void => {
    event.preventDefault();
    void attempt('simulation/run', { text: textOf(''), name, ...(sweeps ? {} : { arms: others, seeds }) });
  };
  return html`<h1>${listed.find((each) => each.name === name)?.question ?? 'Simulation'}</h1>
    <form class="tools" onSubmit=${run}>
      <label><span class="unseen">Scenario or sweep</span><select value=${name} onChange=${(event: Event) => goTo('simulation', 'scenario', (event.target as HTMLSelectElement).value)}>${[['Scenarios', false] as const, ['Sweeps', true] as const].map(([label, wanted]) => html`<optgroup label=${label}>${listed.filter((each) => each.name.startsWith('sweep/') === wanted).map((each) => html`<option value=${each.name} selected=${each.name === name}>${shownName(each.name)}</option>`)}</optgroup>`)}</select></label>
      ${
        sweeps
          ? null
          : html`<label>seeds <input type="number" min="1" max="30" value=${seeds} onInput=${(event: Event) => setSeeds(Number((event.target as HTMLInputElement).value))} /></label>`
      }
      ${running ? html`<button type="button" onClick=${() => attempt('simulation/stop')}>Stop</button>` : html`<button type="submit" class="main" disabled=${!isOpen || written.problems > 0}>Play</button>`}
    </form>
    <${Progress} name=${name} />
    <div class="split open wide"><section class="panel source" aria-label="Scenario">${
      original.state === 'there'
        ? html`${sweeps ? null : html`<${Arms} key=${name} arms=${arms} open=${arm} choose=${openArm} change=${setArms} textOf=${textOf} write=${(text: string) => write({ text })} />`}
          <${CheckedEditor} key=${draft} view="simulation" label="Scenario" name=${name} draft=${draft} original=${originalOf(arm) ?? ''} madeFrom=${arm === '' ? undefined : textOf('')} incoming=${incoming} change=${(text: string, problems: number) => setWritten({ draft, text, problems })} />`
        : original.state === 'refused'
          ? html`<p class="empty">${original.why}</p>`
          : html`<${Loading} />`
    }</section>
    <div><${Results} key=${name} name=${name} texts=${isOpen ? { base: textOf(''), ...Object.fromEntries(others.map((each) => [each.name, each.text])) } : undefined} /></div></div>`;
}

const shownName = (name: string): string => name.replace('sweep/', '');

/** The latest results of this scenario or sweep; while it is played, those so far. */
function Results({
  name,
  texts,
}: {
  readonly name: string;
  readonly texts: Readonly<Record<string, string | undefined>> | undefined;
}): VNode {
  const playing = useLive(() => simulation.value?.state === 'running' && simulation.value.name === name);
  const ended = useLive(() => runsEnded.value);
  const sampled = useLive(() => Object.keys(samples.value).length > 0);
  // The bands of a sweep narrow as its runs end.
  const share = useLive(() => (name.startsWith('sweep/') ? simulation.value?.share : 0));
  const answer = useAnswer<Result>('simulation/result', { name }, `${ended} ${share} ${playing}`);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const result = answer.value;
  const played = { base: result.text, ...Object.fromEntries(result.arms.map((each) => [each.arm, each.text])) };
  const stale = texts && staleWords(played, texts);
  const note =
    playing || texts === undefined || result.text === null || stale === undefined
      ? null
      : html`<p class="soft">${stale}</p>`;
  if (result.sweep !== null)
    return html`${note}${sweepOf(result.sweep)}${playing ? null : html`<${Exports} arm="sweep" of=${name} files=${SWEEP_FILES} />`}`;
  if (playing)
    return sampled && !name.startsWith('sweep/')
      ? html`<${LiveCharts} name=${name} />`
      : html`<p class="empty">It is being played: results begin with the next sample.</p>`;
  if (result.text === null)
    return panel(
      'No run yet',
      html`<p class="empty">Play this: charts grow as time passes. <b>What if…</b> makes an arm with a changed rule: arms are played with the same seeds, and their difference is paired: chance cancels out. A sweep plays many arms, and its bands narrow as runs end.</p>`,
    );
  return html`${note}<${Played} name=${name} arms=${result.arms} />`;
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
    <p class="soft" aria-live="polite">${of}Run ${word.n}, ${word.arm} arm, seed ${word.seed}${(word.seeds ?? 1) > 1 ? ` (${word.nth} of ${word.seeds})` : ''}: ${word.state}${word.error === undefined ? '' : `: ${word.error}`}</p>`;
}
