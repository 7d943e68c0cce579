/** The state of an agent's beat chain as its lookup shows it. What beats cost and credit is in spawn.ts and beats-submit.ts. */
import { addedClasses } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { latestAnchor } from '../steps/beat-clock.js';
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
  requests: 5,
  async run(t) {
    const agent = await t.root({ init: true });
    const { index } = await latestAnchor(t);
    const open = ['beat-status.purpose', 'auth.public.beat-status'];
    const reply = t.accepted(await look(t, 'beat-status', agent.hash), ...open);
    t.shows('beat-status.purpose').through('D-21').field(reply, 'agent_hash', agent.hash);
    const cost = t.shows('spawn.cost.check.0-0', 'spawn.cost.depth').through('D-21');
    cost.field(reply, 'gestation.next_child_cost', t.protocol.spawn.baseBeats);
    t.shows('beat-status.reply').field(reply, 'beat_initialized', true);
    const chain = t.shows('beat-status.reply.heartbeat');
    chain.field(reply, 'heartbeat.difficulty', t.protocol.beat.difficulty);
    chain.field(reply, 'heartbeat.latest_beat', 0);
    t.shows('beat-status.reply.heartbeat-epoch').field(reply, 'heartbeat_epoch.count_in_epoch', 0);
    const { missedAnchorsMax } = t.protocol.dms;
    t.shows('beat-status.reply.whitelist.deadline-anchors').field(
      reply,
      'whitelist.deadline_anchors',
      missedAnchorsMax,
    );
    const whitelist = t.shows('beat-status.reply.whitelist');
    whitelist.field(reply, 'whitelist.current_global_beat', index);
    whitelist.field(reply, 'whitelist.last_global_sync', index);
    whitelist.field(reply, 'whitelist.beats_behind', 0);
    whitelist.field(reply, 'whitelist.beats_until_freeze', missedAnchorsMax + 1);
    const gestation = t.shows('beat-status.reply.gestation');
    gestation.field(reply, 'gestation.depth', 0);
    gestation.field(reply, 'gestation.children_spawned', 0);
    gestation.field(reply, 'gestation.deficit', t.protocol.spawn.baseBeats);
    gestation.field(reply, 'gestation.can_spawn', false);
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
    const beat = t.accepted(await look(t, 'beat-status', agent.hash));
    t.shows('beat-status.reply').field(beat, 'beat_initialized', false);
    t.shows('agent.unstarted.standing').field(beat, 'whitelist.standing', 'registered');
    t.shows('beat-status.reply').field(beat, 'whitelist.beats_until_freeze', null);
    const verified = t.accepted(await look(t, 'verify', agent.hash));
    t.shows('agent.unstarted.standing').field(verified, 'standing', 'registered');
    t.shows('agent.unstarted.beat-state').field(verified, 'beat_state', null);
  },
};

const caps = (
  [
    ['narrow_task', 'heartbeat.cap.narrow-task', ({ heartbeat: { narrowTaskCap } }: Protocol) => narrowTaskCap],
    ['autonomous', 'heartbeat.cap.autonomous', ({ heartbeat: { autonomousCap } }: Protocol) => autonomousCap],
    ['orchestrator', 'heartbeat.cap.orchestrator', ({ heartbeat: { orchestratorCap } }: Protocol) => orchestratorCap],
  ] as const
).map(
  ([identityClass, clause, capOf]): Check => ({
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
      await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, agent)));
      const reply = t.accepted(await look(t, 'beat-status', agent.hash));
      // A wrong cap that is shown speaks against the cap; that it is enforced is shown where it is reached (heartbeat-march).
      const cap = t.alsoShows(clause, 'service.class.cap', 'sigil.caps').through('D-21');
      cap.field(reply, 'heartbeat_epoch.volume_cap', capOf(t.protocol));
      const epoch = t.shows('beat-status.reply.heartbeat-epoch');
      epoch.field(reply, 'heartbeat_epoch.volume_cap', capOf(t.protocol));
      epoch.field(reply, 'heartbeat_epoch.remaining', capOf(t.protocol) - 1);
      epoch.field(reply, 'heartbeat_epoch.count_in_epoch', 1);
      if (identityClass !== 'narrow_task') return;
      for (const added of addedClasses(t.protocol)) {
        const other = await t.walletRoot({ sigil: added.name, fundedLamports: 2 * added.feeLamports });
        const shown = t.accepted(await look(t, 'beat-status', other.hash));
        epoch.field(shown, 'heartbeat_epoch.volume_cap', added.cap);
        t.shows('sigil.caps').through('D-21').field(shown, 'heartbeat_epoch.volume_cap', added.cap);
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
