/** The status lookup, whose shape the specification does not show. */
import type { Check } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const base = { needs: [], registers: 1, writes: true } as const;

const status: Check = {
  ...base,
  id: 'status/reply',
  title: 'Anybody can look up the status of an agent',
  clauses: [
    'status.route',
    'status.purpose',
    'auth.public.status',
    'status.reply',
    'status.reply.beat-state',
    'agent.beat-state.status',
  ],
  registers: 2,
  requests: 5,
  async run(t) {
    const [other, agent] = [await t.root(), await t.root({ init: true })];
    t.accepted(await look(t, 'status', other.hash));
    t.accepted(await look(t, 'status', agent.hash));
  },
};

export const statusChecks: readonly Check[] = [
  status,
  ...lookupRefusals('status'),
  lookupLimit('status', 'limit.status'),
];
