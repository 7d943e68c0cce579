/** The Conformance view: a run as it goes, then its report by the components of the static page, and the difference to an earlier run. */

import { anchorOf } from '../../../reports/views/markup.js';
import { countText } from '../../../results/numbers.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { useKept } from '../drafts.js';
import { html, useLive, type VNode } from '../markup.js';
import { useOpener } from '../opener.js';
import { panel } from '../parts.js';
import { goTo, route } from '../place.js';
import { leadOf, runWords } from '../run-words.js';
import { attempt, isRead, runsEnded, target, watched } from '../store.js';
import { UnjudgedDetail } from './detail.js';
import { Difference } from './difference.js';
import { RunReport, type RunView } from './run-report.js';
import { RunSearch } from './run-search.js';
import { FirstFailure, RunProgress, RunWatch } from './run-watch.js';
import { Sequences } from './sequences.js';
import { subjectOf } from './split.js';
import { useSuite } from './suite.js';

/** The view. */
export function ConformanceView(): VNode {
  const told = useLive(() => watched.value?.state);
  const run = watched.value;
  const title = useLive(() => (watched.value === null ? 'Conformance' : runWords(watched.value).title));
  const why = useLive(() => (watched.value === null ? '' : leadOf(runWords(watched.value))));
  const focusOpener = useOpener();
  const ended = useLive(() => runsEnded.value);
  const server = useLive(() => target.value);
  const isThere = useLive(() => isRead.value);
  const answer = useAnswer<RunView>('conformance/result', { changed: false }, ended);
  const [only, setOnly] = useKept('conformance/only', '');
  const [all, setAll] = useKept('conformance/all', false);
  const open = useLive(() => route.value);
  if (!isThere) return html`<h1>Conformance</h1><${Loading} />`;
  const found = answered(answer);
  const running = told === 'running';
  const begin = (path: string, body: object): void => {
    // The exchanges of the next run have other numbers.
    if (open?.kind === 'exchange') goTo('conformance');
    void attempt(path, body);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    begin('conformance/run', {
      only: only.split(/\s+/).filter((word) => word !== ''),
      all,
    });
  };
  const again = (patterns: readonly string[]): void => begin('conformance/run', { only: patterns, again: true });
  const report = run === null || found === undefined ? null : reportOf(found, run, again);
  const subject = subjectOf(open);
  const judge = (patterns: readonly string[]): void => begin('conformance/run', { only: patterns });
  const close = (): void => {
    goTo('conformance');
    focusOpener();
  };
  return html`<h1>${title}</h1>${why === '' ? null : html`<p class="lead">${why}</p>`}<${FirstFailure} changed=${false} />
    ${run !== null && server !== null ? null : html`<p class="lead">Judges ${server === null ? 'a reference that each run starts for itself' : server}. ${server === null ? html`For your own server, start the lab with its target file: <code>--target</code>.` : ''}</p>`}
    <form class="tools" onSubmit=${submit}>
      <label class="grow"><span class="unseen">Checks, clauses or sections</span><input type="text" placeholder="One judgement a clause, or some checks: heartbeat/* 4.6 heartbeat.interval.min" value=${only} onInput=${(event: Event) => setOnly((event.target as HTMLInputElement).value)} /></label>
      <label title="A quick run has one judgement a clause"><input type="checkbox" checked=${all} onChange=${(event: Event) => setAll((event.target as HTMLInputElement).checked)} /> All checks</label>
      ${running ? html`<button type="button" onClick=${() => attempt('conformance/stop')}>Stop</button>` : html`<button type="submit" class="main">Run</button>`}
      ${found === undefined || running || found.repeat === 0 ? null : html`<button type="button" onClick=${() => begin('conformance/repeat', {})}>Again: the ${countText(found.repeat, 'check')} that failed or were not judged</button>`}
    </form>
    ${run === null ? html`<p class="empty">No run yet. A run judges each clause once, or by all checks, and moves the protocol clock where it may. What is wrong appears here as soon as it is met.</p>` : running ? html`<${RunWatch} changed=${false} />` : RunProgress(run)}
    ${run?.state === 'failed' ? html`<p class="banner bad" role="alert">The run could not be made: ${run.error}</p>` : null}
    <${Sequences} />
    ${run === null || running ? null : answer.state === 'refused' ? html`<p class="banner bad" role="alert">${answer.why}</p>` : found === undefined ? html`<${Loading} />` : report}
    ${report === null && !running && subject !== undefined ? html`<${UnjudgedDetail} subject=${subject} close=${close} run=${judge} />` : null}
    ${open?.kind === 'run' && found !== undefined ? unkeptRun(open.id, run, found) : null}`;
}

/** The sentence about a run that an address names and that is not kept. */
function unkeptRun(id: string, run: Watched | null, { runs }: RunView): VNode | null {
  if (runs.includes(Number(id)) || run?.n === Number(id)) return null;
  return html`<p class="banner" role="status">Run ${id} is not kept: ${runs.length === 0 ? 'no run has ended yet' : `there are ${runs.join(', ')}`}.</p>`;
}

/** The report, once the run has ended. */
function reportOf(
  { result, summary, writing, runs, cut }: RunView,
  run: Watched | null,
  again: (only: readonly string[]) => void,
): VNode | null {
  if (result === null || run === null || run.state === 'running') return null;
  const difference = html`<${Difference} runs=${runs} cut=${cut} href=${(id: string) => `#${anchorOf('clause', id)}`} />`;
  const before = runs.length < 2 ? null : panel('Difference to an earlier run', difference);
  const after = html`<${EndedSearch} run=${run} />`;
  return html`<${RunReport} result=${result} summary=${summary} writing=${writing} changed=${false} again=${again} before=${before} after=${after} />`;
}

function EndedSearch({ run }: { readonly run: Watched }): VNode | null {
  const suite = useSuite();
  return suite === undefined ? null : html`<${RunSearch} run=${run} suite=${suite} view="conformance" />`;
}
