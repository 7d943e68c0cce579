/** GET /fees/summary as data: the fees, and what has been paid so far. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { BASE58 } from '../formats.js';
import { classesOf } from '../parts.js';
import { feeTypes } from '../vocabulary.js';
import { count } from './shared.js';

/** The shares of fees, and the burnt part where a change burns one. */
function allocationOf({ protocol: { feeSplit } }: Facts) {
  return z.strictObject({
    operations_lamports: count,
    contributors_lamports: count,
    development_lamports: count,
    treasury_lamports: count,
    referral_lamports: count,
    ...(feeSplit.burntBps > 0 ? { burnt_lamports: count } : {}),
  });
}

const price = { sol: z.number().min(0), lamports: count };
const total = { total_lamports: count, total_sol: z.number().min(0) };

/** The reply. `heartbeat_epoch`, the burnt parts and the deposits are there only where a change has them. */
function summary(facts: Facts) {
  const { dialect, protocol } = facts;
  const allocation = allocationOf(facts);
  return z.strictObject({
    ok: z.literal(true),
    payment_address: z.string().regex(BASE58),
    payment_chain: z.literal('solana'),
    ...total,
    by_type: z.array(z.strictObject({ fee_type: z.enum(feeTypes), count, ...total, allocation })),
    overall_allocation: allocation,
    fee_split_bps: z.strictObject({
      operations: count,
      contributors: count,
      development: count,
      treasury: count,
      referral: count,
      ...(protocol.feeSplit.burntBps > 0 ? { burnt: count } : {}),
    }),
    schedule: z.strictObject({
      sigil_tiers: z.array(
        z.strictObject({ identity_class: z.enum(classesOf(protocol)), label: z.string(), ...price }),
      ),
      heartbeat_tiers: z.array(
        dialect.heartbeatTiers === 'from-to'
          ? z.strictObject({ from: count, to: count.nullable(), ...price })
          : z.strictObject({ range: z.string(), ...price }),
      ),
      ...(protocol.heartbeat.epochFeeLamports > 0 ? { heartbeat_epoch: z.strictObject(price) } : {}),
      proof_reissuance_sol: z.number().min(0),
    }),
    ...(protocol.deposit.lamports > 0
      ? { deposits: z.strictObject({ lamports: count, held_lamports: count, forfeited_lamports: count }) }
      : {}),
  });
}

/** 4.1 lists the route; D-22 gives its reply. */
export const feesSummary = {
  id: 'fees-summary',
  stem: 'fees-summary',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/fees/summary',
  section: '4.1',
  purpose: 'Tells the current fees, where to pay them, and how those paid so far were shared out.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({ 200: summary(facts) }),
} as const satisfies Endpoint;
