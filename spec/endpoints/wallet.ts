/** POST /agent/wallet as data: challenge and finalize. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { anyCaseHexPattern, BASE58 } from '../formats.js';
import { type OptionalMode, servesMode } from '../parts.js';
import { walletChains, walletModels } from '../vocabulary.js';
import { agentHash, hexOf } from './shared.js';

/** 4.12: the reply to action `challenge`. */
function walletChallenge({ protocol }: Facts) {
  return z.strictObject({
    ok: z.literal(true),
    action: z.string(),
    nonce: hexOf(protocol.wallet.nonceBytes),
    expires_in: z.literal(protocol.wallet.nonceTtlSec),
  });
}

/** D-51: the reply of a finalize call. */
function walletLinked(facts: Facts) {
  return z.strictObject({
    ok: z.literal(true),
    agent_hash: agentHash(facts),
    wallet: z.string().min(1),
    wallet_model: z.enum(walletModels),
    wallet_chain: z.enum(walletChains),
  });
}

/** The mode of a body, of those that a deployment can be without: the second phase alone tells the two apart. */
function optionalMode(body: unknown): OptionalMode | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { action, wallet_model } = body as Record<string, unknown>;
  return wallet_model === 'operator' && action !== 'challenge' ? 'wallet/operator' : undefined;
}

/** 4.12. Nonces and signatures are plain text here: bad ones are refused by rows of their own. */
export const wallet = {
  id: 'wallet',
  stem: 'wallet',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/wallet',
  section: '4.12',
  purpose: 'Links a wallet, whose ownership a signed nonce proves, to an agent without one.',
  auth: 'agent',
  buckets: [{ limit: 'wallet', by: 'ip' }],
  body: ({ protocol }: Facts) => {
    const challenge = z.object({ action: z.literal('challenge') });
    const signed = { wallet_nonce: z.string(), wallet_signature: z.string() };
    const operator = z.object({
      wallet_model: z.literal('operator'),
      operator_wallet_address: z.string().regex(BASE58),
      ...signed,
    });
    const selfCustody = z.object({
      wallet_model: z.literal('self-custody').optional(),
      wallet_public_key: z.string().regex(anyCaseHexPattern(protocol.wallet.publicKeyBytes)),
      ...signed,
    });
    return servesMode(protocol, 'wallet/operator')
      ? z.union([challenge, operator, selfCustody])
      : z.union([challenge, selfCustody]);
  },
  mode: optionalMode,
  invalid: 'wallet/VALIDATION',
  errorsShown: 'status',
  replies: (facts: Facts) => ({ 200: z.union([walletChallenge(facts), walletLinked(facts)]) }),
} as const satisfies Endpoint;
