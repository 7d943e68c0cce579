/** The kinds of deviations from the specification, in the order in which to fix them: findings, the next step and the roadmap go by this table. */

/** By kind, in words. A server that does not answer hides everything else; a field of a reply hides nothing. */
const causes = {
  'no-reply': 'no reply',
  'server-error': 'an error of the server',
  refused: 'a good request is refused',
  effect: 'an effect is missing',
  field: 'a field differs',
} as const;

/**
 * The kind of a deviation. `no-reply`: no reply that can be read; `server-error`: a status of 5xx; `refused`: a request without a fault is
 * refused; `effect`: a request with a fault is accepted, or a later reply or a delivery shows that a call did not do what it has to do;
 * `field`: a status, code or field of the reply itself.
 */
export type Cause = keyof typeof causes;

/** Every kind, in the order in which to fix them. */
export const causeNames = Object.keys(causes) as readonly Cause[];

/** The place of a kind in the order in which to fix them; a deviation of a report without kinds comes last. */
export function causeRank(cause: Cause | undefined): number {
  return cause === undefined ? causeNames.length : causeNames.indexOf(cause);
}

/** A kind in words: `a good request is refused`. */
export function causeText(cause: Cause): string {
  return causes[cause];
}
