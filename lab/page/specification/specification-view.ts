/** The Specification view: a change of the specification, and what it breaks: clauses, findings of lint, and people. */

import { ChangeView, EffectsView } from '../../../reports/views/spec-diff.js';
import { countText } from '../../../results/numbers.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';
import { Loading, useAnswer } from '../answers.js';
import { CheckedEditor, draftText } from '../checked-editor.js';
import { UnjudgedDetail } from '../conformance/detail.js';
import { RunReport, type RunView } from '../conformance/run-report.js';
import { DeviationsSeen, RunProgress, RunWatch } from '../conformance/run-watch.js';
import { subjectOf } from '../conformance/split.js';
import { useKept } from '../drafts.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { panel } from '../parts.js';
import { goTo, route } from '../place.js';
import { attempt, changeWatched, watched } from '../store.js';
import { meaningText } from './change-run-words.js';
import { compare, comparison } from './comparison.js';
import { AcceptedChanges, JudgementBanner, JudgementView } from './judgement.js';

const EXAMPLE = 'dms:\n  missedAnchorsMax: 90\n';

/** The name under which the text of a change is kept. */
const DRAFT = 'specification/text';

/** The view. */
export function SpecificationView(): VNode {
  const run = useLive(() => changeWatched.value);
  const other = useLive(() => watched.value);
  const compared = useLive(() => comparison.value);
  const [text, setText] = useState(draftText(DRAFT) ?? EXAMPLE);
  const [problems, setProblems] = useState(0);
  const [isUnchanged, setUnchanged] = useState(false);
  const [ran, setRan] = useKept<{ readonly n: number; readonly text: string } | null>('specification/ran', null);
  const subject = subjectOf(useLive(() => route.value));
  const isBusy = run?.state === 'running' || other?.state === 'running';
  const isCurrent = compared?.text === text;
  const checks = isCurrent ? compared.diff.checks.length : 0;
  const waiting = compared?.waiting ?? 0;
  const canJudge = problems === 0 && !isUnchanged;
  const start = (event: Event): void => {
    event.preventDefault();
    void compare(text);
  };
  const judge = async (): Promise<void> => {
    const answer = await attempt<{ readonly watched: Watched }>('specification/run', { text });
    if (answer !== undefined) setRan({ n: answer.watched.n, text });
  };
  return html`<h1>What would a change break?</h1>
    <p class="lead">Write a change of the specification as an overlay. You see what it touches, which flaws it makes worse, whom it costs, and, by a reference that follows it, which clauses of today fail.</p>
    <${JudgementBanner} text=${text} canJudge=${canJudge} />
    <form class="panel overlay" onSubmit=${start}><${CheckedEditor} view="specification" label="The change, as an overlay in YAML" draft=${DRAFT} original=${EXAMPLE} change=${(
      now: string,
      wrong: number,
      unchanged = false,
    ) => {
      setText(now);
      setProblems(wrong);
      setUnchanged(unchanged);
    }} />
      <p class="steps">${waiting > 0 ? html`<button type="button" onClick=${() => attempt('specification/stop')}>Stop</button>` : html`<button type="submit" class="main" disabled=${!canJudge}>Compare</button>`}
      <button type="button" disabled=${isBusy || !canJudge || checks === 0} onClick=${judge}>${isCurrent ? `Run the ${countText(checks, 'check')} that it concerns` : 'Run the checks that it concerns: compare first'}</button></p></form>
    <${JudgementView} text=${text} /><${AcceptedChanges} />
    ${run === null ? null : panel('Clauses that it breaks', html`${ran?.n === run.n && ran.text !== text ? html`<p class="soft">This run judged the text as it was then; it has been changed since.</p>` : null}${run.state === 'running' ? html`<p class="steps"><button type="button" onClick=${() => attempt('conformance/stop')}>Stop the run</button></p><${RunWatch} changed=${true} />` : html`<p><b>${meaningText(run)}</b></p>${RunProgress(run)}${DeviationsSeen(run)}<${ChangeReport} key=${run.n} run=${run} />`}`)}
    ${compared === undefined ? html`<p class="empty">Nothing is compared yet. The example lets agents be silent for half an hour longer.</p>` : html`${isCurrent ? null : html`<p class="soft">This compares the text as it was; it has been changed since.</p>`}${ChangeView(compared.diff)}${compared.diff.replicates === 0 ? null : EffectsView(compared.diff)}`}
    ${run === null && subject !== undefined ? html`<${UnjudgedDetail} subject=${subject} close=${() => goTo('specification')} run=${undefined} />` : null}
    <p class="soft" aria-live="polite">${waiting > 0 ? `${countText(waiting, 'standard scenario')} still to be played.` : ''}</p>`;
}

/** The report of the latest run under a change, once it is opened. */
function ChangeReport({ run }: { readonly run: Watched }): VNode {
  const isAsked = useLive(() => subjectOf(route.value) !== undefined);
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || isAsked;
  return html`<details open=${open} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}><summary>Report of this run</summary>${open ? html`<${OpenReport} run=${run} />` : null}</details>`;
}

function OpenReport({ run }: { readonly run: Watched }): VNode {
  const answer = useAnswer<RunView>('conformance/result', { changed: true }, run.n);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const { result, summary, writing } = answer.value;
  if (result === null) return html`<p class="empty">This run has no report.</p>`;
  return html`<${RunReport} result=${result} summary=${summary} writing=${writing} changed=${true} />`;
}
