/** One side of a comparison of specifications, by the name that a user gives: the present one, or it under an overlay file. */

import { Failure } from '../../runs/host/failure.js';
import { overlayOfSettings } from '../../runs/simulation/settings.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { changedNumbers } from '../../spec/change.js';
import { clauses } from '../../spec/clauses/index.js';
import { mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { classesOf } from '../../spec/parts.js';
import { type Protocol, protocol, protocolNumbers } from '../../spec/protocol.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { readProtocol } from '../flags/facts.js';
import { releasedSpec } from './released.js';

/** A statement of the specification, as far as a comparison needs it. */
export type Statement = { readonly id: string; readonly section: string; readonly text: string };

/** A specification to compare. */
export interface SpecSide {
  readonly name: string;
  readonly protocol: Protocol;
  readonly clauses: readonly Statement[];
}

/** The current specification. */
export const PRESENT = 'spec';

/** Reads `spec`, which is the current specification, a version that was released, or an overlay file. */
export function sideOf(name: string): SpecSide {
  if (/^\d+\.\d+\.\d+$/.test(name)) {
    const released = releasedSpec(name);
    return { name, protocol: protocolOf(released.numbers), clauses: released.clauses };
  }
  return { name, protocol: readProtocol(name === PRESENT ? undefined : name), clauses };
}

/** The protocol with the numbers of a release; one that is gone since counts no more. */
function protocolOf(numbers: Readonly<Record<string, number>>): Protocol {
  const known = protocolNumbers().filter(({ path }) => path in numbers);
  const overlay = known.reduce<Overlay>(
    (all, { path }) => mergedOverlay(all, overlayOf(path, numbers[path] as number)),
    {},
  );
  return withOverlay(overlay);
}

/** The numbers in which a side differs from the current specification, by path. */
export function numbersOf(side: SpecSide): Readonly<Record<string, number>> {
  return Object.fromEntries(changedNumbers(protocol, side.protocol).map(({ path, to }) => [path, to]));
}

/** The overlay of a side over the current specification: its numbers, and its parts that are no numbers. */
export function overlayOfSide(side: SpecSide): Overlay {
  const { parts } = side.protocol;
  return { ...overlayOfSettings(numbersOf(side)), ...(parts === undefined ? {} : { parts }) };
}

/** Throws a Failure for a scenario whose populations have a class that a side does not. */
export function requireClasses({ populations }: Scenario, { name: side, protocol: held }: SpecSide): void {
  const there = classesOf(held);
  for (const { name, classes } of populations) {
    const gone = identityClasses.find((each) => classes[each] > 0 && !there.includes(each));
    if (gone !== undefined)
      throw new Failure(`--protocol ${side}: there is no class ${gone}, which population ${name} has.`);
  }
}
