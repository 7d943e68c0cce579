/** The identity classes of a population's agents. Caps and fees of a class are the protocol's. */

import { type IdentityClass, identityClasses } from '../../spec/vocabulary.js';
import type { RandomStream } from './random-stream.js';

/** The share of each identity class in a population; the shares sum to 1. */
export type ClassMix = Readonly<Record<IdentityClass, number>>;

/** Draws the class of an agent. */
export function drawClass(mix: ClassMix, random: RandomStream): IdentityClass {
  const u = random.uniform();
  let below = 0;
  let drawn: IdentityClass | undefined;
  for (const identityClass of identityClasses) {
    if (mix[identityClass] === 0) continue;
    drawn = identityClass;
    below += mix[identityClass];
    if (u < below) break;
  }
  // The last class with a share takes the rounding error of the sum.
  if (drawn === undefined) throw new RangeError('a class mix without a share');
  return drawn;
}
