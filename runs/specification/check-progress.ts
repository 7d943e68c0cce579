/** The progress of `aips spec check`, which a program that starts the command may read while it runs: over the channel of a Node process. */

import type { CheckProgress, CheckStep } from '../../results/spec-check-result.js';

/** The variable of the environment that asks for the progress. Without it nothing is sent. */
export const PROGRESS_WANTED = 'AIPS_CHECK_PROGRESS';

type Send = (progress: CheckProgress) => void;

/** Sends to the program that has started this process, where it asks for the progress. */
function sendToStarter(progress: CheckProgress): void {
  if (process.env[PROGRESS_WANTED] === '1') process.send?.(progress);
}

/** Tells each step when it ends, and how far the longer ones are. */
export class CheckTeller {
  readonly #send: Send;
  readonly #steps: CheckStep[] = [];
  readonly #doing = new Map<string, { readonly done: number; readonly of: number }>();

  constructor(send: Send = sendToStarter) {
    this.#send = send;
  }

  /** A part of the work is under way: `done` of `of` things are behind it. */
  at(name: string, done: number, of: number): void {
    this.#doing.set(name, { done, of });
    this.#tell();
  }

  /** A step has ended; `part` is the name of its work. Returns the step. */
  ended(step: CheckStep, part: string): CheckStep {
    this.#steps.push(step);
    this.#doing.delete(part);
    this.#tell();
    return step;
  }

  #tell(): void {
    const doing = [...this.#doing].map(([name, { done, of }]) => ({ name, done, of }));
    this.#send({ steps: [...this.#steps], doing });
  }
}
