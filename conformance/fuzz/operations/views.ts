/**
 * Agents as anybody sees them (section 5, rule 1): what a lookup shows has to be what the model knows. The text leaves the form of
 * these replies open, so a field is judged only where it is shown. The lookups themselves are in lookups.ts.
 */

import { spawnCost } from '../../../model/spawn-cost.js';
import { at } from '../../assertions/reply.js';
import { type Answer, alike, equals, isNumber, Mismatch, shown, that } from '../expectation.js';
import { type AgentState, capOf, epochOf, inEpoch, type State } from '../state.js';

/** A status that a lookup shows must not be the opposite of what it is: its shape is open, so it may show none. */
function judgeStanding(answer: Answer, path: string, agent: AgentState): void {
  const standing = at(answer.json, path);
  if (agent.chain !== null && agent.frozen && standing === 'active')
    throw new Mismatch(`${answer.name}: ${path} shows a frozen agent as active`);
  if (!agent.frozen && standing === 'frozen')
    throw new Mismatch(`${answer.name}: ${path} shows an active agent as frozen`);
}

/** Metadata that a root was registered with comes back as it was sent (2.2). */
export function judgeMetadata(answer: Answer, path: string, agent: AgentState): void {
  const value = at(answer.json, path);
  if (agent.metadata === undefined || value === undefined || alike(value, agent.metadata)) return;
  throw new Mismatch(`${answer.name}: metadata is ${JSON.stringify(value)}, and was ${JSON.stringify(agent.metadata)}`);
}

/** The state of a chain and of the life of an agent, at a path of a reply (D-19). */
function judgeBeatState(state: State, answer: Answer, path: string, agent: AgentState): void {
  const field = (name: string): string => `${path}.${name}`;
  if (agent.chain === null) return;
  shown(answer, field('latest_beat'), agent.chain.beat);
  shown(answer, field('total_heartbeats'), agent.heartbeats);
  shown(answer, field('last_global_sync'), agent.syncAnchor);
  shown(answer, field('difficulty'), state.protocol.beat.difficulty);
  if (agent.totalBeats !== null) shown(answer, field('lifetime_beats'), agent.totalBeats);
  judgeStanding(answer, field('status'), agent);
}

/** GET /status/:hash (D-19) */
export function judgeStatus(state: State, answer: Answer, agent: AgentState): void {
  judgeStanding(answer, 'status', agent);
  judgeMetadata(answer, 'metadata', agent);
  shown(answer, 'hash', agent.hash);
  shown(answer, 'name', agent.name);
  shown(answer, 'depth', agent.depth);
  if (agent.parent === null) shown(answer, 'type', 'root');
  if (agent.sigil !== null) {
    const { identityClass, tier, principal, text, beat } = agent.sigil;
    shown(answer, 'identity_class', identityClass);
    shown(answer, 'tier', tier);
    shown(answer, 'principal', principal);
    if (typeof at(answer.json, 'sigil') === 'string') equals(answer, 'sigil', text);
    if (isNumber(at(answer.json, 'sigil_issued_at'))) equals(answer, 'sigil_issued_at', beat);
  }
  judgeBeatState(state, answer, 'beat_state', agent);
}

/** The line of an agent, itself first. */
function lineOf({ agents }: State, agent: AgentState): AgentState[] {
  const above = agent.parent === null ? undefined : agents[agent.parent];
  return above === undefined ? [agent] : [agent, ...lineOf({ agents } as State, above)];
}

