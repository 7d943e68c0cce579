/** Spawning, step by step and as a whole (3.6, 4.8), and the receipts that it takes. */

import * as fc from 'fast-check';
import { spawnCost } from '../../../model/spawn-cost.js';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request, sequence } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { AgentState, State } from '../state.js';
import { init, keyFault } from './init.js';
import { registered } from './register.js';

const childrenOf = ({ agents }: State, index: number): AgentState[] => agents.filter(({ parent }) => parent === index);

/** Gets a receipt for `beats` beats from the beats service, and returns the place of the receipt in the model. */
export async function receiptFor(player: Player, beats: number): Promise<number> {
  const proof = await player.work(beats);
  const answer = await player.call({
    method: 'POST',
    path: '/beat/work-proof',
    service: 'beats',
    address: player.newAddress(),
    body: { work_proof: proof },
  });
  settle(player.state, answer, { faults: [], open: [] });
  const receipt = at(answer.json, 'receipt');
  if (receipt === undefined) throw player.unplayable('the beats service answered a proof', answer);
  equals(answer, 'ok', true);
  player.state.receipts.push({ receipt, beats, madeAnchor: player.state.anchor, used: false });
  return player.state.receipts.length - 1;
}

interface Spawning {
  readonly agent: number;
  readonly shortBy: 0 | 1 | 500;
  readonly receipt: 'made' | 'last' | 'altered' | 'none';
  readonly name: 'word' | 'missing';
}

const limitOf = (state: State, index: number) => [[`spawn ${index}`, state.protocol.limits.spawn]] as const;

/** The probe, or the preflight with a receipt. */
export async function readySpawn(player: Player, action: Spawning): Promise<Ready> {
  const index = action.agent % player.state.agents.length;
  const agent = player.agent(index);
  const needed = spawnCost(player.state.protocol, agent.depth, childrenOf(player.state, index).length);
  const name = action.name === 'word' ? player.draws.word() : undefined;
  const made =
    action.receipt === 'made'
      ? await receiptFor(player, Math.max(1, needed - action.shortBy))
      : player.state.receipts.length - 1;
  const known = action.receipt === 'none' ? undefined : player.state.receipts[made];
  const plain = known?.receipt;
  const receipt = action.receipt === 'altered' && typeof plain === 'string' ? [...plain].reverse().join('') : plain;
  return {
    request: {
      method: 'POST',
      path: '/agent/spawn',
      key: agent.key,
      body: { child_name: name, beats_receipt: receipt },
    },
    judge: (state, answer) => {
      const own = state.agents[index] as AgentState;
      const siblings = childrenOf(state, index).length;
      const required = spawnCost(state.protocol, own.depth, siblings);
      const faults: Fault[] = [...keyFault(own)];
      if (name === undefined) faults.push({ why: 'child_name is missing', status: 400, code: 'VALIDATION' });
      const altered = receipt !== plain;
      if (receipt === undefined) faults.push({ why: 'it is a probe', status: 402, code: 'RECEIPT_REQUIRED' });
      else if (altered) faults.push({ why: 'the receipt is forged' });
      else if (known !== undefined && known.beats < required) {
        faults.push({
          why: `the receipt is for ${known.beats} of ${required} beats`,
          status: 400,
          code: 'INSUFFICIENT_BEATS',
        });
      }
      const entry = altered ? undefined : state.receipts[made];
      const open = [
        ...(own.frozen || own.chain === null ? ['the parent is not active'] : []),
        ...(action.receipt === 'last' || entry?.used === true ? ['the receipt is not fresh'] : []),
      ];
      if (!settle(state, answer, { faults, open, counted: limitOf(state, index) })) {
        if (answer.status !== 402 || receipt !== undefined || open.length > 0) return;
        equals(answer, 'required_beats', required);
        equals(answer, 'depth', own.depth);
        equals(answer, 'siblings', siblings);
        return;
      }
      equals(answer, 'ok', true);
      equals(answer, 'eligible', true);
      equals(answer, 'receipt_based', true);
      equals(answer, 'required_beats', required);
      that(answer, 'spawn_authorization', 'a text', isText);
      if (entry !== undefined) entry.used = true;
      const token = String(at(answer.json, 'spawn_authorization'));
      state.authorizations.push({ token, parent: index, name: String(name), madeMs: state.nowMs, used: false });
    },
  };
}

