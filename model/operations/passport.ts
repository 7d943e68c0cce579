/** GET /agent/passport (4.1): a signed passport, at any place in the reply. */

import type { Operation } from '../settle.js';
import type { Agent } from '../state.js';
import { judgePassport } from '../views/passport.js';

export const passport: Operation<Agent> = {
  ids: ['passport'],
  facts: ({ agent }) => agent,
  refusals: [
    {
      row: 'passport/SIGIL_REQUIRED',
      clauses: ['passport.error.sigil-required'],
      when: (agent) => agent.depth === 0 && agent.sigil === null,
    },
  ],
  open: (agent) =>
    agent.passport === null || agent.frozen !== false || !agent.started
      ? 'there is no passport yet, or the agent is not active'
      : undefined,
  accepts: () => ['passport.purpose'],
  accepted: (agent, given) => judgePassport(given, agent, 'passport'),
};
