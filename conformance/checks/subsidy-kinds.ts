/** Subsidies of agents of several kinds, before a freeze and after it. By how much they lower a fee is in subsidy-fees.ts. */
import { feeTypes } from '../../spec/vocabulary.js';
import { grant, terms } from '../moves/subsidy.js';
import { adminKey } from '../steps/keys.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import { operatorRoot } from '../steps/wallet-modes.js';
import type { WrittenCheck } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import { costs, routes, subsidised } from './subsidy-fees.js';

const DISCOUNT_BPS = 4_000;

const kinds: WrittenCheck = {
  id: 'subsidy/of-kinds',
  title: "Subsidies lower every fee of an operator's agent and of its child, before and after a freeze",
  needs: ['admin', 'payments', 'clock', 'beats'],
  waits: untilFrozen(20),
  async run(t) {
    const key = await adminKey(t);
    const root = await operatorRoot(t);
    const young = await makeChild(t, root, { init: true });
    const wallet = t.wallet();
    t.mustSucceed(await linkWith(t, young, wallet));
    const agents: readonly WalletAgent[] = [root, { ...young, wallet }];
    for (const agent of agents) {
      await t.fund(agent.wallet, 4 * t.protocol.sigil.autonomousFeeLamports);
      for (const fee_type of feeTypes) {
        t.mustSucceed(await t.send(grant(key, terms(agent, { fee_type, discount_bps: DISCOUNT_BPS }))));
      }
      for (const type of ['sigil', 'heartbeat', 'reissuance'] as const) {
        const full = routes[type].feeLamports(t.protocol);
        await costs(t, agent, type, subsidised(t, full, DISCOUNT_BPS), full);
      }
    }
    const missed = await lapse(t, root);
    for (const agent of agents) {
      t.mustSucceed(await comeBack(t, agent, penalty(t, missed)));
      for (const type of ['heartbeat', 'reissuance'] as const) {
        const full = routes[type].feeLamports(t.protocol);
        await costs(t, agent, type, subsidised(t, full, DISCOUNT_BPS), full);
      }
    }
  },
};

export const subsidyKindChecks: readonly WrittenCheck[] = [kinds];
