/** Findings that a change of numbers brings or makes worse, each with the changed numbers that it is about. */

import { type ChangedNumber, changedNumbers, numbersBehind } from '../change.js';
import { overlayOf, withOverlay } from '../overlay.js';
import { type Protocol, protocol as textProtocol } from '../protocol.js';
import type { Finding } from './finding.js';
import { factsOf, lint } from './index.js';
import { isWorse, toleranceOf } from './known.js';

/** A finding that was not there before a change, or not as bad. */
export interface CausedFinding extends Finding {
  /** Paths of the changed numbers without any of which it would not be as it is; all of them where each alone would do. */
  readonly paths: readonly string[];
}

/** The findings of a protocol that `from` has not, or not as bad. */
export function causedFindings(to: Protocol, from: Protocol = textProtocol): readonly CausedFinding[] {
  const before = lint(factsOf(from));
  const caused = lint(factsOf(to)).filter((each) => isNew(each, before, toleranceOf(from, to)));
  if (caused.length === 0) return [];
  const paths = numbersBehindFindings(to, changedNumbers(from, to));
  return caused.map((finding) => ({ ...finding, paths: paths(finding) }));
}

/** The changed numbers that a finding about `to` is about: without one of them it is not there, or not as bad. */
export function numbersBehindFindings(
  to: Protocol,
  numbers: readonly ChangedNumber[],
): (finding: Finding) => readonly string[] {
  // The findings without one of them are the same for every finding that is asked about.
  const without = new Map<string, readonly Finding[]>();
  return (finding) =>
    numbersBehind(numbers, ({ path, from }) => {
      const found = without.get(path) ?? lint(factsOf(withOverlay(overlayOf(path, from), to)));
      without.set(path, found);
      return !isNew(finding, found);
    });
}

function isNew(finding: Finding, others: readonly Finding[], tolerance?: number): boolean {
  const same = others.find(({ id }) => id === finding.id);
  return same === undefined || isWorse(finding, same, tolerance);
}
