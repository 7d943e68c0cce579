/** The verify lookup: an agent with its lineage and its SIGIL. Batches are in verify-batch.ts. */

import { isBoolean } from '../../model/reading/field-tests.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { buy, heartbeat, purchase } from '../steps/paid.js';
import type { WrittenCheck } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const verify: WrittenCheck = {
  id: 'verify/reply',
  shares: true,
  title: 'A verification shows an agent with its lineage up to the root, without a credential',
  async run(t) {
    const agent = await t.root({ init: true });
    // Sends the lookup with the lower limit first, since a wait for its limit must not come between the two.
    const batch = t.mustSucceed(await t.send(verifyBatch([agent.hash])));
    const reply = t.mustSucceed(await look(t, 'verify', agent.hash));
    const { lineage_depth: _, ...rest } = Object(reply.json) as Record<string, unknown>;
    t.shows('verify.reply').field(batch, 'results.0', rest);
    t.shows('verify.reply.anchor-degraded').field(reply, 'network.anchor_degraded', isBoolean);
  },
};

const withSigil: WrittenCheck = {
  id: 'verify/sigil',
  title: 'Lookups show the SIGIL of an agent, and its heartbeats',
  needs: ['payments'],
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.mustSucceed(await buy(t, agent, purchase(t)));
    t.mustSucceed(await heartbeat(t, agent));
    t.mustSucceed(await look(t, 'verify', agent.hash));
    t.mustSucceed(await t.send(verifyBatch([agent.hash])));
    t.mustSucceed(await look(t, 'status', agent.hash));
  },
};

export const verifyChecks: readonly WrittenCheck[] = [
  verify,
  withSigil,
  ...lookupRefusals('verify'),
  lookupLimit('verify', 'limit.verify'),
];
