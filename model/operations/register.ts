/** POST /register in all its modes, and POST /register/token (4.2, 4.3). */

import { at } from '../../conformance/assertions/reply.js';
import { type RegistrationMode, registrationMode } from '../../spec/endpoints/register.js';
import { isAgentHash } from '../../conformance/assertions/field-tests.js';
import type { Case, Operation } from '../settle.js';
import type { Agent, Wallet } from '../state.js';
import { solanaAddress } from '../reading/address.js';

interface Registration {
  readonly mode: RegistrationMode;
  readonly body: Readonly<Record<string, unknown>>;
}

export const register: Operation<Registration> = {
  ids: ['register'],
  facts: ({ call }) => (call.body === undefined ? undefined : { mode: registrationMode(call.body), body: call.body }),
  refusals: [],
  open: () => 'registrations are taken down and not judged',
  accepts: () => [],
  accepted: ({ mode, body }, given) => {
    const { call, state } = given;
    const { json } = call;
    if (mode.endsWith('-challenge')) {
      const nonce = at(json, 'nonce');
      if (typeof nonce === 'string')
        state.tickets.set(nonce, { kind: 'register', of: mode, madeMs: state.nowMs, used: false });
      return;
    }
    const token = call.headers['x-registration-token'];
    const ticket = token === undefined ? undefined : state.tickets.get(token);
    if (ticket !== undefined) ticket.used = true;
    const [hash, key] = [at(json, 'hash'), at(json, 'api_key')];
    if (!isAgentHash.holds(hash) || typeof key !== 'string') return;
    adopt(given, mode, { hash: String(hash).toLowerCase(), key, body });
  },
};

function adopt(
  { state, call }: Case,
  mode: RegistrationMode,
  {
    hash,
    key,
    body,
  }: { readonly hash: string; readonly key: string; readonly body: Readonly<Record<string, unknown>> },
): void {
  const authorization = state.tickets.get(String(body['spawn_authorization']));
  const parent = mode === 'child' ? parentOf({ state, call }, body, authorization?.of) : undefined;
  if (authorization !== undefined) authorization.used = true;
  if (parent !== undefined) {
    parent.children += 1;
    parent.lineageEvents += 1;
  }
  state.keys.set(key, { hash });
  state.agents.set(hash, {
    hash,
    // D-16: names are trimmed.
    name: typeof body['name'] === 'string' ? body['name'].trim() : undefined,
    parent: parent?.hash ?? null,
    depth: parent === undefined ? state.settings.protocol.agent.rootDepth : parent.depth + 1,
    metadata: body['metadata'] === undefined ? undefined : { value: body['metadata'] },
    registeredAnchor: state.anchor,
    linked: parent === undefined,
    wallet: walletOf(mode, body),
    revoked: false,
    started: false,
    chain: { beat: undefined, hash: undefined },
    genesisHash: undefined,
    totalBeats: undefined,
    frozen: false,
    syncAnchor: undefined,
    heartbeats: 0,
    lastBeat: null,
    epoch: undefined,
    epochHeartbeats: 0,
    sigil: null,
    generation: undefined,
    fields: {},
    shown: {},
    lineageEvents: 0,
    lineageShown: null,
    passport: null,
    partnerRef: typeof body['ref'] === 'string' ? body['ref'] : parent?.partnerRef,
    children: 0,
  });
}

function parentOf(
  { state, call }: Pick<Case, 'state' | 'call'>,
  body: Readonly<Record<string, unknown>>,
  ofTicket: string | undefined,
): Agent | undefined {
  const byKey = call.bearer === undefined ? undefined : state.keys.get(call.bearer)?.hash;
  const hash = byKey ?? ofTicket ?? String(body['parent']).toLowerCase();
  return state.agents.get(hash);
}

function walletOf(mode: RegistrationMode, body: Readonly<Record<string, unknown>>): Wallet | null {
  if (mode === 'self-custody') {
    const publicKeyHex = String(body['wallet_public_key']).toLowerCase();
    return { kind: mode, address: solanaAddress(publicKeyHex), publicKeyHex };
  }
  if (mode === 'operator') return { kind: mode, address: String(body['operator_wallet_address']) };
  return mode === 'ethereum' ? { kind: mode, address: String(body['wallet_address']).toLowerCase() } : null;
}

export const registerToken: Operation<object> = {
  ids: ['register-token'],
  facts: () => ({}),
  refusals: [],
  open: () => 'tokens are taken down and not judged',
  accepts: () => [],
  accepted: (_, { state, call }) => {
    const token = at(call.json, 'token');
    if (typeof token === 'string')
      state.tickets.set(token, { kind: 'token', of: '', madeMs: state.nowMs, used: false });
  },
};
