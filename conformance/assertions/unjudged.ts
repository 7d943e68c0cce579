/** The reasons for which a check or a clause is not judged, each with its kind and its words. */
import type { Reason, Why } from '../../results/conformance-result.js';
import type { OptionalMode } from '../../spec/parts.js';

/** A check cannot go on, and that is no finding about its clauses: what it needs is lacking, or its setup failed. */
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

/** A reason; one in words alone has no kind. */
export function asReason(because: Reason | string): Reason {
  return typeof because === 'string' ? { reason: because } : because;
}

/** Something is lacking that can be provided. `of`: the calls that the control API would provide it with, but lacks. */
export function lacking(kind: Why['kind'], reason: string, of?: string): Reason {
  return { reason, why: { kind, ...(of === undefined ? {} : { of }) } };
}

/** A decision is not followed, and what that means here. */
export function notFollowed(decision: string, what: string): Reason {
  return { reason: `${decision} is not followed: ${what}`, why: { kind: 'decision', of: decision } };
}

/** Something was needed of the target, which a decision may have promised. */
export function unmet(what: string, decision: string | undefined): Reason {
  if (decision === undefined) return { reason: `needs ${what}` };
  return { reason: `needs ${what}: ${decision} is not followed`, why: { kind: 'decision', of: decision } };
}

/** Ends a check of something that a protocol's numbers leave no way to see, or none that a run should take. */
export function unreachable(what: string): Unjudged {
  return new Unjudged('not-tested', unreachableReason(what));
}

/** The reason of what a mode would show that is switched off. */
export function offReason(mode: OptionalMode): Reason {
  return unreachableReason(`${mode} is switched off`);
}

/** The reason of what numbers put out of reach. */
export function unreachableReason(what: string): Reason {
  return lacking('unreachable', `unreachable under these numbers: ${what}`);
}