/** GET /verify/:hash (D-20), or a result of POST /verify/batch (4.14): `prefix` is its path. */
export function judgeVerified(state: State, answer: Answer, prefix: string, agent: AgentState): void {
  const field = (name: string): string => `${prefix}${name}`;
  shown(answer, field('verified'), true);
  judgeStanding(answer, field('standing'), agent);
  judgeMetadata(answer, field('agent.metadata'), agent);
  const above = agent.parent === null ? null : (state.agents[agent.parent]?.hash ?? null);
  for (const [name, value] of Object.entries({
    hash: agent.hash,
    name: agent.name,
    depth: agent.depth,
    parent: above,
  })) {
    shown(answer, field(`agent.${name}`), value);
  }
  judgeSigil(answer, field('sigil'), agent);
  judgeBeatState(state, answer, field('beat_state'), agent);
  shown(answer, field('network.current_anchor_index'), state.anchor);
  const line = lineOf(state, agent);
  const last = line.at(-1);
  const root = at(answer.json, field('root'));
  if (typeof root === 'string') equals(answer, field('root'), last?.hash);
  else shown(answer, field('root.hash'), last?.hash);
  if (at(answer.json, field('lineage.0.hash')) === undefined) return;
  that(
    answer,
    field('lineage'),
    `${line.length} agents`,
    (value) => (value as readonly unknown[]).length === line.length,
  );
  line.forEach((each, nth) => {
    equals(answer, field(`lineage.${nth}.hash`), each.hash);
    shown(answer, field(`lineage.${nth}.depth`), each.depth);
    shown(answer, field(`lineage.${nth}.name`), each.name);
  });
}

/** A SIGIL does not change after its purchase (2.7), and what is set of it stays set (2.8). */
function judgeSigil(answer: Answer, path: string, { sigil, fields, generation }: AgentState): void {
  if (sigil === null) {
    that(answer, `${path}.sigil`, 'no SIGIL', (value) => value === undefined || value === null);
    return;
  }
  that(answer, path, 'a SIGIL', (value) => value !== null);
  shown(answer, `${path}.sigil`, sigil.text);
  shown(answer, `${path}.sigil_name`, sigil.name);
  shown(answer, `${path}.principal`, sigil.principal);
  shown(answer, `${path}.tier`, sigil.tier);
  shown(answer, `${path}.identity_class`, sigil.identityClass);
  shown(answer, `${path}.issued_at_beat`, sigil.beat);
  if (generation !== null) shown(answer, `${path}.generation`, generation);
  for (const [name, value] of Object.entries(fields)) shown(answer, `${path}.${name}`, value);
}

/** GET /agent/beat-status/:hash (D-21) */
export function judgeBeatStatus(state: State, answer: Answer, index: number, agent: AgentState): void {
  const { chain } = agent;
  shown(answer, 'agent_hash', agent.hash);
  shown(answer, 'beat_initialized', chain !== null);
  if (chain === null) return;
  shown(answer, 'heartbeat.latest_beat', chain.beat);
  shown(answer, 'heartbeat.latest_hash', chain.hash);
  shown(answer, 'heartbeat.difficulty', state.protocol.beat.difficulty);
  if (agent.totalBeats !== null) shown(answer, 'heartbeat.total_beats', agent.totalBeats);
  judgeStanding(answer, 'heartbeat.status', agent);
  shown(answer, 'heartbeat_epoch.billing_epoch', epochOf(state));
  shown(answer, 'heartbeat_epoch.count_in_epoch', inEpoch(state, agent));
  const cap = capOf(state, agent);
  if (cap !== undefined) {
    shown(answer, 'heartbeat_epoch.volume_cap', cap);
    shown(answer, 'heartbeat_epoch.remaining', cap - inEpoch(state, agent));
  }
  shown(answer, 'whitelist.last_global_sync', agent.syncAnchor);
  shown(answer, 'whitelist.current_global_beat', state.anchor);
  shown(answer, 'whitelist.beats_behind', state.anchor - agent.syncAnchor);
  const children = state.agents.filter(({ parent }) => parent === index).length;
  shown(answer, 'gestation.depth', agent.depth);
  shown(answer, 'gestation.children_spawned', children);
  shown(answer, 'gestation.next_child_cost', spawnCost(state.protocol, agent.depth, children));
}
