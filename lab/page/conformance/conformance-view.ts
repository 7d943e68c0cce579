/** The Conformance view: a run as it goes, then its report by the components of the static page, and the difference to an earlier run. */

import { anchorOf } from '../../../reports/views/markup.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { useKept } from '../drafts.js';
import { html, useLive, type VNode } from '../markup.js';
import { panel, pill } from '../parts.js';
import { goTo, route } from '../place.js';
import { progressText, runWords } from '../run-words.js';
import { attempt, isRead, runsEnded, target, watched } from '../store.js';
import { subjectOf, UnjudgedDetail } from './detail.js';
import { Difference } from './difference.js';
import { RunReport, type RunView } from './run-report.js';
import { Sequences } from './sequences.js';

/** The view. */
export function ConformanceView(): VNode {
  const run = useLive(() => watched.value);
  const ended = useLive(() => runsEnded.value);
  const server = useLive(() => target.value);
  const isThere = useLive(() => isRead.value);
  const answer = useAnswer<RunView>('conformance/result', { changed: false }, ended);
  const [only, setOnly] = useKept('conformance/only', '');
  const [all, setAll] = useKept('conformance/all', false);
  const open = useLive(() => route.value);
  if (!isThere) return html`<h1>Conformance</h1><${Loading} />`;
  const found = answered(answer);
  const running = run?.state === 'running';
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt('conformance/run', {
      only: only.split(/\s+/).filter((word) => word !== ''),
      all,
    });
  };
  const again = (patterns: readonly string[]): void => void attempt('conformance/run', { only: patterns, again: true });
  const report = run === null || found === undefined ? null : reportOf(found, run, again);
  const subject = subjectOf(open);
  const judge = running
    ? undefined
    : (patterns: readonly string[]): void => void attempt('conformance/run', { only: patterns });
  return html`<h1>${run === null ? 'Conformance' : runWords(run).title}</h1>
    <p class="lead">Judges ${server === null ? 'a reference that each run starts for itself' : server}. ${server === null ? html`For your own server, start the lab with its target file: <code>--target</code>.` : ''}</p>
    <form class="tools" onSubmit=${submit}>
      <label class="grow"><span class="unseen">Checks, clauses or sections</span><input type="text" placeholder="One judgement a clause, or some checks: heartbeat/* 4.6 heartbeat.interval.min" value=${only} onInput=${(event: Event) => setOnly((event.target as HTMLInputElement).value)} /></label>
      <label title="A quick run has one judgement a clause"><input type="checkbox" checked=${all} onChange=${(event: Event) => setAll((event.target as HTMLInputElement).checked)} /> All checks</label>
      ${running ? html`<button type="button" onClick=${() => attempt('conformance/stop')}>Stop</button>` : html`<button type="submit" class="main">Run</button>`}
      ${found === undefined || running || found.repeat === 0 ? null : html`<button type="button" onClick=${() => attempt('conformance/repeat')}>Again: the ${found.repeat} that failed or were not judged</button>`}
    </form>
    ${run === null ? html`<p class="empty">No run yet. A run judges each clause once, or by all checks, and moves the protocol clock where it may. What is wrong appears here as soon as it is met.</p>` : RunProgress(run)}
    ${running ? panel('Met so far', DeviationsSeen(run)) : null}
    ${run?.state === 'failed' ? html`<p class="banner bad" role="alert">The run could not be made: ${run.error}</p>` : null}
    <${Sequences} />
    ${run === null ? null : answer.state === 'refused' ? html`<p class="banner bad" role="alert">${answer.why}</p>` : found === undefined ? html`<${Loading} />` : report}
    ${report === null && subject !== undefined ? html`<${UnjudgedDetail} subject=${subject} close=${() => goTo('conformance')} run=${judge} />` : null}
    ${open?.kind === 'run' && found !== undefined ? unkeptRun(open.id, run, found) : null}`;
}

/** The sentence about a run that an address names and that is not kept. */
function unkeptRun(id: string, run: Watched | null, { runs }: RunView): VNode | null {
  if (runs.includes(Number(id)) || run?.n === Number(id)) return null;
  return html`<p class="banner" role="status">Run ${id} is not kept: ${runs.length === 0 ? 'no run has ended yet' : `there are ${runs.join(', ')}`}.</p>`;
}

/** The report; while a run completes it, the report before it. */
function reportOf(
  { result, summary, writing, runs }: RunView,
  run: Watched | null,
  again: (only: readonly string[]) => void,
): VNode | null {
  const running = run?.state === 'running';
  if (result === null || (running && run.completes === null)) return null;
  const difference = html`<${Difference} runs=${runs} href=${(id: string) => `#${anchorOf('clause', id)}`} />`;
  const before = running
    ? html`<p class="soft">The report before this run, which it completes:</p>`
    : runs.length < 2
      ? null
      : panel('Difference to an earlier run', difference);
  return html`<${RunReport} result=${result} summary=${summary} writing=${writing} changed=${false} again=${running ? undefined : again} before=${before} />`;
}

const BARS = { good: 's-active', bad: 's-bad', open: 's-open' } as const;

/** How far a run is; in the end, how much of it was judged. */
export function RunProgress(run: Watched): VNode {
  const { share, tone } = runWords(run);
  return html`<div class="progress" role="progressbar" aria-label="Checks of this run" aria-valuemin="0" aria-valuemax=${run.total} aria-valuenow=${Math.round(share * run.total)}><i class=${BARS[tone]} style=${{ width: `${share * 100}%` }}></i></div>
    <p class="soft" aria-live="polite">${progressText(run)}</p>`;
}

/** The deviations that a run has met so far. */
export function DeviationsSeen(run: Watched): VNode {
  if (run.seen.length === 0) return html`<p class="empty">${unseenText(run)}</p>`;
  return html`<ol class="log">${run.seen.map((each) => html`<li key=${each.title}><b>${each.title}</b> ${pill(each.level, each.level === 'must' ? 'bad' : 'warm')} <span class="soft">${each.times} times, ${each.clauses.join(', ')}</span><p>expected ${each.expected}; came ${each.actual}</p></li>`)}</ol>`;
}

function unseenText(run: Watched): string {
  const { deviations, title, text } = runWords(run);
  if (run.state === 'running') return deviations === undefined ? 'Nothing is judged yet.' : 'No deviation yet.';
  return `${title}: ${text}.`;
}
