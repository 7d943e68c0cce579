/** A hash over the whole state, which tests and replays compare. It is no part of the protocol. */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../beats/canonical-json.js';
import { listOf } from './columns/chunk-lists.js';
import { hashTable } from './columns/table.js';
import type { Registry } from './state.js';

/** SHA-256 of the whole state, in hex: two registries with the same fingerprint answer every call alike. */
export function fingerprint(registry: Registry): string {
  const hash = createHash('sha256');
  hashTable(registry.agents, hash);
  registry.agents.line.hash(registry.agents.rows, hash);
  const { sums } = registry.feeBook;
  hash.update(new Uint8Array(sums.buffer, sums.byteOffset, sums.byteLength));
  const rest = {
    protocol: registry.protocol,
    dialect: registry.dialect,
    policy: registry.policy,
    genesisMs: registry.genesisMs,
    drawn: registry.stream.drawn,
    seed: registry.stream.seed,
    names: registry.names,
    metadata: [...registry.metadata],
    sigils: [...registry.sigils],
    sigilNames: [...registry.sigilNames],
    sigilMetadata: [...registry.sigilMetadata],
    childNames: [...registry.childNames],
    reservations: [...registry.reservations],
    // Only `byChild`: `byParent` has the same objects.
    sponsorships: [...registry.sponsorships.byChild],
    sponsorOrder: [...registry.sponsorships.byParent].map(([parent, given]) => [
      parent,
      given.map(({ child }) => child),
    ]),
    flags: registry.flags.list,
    subsidies: [...registry.subsidies],
    fees: [registry.feeTable.table, registry.feeTable.flat],
    adminKeys: [...registry.adminKeys],
    partners: registry.partners,
    outbox: [[...registry.outbox.lanes], registry.outbox.dead, registry.outbox.emitted],
    wallets: [registry.wallets.count, [...registry.wallets.numbers]],
    latestHashes: [...registry.latestHashes],
    oneTime: [...registry.oneTime],
    usedPayments: [...registry.usedPayments],
    usedReceipts: [...registry.usedReceipts],
    wheel: Array.from(registry.wheel.heads, (_, slot) => listOf(registry.wheel, slot)),
    anchor: [registry.anchorIndex, registry.anchorAtMs],
    // Absent if there are none, so that older states keep their fingerprint.
    ...depositsOf(registry),
    ...(registry.lineages.size === 0 ? {} : { lineages: [...registry.lineages] }),
  };
  return hash.update(canonicalJson(rest)).digest('hex');
}

/** The deposits; absent if there have been none. */
function depositsOf({ deposits: { byAgent, heldLamports, forfeitedLamports } }: Registry) {
  return byAgent.size + forfeitedLamports === 0 ? {} : { deposits: [[...byAgent], heldLamports, forfeitedLamports] };
}
