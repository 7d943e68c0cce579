/** Parameters that several JSON-RPC methods share: addresses, signatures, commitments, the context slot. */

import { base58 } from '@scure/base';
import { z } from 'zod';
import { BASE58 } from '../../spec/formats.js';
import { type Commitment, commitments, slotOf } from './chain.js';
import { type RpcContext, type RpcResponse, rpcError } from './json-rpc.js';

/**
 * A text that is base58 of `bytes` bytes. One that is too long is refused before it is decoded, which takes quadratic
 * time.
 */
function base58Of(bytes: number, what: string) {
  // Base58 of n bytes has at most this many characters.
  const charsMax = Math.ceil((bytes * Math.log(256)) / Math.log(58));
  const fits = (text: string): boolean =>
    text.length <= charsMax && BASE58.test(text) && base58.decode(text).length === bytes;
  return z.string().refine(fits, `is not ${what}: base58 of ${bytes} bytes`);
}

export const address = base58Of(32, 'an address');
export const blockhash = base58Of(32, 'a block hash');
export const signature = base58Of(64, 'a signature');
export const wholeNumber = z.int().min(0);

/** The newest version of transactions that the caller can read; null or absent: legacy ones only. */
export const versionMax = z.int().min(0).max(255).nullish();

const commitment = z.enum(commitments);

/** The config that most methods take as their last parameter. Unknown keys are ignored, as on a node. */
export const config = z.object({ commitment: commitment.nullish(), minContextSlot: wholeNumber.nullish() });

/** The parameters of a method that takes an optional config alone. */
export const paramsWith = <C extends z.ZodType>(last: C) => z.tuple([last.nullish()]);

/** The commitment of a config: finalized by default, as on a node. */
export function wantedCommitment(given: { commitment?: Commitment | null | undefined } | null | undefined): Commitment {
  return given?.commitment ?? 'finalized';
}

type Config = z.output<typeof config> | null | undefined;

/** A value with the slot of its commitment; refuses a caller who asks for a later slot. */
export function inContext(
  context: RpcContext,
  given: Config,
  valueAt: (commitment: Commitment) => unknown,
): RpcResponse {
  const wanted = wantedCommitment(given);
  const refused = refuseMinSlot(context, given);
  const slot = slotOf(context.chain, wanted, context.nowMs);
  return refused ?? { result: { context: { slot, apiVersion: API_VERSION }, value: valueAt(wanted) } };
}

/** Refuses with -32016 if the commitment has not reached the slot that the caller asks for. */
export function refuseMinSlot({ chain, nowMs }: RpcContext, given: Config): RpcResponse | undefined {
  const slot = slotOf(chain, wantedCommitment(given), nowMs);
  if (slot >= (given?.minContextSlot ?? 0)) return undefined;
  return rpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot });
}

/** The version of the node whose answers these imitate. */
export const API_VERSION = '2.2.0';
