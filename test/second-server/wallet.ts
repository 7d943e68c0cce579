/** Linking a wallet to an agent that was registered without one, by section 4.12. */

import { noteEvent } from './published.js';
import { Refusal } from './refusal.js';
import { ownedWallet } from './registration.js';
import type { Call, Reply } from './server.js';
import type { World } from './world.js';

/** POST /agent/wallet */
export function linkWallet(world: World, call: Call): Reply {
  world.limit('wallet', call.ip);
  const agent = world.agentOf(call.headers.authorization);
  if (agent.wallet !== null) throw new Refusal(409, null, 'A wallet is linked already.');
  const { body } = call;
  if (body['action'] === 'challenge') {
    return { body: { ok: true, action: 'challenge', nonce: world.nonce(`link ${agent.hash}`), expires_in: 300 } };
  }
  const nonce = body['wallet_nonce'];
  if (!world.hasNonce(`link ${agent.hash}`, nonce))
    throw new Refusal(400, null, 'The nonce is unknown, used or expired.');
  const operator = body['wallet_model'] === 'operator';
  const proven = ownedWallet(
    operator
      ? { operator_wallet_address: body['operator_wallet_address'] ?? '', wallet_signature: body['wallet_signature'] }
      : { wallet_public_key: body['wallet_public_key'], wallet_signature: body['wallet_signature'] },
    (kind, address) => `${world.messagePrefix}-link-wallet${kind}:${String(nonce)}:${address}:${agent.hash}`,
  );
  if (proven === null) throw new Refusal(400, null, 'The signature does not prove that wallet.');
  world.takeNonce(`link ${agent.hash}`, nonce);
  agent.wallet = proven;
  if (world.settings.published) noteEvent(world, agent, 'wallet_linked');
  return { body: { ok: true, linked: proven.shown, wallet_model: proven.model } };
}
