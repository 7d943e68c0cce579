/**
 * A mutant: one mistake that an implementer makes, to see whether the suite finds it, and whether the clause that it names is
 * the right one. Those of the package follow from tables (derived.ts); those of source code are in planted/.
 */
import type { Overlay } from '../../spec/overlay.js';
import type { Deployment } from '../in-process/reference.js';

/** A mistake that needs no other code. */
export type Patch =
  /** A number of the protocol, by its path in spec/protocol: the reference has another one than the suite. */
  | { readonly number: string; readonly value: number }
  /** Replies of an endpoint: the field at a path is taken away, or has another value, or the status is another. */
  | ({ readonly endpoint: string; readonly status?: number; readonly code?: string } & ReplyChange);

/** A change of one field of a reply, or of its status. */
export type ReplyChange =
  | { readonly remove: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly answer: number };

/** One mistake, and the clause that it breaks. A patch of another kind is in the modules that the reference is loaded from. */
export interface Mutant<P extends object = Patch> {
  /** Words that never change: the stem of the endpoint, a slash, and the mistake. */
  readonly id: string;
  readonly title: string;
  /** The must clause that does not hold any more. */
  readonly clause: string;
  readonly patch: P;
  /** The deployment in which it shows; that of the first check of the clause without it. */
  readonly deployment?: Deployment;
  /** Numbers under which it shows, where those of the text take too long to be reached: for the reference and the suite both. */
  readonly overlay?: Overlay;
}
