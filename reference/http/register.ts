import { register } from '../../spec/endpoints/index.js';
import { memo } from '../ledger/ledger.js';
import { refuse } from '../registry/refusal.js';
import {
  type RegisterAccepted,
  refuseCredential,
  registerChallenge,
  registerRoot,
  registerSelfCustody,
} from '../registry/register.js';
import { hashOf, type Registry } from '../registry/state.js';
import { typeOf, walletView } from '../registry/status.js';
import { nextHex } from '../registry/stream.js';
import { explorerUrl } from '../registry/verify.js';
import { type Answer, type Call, reply, route } from './route.js';

const BIRTH_BYTES = 16;

/** POST /register, 4.2. */
export const registerRoute = route(register, handle, ({ registry, nowMs, header }) =>
  refuseCredential(registry, credential(header), nowMs),
);

function credential(header: Call<typeof register>['header']) {
  return { secret: header('x-registration-secret'), token: header('x-registration-token') };
}

function handle(call: Call<typeof register>): Answer {
  const { registry, body, nowMs } = call;
  const { token } = credential(call.header);
  const { name, metadata } = body;
  switch (body.mode) {
    case 'root': {
      const made = registerRoot(registry, { name, metadata, token }, nowMs);
      // D-45: the birth record of a registration is the service's own.
      const birthTx = `rec_${nextHex(registry.stream, BIRTH_BYTES)}`;
      return reply({ ok: true, ...agentView(registry, made), metadata: metadata ?? {}, birth_tx: birthTx });
    }
    case 'self-custody-challenge':
      return reply({ nonce: registerChallenge(registry, nowMs).nonce });
    case 'self-custody': {
      const { wallet_nonce: nonce, wallet_public_key: publicKeyHex, wallet_signature: signatureHex } = body;
      const made = registerSelfCustody(registry, { name, metadata, token, nonce, publicKeyHex, signatureHex }, nowMs);
      if (!made.ok) return made;
      const { ledger, paymentAccount } = call.service;
      const text = `registered ${hashOf(registry, made.agent)}`;
      const signature = memo(ledger, { from: paymentAccount, text, nowMs });
      return reply({ ...agentView(registry, made), signature, explorer_url: explorerUrl(signature) });
    }
    case 'child':
    case 'operator-challenge':
    case 'operator':
    case 'ethereum-challenge':
    case 'ethereum':
      return refuse('register/VALIDATION', `this server does not take ${body.mode} registration yet`);
    default:
      return body satisfies never;
  }
}

/** 2.1: what every mode tells of a new agent. */
function agentView(registry: Registry, { agent, apiKey, secret }: RegisterAccepted) {
  const { parent, depth } = registry.agents.columns;
  const { wallet_model, wallet_chain } = walletView(registry, agent);
  return {
    hash: hashOf(registry, agent),
    api_key: apiKey,
    secret,
    type: typeOf(registry, agent),
    parent: parent[agent]! < 0 ? null : hashOf(registry, parent[agent]!),
    depth: depth[agent]!,
    name: registry.names[agent] ?? '',
    wallet_model,
    wallet_chain,
  };
}
