/** One side of a comparison of specifications, by the name that a user gives: the present one, a release, or an overlay file. */

import { readText } from '../../runs/host/files.js';
import { PRESENT, presentSide, type SpecSide, sideOfText } from '../../runs/specification/spec-side.js';
import { mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { type Protocol, protocolNumbers } from '../../spec/protocol.js';
import { warnOfNoChange } from '../flags/facts.js';
import { releasedSpec } from './released.js';

const RELEASE = /^\d+\.\d+\.\d+$/;

/** True for a name of an overlay file: the present specification and a release have none. */
export const isFile = (name: string): boolean => name !== PRESENT && !RELEASE.test(name);

/** Reads `spec`, which is the current specification, a version that was released, or an overlay file. */
export function sideOf(name: string): SpecSide {
  if (RELEASE.test(name)) {
    const released = releasedSpec(name);
    return { name, protocol: protocolOf(released.numbers), clauses: released.clauses };
  }
  if (name === PRESENT) return presentSide();
  const side = sideOfText(readText(name, 'overlay file'), name);
  warnOfNoChange(name, presentSide().protocol, side.protocol);
  return side;
}

/** The protocol with the numbers of a release; a number that was removed since no longer counts. */
function protocolOf(numbers: Readonly<Record<string, number>>): Protocol {
  const known = protocolNumbers().filter(({ path }) => path in numbers);
  const overlay = known.reduce<Overlay>(
    (all, { path }) => mergedOverlay(all, overlayOf(path, numbers[path] as number)),
    {},
  );
  return withOverlay(overlay);
}
