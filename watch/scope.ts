/** Selects a part of the judgements: by endpoint, by section, or by the clauses of a profile. */

import { clauses as allClauses, clauseById } from '../spec/clauses/index.js';
import { endpointIds, endpointOf, nameOf } from '../spec/endpoint-ids.js';

/** Whether a judgement counts: that of a clause, by an exchange with an endpoint (method and path). */
export type Scope = (clause: string, endpoint: string) => boolean;

/** A scope that is written wrong: the message says what is possible. */
export class BadScope extends Error {}

/**
 * A scope of texts such as `endpoint:heartbeat`, `section:4.5` and `profile:core`. A judgement has to match one of each kind. `profiles`: the
 * clauses of each profile. Throws BadScope.
 */
export function scopeOf(texts: readonly string[], profiles: (name: string) => ReadonlySet<string> | undefined): Scope {
  const endpoints = new Set<string>();
  const sections: string[] = [];
  const clauses = new Set<string>();
  for (const text of texts) {
    const [, kind, value = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
    if (kind === 'endpoint') {
      const named = endpointIds.filter((id) => [id, endpointOf(id).stem, nameOf(id)].includes(value));
      if (named.length === 0)
        throw new BadScope(`${text}: no endpoint has this name. Endpoints: ${endpointIds.join(', ')}.`);
      for (const id of named) endpoints.add(nameOf(id));
    } else if (kind === 'section') {
      if (!/^\d+(\.\d+)*$/.test(value)) throw new BadScope(`${text}: a section is a number, such as 4.5.`);
      if (!isSection(value)) throw new BadScope(`${text}: the specification has no clauses in this section.`);
      sections.push(value);
    } else if (kind === 'profile') {
      const known = profiles(value);
      if (known === undefined) throw new BadScope(`${text}: there is no such profile.`);
      for (const clause of known) clauses.add(clause);
    } else throw new BadScope(`${text}: is no scope. Write endpoint:heartbeat, section:4.5 or profile:core.`);
  }
  const isIn = (section: string): boolean =>
    sections.some((each) => section === each || section.startsWith(`${each}.`));
  return (clause, endpoint) =>
    (endpoints.size === 0 || endpoints.has(endpoint)) &&
    (sections.length === 0 || isIn(clauseById(clause).section)) &&
    (clauses.size === 0 || clauses.has(clause));
}

/** Whether clauses are in a section, or in a part of it. */
function isSection(number: string): boolean {
  return allClauses.some(({ section }) => section === number || section.startsWith(`${number}.`));
}
