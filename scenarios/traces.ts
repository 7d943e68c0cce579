/**
 * Traces of a scenario: measured seconds in place of a distribution. Their files are read by the command, which puts the values
 * into the text of the scenario; here no file is read.
 */

import { z } from 'zod';
import { DURATION_SEC_MAX } from './behaviours/duration.js';
import type { ScenarioFile } from './file-schema.js';
import { allowed, map } from './schema-parts.js';

/** The most values of a trace. */
export const TRACE_VALUES_MAX = 100_000;

const NAME = 'up to 64 lower-case letters, digits and hyphens';
const SECONDS = `seconds from 0 to ${DURATION_SEC_MAX}`;
const seconds = z.number(allowed(SECONDS)).min(0, allowed(SECONDS)).max(DURATION_SEC_MAX, allowed(SECONDS));

const traceSchema = z
  .strictObject(
    {
      file: z.string(allowed('the path of a CSV or Parquet file')).min(1, 'must not be empty').optional(),
      column: z.string(allowed('the name of a column')).min(1, 'must not be empty').optional(),
      values: z
        .array(seconds, allowed(`a list of ${SECONDS}`))
        .min(1, 'must hold at least one value')
        .max(TRACE_VALUES_MAX, `must hold at most ${TRACE_VALUES_MAX} values`)
        .optional(),
    },
    map,
  )
  .superRefine(({ file, values }, context) => {
    if (values !== undefined) return;
    if (file === undefined) context.addIssue({ code: 'custom', message: 'must have a file or values' });
    else
      context.addIssue({ code: 'custom', path: ['file'], message: 'is read by the command alone: give values here' });
  });

/** Traces by name, each from a file or with its values. */
export const tracesSchema = z.record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, allowed(NAME)), traceSchema, map);

/** Puts the values of a trace, the smallest first, into every part of a file that names it. Reports unknown names, and traces that are not used. */
export function fillInTraces(
  file: ScenarioFile,
  report: (path: readonly PropertyKey[], message: string) => void,
): void {
  const sorted = new Map(
    Object.entries(file.traces).map(([name, { values = [] }]) => [name, values.toSorted((a, b) => a - b)] as const),
  );
  const used = new Set<string>();
  const visit = (node: unknown, path: readonly PropertyKey[]): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isTraced(node)) {
      used.add(node.trace);
      const values = sorted.get(node.trace);
      if (values !== undefined) node.valuesSec = values;
      else report([...path, 'trace'], `is not among the traces; known: ${[...sorted.keys()].join(', ') || 'none'}`);
    } else
      for (const [key, child] of Object.entries(node)) visit(child, [...path, Array.isArray(node) ? Number(key) : key]);
  };
  visit({ populations: file.populations, faults: file.faults, reviews: file.reviews }, []);
  for (const name of sorted.keys()) if (!used.has(name)) report(['traces', name], 'is used nowhere');
}

function isTraced(node: object): node is { readonly trace: string; valuesSec: readonly number[] } {
  return 'trace' in node && 'valuesSec' in node;
}
