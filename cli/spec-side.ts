/** One side of a comparison of specifications, by the name that a user gives: the present one, or it under an overlay file. */

import { changedNumbers } from '../spec/change.js';
import { clauses } from '../spec/clauses/index.js';
import { type Protocol, protocol } from '../spec/protocol.js';
import { readProtocol } from './serve.js';

/** A statement of the specification, as far as a comparison needs it. */
export type Statement = { readonly id: string; readonly section: string; readonly text: string };

/** A specification to compare. */
export interface SpecSide {
  readonly name: string;
  readonly protocol: Protocol;
  readonly clauses: readonly Statement[];
}

/** The specification as it stands. */
export const PRESENT = 'spec';

/** Reads `spec`, which is the specification as it stands, or an overlay file. */
export function sideOf(name: string): SpecSide {
  return { name, protocol: readProtocol(name === PRESENT ? undefined : name), clauses };
}

/** The numbers in which a side differs from the specification as it stands, by path. */
export function numbersOf(side: SpecSide): Readonly<Record<string, number>> {
  return Object.fromEntries(changedNumbers(protocol, side.protocol).map(({ path, to }) => [path, to]));
}
