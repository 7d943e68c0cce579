/** The Conformance view: a run as it goes, its findings by cause, the matrix of clauses, and the difference to an earlier run. */

import { numberText } from '../../../reports/numbers.js';
import type { resultView } from '../../server/conformance/conformance-actions.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { html, useEffect, useLive, useState, type VNode } from '../markup.js';
import { Command, panel, pill } from '../parts.js';
import { attempt, runsEnded, target, watched } from '../store.js';
import { Difference } from './difference.js';
import { Detail, type Subject } from './finding.js';
import { Matrix } from './matrix.js';

type View = ReturnType<typeof resultView>;
/** The result of a run as the page has it. */
export type ResultView = NonNullable<View['result']>;

/** The view. */
export function ConformanceView(): VNode {
  const run = useLive(() => watched.value);
  const ended = useLive(() => runsEnded.value);
  const server = useLive(() => target.value);
  const [found, setFound] = useState<View | undefined>(undefined);
  const [subject, setSubject] = useState<Subject | null>(null);
  const [only, setOnly] = useState('');
  useEffect(() => void attempt<View>('conformance/result').then(setFound), [ended]);
  const result = found?.result ?? null;
  const running = run?.state === 'running';
  const start = (patterns: readonly string[]): void => {
    // The next result may not have what is open.
    setSubject(null);
    void attempt('conformance/run', { only: patterns });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    start(only.split(/\s+/).filter((word) => word !== ''));
  };
  return html`<h1>${title(run, result)}</h1>
    <p class="lead">Judges ${server === null ? 'a reference that each run starts for itself' : server}. ${server === null ? html`For your own server: <code>aips lab --target target.yaml</code>.` : ''}</p>
    <form class="tools" onSubmit=${submit}>
      <label class="grow"><span class="unseen">Checks, clauses or sections</span><input type="text" placeholder="All checks, or some: heartbeat/* 4.6 heartbeat.interval.min" value=${only} onInput=${(event: Event) => setOnly((event.target as HTMLInputElement).value)} /></label>
      ${running ? html`<button type="button" onClick=${() => attempt('conformance/stop')}>Stop</button>` : html`<button type="submit" class="main">Run</button>`}
      ${result === null || running || result.repeat === 0 ? null : html`<button type="button" onClick=${() => attempt('conformance/repeat')}>Again: the ${result.repeat} that failed or were not judged</button>`}
    </form>
    ${run === null ? html`<p class="empty">No run yet. A run sends every check of the suite, moves the protocol clock where it may, and takes a minute or so. What is wrong appears here as soon as it is met.</p>` : progress(run)}
    ${running && run !== null ? seen(run) : null}
    ${run?.state === 'failed' ? html`<p class="banner bad" role="alert">The run could not be made: ${run.error}</p>` : null}
    ${
      result === null || running
        ? null
        : html`<div class=${subject === null ? 'split' : 'split open'}><div>
      ${findings(result, setSubject)}
      ${panel('Clauses', html`<${Matrix} clauses=${result.clauses} open=${(id: string) => setSubject({ kind: 'clause', id })} />`)}
      ${found === undefined || found.runs.length < 2 ? null : panel('Difference to an earlier run', html`<${Difference} runs=${found.runs} open=${(id: string) => setSubject({ kind: 'clause', id })} />`)}
      </div>${subject === null ? null : html`<${Detail} subject=${subject} open=${setSubject} close=${() => setSubject(null)} run=${start} />`}</div>`
    }`;
}

function title(run: Watched | null, result: ResultView | null): string {
  if (run?.state === 'running')
    return run.seen.length === 0 ? 'Nothing wrong so far' : `${run.seen.length} deviations so far`;
  if (result === null) return 'Conformance';
  return result.headline;
}

function progress(run: Watched): VNode {
  const share = run.total === 0 ? 1 : Math.min(1, run.done / run.total);
  return html`<div class="progress" role="progressbar" aria-label="Checks of this run" aria-valuemin="0" aria-valuemax=${run.total} aria-valuenow=${run.done}><i class=${run.wrong.length > 0 ? 's-bad' : 's-active'} style=${{ width: `${share * 100}%` }}></i></div>
    <p class="soft" aria-live="polite">Run ${run.n}: ${numberText(run.done)} of ${numberText(run.total)} checks${Object.entries(run.counts).map(([verdict, n]) => `, ${n} ${verdict}`)}</p>`;
}

function seen(run: Watched): VNode {
  return panel(
    'Met so far',
    run.seen.length === 0
      ? html`<p class="empty">No deviation from the text yet.</p>`
      : html`<ol class="findings">${run.seen.map((each) => html`<li key=${each.title}><b>${each.title}</b> ${pill(each.level, each.level === 'must' ? 'bad' : 'warm')} <span class="soft">${each.times} times, ${each.clauses.join(', ')}</span><p>expected ${each.expected}; came ${each.actual}</p></li>`)}</ol>`,
  );
}

function findings(result: ResultView, open: (subject: Subject) => void): VNode {
  const [first] = result.next;
  return panel(
    result.findings.length === 0 ? 'Nothing is wrong' : `${result.findings.length} findings`,
    html`${first === undefined ? null : html`<div class="do"><b>First:</b> ${first.text}${first.lines.map((text) => html`<${Command} text=${text} />`)}</div>`}
      <ol class="findings">${result.findings.map(
        (each) =>
          html`<li key=${each.id}><button type="button" class="link" onClick=${() => open({ kind: 'finding', id: each.id })}>${each.title}</button> ${pill(each.level, each.level === 'must' ? 'bad' : 'warm')} <span class="soft">${each.checks} checks, ${each.clauses.join(', ')}${each.followers === 0 ? '' : `; ${each.followers} findings may follow from it`}</span></li>`,
      )}</ol>`,
    html`<span class="soft">${numberText(result.requests)} requests, ${result.wallSec.toFixed(0)} s</span>`,
  );
}
