/** The form of an action of the lab's API: a path, the schema of its body, and what it does. Actions themselves are in the files that declare them. */

import { z } from 'zod';
import { Failure } from '../../runs/host/failure.js';
import { type LabRefusal, refusal } from './guard.js';

/** An action that refuses: shown to the caller with its status. */
export class ActionRefused extends Error {
  override readonly name = 'ActionRefused';
  readonly refusal: LabRefusal;
  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.refusal = refusal(status, code, detail);
  }
}

/** An action with its purpose, as docs/lab.md lists it. */
export interface Action {
  readonly path: string;
  readonly purpose: string;
  /** Checks the body, and does it. */
  readonly run: (body: unknown) => unknown;
}

/** Declares an action. Its body is parsed by the schema before `run`; a body of another form is refused. */
export function action<Schema extends z.ZodType>(
  path: string,
  purpose: string,
  body: Schema,
  run: (body: z.output<Schema>) => unknown,
): Action {
  return {
    path,
    purpose,
    run: (given) => {
      const parsed = body.safeParse(given);
      if (parsed.success) return run(parsed.data);
      const issue = parsed.error.issues[0];
      const at = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
      throw new ActionRefused(400, 'VALIDATION', `${at}: ${issue?.message ?? 'has another form'}`);
    },
  };
}

/** The body of an action without arguments. */
export const nothing = z.strictObject({});

/** Words of a user's mistake as a refusal. */
export function orRefused<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) throw new ActionRefused(400, 'VALIDATION', error.message);
    throw error;
  }
}
