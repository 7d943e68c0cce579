/** Findings that are known and stay, each with its arithmetic and reason: the form of spec/known-findings.yaml, and what it does not excuse. */

import { z } from 'zod';
import { changedNumbers } from '../change.js';
import { type Parsed, parseYaml } from '../document.js';
import type { Protocol } from '../protocol.js';
import type { Finding, Severity } from './finding.js';

const knownSchema = z.array(
  z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, 'must be the id of a finding, kind/subject'),
    arithmetic: z.string().min(1, 'must be the line of arithmetic of the finding that stays'),
    reason: z.string().min(1, 'must say why the finding stays'),
    decision: z
      .string()
      .regex(/^D-\d\d$/, 'must be the id of a decision such as D-29')
      .optional(),
  }),
);

/** A finding that stays, and why. `decision`: the text contradicts itself, and this decision is the way out. */
export type KnownFinding = z.output<typeof knownSchema>[number];

/** Reads a file of known findings. */
export function parseKnownFindings(text: string, file: string): Parsed<readonly KnownFinding[]> {
  return parseYaml<readonly KnownFinding[]>(text, file, knownSchema);
}

const RANKS: readonly Severity[] = ['note', 'warning', 'error'];
/** A relative difference of harms up to this may come from floating point alone. */
const SAME = 1e-9;
/** Of a change that doubles a number, harms within 1 % are the same; of one by 1 %, harms within 0.02 %. */
const OF_THE_CHANGE = 0.02;

/**
 * The relative difference of two harms up to which they are the same: a fiftieth of the largest relative change of a number. Numbers
 * that are rescaled together, such as those of a clock, change the harms by the rounding to whole anchors and hours alone.
 */
export function toleranceOf(from: Protocol, to: Protocol): number {
  const moved = changedNumbers(from, to).map(
    ({ from: before, to: after }) => Math.abs(after - before) / Math.max(before, after),
  );
  return Math.max(SAME, OF_THE_CHANGE * Math.max(0, ...moved));
}

/** True for a finding that is worse than an earlier one of the same id: by severity, then by harm, unless that is within `tolerance`. */
export function isWorse(now: Finding, was: Finding, tolerance: number = SAME): boolean {
  const ranks = RANKS.indexOf(now.severity) - RANKS.indexOf(was.severity);
  if (ranks !== 0) return ranks > 0;
  return now.harm > was.harm && !(now.harm - was.harm <= tolerance * Math.abs(was.harm));
}

/** A finding that is in both of two lists, and worse in the second. */
interface WorseFinding {
  readonly now: Finding;
  readonly was: Finding;
}

/** The findings that are worse in the second list than in the first. */
export function worseFindings(
  from: readonly Finding[],
  to: readonly Finding[],
  tolerance: number = SAME,
): readonly WorseFinding[] {
  return to.flatMap((now) => {
    const was = from.find(({ id }) => id === now.id);
    return was !== undefined && isWorse(now, was, tolerance) ? [{ now, was }] : [];
  });
}

/** The entries of the file, and the findings of the specification that they are about. */
export interface Known {
  readonly entries: readonly KnownFinding[];
  readonly stated: readonly Finding[];
  /** The relative difference up to which harms are the same (toleranceOf). */
  readonly tolerance?: number;
}

/** The entry that excuses a finding: it has the same arithmetic, or is about a finding that is no better. */
export function excuseOf(finding: Finding, { entries, stated, tolerance }: Known): KnownFinding | undefined {
  const entry = entries.find(({ id }) => id === finding.id);
  if (entry === undefined || entry.arithmetic === finding.arithmetic) return entry;
  const was = stated.find(({ id }) => id === finding.id);
  const bound = was !== undefined && was.arithmetic === entry.arithmetic && !isWorse(finding, was, tolerance);
  return bound ? entry : undefined;
}

/** The findings of severity error that no entry excuses. */
export function newErrors(findings: readonly Finding[], known: Known): readonly Finding[] {
  return findings.filter((finding) => finding.severity === 'error' && excuseOf(finding, known) === undefined);
}

/** The arithmetic of a finding, and of the one of the specification that it is worse than. */
export function arithmeticOf(finding: Finding, { stated, tolerance }: Known): string {
  const was = stated.find(({ id }) => id === finding.id);
  return was !== undefined && isWorse(finding, was, tolerance)
    ? `${finding.arithmetic} (worse: the specification has ${was.arithmetic})`
    : finding.arithmetic;
}
