/** Starting a chain (4.4), and credited work (4.9). */

import * as fc from 'fast-check';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, isNumber, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request } from '../operation.js';
import type { AgentState } from '../state.js';

export const keyFault = (agent: AgentState): Fault[] =>
  agent.revoked ? [{ why: 'the key is revoked', status: 401, code: 'AUTH_MISSING' }] : [];

/** POST /agent/init */
export const init: Operation = request<{ readonly agent: number }>(
  'init',
  { agent: place },
  (player, { agent: who }) => {
    const index = who % player.state.agents.length;
    const { key } = player.agent(who);
    return {
      request: { method: 'POST', path: '/agent/init', key, body: {} },
      judge: (state, answer) => {
        const agent = state.agents[index];
        if (agent === undefined) return;
        const counted = [[`init ${index}`, state.protocol.limits.init]] as const;
        if (!settle(state, answer, { faults: keyFault(agent), counted })) return;
        equals(answer, 'agent_hash', agent.hash);
        if (agent.chain !== null) {
          equals(answer, 'ok', true);
          equals(answer, 'already_initialized', true);
          that(answer, 'genesis_hash', 'a text', isText);
          equals(answer, 'latest_hash', agent.chain.hash);
          equals(answer, 'latest_beat', agent.chain.beat);
          that(answer, 'total_beats', 'a number', isNumber);
          if (agent.totalBeats !== null) equals(answer, 'total_beats', agent.totalBeats);
          agent.totalBeats = Number(at(answer.json, 'total_beats'));
          equals(answer, 'status', agent.frozen ? 'frozen' : 'active');
          return;
        }
        equals(answer, 'genesis.index', 0);
        that(answer, 'genesis.hash', 'a text', isText);
        that(answer, 'genesis.prev', 'zeros', (value) => typeof value === 'string' && /^(0x)?0+$/.test(value));
        equals(answer, 'genesis.timestamp', state.nowMs);
        equals(answer, 'difficulty', state.protocol.beat.difficulty);
        equals(answer, 'status', 'active');
        for (const hint of ['purchase_sigil', 'heartbeat', 'spawn_children', 'check_status']) {
          that(answer, `_next_steps.${hint}`, 'a text', isText);
        }
        agent.chain = { beat: 0, hash: String(at(answer.json, 'genesis.hash')) };
        agent.syncAnchor = state.anchor;
      },
    };
  },
);

interface Submit {
  readonly agent: number;
  readonly beats: number;
  readonly wrong: 'nothing' | 'count' | 'hash' | 'end' | 'start' | 'from-hash';
}

/** POST /agent/beats/submit */
export const submitBeats: Operation = request<Submit>(
  'beats-submit',
  {
    agent: place,
    beats: fc.integer({ min: 3, max: 40 }),
    wrong: mostly('nothing', 'count', 'hash', 'end', 'start', 'from-hash'),
  },
  async (player, { agent: who, beats, wrong }) => {
    const index = who % player.state.agents.length;
    const { key, chain } = player.agent(who);
    if (chain === null) return undefined;
    const from = { ...chain, beat: wrong === 'start' ? chain.beat + 1 : chain.beat };
    const {
      anchor_index,
      difficulty: _,
      ...work
    } = await player.work(beats, wrong === 'from-hash' ? undefined : from.hash, from.beat);
    const checks = work.spot_checks.map((each, nth) =>
      wrong === 'hash' && nth === 1
        ? { ...each, hash: each.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }
        : each,
    );
    const body = {
      ...work,
      from_beat: from.beat,
      to_beat: from.beat + beats,
      global_anchor: anchor_index,
      beats_computed: wrong === 'count' ? beats + 1 : beats,
      spot_checks: wrong === 'end' ? checks.slice(0, -1) : checks,
    };
    return {
      request: { method: 'POST', path: '/agent/beats/submit', key, body },
      judge: (state, answer) => {
        const agent = state.agents[index];
        if (agent === undefined) return;
        const stale = agent.chain?.hash !== chain.hash;
        const faults: Fault[] = [
          ...keyFault(agent),
          ...(wrong === 'nothing' ? [] : [{ why: `the proof is wrong (${wrong})` }]),
        ];
        const open = [
          ...(stale ? ['the chain has gone on since'] : []),
          ...(agent.frozen ? ['the agent is frozen'] : []),
        ];
        const counted = [[`beats-submit ${index}`, state.protocol.limits.beatsSubmit]] as const;
        if (!settle(state, answer, { faults, open, counted })) return;
        equals(answer, 'ok', true);
        equals(answer, 'agent_hash', agent.hash);
        equals(answer, 'beats_accepted', beats);
        equals(answer, 'latest_beat_index', from.beat + beats);
        equals(answer, 'spot_checks_verified', work.spot_checks.length);
        that(answer, 'global_anchor', 'a number', isNumber);
        if (agent.totalBeats !== null) equals(answer, 'total_beats', agent.totalBeats + beats);
        agent.totalBeats = Number(at(answer.json, 'total_beats'));
        agent.chain = { beat: from.beat + beats, hash: work.to_hash };
      },
    };
  },
);
