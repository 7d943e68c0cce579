/** Findings that a change of numbers brings or makes worse, each with the changed numbers that it is about. */

import { changedNumbers } from '../change.js';
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
  const numbers = changedNumbers(from, to).map(({ path, from: value }) => ({
    path,
    without: lint(factsOf(withNumber(to, path, value))),
  }));
  return caused.map((finding) => {
    const needed = numbers.filter(({ without }) => isNew(finding, without));
    return { ...finding, paths: (needed.length === 0 ? numbers : needed).map(({ path }) => path) };
  });
}

function isNew(finding: Finding, others: readonly Finding[]): boolean {
  const same = others.find(({ id }) => id === finding.id);
  return same === undefined || isWorse(finding, same);
}

function withNumber(protocol: Protocol, path: string, value: number): Protocol {
  const changed = structuredClone(protocol);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const place = names.reduce<unknown>((each, name) => Object(each)[name], changed);
  Object(place)[last] = value;
  return changed;
}
