/**
 * A mutant: one mistake that an implementer might make, to measure whether the suite finds it by the right clause. Those of the package follow from
 * tables (derived.ts); those of source code are in planted/.
 */
import type { Overlay } from '../../spec/overlay.js';
import type { Deployment } from '../in-process/reference.js';

/** A mistake that needs no change of code. */
export type Patch =
  /** A number of the protocol, by its path in spec/protocol: the reference has another one than the suite. */
  | { readonly number: string; readonly value: number }
  /** Replies of an endpoint: the field at a path is removed or has another value, or the status differs. */
  | ({ readonly endpoint: string; readonly status?: number; readonly code?: string } & ReplyChange);

/** A change of one field of a reply, or of its status. */
export type ReplyChange =
  | { readonly remove: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly answer: number };

/** One mistake, and the clause that it breaks. A mutant of source code changes the modules of the reference instead. */
export interface Mutant<P extends object = Patch> {
  /** Its id, which never changes: the stem of the endpoint, a slash, and the mistake. */
  readonly id: string;
  readonly title: string;
  /** The must clause that it breaks. */
  readonly clause: string;
  readonly patch: P;
  /** The deployment in which it shows; by default that of the first check of the clause. */
  readonly deployment?: Deployment;
  /** Numbers under which it shows, for reference and suite, if those of the text take too long to reach. */
  readonly overlay?: Overlay;
}
