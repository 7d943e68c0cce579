/**
 * The schema of `adapts` in a population of a scenario file. Conditions between its keys are checked in resolve-adaptation.ts.
 */

import { z } from 'zod';
import { allowed, duration, map, money, share, whole } from './schema-parts.js';

const OPTION_NAME = 'a lower-case letter, then up to 23 lower-case letters, digits, hyphens or underscores';
const optionName = z.string().regex(/^[a-z][a-z0-9_-]{0,23}$/);
const byOption: typeof map = {
  error: (issue) => (issue.code === 'invalid_key' ? `must be ${OPTION_NAME}` : map.error(issue)),
};

/** Rules by which agents revise; with `fixed` they do not. */
const REVISION_RULES = ['imitation', 'replicator', 'best_response', 'logit', 'fixed'] as const;
const SEES = ['options', 'agents'] as const;
const START = 'a map of options to shares that sum to 1, or { counts: a map of options to agents }';

/** The schema, with what an option can replace: keys of the population, each optional and without a default. */
export function adaptsSchema<Keys extends z.ZodRawShape>(replaceable: Keys) {
  const option = z.strictObject({ ...replaceable, leaves: z.boolean(allowed('true or false')).default(false) }, map);
  const counts = z.strictObject({ counts: z.record(optionName, whole(0, 10_000_000), byOption) }, map);
  return z.strictObject(
    {
      options: z.record(optionName, option, byOption),
      start: z.union([counts, z.record(optionName, share, byOption)], allowed(START)).optional(),
      by: z.enum(REVISION_RULES, allowed(`one of ${REVISION_RULES.join(', ')}`)),
      every: duration.optional(),
      rate: share.optional(),
      noise: money.optional(),
      mutation: share.optional(),
      sees: z.enum(SEES, allowed(`one of ${SEES.join(', ')}`)).optional(),
      outside: money.optional(),
    },
    map,
  );
}
