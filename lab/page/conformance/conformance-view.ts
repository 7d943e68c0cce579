/** The Conformance view: a run as it goes, then its report by the components of the static page, and the difference to an earlier run. */

import type { ConformanceResult } from '../../../reports/conformance-result.js';
import { numberText } from '../../../reports/numbers.js';
import type { RunSummary } from '../../../reports/run-summary.js';
import { ConformanceSummary } from '../../../reports/views/conformance-summary.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { readMatrix } from '../../../reports/views/matrix-reader.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from '../markup.js';
import { panel, pill } from '../parts.js';
import { attempt, runsEnded, target, watched } from '../store.js';
import { Detail, type Subject, subjectAt } from './detail.js';
import { Difference } from './difference.js';
import { Sequences } from './sequences.js';

interface View {
  readonly runs: readonly number[];
  readonly result: ConformanceResult | null;
  readonly summary: RunSummary;
  /** How many checks failed or were not judged. */
  readonly repeat: number;
}

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
  const report = useRef<HTMLDivElement>(null);
  /** The link that opened the panel: the focus returns to it. */
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (report.current === null || result === null) return;
    addCopyButtons(report.current);
    const texts = new Map(result.clauses.map(({ id, text }) => [anchorOf('clause', id), `${id}: ${text}`]));
    readMatrix(report.current, (anchor) => texts.get(anchor) ?? '');
  }, [found, running]);
  const close = (): void => {
    setSubject(null);
    opener.current?.focus();
  };
  const follow = (event: Event): void => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link === null || result === null) return;
    event.preventDefault();
    const anchor = link.hash.slice(1);
    const wanted = subjectAt(anchor, result);
    if (wanted !== undefined) {
      if (link.closest('.detail') === null) opener.current = link;
      setSubject(wanted);
    } else document.getElementById(anchor)?.scrollIntoView();
  };
  const start = (patterns: readonly string[]): void => {
    // The next result may not have what is open.
    setSubject(null);
    void attempt('conformance/run', { only: patterns });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    start(only.split(/\s+/).filter((word) => word !== ''));
  };
  return html`<h1>${title(run)}</h1>
    <p class="lead">${run?.changed === true ? 'This run judged a reference under a change of the specification. ' : ''}Judges ${server === null ? 'a reference that each run starts for itself' : server}. ${server === null ? html`For your own server: <code>aips lab --target target.yaml</code>.` : ''}</p>
    <form class="tools" onSubmit=${submit}>
      <label class="grow"><span class="unseen">Checks, clauses or sections</span><input type="text" placeholder="All checks, or some: heartbeat/* 4.6 heartbeat.interval.min" value=${only} onInput=${(event: Event) => setOnly((event.target as HTMLInputElement).value)} /></label>
      ${running ? html`<button type="button" onClick=${() => attempt('conformance/stop')}>Stop</button>` : html`<button type="submit" class="main">Run</button>`}
      ${found === undefined || running || found.repeat === 0 ? null : html`<button type="button" onClick=${() => attempt('conformance/repeat')}>Again: the ${found.repeat} that failed or were not judged</button>`}
    </form>
    ${run === null ? html`<p class="empty">No run yet. A run sends every check of the suite, moves the protocol clock where it may, and takes a minute or so. What is wrong appears here as soon as it is met.</p>` : RunProgress(run)}
    ${running && run !== null ? panel('Met so far', DeviationsSeen(run)) : null}
    ${run?.state === 'failed' ? html`<p class="banner bad" role="alert">The run could not be made: ${run.error}</p>` : null}
    <${Sequences} />
    ${
      found === undefined || result === null || running
        ? null
        : html`<div class=${subject === null ? 'split' : 'split open'} onClick=${follow} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}><div ref=${report}>
      ${found.runs.length < 2 ? null : panel('Difference to an earlier run', html`<${Difference} runs=${found.runs} href=${(id: string) => `#${anchorOf('clause', id)}`} />`)}
      ${ConformanceSummary({ result, writing: {}, summary: found.summary })}
      </div>${subject === null ? null : html`<${Detail} subject=${subject} result=${result} close=${close} run=${start} />`}</div>`
    }`;
}

function title(run: Watched | null): string {
  if (run?.state !== 'running') return 'Conformance';
  return run.seen.length === 0 ? 'Nothing wrong so far' : `${run.seen.length} deviations so far`;
}

/** How far a run is. */
export function RunProgress(run: Watched): VNode {
  const share = run.total === 0 ? 1 : Math.min(1, run.done / run.total);
  return html`<div class="progress" role="progressbar" aria-label="Checks of this run" aria-valuemin="0" aria-valuemax=${run.total} aria-valuenow=${run.done}><i class=${run.seen.length + run.wrong.length > 0 ? 's-bad' : 's-active'} style=${{ width: `${share * 100}%` }}></i></div>
    <p class="soft" aria-live="polite">Run ${run.n}: ${numberText(run.done)} of ${numberText(run.total)} checks${Object.entries(run.counts).map(([verdict, n]) => `, ${n} ${verdict}`)}</p>`;
}

/** The deviations that a run has met so far. */
export function DeviationsSeen(run: Watched): VNode {
  if (run.seen.length === 0) return html`<p class="empty">No deviation from the text yet.</p>`;
  return html`<ol class="log">${run.seen.map((each) => html`<li key=${each.title}><b>${each.title}</b> ${pill(each.level, each.level === 'must' ? 'bad' : 'warm')} <span class="soft">${each.times} times, ${each.clauses.join(', ')}</span><p>expected ${each.expected}; came ${each.actual}</p></li>`)}</ol>`;
}
