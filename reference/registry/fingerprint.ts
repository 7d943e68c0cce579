import { createHash } from 'node:crypto';
import { canonicalJson } from '../beats/canonical-json.js';
import { hashTable } from './columns.js';
import type { Registry } from './state.js';

/** SHA-256 of the whole state, in hex: two registries with the same fingerprint answer every call alike. */
export function fingerprint(registry: Registry): string {
  const hash = createHash('sha256');
  hashTable(registry.agents, hash);
  const { heads } = registry.wheel;
  hash.update(new Uint8Array(heads.buffer, heads.byteOffset, heads.byteLength));
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
    wallets: [registry.wallets.count, [...registry.wallets.numbers]],
    latestHashes: [...registry.latestHashes],
    oneTime: [...registry.oneTime],
    usedPayments: [...registry.usedPayments],
    usedReceipts: [...registry.usedReceipts],
    anchor: [registry.anchorIndex, registry.anchorAtMs],
  };
  return hash.update(canonicalJson(rest)).digest('hex');
}
