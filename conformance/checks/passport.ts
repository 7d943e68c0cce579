/**
 * Checks of the passport and the credential that a registration and a heartbeat return. Reissuing one is in
 * reissue-proof.ts.
 */

import type { Protocol } from '../../spec/protocol.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { authorityKeyReply } from '../trial/fixtures.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const spent = ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports;

const reply: Check = {
  ...base,
  id: 'passport/reply',
  title: 'An agent with a SIGIL fetches its signed passport free of charge, in a credential envelope too',
  clauses: [
    'passport.route',
    'passport.purpose',
    'passport.reply',
    'passport.reply.passport-vc',
    'passport.free',
    'passport.signed',
    'passport.bytes',
    'passport.error.sigil-required',
    'dialect.credential-names',
  ],
  requests: 9,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    await t.call('passport', { key: agent.key });
    t.accepted(await buy(t, agent, purchase(t)));
    await authorityKeyReply(t);
    t.accepted(await t.call('passport', { key: agent.key }));
  },
};

const limit: Check = {
  ...base,
  id: 'passport/limit',
  title: 'An agent fetches its passport 10 times an hour',
  clauses: ['limit.passport', 'limit.window', 'limit.retry-after'],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 18,
  refusal: true,
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

export const passportChecks: readonly Check[] = [reply, limit];
