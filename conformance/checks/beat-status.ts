/** The state of an agent's beat chain as its lookup shows it. The price and the credit of beats are in spawn.ts and beats-submit.ts. */
import { addedClasses } from '../../spec/parts.js';
import { heartbeat } from '../steps/paid.js';
import type { WrittenCheck } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const beatStatus: WrittenCheck = {
  id: 'beat-status/reply',
  title: 'The beat chain of an agent is shown without a credential',
  async run(t) {
    const agent = await t.root({ init: true });
    t.mustSucceed(await look(t, 'beat-status', agent.hash));
  },
};

const unstarted: WrittenCheck = {
  id: 'beat-status/unstarted',
  shares: true,
  title: 'beat-status shows no started chain for an agent that has not called init',
  async run(t) {
    const agent = await t.root();
    t.mustSucceed(await look(t, 'beat-status', agent.hash));
    t.mustSucceed(await look(t, 'verify', agent.hash));
  },
};

const caps = (['narrow_task', 'autonomous', 'orchestrator'] as const).map(
  (identityClass): WrittenCheck => ({
    id: `beat-status/cap-${identityClass.replace('_', '-')}`,
    title: `beat-status shows the heartbeat cap of class ${identityClass}, and the remaining heartbeats`,
    needs: ['payments'],
    async run(t) {
      const agent = await t.walletRoot({ sigil: identityClass });
      t.mustSucceed(await heartbeat(t, agent));
      t.mustSucceed(await look(t, 'beat-status', agent.hash));
      if (identityClass !== 'narrow_task') return;
      for (const added of addedClasses(t.protocol)) {
        const other = await t.walletRoot({ sigil: added.name, fundedLamports: 2 * added.feeLamports });
        t.mustSucceed(await look(t, 'beat-status', other.hash));
      }
    },
  }),
);

export const beatStatusChecks: readonly WrittenCheck[] = [
  beatStatus,
  unstarted,
  ...caps,
  ...lookupRefusals('beat-status'),
  lookupLimit('beat-status', 'limit.beat-status'),
];
