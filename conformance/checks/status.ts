/** The status lookup, whose shape the specification does not show. */
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
  registers: 2,
  requests: 5,
  async run(t) {
    const [other, agent] = [await t.root(), await t.root({ init: true })];
    // The shape is not shown: that a reply is about the agent is judged where D-19 is followed.
    const unstarted = t.accepted(await look(t, 'status', other.hash), 'status.purpose', 'auth.public.status');
    t.shows('status.purpose').through('D-19').field(unstarted, 'hash', other.hash);
    const reply = t.accepted(await look(t, 'status', agent.hash), 'status.purpose', 'auth.public.status');
    t.shows('status.purpose').through('D-19').field(reply, 'hash', agent.hash);
    t.shows('status.purpose').through('D-19').field(reply, 'status', 'active');
    const decided = t.shows('status.reply');
    decided.field(reply, 'name', agent.name);
    decided.field(reply, 'depth', 0);
    decided.field(reply, 'sigil', null);
    decided.field(reply, 'heartbeat_refused', false);
    const state = t.shows('status.reply.beat-state');
    state.field(reply, 'beat_state.difficulty', t.protocol.beat.difficulty);
    state.field(reply, 'beat_state.total_heartbeats', 0);
    t.shows('agent.beat-state.status').field(reply, 'beat_state.status', 'active');
  },
};

export const statusChecks: readonly Check[] = [
  status,
  ...lookupRefusals('status'),
  lookupLimit('status', 'limit.status'),
];