/** POST /agent/spawn: probe and preflight. */
export const spawn: Operation = request<Spawning>(
  'spawn',
  {
    agent: place,
    shortBy: mostly(0, 1, 500),
    receipt: mostly('none', 'made', 'last', 'altered'),
    name: mostly('word', 'missing'),
  },
  readySpawn,
);

interface Child {
  readonly parent: 'right' | 'stranger' | 'no-key' | 'other-field';
  readonly authorization: 'last' | 'none' | 'invented';
}

/** POST /register of a child. */
export async function readyChild(player: Player, { parent, authorization }: Child): Promise<Ready | undefined> {
  const known = player.state.authorizations.at(-1);
  if (known === undefined) return undefined;
  const index = known.parent;
  const stranger = player.state.agents.findIndex((_, other) => other !== index);
  const sender = parent === 'stranger' ? stranger : index;
  const named = parent === 'stranger' || parent === 'other-field' ? stranger : index;
  const token = { last: known.token, none: undefined, invented: player.draws.hex(32) }[authorization];
  const body = { name: known.name, parent: player.agent(named).hash, spawn_authorization: token };
  const key = parent === 'no-key' ? undefined : player.agent(sender).key;
  const address = player.address();
  return {
    request: { method: 'POST', path: '/register', key, address, body },
    judge: (state, answer) => {
      const entry = state.authorizations.find((each) => each.token === known.token);
      const own = state.agents[index] as AgentState;
      const faults: Fault[] = [];
      if (parent !== 'right') faults.push({ why: `the parent is not who it should be (${parent})` });
      if (state.agents[sender]?.revoked === true) faults.push({ why: "the parent's key is revoked" });
      if (authorization !== 'last') faults.push({ why: `spawn_authorization is ${authorization}` });
      if (entry?.used === true) faults.push({ why: 'the authorization is used' });
      const open = [
        ...(own.frozen ? ['the parent is frozen'] : []),
        ...(state.nowMs > known.madeMs ? ['the authorization may have expired'] : []),
      ];
      const counted = [[`register ${address}`, state.protocol.limits.register]] as const;
      if (!settle(state, answer, { faults, open, counted })) return;
      if (entry !== undefined) entry.used = true;
      registered(state, answer, { name: known.name, metadata: undefined, wallet: null, parent: index });
    },
  };
}

/** A child is registered with the latest authorization. */
export const registerChild: Operation = request<Child>(
  'register-child',
  { parent: mostly('right', 'stranger', 'no-key', 'other-field'), authorization: mostly('last', 'none', 'invented') },
  readyChild,
);

/** POST /agent/spawn: the link of an agent as a child. */
export const linkChild: Operation = request<{ readonly agent: number; readonly child: number }>(
  'spawn-link',
  { agent: place, child: place },
  (player, action) => {
    const index = action.agent % player.state.agents.length;
    const childIndex = action.child % player.state.agents.length;
    const { key } = player.agent(index);
    const { hash, name } = player.agent(childIndex);
    return {
      request: { method: 'POST', path: '/agent/spawn', key, body: { child_name: name, child_hash: hash } },
      judge: (state, answer) => {
        const own = state.agents[index] as AgentState;
        const isChild = state.agents[childIndex]?.parent === index;
        const faults = [...keyFault(own), ...(isChild ? [] : [{ why: 'it is no child of that parent' }])];
        const open = ['it may be linked already'];
        if (!settle(state, answer, { faults, open, counted: limitOf(state, index) })) return;
        (state.agents[childIndex] as AgentState).linked = true;
        equals(answer, 'ok', true);
        equals(answer, 'eligible', true);
        equals(answer, 'child_hash', hash);
      },
    };
  },
);

/** A child from the receipt to the link. */
export const spawnWhole: Operation = sequence<{ readonly agent: number; readonly starts: boolean }>(
  'spawn-child',
  { agent: place, starts: fc.boolean() },
  async (player, { agent, starts }) => {
    const index = agent % player.state.agents.length;
    const { chain, frozen, revoked } = player.agent(index);
    if (chain === null || frozen || revoked) return;
    const preflight = await readySpawn(player, { agent: index, shortBy: 0, receipt: 'made', name: 'word' });
    if ((await player.play(preflight)).status >= 300) return;
    const before = player.state.agents.length;
    const child = await readyChild(player, { parent: 'right', authorization: 'last' });
    if (child === undefined || (await player.play(child)).status >= 300) return;
    await linkChild.run(player, { op: 'spawn-link', agent: index, child: before });
    if (!starts) return;
    await init.run(player, { op: 'init', agent: before });
  },
);
