/** The Specification view: a change of the specification, and what it breaks: clauses, findings of lint, and people. */

import { countText } from '../../../reports/numbers.js';
import type { DiffEffect, SpecDiff } from '../../../reports/spec-diff-result.js';
import { ChangeView, EffectsView } from '../../../reports/views/spec-diff.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { Loading, useAnswer } from '../answers.js';
import { CheckedEditor } from '../checked-editor.js';
import { DeviationsSeen, RunProgress } from '../conformance/conformance-view.js';
import { RunReport, type RunView } from '../conformance/run-report.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { panel } from '../parts.js';
import { attempt, changeWatched, watched } from '../store.js';

const EXAMPLE = 'dms:\n  missedAnchorsMax: 90\n';

interface Compared {
  readonly diff: SpecDiff;
  readonly scenarios: readonly string[];
}

type Measured =
  | (Pick<SpecDiff, 'replicates' | 'seed' | 'unmeasured'> & { readonly effects: readonly DiffEffect[] })
  | { readonly stopped: true };

/** The view. */
export function SpecificationView(): VNode {
  const run = useLive(() => changeWatched.value);
  const other = useLive(() => watched.value);
  const [text, setText] = useState(EXAMPLE);
  const [diff, setDiff] = useState<SpecDiff | undefined>(undefined);
  const [problems, setProblems] = useState(0);
  const [waiting, setWaiting] = useState(0);
  const compare = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await attempt<Compared>('specification/difference', { text });
    setDiff(answer?.diff);
    if (answer === undefined) return;
    let found = answer.diff;
    for (const [at, scenario] of answer.scenarios.entries()) {
      setWaiting(answer.scenarios.length - at);
      const more = await attempt<Measured>('specification/effects', { text, scenario });
      if (more === undefined || 'stopped' in more) break;
      const { replicates, seed, effects, unmeasured } = more;
      found = {
        ...{ ...found, replicates, seed },
        effects: [...found.effects, ...effects],
        unmeasured: [...found.unmeasured, ...unmeasured],
      };
      setDiff(found);
    }
    setWaiting(0);
  };
  const busy = run?.state === 'running' || other?.state === 'running';
  return html`<h1>What would a change break?</h1>
    <p class="lead">Write a change of the specification as an overlay. You see what it touches, which flaws it makes worse, whom it costs, and, by a reference that follows it, which clauses of today fail.</p>
    <form class="panel overlay" onSubmit=${compare}><${CheckedEditor} action="specification/problems" label="The change, as an overlay in YAML" text=${text} change=${(
      now: string,
      wrong: number,
    ) => {
      setText(now);
      setProblems(wrong);
    }} />
      <p class="steps">${waiting > 0 ? html`<button type="button" onClick=${() => attempt('specification/stop')}>Stop</button>` : html`<button type="submit" class="main" disabled=${problems > 0}>Compare</button>`}
      <button type="button" disabled=${busy || diff === undefined || diff.checks.length === 0} onClick=${() => attempt('specification/run', { text })}>Run the ${diff?.checks.length ?? 0} checks that it concerns</button></p></form>
    ${run === null ? null : panel('Clauses that it breaks', html`${RunProgress(run)}${DeviationsSeen(run)}${run.state === 'running' ? html`<p class="steps"><button type="button" onClick=${() => attempt('conformance/stop')}>Stop</button></p>` : html`<${ChangeReport} run=${run} />`}`)}
    ${diff === undefined ? html`<p class="empty">Nothing is compared yet. The example lets agents be silent for half an hour longer.</p>` : html`${ChangeView(diff)}${diff.replicates === 0 ? null : EffectsView(diff)}`}
    <p class="soft" aria-live="polite">${waiting > 0 ? `${countText(waiting, 'standard scenario')} still to be played.` : ''}</p>`;
}

/** The report of the latest run under a change, once it is opened. */
function ChangeReport({ run }: { readonly run: Watched }): VNode {
  const [open, setOpen] = useState(false);
  return html`<details onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}><summary>Report of this run</summary>${open ? html`<${OpenReport} run=${run} />` : null}</details>`;
}

function OpenReport({ run }: { readonly run: Watched }): VNode {
  const answer = useAnswer<RunView>('conformance/result', { changed: true }, run.n);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const { result, summary } = answer.value;
  if (result === null) return html`<p class="empty">This run has no report.</p>`;
  return html`<${RunReport} result=${result} summary=${summary} changed=${true} />`;
}
