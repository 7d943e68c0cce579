/** Handler of POST /agent/wallet (4.12), in both phases. The rules are in registry/wallet.ts. */

import { wallet } from '../../../spec/endpoints/index.js';
import { hashOf } from '../../registry/state.js';
import { walletView } from '../../registry/status.js';
import { finalizeWallet, refuseLinked, walletChallenge } from '../../registry/wallet.js';
import { reply, route } from '../request/route.js';

/** POST /agent/wallet, 4.12. An agent with a linked wallet gets 409 whatever it sends (3.2). */
export const walletRoute = route(
  wallet,
  ({ registry, agent, body, nowMs }) => {
    if ('action' in body) {
      const made = walletChallenge(registry, { agent }, nowMs);
      if (!made.ok) return made;
      const { nonceTtlSec } = registry.protocol.wallet;
      return reply({ ok: true, action: 'challenge', nonce: made.nonce, expires_in: nonceTtlSec });
    }
    const operator = 'operator_wallet_address' in body;
    const form = operator ? 'link-wallet-operator' : 'link-wallet';
    const address = operator ? body.operator_wallet_address : body.wallet_public_key;
    const { wallet_nonce: nonce, wallet_signature: signature } = body;
    const done = finalizeWallet(registry, { agent, form, nonce, address, signature }, nowMs);
    return done.ok ? reply({ ok: true, agent_hash: hashOf(registry, agent), ...walletView(registry, agent) }) : done;
  },
  { closed: ({ registry, agent }) => refuseLinked(registry, agent) },
);
