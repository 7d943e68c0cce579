/** A specification to compare: the present one, or it under an overlay. How a command names one is not here (cli/spec/side.ts). */

import type { Scenario } from '../../scenarios/scenario.js';
import type { OverlayNumbers } from '../../simulator/run/simulate.js';
import { changedNumbers, numbersBehind } from '../../spec/change.js';
import { clauses } from '../../spec/clauses/index.js';
import { type Dialect, dialects, protocolOf } from '../../spec/dialect.js';
import { type Parsed, problemIn } from '../../spec/document.js';
import { brokenRelations, type Overlay, overlayOf, parseOverlay, withOverlay } from '../../spec/overlay.js';
import { classesOf } from '../../spec/parts.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail } from '../host/files.js';
import { overlayOfSettings } from '../simulation/settings.js';

/** A statement of the specification, as far as a comparison needs it. */
type Statement = { readonly id: string; readonly section: string; readonly text: string };

/** A specification to compare. */
export interface SpecSide {
  readonly name: string;
  readonly protocol: Protocol;
  readonly clauses: readonly Statement[];
}

/** The current specification. */
export const PRESENT = 'spec';

/** The numbers in which a side differs from the current specification, by path. */
function numbersOf(side: SpecSide): Readonly<Record<string, number>> {
  return Object.fromEntries(changedNumbers(protocol, side.protocol).map(({ path, to }) => [path, to]));
}

/** The numbers and formulas of a side, as a simulation takes them. */
export function overlayNumbersOf(side: SpecSide): OverlayNumbers {
  const formulas = side.protocol.parts?.formulas;
  return { file: side.name, numbers: numbersOf(side), ...(formulas === undefined ? {} : { formulas }) };
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

/** The present specification. */
export function presentSide(): SpecSide {
  return { name: PRESENT, protocol: protocolOf(dialects.service), clauses };
}

/** The present specification under the text of an overlay. */
export function sideOfText(text: string, name: string): SpecSide {
  return { name, protocol: overlaidProtocol(text, name), clauses };
}

/** The numbers of a dialect under the text of an overlay, which `path` names. Throws a Failure where they contradict each other. */
export function overlaidProtocol(text: string, path: string, dialect: Dialect = dialects.service): Protocol {
  return parsedOrFail(readOverlaid(text, path, dialect));
}

/** The same, or every mistake with its line. */
export function readOverlaid(text: string, path: string, dialect: Dialect = dialects.service): Parsed<Protocol> {
  const overlay = parseOverlay(text, path);
  if (!overlay.ok) return overlay;
  const changed = protocolOf(dialect, overlay.value);
  const numbers = changedNumbers(protocolOf(dialect), changed);
  const problems = brokenRelations(changed).map((wanted) => {
    const [key = ''] = numbersBehind(numbers, ({ path: number, from }) =>
      brokenRelations(withOverlay(overlayOf(number, from), changed)).includes(wanted),
    );
    return problemIn(text, path, key.split('.'), `contradicts the other numbers; wanted: ${wanted}`);
  });
  return problems.length === 0 ? { ok: true, value: changed } : { ok: false, problems };
}
