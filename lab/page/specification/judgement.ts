/** The judgement of a change by `aips spec check`: its verdict, its steps, what is accepted of its faults, and its reports as files. */

import { signal } from '@preact/signals-core';
import type { Verdict } from '../../../reports/conformance/verdict-text.js';
import {
  type AcceptedEntry,
  acceptedLines,
  HEADLINES,
  specCheckVerdict,
  stepVerdict,
} from '../../../reports/specification/spec-check-text.js';
import { VerdictBanner } from '../../../reports/views/parts.js';
import {
  type AcceptableEntry,
  type CheckedFault,
  type CheckReports,
  type CheckStep,
  SPEC_CHECK_FILES,
  type SpecCheck,
} from '../../../results/spec-check-result.js';
import { draftOf, keepDraft } from '../drafts.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { Command, panel, table } from '../parts.js';
import { saveFile } from '../save-file.js';
import { attempt } from '../store.js';
import { comparison } from './comparison.js';

type Judged = CheckReports & { readonly command: string };

/** The latest judgement: the text and the accepted changes that it is about, and the reports once they are there. */
const judgement = signal<{ readonly text: string; readonly accepted: string; readonly judged?: Judged } | undefined>(
  undefined,
);

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

async function judge(text: string, accepted: string): Promise<void> {
  judgement.value = { text, accepted };
  const judged = await attempt<Judged | { readonly stopped: true }>('specification/check', { text, accepted });
  if (judged === undefined || 'stopped' in judged) {
    judgement.value = undefined;
    return;
  }
  judgement.value = { text, accepted, judged };
  // It has measured the change, too, by more pairs of runs than a comparison.
  const diff = checkOf(judged)?.diff;
  if (diff !== undefined) comparison.value = { text, diff, waiting: 0 };
}

/** The verdict on a text, with a button that judges it. */
export function JudgementBanner({ text, problems }: { readonly text: string; readonly problems: number }): VNode {
  const latest = useLive(() => judgement.value);
  const accepted = useLive(() => fileOf(acceptedNow.value));
  const isRunning = latest !== undefined && latest.judged === undefined;
  const isCurrent = latest?.text === text && latest.accepted === accepted;
  const button = isRunning
    ? html`<button type="button" onClick=${() => attempt('specification/stop')}>Stop</button>`
    : html`<button type="button" class="main" disabled=${problems > 0} onClick=${() => judge(text, accepted)}>Judge</button>`;
  return html`<div class="judgement"><div aria-live="polite">${VerdictBanner(verdictOf(latest?.judged, isRunning))}</div>
    <p class="steps">${button} ${latest?.judged === undefined || isCurrent ? null : html`<span class="soft">This judged the change as it was; it has been changed since.</span>`}</p></div>`;
}

function verdictOf(judged: Judged | undefined, isRunning: boolean): Verdict {
  if (isRunning)
    return {
      tone: 'open',
      word: 'Judging the change',
      text: 'Lint, scenarios, suite, mutants and effects, as in CI. It takes a minute or two.',
    };
  if (judged === undefined)
    return {
      tone: 'open',
      word: 'Not judged yet',
      text: 'Judge says whether the change passes, as aips spec check does in CI.',
    };
  const check = checkOf(judged);
  return check === undefined ? { tone: 'open', word: HEADLINES[2], text: judged.said.trim() } : specCheckVerdict(check);
}

const checkOf = ({ files: { json } }: Judged): SpecCheck | undefined =>
  json === undefined ? undefined : (JSON.parse(json) as SpecCheck);

/** The steps of the latest judgement with their faults, and its reports. */
export function JudgementView(): VNode | null {
  const judged = useLive(() => judgement.value?.judged);
  if (judged === undefined) return null;
  const steps = checkOf(judged)?.steps ?? [];
  const faults = steps.flatMap(({ faults: found, warnings = [] }) => [
    ...found,
    ...warnings.map((warning) => ({ ...warning, text: `a warning, which fails nothing: ${warning.text}` })),
  ]);
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
  const form =
    entry === undefined || entries.some((each) => nameOf(each) === nameOf(entry))
      ? null
      : html`<form class="steps" onSubmit=${(event: Event) => {
          event.preventDefault();
          accept([...entries, { ...entry, reason }]);
        }}><input required pattern=".*\\S.*" aria-label=${`Reason to accept ${id}`} placeholder="It is meant, since …" value=${reason} onInput=${(event: Event) => setReason((event.target as HTMLInputElement).value)} /><button type="submit">Accept</button></form>`;
  return html`<li><b>${id}</b>: ${text}${remedy === undefined ? null : html`<br />fixed by: ${remedy}`}${accepted === undefined ? null : html`<br />accepted: ${accepted}`}${form}</li>`;
}
