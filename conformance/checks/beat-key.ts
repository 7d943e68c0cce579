/** Checks of GET /beat/key of the beats service, which D-08 adds. Checks of signatures by these keys are in work-proof and beat-timestamp. */
import type { WrittenCheck } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'] } as const;

const reply: WrittenCheck = {
  ...base,
  id: 'beat-key/reply',
  title: 'The beats service publishes its keys',
  async run(t) {
    t.accepted(await t.call('beat-key'), 'beat-key.route');
  },
};

export const beatKeyChecks: readonly WrittenCheck[] = [reply, lookupLimit('beat-key', 'limit.beat-key')];
