import { clauses } from '../../spec/clauses/index.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import { type EndpointId, endpointIds, endpointOf } from '../protocol/endpoints.js';
import type { Mutant } from './mutant.js';

/** Mutants of the rows of section 7: each refusal has another status, and another code where the row gives one. */

const kebab = (code: string): string => code.toLowerCase().replaceAll('_', '-');

/** Of the errors that an endpoint of several methods has, those that some of its methods cannot answer with. */
const only: Readonly<Record<string, readonly EndpointId[]>> = {
  'sponsor/VALIDATION': ['sponsor.post', 'sponsor.delete'],
  'sponsor/AGENT_NOT_FOUND': ['sponsor.post', 'sponsor.delete'],
  'sponsor/SPONSOR_NOT_FOUND': ['sponsor.delete'],
  'sponsor/SPONSOR_PARENT_FROZEN': ['sponsor.post'],
  'sponsor/SPONSOR_INVALID': ['sponsor.post'],
  'sponsor/SPONSOR_NOT_ANCESTOR': ['sponsor.post'],
  'sponsor/WALLET_REQUIRED': ['sponsor.post'],
  'subsidy/SUBSIDY_NOT_FOUND': ['subsidy.delete'],
  'partner-webhook/WEBHOOK_INVALID': ['partner-webhook.put'],
};

/** Statuses that are refusals too, so that only the row itself is broken. */
const other = (status: number): number => (status === 400 ? 422 : 400);

export const errorMutants: readonly Mutant[] = (Object.keys(errors) as ErrorKey[]).flatMap((key): Mutant[] => {
  const { endpoint, status, code, source, codeBinds } = errors[key];
  if (source !== 'spec' || endpoint === 'any') return [];
  const clause = clauses.find(
    ({ id, excluded }) => id === `${endpoint}.error.${kebab(code)}` && excluded === undefined,
  );
  if (clause === undefined || clause.level !== 'must') return [];
  return endpointIds
    .filter((id) => endpointOf(id).stem === endpoint && only[key]?.includes(id) !== false)
    .flatMap((id): Mutant[] => [
      {
        id: `${id}/status-of-${kebab(code)}`,
        title: `${code} of ${id} has the status ${other(status)}`,
        clause: clause.id,
        patch: { endpoint: id, code, answer: other(status) },
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
