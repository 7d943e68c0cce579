/**
 * The flows that the specification documents, as the calls that each takes. Rules about the specification count how often the limits admit them;
 * nothing is sent.
 */

import { deepFreeze } from './freeze.js';

/** One call of a flow: an endpoint by its id, and a body of the shape that the flow sends. */
export interface FlowCall {
  readonly endpoint: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A flow that the specification documents. */
export interface Flow {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly calls: readonly FlowCall[];
  /** The number of calls after which a stop leaves something that is made and cannot be used. */
  readonly half: string;
}

/** Each documented flow of more than one call. */
export const flows: readonly Flow[] = deepFreeze([
  {
    id: 'spawn',
    title: 'a spawn (3.6)',
    clauses: ['spawn.flow.probe', 'spawn.flow.preflight', 'spawn.flow.finalize', 'limit.spawn'],
    calls: [
      { endpoint: 'spawn', body: { child_name: 'child' } },
      { endpoint: 'beat-anchor' },
      { endpoint: 'work-proof.post', body: { work_proof: {} } },
      { endpoint: 'spawn', body: { child_name: 'child', beats_receipt: 'receipt' } },
      { endpoint: 'register', body: { name: 'child', parent: '0x', spawn_authorization: 'authorization' } },
      { endpoint: 'spawn', body: { child_name: 'child', child_hash: '0x' } },
    ],
    half: 'a registered child without its lineage link, which nobody can sponsor',
  },
  {
    id: 'resync-challenge',
    title: 'a resync by challenge (4.10)',
    clauses: ['resync.challenge.body', 'limit.resync.challenge'],
    calls: [
      { endpoint: 'resync', body: { action: 'challenge' } },
      { endpoint: 'resync', body: { action: 'prove', challenge_nonce: 'nonce', proof: {} } },
    ],
    half: 'a nonce that runs out',
  },
  {
    id: 'resync-receipt',
    title: 'a resync by receipt (4.10)',
    clauses: ['resync.receipt.body', 'limit.resync.receipt'],
    calls: [
      { endpoint: 'beat-anchor' },
      { endpoint: 'work-proof.post', body: { work_proof: {} } },
      { endpoint: 'resync', body: { beats_receipt: 'receipt' } },
    ],
    half: 'a receipt that runs out',
  },
  {
    id: 'wallet-link',
    title: 'linking a wallet (4.12)',
    clauses: ['limit.wallet'],
    calls: [
      { endpoint: 'wallet', body: { action: 'challenge' } },
      { endpoint: 'wallet', body: { wallet_nonce: 'nonce', wallet_public_key: 'key', wallet_signature: 'signature' } },
    ],
    half: 'a nonce that runs out',
  },
  {
    id: 'register-by-token',
    title: 'registration of a root by token (4.2, 4.3)',
    clauses: ['limit.register', 'limit.register-token.ip', 'register-token.use.header'],
    calls: [
      { endpoint: 'register-token', body: {} },
      { endpoint: 'register', body: { name: 'root' } },
    ],
    half: 'a token that runs out',
  },
  {
    id: 'register-wallet',
    title: 'registration with a wallet (4.2)',
    clauses: ['limit.register.wallet-flow'],
    calls: [
      { endpoint: 'register', body: { name: 'root', action: 'challenge' } },
      { endpoint: 'register', body: { name: 'root', wallet_nonce: 'nonce', wallet_public_key: 'key' } },
    ],
    half: 'a nonce that runs out',
  },
] satisfies Flow[]);
