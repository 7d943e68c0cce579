/** Findings that a change of numbers brings or makes worse, each with the changed numbers that it is about. */

import { type ChangedNumber, changedNumbers, numbersBehind } from '../change.js';
import { type Protocol, protocol as textProtocol } from '../protocol.js';
import type { Finding } from './finding.js';
import { factsOf, lint } from './index.js';
import { isWorse } from './known.js';

/** A finding that was not there before a change, or not as bad. */
export interface CausedFinding extends Finding {
  /** Paths of the changed numbers without any of which it would not be as it is; all of them where each alone would do. */
  readonly paths: readonly string[];
}

/** The findings of a protocol that `from` has not, or not as bad. */
export function causedFindings(to: Protocol, from: Protocol = textProtocol): readonly CausedFinding[] {
  const before = lint(factsOf(from));
  const caused = lint(factsOf(to)).filter((each) => isNew(each, before));
  if (caused.length === 0) return [];
  const numbers = changedNumbers(from, to);
  return caused.map((finding) => ({ ...finding, paths: numbersBehindFinding(finding, to, numbers) }));
}

/** The changed numbers that a finding about `to` is about: without one of them it is not there, or not as bad. */
export function numbersBehindFinding(
  finding: Finding,
  to: Protocol,
  numbers: readonly ChangedNumber[],
): readonly string[] {
  return numbersBehind(to, numbers, (other) => !isNew(finding, lint(factsOf(other))));
}

function isNew(finding: Finding, others: readonly Finding[]): boolean {
  const same = others.find(({ id }) => id === finding.id);
  return same === undefined || isWorse(finding, same);
}
