/** The latest judgement of a change: how it is begun, followed through a reload, and what its verdict says of the text of now. */

import { effect, signal } from '@preact/signals-core';
import type { Verdict } from '../../../reports/conformance/verdict-text.js';
import { HEADLINES, specCheckVerdict } from '../../../reports/specification/spec-check-text.js';
import type { CheckProgress, SpecCheck } from '../../../results/spec-check-result.js';
import type { Judged, JudgementWord, KeptComparison } from '../../server/specification/change-desk.js';
import { attempt, judgementWord } from '../store.js';
import { comparison, takeComparison } from './comparison.js';

/** A judgement as this tab knows it. */
export interface Judgement extends Pick<JudgementWord, 'text' | 'accepted' | 'state'> {
  readonly progress: CheckProgress;
  /** When it began, by the clock of this tab. */
  readonly startedAt: number;
  readonly judged?: Judged;
}

interface Kept {
  readonly word: JudgementWord | null;
  readonly judged: Judged | null;
  readonly comparison: KeptComparison | null;
}

/** The latest judgement; undefined where the lab has none. */
export const judgement = signal<Judgement | undefined>(undefined);

/** The verdict that the Specification view shows on a change; undefined before it judged one. */
export const changeVerdict = signal<Verdict | undefined>(undefined);

/** This tab waits for the reports of a judgement that it has begun. */
let isMine = false;

/** The check of reports; undefined where the change could not be read. */
export const checkOf = ({ files: { json } }: Judged): SpecCheck | undefined =>
  json === undefined ? undefined : (JSON.parse(json) as SpecCheck);

/** Judges a text with the changes that are accepted. */
export async function judge(text: string, accepted: string): Promise<void> {
  const begun = { text, accepted, progress: { steps: [], doing: [] }, startedAt: performance.now() };
  judgement.value = { ...begun, state: 'running' };
  isMine = true;
  const judged = await attempt<Judged | { readonly stopped: true }>('specification/check', { text, accepted });
  isMine = false;
  // It was refused: another tab judges, or the lab is lost.
  if (judged === undefined) {
    judgement.value = undefined;
    await readKept();
  } else if ('stopped' in judged) judgement.value = { ...begun, state: 'stopped' };
  else take({ ...begun, state: 'ended', judged });
}

function take(now: Judgement): void {
  judgement.value = now;
  // It has measured the change, too, by more pairs of runs than a comparison.
  const diff = now.judged === undefined ? undefined : checkOf(now.judged)?.diff;
  if (diff !== undefined) comparison.value = { text: now.text, diff, waiting: 0 };
}

/** Reads what the lab has kept: the latest judgement, which may be under way, and the latest comparison. */
export async function readKept(): Promise<void> {
  const kept = await attempt<Kept>('specification/kept');
  if (kept === undefined || isMine) return;
  if (kept.word !== null && judgement.value?.judged === undefined) takeWord(kept.word, kept.judged);
  await takeComparison(kept.comparison);
}

function takeWord({ elapsedMs, ...word }: JudgementWord, judged: Judged | null): void {
  const startedAt = performance.now() - elapsedMs;
  take({ ...word, startedAt, ...(judged === null ? {} : { judged }) });
}

effect(() => {
  const word = judgementWord.value;
  if (word === undefined) return;
  if (word.state !== 'ended') {
    // The answer says how a judgement of this tab ends.
    if (!isMine || word.state === 'running') takeWord(word, null);
  } else if (!isMine) {
    judgement.value = undefined;
    void readKept();
  }
});

const open = (word: string, text: string): Verdict => ({ tone: 'open', word, text });

/** The verdict of a judgement for the text and the accepted changes of now. */
export function judgementVerdict(
  latest: Pick<Judgement, 'text' | 'accepted' | 'state' | 'judged'> | undefined,
  now: { readonly text: string; readonly accepted: string },
): Verdict {
  if (latest === undefined)
    return open('Not judged yet', 'Judge says whether the change passes, as aips spec check does in CI.');
  if (latest.state === 'running')
    return open(
      'Judging the change',
      'Lint, scenarios, suite, mutants and effects, as in CI. It takes some minutes; another view or a reload does not end it.',
    );
  if (latest.state === 'stopped') return open('Stopped', 'The judgement was stopped before it had a verdict.');
  const { judged } = latest;
  if (judged === undefined) return open(HEADLINES[2], 'The judgement broke off; the terminal of the lab says why.');
  const check = checkOf(judged);
  const verdict = check === undefined ? open(HEADLINES[2], judged.said.trim()) : specCheckVerdict(check);
  const before = `The text of then: ${verdict.word}.`;
  if (latest.text !== now.text) return open('Not judged since the edit', before);
  if (latest.accepted !== now.accepted) return open('The accepted changes are others now; judge again', before);
  return verdict;
}
