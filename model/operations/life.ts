/** Calls that change an agent beside its heartbeats: init, beats/submit, resync, metadata, wallet, spawn. */

import { at } from '../../conformance/assertions/reply.js';
import { solanaAddress } from '../reading/address.js';
import type { Case, Operation } from '../settle.js';
import type { Agent } from '../state.js';

const taken = (id: string, accepted: (agent: Agent, given: Case) => void): Operation<Agent> => ({
  ids: [id],
  facts: ({ agent }) => agent,
  refusals: [],
  open: () => 'taken down and not judged',
  accepts: () => [],
  accepted,
});

const numberAt = (json: unknown, path: string): number | undefined => {
  const value = at(json, path);
  return typeof value === 'number' ? value : undefined;
};
const textAt = (json: unknown, path: string): string | undefined => {
  const value = at(json, path);
  return typeof value === 'string' ? value : undefined;
};

export const init = taken('init', (agent, { state, call }) => {
  if (agent.started) return;
  agent.started = true;
  agent.syncAnchor = state.anchor;
  agent.genesisHash = textAt(call.json, 'genesis.hash');
  agent.chain = { beat: numberAt(call.json, 'genesis.index'), hash: agent.genesisHash };
  agent.totalBeats = 0;
});

export const beatsSubmit = taken('beats-submit', (agent, { call }) => {
  const proof = (call.body?.['proof'] ?? call.body) as Readonly<Record<string, unknown>>;
  agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
  const beats = numberAt(proof, 'beats_computed');
  agent.totalBeats = agent.totalBeats === undefined || beats === undefined ? undefined : agent.totalBeats + beats;
});

export const resync = taken('resync', (agent, { state, call }) => {
  const { json, body = {} } = call;
  if (body['action'] === 'challenge') {
    const nonce = at(json, 'challenge.nonce');
    if (typeof nonce === 'string')
      state.tickets.set(nonce, { kind: 'resync', of: agent.hash, madeMs: state.nowMs, used: false });
    return;
  }
  if (body['action'] === 'prove') {
    const ticket = state.tickets.get(String(body['challenge_nonce']));
    if (ticket !== undefined) ticket.used = true;
    const proof = body['proof'];
    agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
    agent.totalBeats = numberAt(json, 'total_beats');
  }
  agent.frozen = false;
  agent.syncAnchor = state.anchor;
  agent.lineageEvents += 1;
});

export const metadata = taken('metadata', (agent, { call }) => {
  const changes = Object.keys(call.body ?? {}).filter((name) => MUTABLE.includes(name));
  for (const name of changes) agent.fields[name] = call.body?.[name];
  agent.generation = numberAt(call.json, 'generation');
});

const MUTABLE =
  'substrate substrate_provider substrate_model capability capability_scope tools modality_input modality_output protocol endpoint compliance_regime generation_trigger'.split(
    ' ',
  );

export const wallet = taken('wallet', (agent, { state, call }) => {
  const { body = {}, json } = call;
  if (body['action'] === 'challenge') {
    const nonce = at(json, 'nonce');
    if (typeof nonce === 'string')
      state.tickets.set(nonce, { kind: 'wallet', of: agent.hash, madeMs: state.nowMs, used: false });
    return;
  }
  const ticket = state.tickets.get(String(body['wallet_nonce']));
  if (ticket !== undefined) ticket.used = true;
  const publicKeyHex = textAt(body, 'wallet_public_key')?.toLowerCase();
  agent.wallet =
    publicKeyHex === undefined
      ? { kind: 'operator', address: String(body['operator_wallet_address']) }
      : { kind: 'self-custody', address: solanaAddress(publicKeyHex), publicKeyHex };
  agent.lineageEvents += 1;
});

export const spawn = taken('spawn', (agent, { state, call }) => {
  const { body = {}, json } = call;
  const child = textAt(body, 'child_hash')?.toLowerCase();
  if (child !== undefined) {
    const found = state.agents.get(child);
    if (found !== undefined) found.linked = true;
    return;
  }
  const token = at(json, 'spawn_authorization');
  if (typeof token === 'string')
    state.tickets.set(token, {
      kind: 'authorization',
      of: agent.hash,
      name: String(body['child_name']),
      madeMs: state.nowMs,
      used: false,
    });
});
