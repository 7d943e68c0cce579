/**
 * Digests of a service's state: of all of it, of its columns, and of what one command may have moved. A journal compares them with the results of
 * its commands. Configuration, such as the registration secret, is not included.
 */
import { createHash, hash } from 'node:crypto';
import { canonicalJson } from './beats/canonical-json.js';
import { hashTable } from './registry/columns/table.js';
import { fingerprint } from './registry/fingerprint.js';
import type { Registry } from './registry/state.js';
import type { Service } from './service.js';

function bytesOf(column: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** SHA-256 of the whole state, ledger, anchors and stall included, in hex: two services with the same one answer alike. */
export function serviceFingerprint(service: Service): string {
  const { registry, ledger, anchors, nextAnchorMs, stalled, paymentAddress, options } = service;
  const digest = createHash('sha256').update(fingerprint(registry));
  digest.update(bytesOf(ledger.lamports.subarray(0, ledger.accounts)));
  const { addresses, mintedLamports, seed } = ledger;
  digest.update(canonicalJson([seed, mintedLamports, [...addresses].toSorted(([a], [b]) => a - b)]));
  for (const record of ledger.transactions.values()) {
    const plain = record.kind === 'sent' ? { ...record, wire: Buffer.from(record.wire).toString('base64') } : record;
    digest.update(`${canonicalJson(plain)}\n`);
  }
  const { latestIndex, ring } = anchors;
  return digest
    .update(
      canonicalJson({
        latestIndex,
        ring,
        nextAnchorMs,
        stalled,
        paymentAddress,
        seed: options.seed,
        startMs: options.startMs,
      }),
    )
    .digest('hex');
}

/** SHA-256 of every column, and of how much else there is: some milliseconds for 100,000 agents. */
export function columnsDigest(service: Service): string {
  const { registry, ledger } = service;
  const digest = createHash('sha256');
  hashTable(registry.agents, digest);
  registry.agents.line.hash(registry.agents.rows, digest);
  digest.update(bytesOf(registry.feeBook.sums)).update(bytesOf(ledger.lamports.subarray(0, ledger.accounts)));
  return digest.update(bytesOf(Float64Array.from(countsOf(service)))).digest('hex');
}

/** How much there is of everything, and how far the streams have come. */
function countsOf({ registry, ledger, nextAnchorMs, stalled, anchors }: Service): number[] {
  const { agents, outbox, flags, sponsorships } = registry;
  return [
    ...[agents.rows, registry.stream.drawn, registry.anchorIndex, anchors.latestIndex, nextAnchorMs, Number(stalled)],
    ...[registry.metadata.size, registry.sigils.size, registry.sigilNames.size, registry.sigilMetadata.size],
    ...[registry.childNames.size, registry.reservations.size, registry.subsidies.size, registry.adminKeys.size],
    ...[registry.partners.length, registry.wallets.count, registry.latestHashes.size, registry.oneTime.size],
    ...[registry.usedPayments.size, registry.usedReceipts.size, flags.list.length, flags.pendingPairs.size],
    ...[outbox.lanes.size, outbox.dead.length, outbox.emitted, sponsorships.byChild.size, sponsorships.byParent.size],
    // Absent if there are none, so that older journals keep their digests.
    ...(registry.deposits.byAgent.size + registry.deposits.forfeitedLamports === 0
      ? []
      : [registry.deposits.byAgent.size, registry.deposits.heldLamports, registry.deposits.forfeitedLamports]),
    ...[ledger.accounts, ledger.mintedLamports, ledger.transactions.size],
  ];
}

const HEX = 16;

/** 16 hex characters over the state that a command of this agent may have changed: counts, fees, the agent's row and the newest row. */
export function commandDigest(service: Service, agent: number): string {
  const { registry } = service;
  const { rows } = registry.agents;
  const numbers = countsOf(service);
  if (agent >= 0 && agent < rows) addRow(numbers, registry, agent);
  if (rows > 0) addRow(numbers, registry, rows - 1);
  const text = Buffer.concat([
    bytesOf(Float64Array.from(numbers)),
    bytesOf(registry.feeBook.sums),
    ...(agent >= 0 && agent < rows ? [lineageOf(registry, agent)] : []),
    ...(rows > 0 ? [lineageOf(registry, rows - 1)] : []),
  ]);
  return hash('sha256', text).slice(0, HEX);
}

/** The numbers of an agent that calls move. */
function addRow(numbers: number[], { agents: { line, columns } }: Registry, row: number): void {
  numbers.push(
    ...[line.status(row), line.identityClass(row), line.wallet(row), line.complaints(row), line.lastSyncAnchor(row)],
    ...[line.lastHeartbeatBeat(row), line.epochHeartbeats(row), line.totalHeartbeats(row)],
    ...[columns.totalBeats[row]!, columns.availableBeats[row]!, columns.latestBeat[row]!],
    ...[columns.children[row]!, columns.linked[row]!, columns.keyRevoked[row]!, columns.sigilAtBeat[row]!],
  );
}

/** The hash over an agent's history. */
function lineageOf({ agents: { columns } }: Registry, row: number): Uint8Array {
  return columns.lineageHash.subarray(row * 32, (row + 1) * 32);
}
