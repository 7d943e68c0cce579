/**
 * The state of a registry: columns for every agent, and records. Rules mutate it; this file only declares
 * it, creates it and finds agents in it.
 */

import type { Dialect } from '../../spec/dialect.js';
import type { MutableMetadata } from '../../spec/endpoints/identity-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { HashState } from '../beats/resumable-sha256.js';
import { AgentLine } from './columns/agent-line.js';
import { createFlags, type Flags } from './columns/flags.js';
import { createHashIndex, findRow, type HashIndex } from './columns/hash-index.js';
import { createInterner, type Interner } from './columns/interner.js';
import type {
  Deposits,
  OneTime,
  Outbox,
  Partner,
  Reservation,
  Sigil,
  Sponsorships,
  Subsidy,
} from './columns/records.js';
import { createStream, derivedKey, type Seed, type Stream } from './columns/stream.js';
import { addRow, column, createTable, type Table } from './columns/table.js';
import { createWheel, type Wheel } from './columns/wheel.js';
import { createFeeBook, type FeeBook } from './fee-book.js';
import { createFeeTable, type FeeTable, type FlatFees } from './fee-table.js';

/** 3.1: an agent's status in the state. `warning` and `refused` are derived from other fields (D-19). */
export const REGISTERED = 0;
export const ACTIVE = 1;
export const FROZEN = 2;

/** The choices of a deployment that are not numbers of the protocol. */
export interface Policy {
  readonly network: 'devnet' | 'mainnet';
  /** 4.2: the secret for registering roots; required on mainnet. */
  readonly registrationSecret: string | null;
  /** 4.5: whether agents without a wallet are refused on paid routes. */
  readonly byoWallet: boolean;
  /** 4.10: BEATS_REQUIRED. */
  readonly beatsRequired: boolean;
  /** Whether lineage hashes are computed (D-14). A simulation may leave them out. */
  readonly lineage: boolean;
  /** Hex of the beats service's work-proof key, whose receipts are accepted (D-09). */
  readonly workProofKeyHex: string;
  /** D-53: the environment's overrides of built-in fees, in lamports; absent: none. */
  readonly feeOverrides?: Partial<FlatFees>;
  /**
   * D-37: whether webhooks may go to private and loopback addresses, and to loopback over plain HTTP. Absent: they may
   * not.
   */
  readonly allowLoopbackWebhooks?: boolean;
}

/** The policy of a registry that is played without a service: in simulations, and in the small world. */
export const PLAYED_POLICY: Policy = {
  network: 'devnet',
  registrationSecret: null,
  byoWallet: true,
  beatsRequired: true,
  lineage: false,
  // Receipts are not verified there, so this key signs nothing.
  workProofKeyHex: '00'.repeat(32),
};

/**
 * The columns of an agent (2.1 and later). The fields that every heartbeat touches are in `line`. The row number is the
 * agent inside the process; its hash is its name on the wire.
 */
const agentSchema = (protocol: Protocol) => ({
  hash: column('u8', 0, protocol.agent.hashBytes),
  parent: column('i32', -1),
  /** Index in `walletModels` and `walletChains`; meaningless without a wallet. */
  walletModel: column('u8'),
  walletChain: column('u8'),
  registeredAtMs: column('f64'),
  registeredAtBeat: column('f64'),
  sigilAtBeat: column('f64', -1),
  initAtMs: column('f64'),
  frozenAtBeat: column('f64', -1),
  totalBeats: column('f64'),
  availableBeats: column('f64'),
  latestBeat: column('f64'),
  children: column('i32'),
  /** D-31: 1 once a finalize call has linked the child to its parent. */
  linked: column('u8'),
  keyRevoked: column('u8'),
  lineageHash: column('u8', 0, 32),
});

export interface AgentTable extends Table<ReturnType<typeof agentSchema>> {
  readonly line: AgentLine;
}

/** Adds an agent with initial values, and returns its row. */
export function addAgentRow(agents: AgentTable): number {
  const row = addRow(agents);
  agents.line.add(row);
  return row;
}

