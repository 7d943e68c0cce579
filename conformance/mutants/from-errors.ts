/** Mutants of the rows of section 7: each refusal has another status, and another code where the row gives one. */
import { clauses } from '../../spec/clauses/index.js';
import { endpointIds, endpointOf } from '../../spec/endpoint-ids.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import type { Mutant } from './mutant.js';

const kebab = (code: string): string => code.toLowerCase().replaceAll('_', '-');

/** Rows whose code is D-29's choice: the text only says that a frozen sponsor's payment is refused. */
const BY_DECISION: ReadonlySet<string> = new Set(['heartbeat/SPONSOR_PARENT_FROZEN']);

/** Another status of a refusal, so that the request is still refused and only the row is broken. */
const otherStatus = (status: number): number => (status === 400 ? 422 : 400);

export const errorMutants: readonly Mutant[] = (Object.keys(errors) as ErrorKey[]).flatMap((key): Mutant[] => {
  const { endpoint, status, code, source, codeBinds } = errors[key];
  if (source !== 'spec' || endpoint === 'any' || BY_DECISION.has(key)) return [];
  const clause = clauses.find(
    ({ id, excluded }) => id === `${endpoint}.error.${kebab(code)}` && excluded === undefined,
  );
  if (clause === undefined || clause.level !== 'must') return [];
  return endpointIds
    .filter((id) => endpointOf(id).stem === endpoint && (endpointOf(id).refuses?.includes(code) ?? true))
    .flatMap((id): Mutant[] => [
      {
        id: `${id}/status-of-${kebab(code)}`,
        title: `${code} of ${id} has the status ${otherStatus(status)}`,
        clause: clause.id,
        patch: { endpoint: id, code, answer: otherStatus(status) },
      },
      ...(codeBinds
        ? [
            {
              id: `${id}/code-of-${kebab(code)}`,
              title: `${code} of ${id} has another code`,
              clause: clause.id,
              patch: { endpoint: id, code, set: 'code', to: 'WRONG' },
            },
          ]
        : []),
    ]);
});
