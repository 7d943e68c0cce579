/**
 * A mutant: one mistake that an implementer makes, planted in the reference to see whether the suite finds it, and whether the
 * clause that it names is the right one. The reference knows nothing of mutants.
 */

import type { Overlay } from '../../spec/overlay.js';
import type { Protocol } from '../../spec/protocol.js';

/** How a mutant changes the reference. */
export type Patch =
  /** Text of a built module, from the root of the package and without its ending; `before` stands in it once. `also`: more of it. */
  | (TextChange & { readonly also?: readonly TextChange[] })
  /** A number of the protocol, by its path in spec/protocol: the reference has another one than the suite. */
  | { readonly number: string; readonly value: number }
  /** Replies of an endpoint: the field at a path is taken away, or has another value. */
  | ({ readonly endpoint: string; readonly status?: number; readonly code?: string } & ReplyChange);

/** A text of a module, and what stands in its place. */
interface TextChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A change of one field of a reply. */
export type ReplyChange =
  | { readonly remove: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly answer: number };

/** One mistake, and the clause that it breaks. */
export interface Mutant {
  /** Words that never change: the stem of the endpoint, a slash, and the mistake. */
  readonly id: string;
  readonly title: string;
  /** The must clause that does not hold any more. */
  readonly clause: string;
  readonly patch: Patch;
  /** The deployment in which it shows; that of the first check of the clause without it. */
  readonly deployment?: Deployment;
  /** Numbers under which it shows, where those of the text take too long to be reached: for the reference and the suite both. */
  readonly overlay?: Overlay;
  /** The part of the specification that it gets wrong (`tiers.eph`): where a change has taken that away, it is no mistake. */
  readonly part?: string;
  /** Whether it changes nothing under other numbers: the fee of tier 1 in place of that of tier 2 where the two are one. */
  readonly harmless?: (numbers: Protocol) => boolean;
}

/** How the reference is deployed. */
export type Deployment = 'devnet' | 'webhooks' | 'secret' | 'mainnet' | 'free';
