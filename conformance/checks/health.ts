import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'], registers: 0, writes: false } as const;

const health: Check = {
  ...base,
  id: 'health/reply',
  title: 'The beats service says that it is up',
  clauses: ['health.route'],
  requests: 1,
  async run(t) {
    t.accepted(await t.call('health'));
  },
};

export const healthChecks: readonly Check[] = [health, lookupLimit('health', 'limit.health')];
