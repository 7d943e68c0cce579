/** The status lookup. The specification does not show its shape. */
import type { WrittenCheck } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const status: WrittenCheck = {
  id: 'status/reply',
  title: 'The status of an agent is shown without a credential',
  async run(t) {
    const [other, agent] = [await t.root(), await t.root({ init: true })];
    t.mustSucceed(await look(t, 'status', other.hash));
    t.mustSucceed(await look(t, 'status', agent.hash));
  },
};

export const statusChecks: readonly WrittenCheck[] = [
  status,
  ...lookupRefusals('status'),
  lookupLimit('status', 'limit.status'),
];
