/** The state of an agent's beat chain as its lookup shows it. What beats cost and credit is in spawn.ts and beats-submit.ts. */
import { addedClasses } from '../../spec/parts.js';
import { heartbeat } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const base = { needs: [], registers: 1, writes: true } as const;

const beatStatus: Check = {
  ...base,
  id: 'beat-status/reply',
  title: 'Anybody can look up the beat chain of an agent',
  clauses: [
    'beat-status.route',
    'beat-status.purpose',
    'auth.public.beat-status',
    'beat-status.reply',
    'beat-status.reply.heartbeat',
    'beat-status.reply.heartbeat-epoch',
    'beat-status.reply.whitelist',
    'beat-status.reply.whitelist.deadline-anchors',
    'beat-status.reply.gestation',
    'spawn.cost.check.0-0',
    'spawn.cost.depth',
  ],
  requests: 4,
  async run(t) {
    const agent = await t.root({ init: true });
    t.accepted(await look(t, 'beat-status', agent.hash));
  },
};

const unstarted: Check = {
  ...base,
  id: 'beat-status/unstarted',
  shares: true,
  title: 'The beat chain of an agent that has not called init has not started',
  clauses: ['beat-status.reply', 'agent.unstarted.standing', 'agent.unstarted.beat-state'],
  requests: 3,
  async run(t) {
    const agent = await t.root();
    t.accepted(await look(t, 'beat-status', agent.hash));
    t.accepted(await look(t, 'verify', agent.hash));
  },
};

const caps = (['narrow_task', 'autonomous', 'orchestrator'] as const).map(
  (identityClass): Check => ({
    ...base,
    id: `beat-status/cap-${identityClass.replace('_', '-')}`,
    title: `The heartbeat cap of class ${identityClass} shows, and what is left of it`,
    clauses: ['sigil.caps', 'beat-status.reply.heartbeat-epoch'],
    needs: ['payments'],
    registers: 0,
    walletRegisters: 2,
    requests: 11,
    lamports: (protocol) => sigilFeeLamports(protocol, identityClass) + protocol.heartbeat.tier1FeeLamports,
    async run(t) {
      const agent = await t.walletRoot({ sigil: identityClass });
      t.accepted(await heartbeat(t, agent));
      t.accepted(await look(t, 'beat-status', agent.hash));
      if (identityClass !== 'narrow_task') return;
      for (const added of addedClasses(t.protocol)) {
        const other = await t.walletRoot({ sigil: added.name, fundedLamports: 2 * added.feeLamports });
        t.accepted(await look(t, 'beat-status', other.hash));
      }
    },
  }),
);

export const beatStatusChecks: readonly Check[] = [
  beatStatus,
  unstarted,
  ...caps,
  ...lookupRefusals('beat-status'),
  lookupLimit('beat-status', 'limit.beat-status'),
];
