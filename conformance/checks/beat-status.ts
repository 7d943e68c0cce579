import { verification } from '../../spec/endpoints/identity-schemas.js';
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
    const reply = t.accepted(await look(t, 'beat-status', agent.hash));
    t.shown(reply, 'agent_hash', agent.hash, 'D-21');
    t.shown(reply, 'heartbeat.difficulty', t.protocol.beat.difficulty, 'D-21');
    t.shown(reply, 'whitelist.deadline_anchors', t.protocol.dms.missedAnchorsMax, 'D-21');
    t.shown(reply, 'gestation.next_child_cost', t.protocol.spawn.baseBeats, 'D-21');
    t.decided('D-21', () => {
      t.equal('beat_initialized', reply.get('beat_initialized'), true);
      t.equal('heartbeat.latest_beat', reply.get('heartbeat.latest_beat'), 0);
      t.equal('heartbeat_epoch.count_in_epoch', reply.get('heartbeat_epoch.count_in_epoch'), 0);
      t.equal('whitelist.current_global_beat', reply.get('whitelist.current_global_beat'), index);
      t.equal('whitelist.last_global_sync', reply.get('whitelist.last_global_sync'), index);
      t.equal('whitelist.beats_behind', reply.get('whitelist.beats_behind'), 0);
      const left = t.protocol.dms.missedAnchorsMax + 1;
      t.equal('whitelist.beats_until_freeze', reply.get('whitelist.beats_until_freeze'), left);
      t.equal('gestation.depth', reply.get('gestation.depth'), 0);
      t.equal('gestation.children_spawned', reply.get('gestation.children_spawned'), 0);
      t.equal('gestation.deficit', reply.get('gestation.deficit'), t.protocol.spawn.baseBeats);
      t.equal('gestation.can_spawn', reply.get('gestation.can_spawn'), false);
    });
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
    t.equal('beat_initialized', beat.get('beat_initialized'), false);
    t.equal('whitelist.standing', beat.get('whitelist.standing'), 'registered');
    t.equal('whitelist.beats_until_freeze', beat.get('whitelist.beats_until_freeze'), null);
    const verified = t.accepted(await look(t, 'verify', agent.hash), verification);
    t.equal('standing', verified.get('standing'), 'registered');
    t.equal('beat_state', verified.get('beat_state'), null);
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
    clauses: [clause, 'service.class.cap', 'sigil.caps', 'beat-status.reply.heartbeat-epoch'],
    needs: ['payments'],
    registers: 0,
    walletRegisters: 2,
    requests: 11,
    lamports: (protocol) => sigilFeeLamports(protocol, identityClass) + protocol.heartbeat.tier1FeeLamports,
    async run(t) {
      const agent = await t.walletRoot({ sigil: identityClass });
      await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, agent)));
      const reply = t.accepted(await look(t, 'beat-status', agent.hash));
      t.shown(reply, 'heartbeat_epoch.volume_cap', capOf(t.protocol), 'D-21');
      t.shown(reply, 'heartbeat_epoch.remaining', capOf(t.protocol) - 1, 'D-21');
      t.shown(reply, 'heartbeat_epoch.count_in_epoch', 1, 'D-21');
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
