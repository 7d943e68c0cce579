/** The latest judgement and the latest comparison of a change, which the lab keeps until it ends. */

import type { CheckProgress, CheckReports } from '../../../results/spec-check-result.js';
import type { DiffEffect, SpecDiff } from '../../../results/spec-diff-result.js';
import { ActionRefused } from '../action.js';

/** The reports of a judgement, with the command that makes the same ones. */
export type Judged = CheckReports & { readonly command: string };

/** A judgement as far as it has come. */
export interface JudgementWord {
  readonly n: number;
  /** The text and the accepted changes that are judged. */
  readonly text: string;
  readonly accepted: string;
  readonly state: 'running' | 'ended' | 'stopped' | 'broken';
  /** Wall time since it began. */
  readonly elapsedMs: number;
  readonly progress: CheckProgress;
}

/** A comparison as far as it has come. */
export interface KeptComparison {
  readonly text: string;
  readonly diff: SpecDiff;
  /** The standard scenarios that are still to be played. */
  readonly waiting: readonly string[];
}

/** The effects that a standard scenario adds to a comparison. */
type Measured = Pick<SpecDiff, 'replicates' | 'seed' | 'unmeasured'> & { readonly effects: readonly DiffEffect[] };

/** Returns a comparison with the effects of a scenario. A scenario that does not wait adds nothing: its effects are there. */
export function withEffects(kept: KeptComparison, scenario: string, measured: Measured): KeptComparison {
  if (!kept.waiting.includes(scenario)) return kept;
  const { replicates, seed, effects, unmeasured } = measured;
  const { diff } = kept;
  return {
    ...kept,
    waiting: kept.waiting.filter((each) => each !== scenario),
    diff: {
      ...{ ...diff, replicates, seed },
      effects: [...diff.effects, ...effects],
      unmeasured: [...diff.unmeasured, ...unmeasured],
    },
  };
}

const NO_PROGRESS: CheckProgress = { steps: [], doing: [] };

/** The desk. `tell` hears of each change of a judgement; `nowMs` is wall time. */
export class ChangeDesk {
  comparison: KeptComparison | undefined;
  readonly #tell: (word: JudgementWord) => void;
  readonly #nowMs: () => number;
  #word: JudgementWord | undefined;
  #judged: Judged | undefined;
  #startedMs = 0;

  constructor(tell: (word: JudgementWord) => void = () => undefined, nowMs: () => number = Date.now) {
    this.#tell = tell;
    this.#nowMs = nowMs;
  }

  /** The latest judgement; undefined before the first. */
  get word(): JudgementWord | undefined {
    const word = this.#word;
    return word?.state === 'running' ? { ...word, elapsedMs: this.#nowMs() - this.#startedMs } : word;
  }

  /** The reports of the latest judgement, once it has ended. */
  get judged(): Judged | undefined {
    return this.#judged;
  }

  /** Judges a change, one at a time. Returns the reports; undefined where it was stopped. */
  async judge(
    { text, accepted }: Pick<JudgementWord, 'text' | 'accepted'>,
    run: (n: number, onProgress: (progress: CheckProgress) => void) => Promise<Judged | undefined>,
  ): Promise<Judged | undefined> {
    if (this.#word?.state === 'running')
      throw new ActionRefused(409, 'JUDGEMENT_UNDER_WAY', 'a judgement is under way: stop it, or wait for its end');
    const n = (this.#word?.n ?? 0) + 1;
    this.#startedMs = this.#nowMs();
    this.#judged = undefined;
    this.#set({ n, text, accepted, state: 'running', elapsedMs: 0, progress: NO_PROGRESS });
    let state: JudgementWord['state'] = 'broken';
    try {
      this.#judged = await run(n, (progress) => this.#set({ progress }));
      state = this.#judged === undefined ? 'stopped' : 'ended';
      return this.#judged;
    } finally {
      this.#set({ state });
    }
  }

  #set(change: Partial<JudgementWord>): void {
    const elapsedMs = this.#nowMs() - this.#startedMs;
    this.#word = { ...(this.#word as JudgementWord), elapsedMs, ...change };
    this.#tell(this.#word);
  }
}
