/** The file of accepted changes of `aips spec check`: effects of a change of the specification that are accepted, and why. */

import { z } from 'zod';
import { type Parsed, parseYaml } from './document.js';

const reason = z.string().min(1, 'must say why the change is accepted');
const finding = z.string().min(1, 'must be the id of the finding that it follows from');

const acceptedSchema = z.strictObject({
  findings: z
    .array(z.strictObject({ id: z.string().min(1), arithmetic: z.string().min(1).optional(), reason }))
    .default([]),
  scenarios: z
    .array(z.strictObject({ scenario: z.string().min(1), expectation: z.string().min(1), reason }))
    .default([]),
  checks: z.array(z.strictObject({ check: z.string().min(1), finding, reason })).default([]),
  mutants: z.array(z.strictObject({ mutant: z.string().min(1), finding, reason })).default([]),
});

/**
 * Findings of the lint by id, with `arithmetic` for this line of it alone, expectations of scenarios, and checks of the suite and
 * mutants by id with the finding that they follow from; each with the reason why it is accepted.
 */
export type AcceptedChanges = z.output<typeof acceptedSchema>;

/** Nothing is accepted. */
export const NOTHING_ACCEPTED: AcceptedChanges = { findings: [], scenarios: [], checks: [], mutants: [] };

/** Reads a file of accepted changes. */
export function parseAcceptedChanges(text: string, file: string): Parsed<AcceptedChanges> {
  return parseYaml<AcceptedChanges>(text, file, acceptedSchema as unknown as z.ZodType<AcceptedChanges>);
}
