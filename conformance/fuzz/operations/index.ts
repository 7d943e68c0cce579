/** The operations of random sequences, and how often each is drawn. Each operation is in the file of its endpoint. */

import type { Operation } from '../operation.js';
import { burst, makeAgent, together, wait } from './compound.js';
import { fill } from './fill.js';
import { flag, review, revokeKey } from './flag.js';
import { heartbeat, march, reissue } from './heartbeat.js';
import { init, submitBeats } from './init.js';
import { intrude } from './intrude.js';
import { checkin, lookup, passport, verifyBatch } from './lookups.js';
import { verifyBeat, workProof } from './proofs.js';
import { registerRoot, registerToken, registerWallet } from './register.js';
import { resync, resyncChallenge, revive } from './resync.js';
import { buySigil, changeMetadata } from './sigil.js';
import { linkChild, registerChild, spawn, spawnWhole } from './spawn.js';
import { sponsor, sponsorDelete, sponsorList } from './sponsor.js';
import { partnerWebhook, subsidy, subsidyDelete } from './subsidy.js';
import { linkWallet } from './wallet.js';

/** Operations that send an agent's key. */
const keyed = [
  ...[init, heartbeat, buySigil, reissue, spawn, changeMetadata, linkWallet, resync, passport],
  ...[sponsor, sponsorDelete, sponsorList, flag, submitBeats],
];

/** Operations of one request each. */
export const singles: readonly (readonly [weight: number, operation: Operation])[] = [
  [3, registerRoot],
  [2, registerToken],
  [2, registerWallet],
  [2, init],
  [2, submitBeats],
  [3, buySigil],
  [10, heartbeat],
  [3, reissue],
  [3, spawn],
  [3, registerChild],
  [2, linkChild],
  [5, resync],
  [3, changeMetadata],
  [3, linkWallet],
  [3, sponsor],
  [2, sponsorDelete],
  [3, sponsorList],
  [4, flag],
  [2, lookup],
  [2, passport],
  [3, verifyBatch],
  [1, checkin],
  [5, intrude(keyed)],
  [2, workProof],
  [1, verifyBeat],
  [3, subsidy],
  [1, subsidyDelete],
];

/** All operations with their weights. */
export const operations: readonly (readonly [weight: number, operation: Operation])[] = [
  ...singles,
  [5, makeAgent],
  [6, spawnWhole],
  [5, march],
  [8, wait],
  [2, resyncChallenge],
  [3, review],
  [1, revokeKey],
  [1, partnerWebhook],
  [6, together(singles.map(([, each]) => each))],
  [2, burst(singles.map(([, each]) => each))],
  [3, fill((name) => operationOf(name))],
  [2, revive],
];

const byName = new Map(operations.map(([, operation]) => [operation.name, operation]));

/** The names of all operations. */
export const operationNames: readonly string[] = [...byName.keys()];

/** The operation of a name. Throws RangeError for an unknown name. */
export function operationOf(name: string): Operation {
  const found = byName.get(name);
  if (found === undefined) throw new RangeError(`there is no operation ${JSON.stringify(name)}`);
  return found;
}
