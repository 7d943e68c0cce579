/** Findings that are known and stay, each with its reason: the form of spec/known-findings.yaml, and what is not in it. */

import { z } from 'zod';
import { type Parsed, parseYaml } from '../document.js';
import type { Finding } from './finding.js';

const knownSchema = z.array(
  z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, 'must be the id of a finding, kind/subject'),
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

/** The findings of severity error that no entry excuses. */
export function newErrors(findings: readonly Finding[], known: readonly KnownFinding[]): readonly Finding[] {
  const excused = new Set(known.map(({ id }) => id));
  return findings.filter(({ id, severity }) => severity === 'error' && !excused.has(id));
}
