/** The reasons for which a check or a clause is not judged, each with its kind and its words. */
import type { Reason, Why } from '../../results/conformance-result.js';
import type { OptionalMode } from '../../spec/parts.js';

/** A check cannot go on, without a finding about its clauses: something that it needs is missing, or its setup failed. */
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

/** A reason; one that is only words has no kind. */
export function asReason(because: Reason | string): Reason {
  return typeof because === 'string' ? { reason: because } : because;
}

/** Something is lacking that can be provided. `of`: the calls that the control API would provide it with, but lacks. */
export function lacking(kind: Why['kind'], reason: string, of?: string): Reason {
  return { reason, why: { kind, ...(of === undefined ? {} : { of }) } };
}

/** A decision is not followed, and the consequence here. */
export function notFollowed(decision: string, what: string): Reason {
  return { reason: `${decision} is not followed: ${what}`, why: { kind: 'decision', of: decision } };
}

/** The target lacks something that a step needs; a decision may require it. */
export function unmet(what: string, decision: string | undefined): Reason {
  if (decision === undefined) return { reason: `needs ${what}` };
  return { reason: `needs ${what}: ${decision} is not followed`, why: { kind: 'decision', of: decision } };
}

/** Ends a check of something that cannot be seen under a protocol's numbers, or only by too long a run. */
export function unreachable(what: string): Unjudged {
  return new Unjudged('not-tested', unreachableReason(what));
}

/** The reason for clauses of a disabled mode. */
export function offReason(mode: OptionalMode): Reason {
  return unreachableReason(`${mode} is switched off`);
}

/** The reason for clauses that are out of reach by the target's numbers. */
export function unreachableReason(what: string): Reason {
  return lacking('unreachable', `unreachable under these numbers: ${what}`);
}
