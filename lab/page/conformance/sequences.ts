/** A sequence of the fuzzer that failed, step by step: request, reply, protocol time, and what the text expects; the last step deviates. */

import { Exchanges } from '../../../reports/views/transcript.js';
import { countText } from '../../../results/numbers.js';
import type { Step } from '../../server/conformance/sequence-actions.js';
import { html, useEffect, useRef, useState, type VNode } from '../markup.js';
import { panel } from '../parts.js';
import { attempt, reducesMotion } from '../store.js';

interface Listed {
  readonly sequences: readonly { readonly file: string; readonly message: string }[];
  readonly target: string | null;
}

interface Walked {
  readonly actions: readonly object[];
  readonly steps: readonly Step[];
  readonly failure: {
    readonly message: string;
    readonly at: number;
    readonly clauses: readonly { readonly id: string; readonly section: string; readonly text: string }[];
  } | null;
}

const STEP_MS = 250;

/** The choice of a sequence, and its steps; nothing where the lab was given none. */
export function Sequences(): VNode | null {
  const [listed, setListed] = useState<Listed | undefined>(undefined);
  const [place, setPlace] = useState(0);
  const [walked, setWalked] = useState<Walked | undefined>(undefined);
  const [waiting, setWaiting] = useState(false);
  useEffect(() => void attempt<Listed>('sequence/list').then(setListed), []);
  if (listed === undefined || listed.sequences.length === 0) return null;
  const play = async (on: 'reference' | 'target'): Promise<void> => {
    setWaiting(true);
    setWalked(await attempt<Walked>('sequence/play', { place, on }));
    setWaiting(false);
  };
  const choose = (event: Event): void => {
    setPlace(Number((event.target as HTMLSelectElement).value));
    setWalked(undefined);
  };
  return panel(
    'A failed sequence, step by step',
    html`<div class="tools"><label class="grow"><span class="unseen">Sequence</span><select value=${place} onChange=${choose}>${listed.sequences.map(({ file }, at) => html`<option value=${at}>${file}</option>`)}</select></label>
      <button type="button" disabled=${waiting} onClick=${() => play('reference')}>Play on a new reference</button>
      ${listed.target === null ? null : html`<button type="button" disabled=${waiting} onClick=${() => play('target')}>Play on the target</button>`}</div>
    ${walked === undefined ? html`<p class="empty">It failed so: ${listed.sequences[place]?.message}</p>` : html`<${Steps} key=${walked} walked=${walked} />`}`,
  );
}

function Steps({ walked: { actions, steps, failure } }: { readonly walked: Walked }): VNode {
  const first = Math.max(
    0,
    steps.findIndex(({ action }) => action >= 0),
  );
  const [at, setAt] = useState(first);
  const [runs, setRuns] = useState(false);
  const place = useRef<HTMLElement>(null);
  const last = steps.length - 1;
  const go = (to: number): void => {
    setRuns(false);
    setAt(Math.min(last, Math.max(0, to)));
  };
  useEffect(() => place.current?.focus(), []);
  useEffect(() => {
    if (!runs || at >= last) return;
    const timer = setTimeout(() => setAt(reducesMotion() ? last : at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [runs, at]);
  const key = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const step = steps[at];
  if (step === undefined) return html`<p class="empty">It has no step.</p>`;
  const { action, exchange, evidence } = step;
  const deviates = at === failure?.at;
  const held = evidence.filter(({ ok }) => ok);
  return html`<p>${failure === null ? 'Every reply is as the text has it now.' : failure.message}</p>
    <section ref=${place} tabindex="0" aria-label="Steps: arrow keys go back and forward" onKeyDown=${key}>
      <p class="steps"><button type="button" disabled=${at === 0} onClick=${() => go(at - 1)}>Back</button><button type="button" disabled=${at === last} onClick=${() => go(at + 1)}>Forward</button><button type="button" disabled=${at === last} onClick=${() => setRuns(!runs)}>${runs && at < last ? 'Pause' : 'Run'}</button>
      <output aria-live="polite">Step ${at + 1} of ${steps.length}${deviates ? ': it deviates' : ''}</output></p>
      <p class="soft">${action < 0 ? 'Before the first action: the agents of the sequence are made.' : html`Action ${action + 1} of ${actions.length}: <code>${JSON.stringify(actions[action])}</code>`}</p>
      ${Exchanges({ exchanges: [exchange], first: at + 1, file: 'fuzz-failure.sh' })}
      ${deviates ? failure.clauses.map(({ id, section, text }) => html`<p class="banner bad">${section}: ${text} <code>${id}</code></p>`) : null}
      ${facts(evidence.filter(({ ok }) => !ok))}
      ${held.length === 0 ? null : html`<details key=${at}><summary>${countText(held.length, 'fact')} as the text has it</summary>${facts(held)}</details>`}
    </section>`;
}

function facts(evidence: Step['evidence']): VNode {
  const item = ({ ok, about, expected, actual, clauses }: Step['evidence'][number]): VNode =>
    html`<li>${ok ? '✓' : '✗'} ${about}${ok ? '' : `: expected ${expected}, got ${actual}`} <span class="mono soft">${clauses.join(', ')}</span></li>`;
  return html`<ul class="evidence">${evidence.map(item)}</ul>`;
}
