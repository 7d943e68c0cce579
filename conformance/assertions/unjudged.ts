/** Why a check or a clause is not judged: what it needs is lacking, or out of reach. What is judged is in evidence.ts. */
import type { OptionalMode } from '../../spec/parts.js';

/** A check cannot go on, and that is no finding about its clauses: what it needs is lacking, or its setup failed. */
export class Unjudged extends Error {
  constructor(
    readonly verdict: 'not-tested' | 'inconclusive',
    readonly reason: string,
  ) {
    super(reason);
    this.name = 'Unjudged';
  }
}

/**
 * Ends a check of something that a protocol's numbers leave no way to see, or none that a run should take: not judged,
 * and nobody's fault.
 */
export function unreachable(what: string): Unjudged {
  return new Unjudged('not-tested', unreachableReason(what));
}

/** The reason of what a mode would show that is switched off. */
export function offReason(mode: OptionalMode): string {
  return unreachableReason(`${mode} is switched off`);
}

/** How the reason of what numbers put out of reach reads. */
export function unreachableReason(what: string): string {
  return `unreachable under these numbers: ${what}`;
}
