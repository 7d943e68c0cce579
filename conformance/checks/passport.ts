/**
 * Checks of the passport and the credential that a registration and a heartbeat return. Reissuing one is in
 * reissue-proof.ts.
 */

import { judgeLimit } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import { authorityKeyReply } from '../trial/fixtures.js';

const base = { needs: ['payments'] } as const;
const reply: WrittenCheck = {
  ...base,
  id: 'passport/reply',
  title: 'An agent with a SIGIL fetches its signed passport free of charge, in a credential envelope too',
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    await t.call('passport', { key: agent.key });
    t.mustSucceed(await buy(t, agent, purchase(t)));
    await authorityKeyReply(t);
    t.mustSucceed(await t.call('passport', { key: agent.key }));
  },
};

const limit: WrittenCheck = {
  ...base,
  id: 'passport/limit',
  title: 'The 11th passport request of an agent in an hour is refused',
  needs: ['clock'],
  waits: windowOf('passport'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = (key: string) => t.call('passport', { key, mayLimit: true });
    await judgeLimit(t, {
      limit: 'passport',
      clause: 'limit.passport',
      send: () => send(agent.key),
      other: () => send(other.key),
    });
  },
};

export const passportChecks: readonly WrittenCheck[] = [reply, limit];
