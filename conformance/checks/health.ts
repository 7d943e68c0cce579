/** Checks of GET /api/health of the beats service, which D-08 adds: that it answers, and its limit. */
import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'], registers: 0, writes: false } as const;

const reply: Check = {
  ...base,
  id: 'health/reply',
  title: 'The beats service says that it is up',
  clauses: ['health.route'],
  requests: 1,
  async run(t) {
    t.accepted(await t.call('health'), 'health.route');
  },
};

export const healthChecks: readonly Check[] = [reply, lookupLimit('health', 'limit.health')];
