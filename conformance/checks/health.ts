/** Checks of GET /api/health of the beats service, which D-08 adds: that it answers, and its limit. */
import type { WrittenCheck } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'] } as const;

const reply: WrittenCheck = {
  ...base,
  id: 'health/reply',
  title: 'GET health of the beats service returns ok',
  async run(t) {
    t.accepted(await t.call('health'), 'health.route');
  },
};

export const healthChecks: readonly WrittenCheck[] = [reply, lookupLimit('health', 'limit.health')];
