/** Checks of GET /beat/key of the beats service, which D-08 adds. What is signed by its keys is in work-proof and beat-timestamp. */
import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'], registers: 0, writes: false } as const;

const reply: Check = {
  ...base,
  id: 'beat-key/reply',
  title: 'The beats service publishes its keys',
  clauses: ['beat-key.route', 'beat-key.reply'],
  requests: 1,
  async run(t) {
    t.accepted(await t.call('beat-key'), 'beat-key.route');
  },
};

export const beatKeyChecks: readonly Check[] = [reply, lookupLimit('beat-key', 'limit.beat-key')];
