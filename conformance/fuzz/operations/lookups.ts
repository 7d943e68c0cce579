/** The lookups that anybody may make (4.14, section 5 rule 1), an agent's passport, and the retired check-in (4.15). */

import * as fc from 'fast-check';
import { at } from '../../assertions/reply.js';
import { type Answer, alike, equals, type Fault, isText, Mismatch, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { AgentState, State } from '../state.js';
import { readySummary } from './fees.js';
import { keyFault } from './init.js';
import { judgeBeatStatus, judgeStatus, judgeVerified } from './views.js';

const PATHS = ['status', 'verify', 'agent/beat-status'] as const;
type Path = (typeof PATHS)[number];

/** Whether a reply says that there is no such agent: it is refused, or says so in its body. How is open. */
const saysNone = ({ status, json }: Answer): boolean =>
  (status >= 400 && status <= 499) ||
  ['exists', 'verified', 'found', 'beat_initialized'].some((field) => at(json, field) === false);

/** A lookup of an agent, and what the model makes of it. */
export function readyLookup(player: Player, index: number, path: Path): Ready {
  return {
    request: { method: 'GET', path: `/${path}/${player.agent(index).hash}` },
    judge: (state, answer) => {
      const agent = state.agents[index] as AgentState;
      const open = path === 'agent/beat-status' && agent.chain === null ? ['no chain'] : [];
      if (!settle(state, answer, { faults: [], open })) return;
      if (path === 'status') judgeStatus(state, answer, agent);
      else if (path === 'verify') judgeVerified(state, answer, '', agent);
      else judgeBeatStatus(state, answer, index, agent);
    },
  };
}

/** GET /status/:hash, /verify/:hash, /agent/beat-status/:hash */
export const lookup: Operation = request<{ readonly agent: number; readonly path: Path; readonly unknown: boolean }>(
  'lookup',
  { agent: place, path: fc.constantFrom<Path[]>(...PATHS), unknown: mostly(false, true) },
  (player, { agent: who, path, unknown }) => {
    if (!unknown) return readyLookup(player, who % player.state.agents.length, path);
    return {
      request: { method: 'GET', path: `/${path}/${player.unknownHash()}` },
      judge: (_state, answer) => {
        if (!saysNone(answer))
          throw new Mismatch(`${answer.name} answered ${answer.status} ${answer.text}, and there is no such agent`);
      },
    };
  },
);

/** Looks at an agent: after each action one of these shows whether it has done what it should, and nothing else. */
export async function lookAt(player: Player, index: number, nth: number): Promise<void> {
  const way = [...PATHS, 'batch', 'fees'][nth % (PATHS.length + 2)];
  if (way === 'fees') await player.play(readySummary());
  else if (way === 'batch') {
    await verifyBatch.run(player, { op: 'verify-batch', agents: [index], wrong: 'nothing', address: null });
  } else await player.play(readyLookup(player, index, way as Path));
}

/** GET /agent/passport: the latest passport, at any place in the reply. */
export const passport: Operation = request<{ readonly agent: number }>(
  'passport',
  { agent: place },
  (player, action) => {
    const index = action.agent % player.state.agents.length;
    return {
      request: { method: 'GET', path: '/agent/passport', key: player.agent(index).key },
      judge: (state, answer) => {
        const agent = state.agents[index] as AgentState;
        const open = agent.passport === null || agent.frozen ? ['there is no passport, or the agent is frozen'] : [];
        const expired = Number(agent.passport?.['valid_until'] ?? 0) <= state.nowMs;
        if (expired) open.push('it has expired');
        const { windowSec, count } = state.protocol.limits.passport;
        const counted = [[`passport ${index}`, { windowSec, count }]] as const;
        const before = answer.status === 429;
        if (before) return;
        if (!settle(state, answer, { faults: keyFault(agent), open, counted: counted.slice(1) })) return;
        const shown = (at(answer.json, 'passport') ?? answer.json) as Readonly<Record<string, unknown>>;
        if (agent.passport === null) return;
        for (const field of [
          'agent_hash',
          'identity_class',
          'registered_at_beat',
          'sigil_issued_at_beat',
          'last_heartbeat_beat',
        ]) {
          if (!alike(shown[field], agent.passport[field])) {
            throw new Mismatch(
              `${answer.name}: ${field} is ${String(shown[field])}, and was ${String(agent.passport[field])}`,
            );
          }
        }
      },
    };
  },
);

function judgeResult(state: State, answer: Answer, nth: number, agent: AgentState): void {
  const field = (name: string): string => `results.${nth}.${name}`;
  equals(answer, field('verified'), true);
  equals(answer, field('network.current_anchor_index'), state.anchor);
  that(answer, field('lineage'), 'a list', Array.isArray);
  const passport = at(answer.json, field('passport'));
  if (agent.passport === null) equals(answer, field('passport'), null);
  else if (typeof passport === 'object' && passport !== null) {
    equals(answer, field('passport.agent_hash'), agent.hash);
    equals(answer, field('passport.identity_class'), agent.passport['identity_class']);
    equals(answer, field('passport.last_heartbeat_beat'), agent.passport['last_heartbeat_beat']);
  }
  for (const name of ['standing', 'agent', 'sigil', 'beat_state', 'root']) {
    that(answer, field(name), 'there', (value) => value !== undefined);
  }
  judgeVerified(state, answer, `results.${nth}.`, agent);
}

/** POST /verify/batch */
export const verifyBatch: Operation = request<{
  readonly agents: readonly (number | null)[];
  readonly wrong: 'nothing' | 'malformed' | 'fifty' | 'fifty-one' | 'missing';
  readonly address: number | null;
}>(
  'verify-batch',
  {
    agents: fc.array(fc.option(place, { freq: 4 }), { maxLength: 6 }),
    wrong: mostly('nothing', 'malformed', 'fifty', 'fifty-one', 'missing'),
    address: fc.option(fc.nat(1), { freq: 2 }),
  },
  (player, { agents, wrong, address: at254 }) => {
    const places = agents.map((each) => (each === null ? null : each % player.state.agents.length));
    const drawn = places.map((each) => (each === null ? player.unknownHash() : player.agent(each).hash));
    const { hashesMin, hashesMax } = player.state.protocol.verifyBatch;
    const size = { fifty: hashesMax, 'fifty-one': hashesMax + 1 }[wrong as string] ?? 0;
    while (drawn.length < size) drawn.push(player.unknownHash());
    const hashes = wrong === 'malformed' ? [...drawn, '0x12'] : wrong === 'missing' ? undefined : drawn;
    const address = at254 === null ? player.address() : `10.252.0.${at254}`;
    return {
      request: { method: 'POST', path: '/verify/batch', address, body: { hashes } },
      judge: (state, answer) => {
        const code = { malformed: 'INVALID_HASH', missing: 'INVALID_INPUT' }[wrong as string];
        const faults: Fault[] = code === undefined ? [] : [{ why: wrong, status: 400, code }];
        if (hashes !== undefined && hashes.length < hashesMin) {
          faults.push({ why: 'hashes are too few', status: 400, code: 'INVALID_INPUT' });
        }
        if (hashes !== undefined && hashes.length > hashesMax) {
          faults.push({ why: 'hashes are too many', status: 400, code: 'BATCH_TOO_LARGE' });
        }
        const counted = [[`verify-batch ${address}`, state.protocol.limits.verifyBatch]] as const;
        if (!settle(state, answer, { faults, counted })) return;
        const found = places.filter((each) => each !== null).length;
        equals(answer, 'summary.total', drawn.length);
        equals(answer, 'summary.verified', found);
        equals(answer, 'summary.not_found', drawn.length - found);
        that(answer, 'results', 'as many results', (value) => Array.isArray(value) && value.length === drawn.length);
        drawn.forEach((hash, nth) => {
          const known = places[nth];
          const agent = typeof known === 'number' ? state.agents[known] : undefined;
          if (agent !== undefined) judgeResult(state, answer, nth, agent);
          else {
            equals(answer, `results.${nth}.verified`, false);
            equals(answer, `results.${nth}.hash`, hash);
            that(answer, `results.${nth}.error`, 'a text', isText);
          }
        });
      },
    };
  },
);

/** POST /agent/checkin, which is retired. */
export const checkin: Operation = request<{ readonly agent: number }>(
  'checkin',
  { agent: place },
  (player, { agent }) => ({
    request: { method: 'POST', path: '/agent/checkin', key: player.agent(agent).key, body: {} },
    judge: (_state, answer) => {
      if (answer.status === 401) return;
      if (answer.status !== 410) throw new Mismatch(`${answer.name} answered ${answer.status}, and 410 is expected`);
      equals(answer, 'deprecated', true);
    },
  }),
);
