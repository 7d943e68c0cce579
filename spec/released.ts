/**
 * A specification that was released, as a file of spec/released/ lists it: its numbers, errors, endpoints, and the ids of
 * clauses and checks, which never change their meaning. Reading and writing files is not here.
 */

import { z } from 'zod';
import { clauses } from './clauses/index.js';
import { endpoints } from './endpoints/index.js';
import { errors } from './errors.js';
import { protocolNumbers } from './protocol.js';

/** The form of a file of spec/released/. */
export const releasedSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  numbers: z.record(z.string(), z.number()),
  errors: z.record(z.string(), z.int()),
  endpoints: z.record(z.string(), z.string()),
  clauses: z.array(
    z.strictObject({ id: z.string(), section: z.string(), level: z.enum(['must', 'decision']), text: z.string() }),
  ),
  checks: z.array(z.string()),
});

/** A specification that was released. */
export type ReleasedSpec = z.output<typeof releasedSchema>;

/** The present specification as it would be released; `checks` are the ids of the suite's. */
export function presentSpec(version: string, checks: readonly string[]): ReleasedSpec {
  return {
    version,
    numbers: Object.fromEntries(protocolNumbers().map(({ path, value }) => [path, value])),
    errors: Object.fromEntries(Object.entries(errors).map(([key, { status }]) => [key, status])),
    endpoints: Object.fromEntries(endpoints.map(({ id, method, path }) => [id, `${method} ${path}`])),
    clauses: clauses.map(({ id, section, level, text }) => ({ id, section, level, text })),
    checks: [...checks],
  };
}

/** The clauses that came, went, or say something else. */
interface ClauseChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** The difference between two lists of clauses, each in its own order. */
export function clauseChanges(
  from: readonly { readonly id: string; readonly text: string }[],
  to: readonly { readonly id: string; readonly text: string }[],
): ClauseChanges {
  const [before, after] = [from, to].map((each) => new Map(each.map(({ id, text }) => [id, text])));
  const ids = (list: typeof from, keep: (id: string) => boolean) => list.map(({ id }) => id).filter(keep);
  return {
    added: ids(to, (id) => !before?.has(id)),
    removed: ids(from, (id) => !after?.has(id)),
    changed: ids(to, (id) => before?.has(id) === true && before.get(id) !== after?.get(id)),
  };
}

/** Ids with another meaning than in a release, or removed ones: there must be none. */
export function brokenIds(released: ReleasedSpec, present: ReleasedSpec): readonly string[] {
  const now = new Map(present.clauses.map((clause) => [clause.id, clause]));
  const checks = new Set(present.checks);
  return [
    ...released.clauses.flatMap(({ id, section, level, text }) => {
      const clause = now.get(id);
      if (clause === undefined) return [`clause ${id} is gone`];
      const same = clause.section === section && clause.level === level && clause.text === text;
      return same ? [] : [`clause ${id} states something else`];
    }),
    ...released.checks.filter((id) => !checks.has(id)).map((id) => `check ${id} is gone`),
  ];
}