/** The whole state of a registry: plain data that rules mutate. */
export interface Registry {
  /** Changed by `changeProtocol` alone. */
  protocol: Protocol;
  readonly dialect: Dialect;
  readonly policy: Policy;
  readonly genesisMs: number;
  readonly stream: Stream;
  readonly keySecret: Uint8Array;
  readonly agents: AgentTable;
  readonly index: HashIndex;
  readonly names: string[];
  readonly metadata: Map<number, Readonly<Record<string, unknown>>>;
  readonly sigils: Map<number, Sigil>;
  /** `name*principal` of every SIGIL (D-17). */
  readonly sigilNames: Set<string>;
  /** 2.8: the mutable fields that have been set. */
  readonly sigilMetadata: Map<number, MutableMetadata>;
  /** `<row of the parent>:<name>` of every child. */
  readonly childNames: Map<string, number>;
  /** By parent. Expired ones do not count, and are removed at the next anchor. */
  readonly reservations: Map<number, Reservation[]>;
  readonly sponsorships: Sponsorships;
  readonly flags: Flags;
  /** By `subsidyKey`. */
  readonly subsidies: Map<number, Subsidy>;
  readonly feeTable: FeeTable;
  /** By SHA-256 of the key: whether it has expired. */
  readonly adminKeys: Map<string, boolean>;
  readonly partners: Partner[];
  readonly outbox: Outbox;
  readonly wallets: Interner;
  /** The hash at `latestBeat`, for agents that have extended their chain. */
  readonly latestHashes: Map<number, string>;
  /** D-57: the state of the hash over an agent's events, where the dialect hashes them so; else empty. */
  readonly lineages: Map<number, HashState>;
  readonly oneTime: Map<string, OneTime>;
  /** The signatures of payments that have paid a fee. */
  readonly usedPayments: Set<string>;
  /** `from_hash:to_hash` of every used receipt, with the anchor after which it would be too old anyway. */
  readonly usedReceipts: Map<string, number>;
  readonly feeBook: FeeBook;
  readonly deposits: Deposits;
  wheel: Wheel;
  anchorIndex: number;
  anchorAtMs: number;
}

/** The options of a new registry. */
interface RegistryOptions {
  readonly protocol: Protocol;
  readonly dialect: Dialect;
  readonly policy: Policy;
  readonly seed: Seed;
  readonly genesisMs: number;
  /** Initial room for this many agents. */
  readonly capacity?: number;
}

const CAPACITY_START = 64;

function createAgentTable(protocol: Protocol, capacity: number): AgentTable {
  return Object.assign(createTable(agentSchema(protocol), capacity), { line: new AgentLine(capacity) });
}

/** Makes a registry without agents, before its first anchor. */
export function createRegistry(options: RegistryOptions): Registry {
  const { protocol, dialect, policy, seed, genesisMs } = options;
  return {
    protocol,
    dialect,
    policy,
    genesisMs,
    stream: createStream(seed, 'registry'),
    keySecret: derivedKey(seed, 'api-keys'),
    agents: createAgentTable(protocol, Math.max(1, options.capacity ?? CAPACITY_START)),
    index: createHashIndex(protocol.agent.hashBytes),
    names: [],
    metadata: new Map(),
    sigils: new Map(),
    sigilNames: new Set(),
    sigilMetadata: new Map(),
    childNames: new Map(),
    reservations: new Map(),
    sponsorships: { byChild: new Map(), byParent: new Map() },
    flags: createFlags(),
    subsidies: new Map(),
    feeTable: createFeeTable(protocol, policy.feeOverrides),
    adminKeys: new Map(),
    partners: [],
    outbox: { lanes: new Map(), dead: [], emitted: 0 },
    wallets: createInterner(),
    latestHashes: new Map(),
    lineages: new Map(),
    oneTime: new Map(),
    usedPayments: new Set(),
    usedReceipts: new Map(),
    feeBook: createFeeBook(protocol, genesisMs),
    deposits: { byAgent: new Map(), heldLamports: 0, forfeitedLamports: 0 },
    wheel: createWheel(protocol.dms.missedAnchorsMax),
    anchorIndex: -1,
    anchorAtMs: genesisMs,
  };
}

/** The hash of an agent as it is written on the wire. */
export function hashOf(registry: Registry, row: number): string {
  const width = registry.index.width;
  const bytes = registry.agents.columns.hash.subarray(row * width, (row + 1) * width);
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, width).toString('hex')}`;
}

/** The row of an agent by a well-formed hash in either case, or -1. */
export function rowOf(registry: Registry, hash: string): number {
  const bytes = Buffer.from(hash.slice(2), 'hex');
  return bytes.length === registry.index.width ? findRow(registry.index, registry.agents.columns.hash, bytes) : -1;
}

/** D-04: the global beat. */
export function currentBeat(registry: Registry): number {
  return Math.max(0, registry.anchorIndex) * registry.protocol.anchor.beatsPerAnchor;
}

/** The anchors issued since the agent last showed that it is alive (D-24). */
export function missedAnchors(registry: Registry, row: number): number {
  return registry.anchorIndex - registry.agents.line.lastSyncAnchor(row);
}
