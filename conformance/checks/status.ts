import type { Check } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

const base = { needs: [], registers: 1, writes: true } as const;

const status: Check = {
  ...base,
  id: 'status/reply',
  title: 'Anybody can look up the status of an agent',
  clauses: [
    'status.route',
    'status.purpose',
    'auth.public.status',
    'status.reply',
    'status.reply.beat-state',
    'agent.beat-state.status',
  ],
  requests: 3,
  async run(t) {
    const agent = await t.root({ init: true });
    const reply = t.accepted(await look(t, 'status', agent.hash));
    t.shown(reply, 'hash', agent.hash, 'D-19');
    t.shown(reply, 'name', agent.name, 'D-19');
    t.shown(reply, 'depth', 0, 'D-19');
    t.shown(reply, 'beat_state.difficulty', t.protocol.beat.difficulty, 'D-19');
    t.decided('D-19', () => {
      t.equal('status', reply.get('status'), 'active');
      t.equal('sigil', reply.get('sigil'), null);
      t.equal('heartbeat_refused', reply.get('heartbeat_refused'), false);
      t.equal('beat_state.total_heartbeats', reply.get('beat_state.total_heartbeats'), 0);
    });
  },
};

export const statusChecks: readonly Check[] = [
  status,
  ...lookupRefusals('status'),
  lookupLimit('status', 'limit.status'),
];
