/** The judgement of a change by `aips spec check`: its verdict, its steps, what is accepted of its faults, and its reports as files. */

import { signal } from '@preact/signals-core';
import { type AcceptedEntry, acceptedLines, stepVerdict } from '../../../reports/specification/spec-check-text.js';
import { VerdictBanner } from '../../../reports/views/parts.js';
import { durationText } from '../../../results/numbers.js';
import {
  type AcceptableEntry,
  type CheckedFault,
  type CheckStep,
  SPEC_CHECK_FILES,
} from '../../../results/spec-check-result.js';
import { draftOf, keepDraft } from '../drafts.js';
import { html, useEffect, useLive, useState, type VNode } from '../markup.js';
import { Command, panel, table } from '../parts.js';
import { saveFile } from '../save-file.js';
import { attempt } from '../store.js';
import { changeVerdict, checkOf, type Judgement, judge, judgement, judgementVerdict, readKept } from './judging.js';

/** The reports that CI would post. */
const EXPORTS = [
  ['summary', 'Markdown for a pull request'],
  ['sarif', 'SARIF'],
  ['json', 'JSON'],
] as const;

const DRAFT = 'specification/accepted';
/** The changes that the user accepts. */
const acceptedNow = signal(draftOf<readonly AcceptedEntry[]>(DRAFT) ?? []);

function accept(entries: readonly AcceptedEntry[]): void {
  acceptedNow.value = entries;
  keepDraft(DRAFT, entries);
}

const fileOf = (entries: readonly AcceptedEntry[]): string =>
  entries.length === 0 ? '' : `${acceptedLines(entries).join('\n')}\n`;

/** The verdict on a text, with a button that judges it. */
export function JudgementBanner({ text, canJudge }: { readonly text: string; readonly canJudge: boolean }): VNode {
  const latest = useLive(() => judgement.value);
  const accepted = useLive(() => fileOf(acceptedNow.value));
  useEffect(() => {
    void readKept();
  }, []);
  const verdict = judgementVerdict(latest, { text, accepted });
  useEffect(() => {
    changeVerdict.value = latest === undefined ? undefined : verdict;
  }, [latest, verdict.word]);
  const isRunning = latest?.state === 'running';
  const button = isRunning
    ? html`<button type="button" onClick=${() => attempt('specification/stop')}>Stop</button>`
    : html`<button type="button" class="main" disabled=${!canJudge} onClick=${() => judge(text, accepted)}>Judge</button>`;
  const other =
    isRunning && latest.text !== text
      ? html`<span class="soft">It judges the text as it was; it has been changed since.</span>`
      : null;
  return html`<div class="judgement"><div aria-live="polite">${VerdictBanner(verdict)}</div>
    ${isRunning ? html`<${UnderWay} latest=${latest} />` : null}<p class="steps">${button} ${other}</p></div>`;
}

/** The time since a judgement began, the work that is under way, and the steps that have ended, with their faults. */
function UnderWay({ latest }: { readonly latest: Judgement }): VNode {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const { steps, doing } = latest.progress;
  const elapsedSec = Math.max(0, Math.floor((performance.now() - latest.startedAt) / 1000));
  const work = doing.map(({ name, done, of }) => (done === 0 ? `${name}: ${of}` : `${name}: ${done} of ${of}`));
  return html`<p class="soft">${[`${durationText(elapsedSec * 1000)} so far`, ...work].join('; ')}</p>
    ${steps.length === 0 ? null : html`<ul class="evidence">${steps.map((step) => html`<li key=${step.name}><b>${step.name}</b>: ${stepVerdict(step)}${step.faults.map(({ id, text, accepted }) => html`<br />${id}: ${text}${accepted === undefined ? '' : ` (accepted: ${accepted})`}`)}</li>`)}</ul>`}`;
}

/** The steps of the latest judgement with their faults, and its reports. `text` is that of the editor. */
export function JudgementView({ text }: { readonly text: string }): VNode | null {
  const latest = useLive(() => judgement.value);
  const accepted = useLive(() => fileOf(acceptedNow.value));
  const { judged } = latest ?? {};
  if (latest === undefined || judged === undefined) return null;
  const isCurrent = latest.text === text && latest.accepted === accepted;
  const steps = checkOf(judged)?.steps ?? [];
  const all = steps.flatMap(({ faults: found }) => found);
  // Faults that fail the change come first.
  const faults = [
    ...all.filter((fault) => fault.accepted === undefined),
    ...all.filter((fault) => fault.accepted !== undefined),
    ...steps.flatMap(({ warnings = [] }) =>
      warnings.map((warning) => ({ ...warning, text: `a warning, which fails nothing: ${warning.text}` })),
    ),
  ];
  return panel(
    'The judgement',
    html`${table<CheckStep>(
      'Steps',
      [
        { name: 'step', of: ({ name }) => name },
        { name: 'result', of: stepVerdict },
        { name: 'examined', of: ({ looked }) => looked },
      ],
      steps,
      'No step could be judged.',
    )}
    ${faults.length === 0 ? null : html`<ul class="evidence">${faults.map((fault) => html`<${Fault} key=${fault.id} fault=${fault} />`)}</ul>`}
    ${isCurrent ? null : html`<p class="soft">These files are of the text and the accepted changes that were judged, not of those of now.</p>`}
    <p class="steps">Save as ${EXPORTS.map(([kind, name]) => html`<button type="button" disabled=${judged.files[kind] === undefined} onClick=${() => saveFile(SPEC_CHECK_FILES[kind], judged.files[kind] ?? '')}>${name}</button>`)}</p><${Command} text=${judged.command} />`,
  );
}

/** The changes that the user accepts, each with its reason. */
export function AcceptedChanges(): VNode | null {
  const entries = useLive(() => acceptedNow.value);
  if (entries.length === 0) return null;
  const withdraw = (entry: AcceptedEntry): void => accept(entries.filter((each) => each !== entry));
  return panel(
    'Accepted changes',
    html`<ul class="accepted">${entries.map((entry) => html`<li>${nameOf(entry)}: ${entry.reason} <button type="button" class="quiet" onClick=${() => withdraw(entry)}>Withdraw</button></li>`)}</ul>`,
  );
}

const nameOf = ({ reason: _, ...entry }: AcceptableEntry & { readonly reason?: string }): string =>
  Object.values(entry).join(': ');

function Fault({ fault }: { readonly fault: CheckedFault }): VNode {
  const entries = useLive(() => acceptedNow.value);
  const { id, text, remedy, accepted, entry } = fault;
  const [reason, setReason] = useState('');
  const now = entry === undefined ? undefined : entries.find((each) => nameOf(each) === nameOf(entry));
  const form =
    entry === undefined || now !== undefined
      ? null
      : html`<form class="steps" onSubmit=${(event: Event) => {
          event.preventDefault();
          accept([...entries, { ...entry, reason }]);
        }}><input required pattern=".*\\S.*" aria-label=${`Reason to accept ${id}`} placeholder="It is meant, since …" value=${reason} onInput=${(event: Event) => setReason((event.target as HTMLInputElement).value)} /><button type="submit">Accept</button></form>`;
  return html`<li><b>${id}</b>: ${text}${remedy === undefined ? null : html`<br />fixed by: ${remedy}`}${accepted === undefined ? null : html`<br />accepted: ${accepted}`}${accepted !== undefined || now === undefined ? null : html`<br /><b>Accepted since: ${now.reason}. Judge again.</b>`}${form}</li>`;
}
