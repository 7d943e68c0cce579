import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'], registers: 0, writes: false } as const;

const beatKey: Check = {
  ...base,
  id: 'beat-key/reply',
  title: 'The beats service publishes its keys',
  clauses: ['beat-key.route', 'beat-key.reply'],
  requests: 1,
  async run(t) {
    t.accepted(await t.call('beat-key'));
  },
};

export const beatKeyChecks: readonly Check[] = [beatKey, lookupLimit('beat-key', 'limit.beat-key')];
