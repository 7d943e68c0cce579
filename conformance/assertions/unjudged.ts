/** The reasons why a check or a clause is not judged: each has a kind and a text. */
import type { Reason, Why } from '../../results/conformance-result.js';
import type { OptionalMode } from '../../spec/parts.js';

/** Ends a check without a finding about its clauses: something that it needs is missing, or its setup failed. */
export class Unjudged extends Error {
  readonly because: Reason;

  constructor(
    readonly verdict: 'not-tested' | 'inconclusive',
    because: Reason | string,
  ) {
    super(asReason(because).reason);
    this.name = 'Unjudged';
    this.because = asReason(because);
  }
}

/** Makes a reason; a plain text becomes a reason without a kind. */
export function asReason(because: Reason | string): Reason {
  return typeof because === 'string' ? { reason: because } : because;
}

/** The user can provide the missing thing. `of`: the missing calls of the control API that would provide it. */
export function lacking(kind: Why['kind'], reason: string, of?: string): Reason {
  return { reason, why: { kind, ...(of === undefined ? {} : { of }) } };
}

/** The target does not follow a decision. `what`: the consequence. */
export function notFollowed(decision: string, what: string): Reason {
  return { reason: `${decision} is not followed: ${what}`, why: { kind: 'decision', of: decision } };
}

/** The target lacks something that a step needs. `decision`: the decision that requires it, if there is one. */
export function unmet(what: string, decision: string | undefined): Reason {
  if (decision === undefined) return { reason: `needs ${what}` };
  return { reason: `needs ${what}: ${decision} is not followed`, why: { kind: 'decision', of: decision } };
}

/** Ends a check that cannot observe its subject under the target's numbers, or only in too long a run. */
export function unreachable(what: string): Unjudged {
  return new Unjudged('not-tested', unreachableReason(what));
}

/** The reason for clauses of a disabled mode. */
export function offReason(mode: OptionalMode): Reason {
  return unreachableReason(`${mode} is switched off`);
}

/** The reason for clauses that cannot be reached under the target's numbers. */
export function unreachableReason(what: string): Reason {
  return lacking('unreachable', `unreachable under these numbers: ${what}`);
}
