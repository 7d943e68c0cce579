/**
 * Handler of POST /register in all its modes (4.2): chooses the rule by the parsed mode and builds the reply. The rules
 * are registry/register*.ts.
 */

import { register, registrationMode } from '../../../spec/endpoints/register.js';
import { explorerUrl } from '../../../spec/formats.js';
import { birthMemo } from '../../beats/memo-text.js';
import { nextHex } from '../../registry/columns/stream.js';
import { refuse } from '../../registry/refusal.js';
import { type RegisterAccepted, refuseCredential, registerRoot } from '../../registry/register.js';
import { registerChild } from '../../registry/register-child.js';
import { registerChallenge, registerWithWallet, type WalletMode } from '../../registry/register-wallet.js';
import { hashOf, type Registry, rowOf } from '../../registry/state.js';
import { typeOf, walletView } from '../../registry/status.js';
import { ANONYMOUS, type Authentication, byAgentKey, type UnauthenticatedRequest } from '../request/authentication.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

const BIRTH_BYTES = 16;

export const registerRoute = route(register, registerAnyMode, { authenticate: byMode, writesMemo: true });

/**
 * 5: authenticates by mode: a child by its parent's key, a root by the secret or token that the network asks for (4.2).
 */
function byMode(arrival: UnauthenticatedRequest): Authentication {
  const { registry, nowMs, header, body } = arrival;
  if (body !== undefined && registrationMode(body) === 'child') {
    const parent = byAgentKey(arrival);
    return parent.ok ? parent : refuse('register/AUTH_MISSING', parent.detail);
  }
  return refuseCredential(registry, credentialHeaders(header), nowMs) ?? ANONYMOUS;
}

function credentialHeaders(header: UnauthenticatedRequest['header']) {
  return { secret: header('x-registration-secret'), token: header('x-registration-token') };
}

function registerAnyMode(call: EndpointCall<typeof register>): HandlerResult {
  const { registry, body, nowMs } = call;
  const { token } = credentialHeaders(call.header);
  const { name, metadata, ref } = body;
  const root = { name, metadata, ref, token };
  switch (body.mode) {
    case 'root':
      return registered(call, registerRoot(registry, root, nowMs));
    case 'child':
      return child(call, body.spawn_authorization, body.parent);
    case 'self-custody-challenge': {
      const made = registerChallenge(registry, 'register', nowMs);
      return made.ok ? reply({ nonce: made.nonce }) : made;
    }
    case 'operator-challenge':
      return challenge(call, 'register-operator');
    case 'ethereum-challenge':
      return challenge(call, 'register-ethereum');
    case 'self-custody': {
      const proof = { nonce: body.wallet_nonce, address: body.wallet_public_key, signature: body.wallet_signature };
      const made = registerWithWallet(registry, 'register', { ...root, ...proof }, nowMs);
      return made.ok ? olderReply(call, made) : made;
    }
    case 'operator': {
      const proof = {
        nonce: body.wallet_nonce,
        address: body.operator_wallet_address,
        signature: body.wallet_signature,
      };
      const made = registerWithWallet(registry, 'register-operator', { ...root, ...proof }, nowMs);
      return made.ok ? registered(call, made) : made;
    }
    case 'ethereum': {
      const proof = { nonce: body.wallet_nonce, address: body.wallet_address, signature: body.wallet_signature };
      const made = registerWithWallet(registry, 'register-ethereum', { ...root, ...proof }, nowMs);
      return made.ok ? registered(call, made) : made;
    }
    default:
      return body satisfies never;
  }
}

function challenge({ registry, nowMs }: EndpointCall<typeof register>, mode: WalletMode): HandlerResult {
  const made = registerChallenge(registry, mode, nowMs);
  return made.ok ? reply({ nonce: made.nonce, expires_in: registry.protocol.registration.nonceTtlSec }) : made;
}

function child(
  call: EndpointCall<typeof register>,
  authorization: string,
  parentHash: string | undefined,
): HandlerResult {
  const { registry, agent, body, nowMs } = call;
  const parent = parentHash === undefined ? undefined : rowOf(registry, parentHash.toLowerCase());
  const { name, metadata } = body;
  const made = registerChild(registry, { agent, name, metadata, authorization, parent }, nowMs);
  return made.ok ? registered(call, made) : made;
}

/** 2.1: the reply with the agent object. D-45: its birth record is the service's own. */
function registered({ registry, body }: EndpointCall<typeof register>, made: RegisterAccepted): HandlerResult {
  const birthTx = `rec_${nextHex(registry.stream, BIRTH_BYTES)}`;
  return reply({ ok: true, ...agentView(registry, made), metadata: body.metadata ?? {}, birth_tx: birthTx });
}

/** 2.1 and D-45: the older two-phase reply; its birth record is a memo on the ledger. */
function olderReply(
  { registry, nowMs, writeMemo }: EndpointCall<typeof register>,
  made: RegisterAccepted,
): HandlerResult {
  const agentHash = hashOf(registry, made.agent);
  const signature = writeMemo(
    registry.dialect.memos === 'json' ? birthMemo({ agentHash, nowMs }) : `registered ${agentHash}`,
  );
  return reply({ ...agentView(registry, made), signature, explorer_url: explorerUrl(signature) });
}

/** 2.1: the fields that every mode returns for a new agent. */
function agentView(registry: Registry, { agent, apiKey, secret }: RegisterAccepted) {
  const { columns, line } = registry.agents;
  const { wallet_model, wallet_chain } = walletView(registry, agent);
  return {
    hash: hashOf(registry, agent),
    api_key: apiKey,
    secret,
    type: typeOf(registry, agent),
    parent: columns.parent[agent]! < 0 ? null : hashOf(registry, columns.parent[agent]!),
    depth: line.depth(agent),
    name: registry.names[agent] ?? '',
    wallet_model,
    wallet_chain,
  };
}
