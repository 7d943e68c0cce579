/** All that the model knows of a service: plain entries in tables, updated by the text of the specification alone. The value `undefined` means unknown. */

import { standingIn } from '../../spec/dialect-clauses.js';
import { addedClasses } from '../../spec/parts.js';
import type { LimitName, Protocol } from '../../spec/protocol.js';
import type { Known } from '../reading/known.js';
import type { Settings } from '../reading/settings.js';
import type { WalletKind } from '../reading/wallet-proof.js';
import { Table } from './table.js';

export interface Wallet {
  readonly kind: WalletKind;
  /** The wallet was linked after the registration. */
  readonly isLinked?: boolean;
  readonly address: string;
  /** Hex; absent for Ethereum. */
  readonly publicKeyHex?: string;
}

/** A SIGIL with the terms of its purchase. */
interface Sigil {
  readonly identity_class: string;
  readonly tier: string;
  readonly principal: string;
  readonly sigil_name: unknown;
  readonly sigil: unknown;
  readonly issued_at_beat: unknown;
}

export interface Agent {
  /** In lower case. */
  readonly hash: string;
  /** Its hash in the case in which the service issued it, which signatures cover. */
  readonly written: string;
  readonly name: string | undefined;
  readonly parent: string | null;
  readonly depth: number;
  /** The metadata of its registration, the clauses by which it must not be kept, and whether it was taken; absent: it sent none. */
  readonly metadata:
    | { readonly value: unknown; readonly unfit: readonly string[]; readonly isTaken: boolean }
    | undefined;
  readonly registeredBeat: number | undefined;
  /** The link of 3.6, step 7, was made, or it needs none. */
  linked: boolean;
  wallet: Wallet | null;
  revoked: boolean;
  started: boolean;
  /** The end of its chain. */
  chain: { beat: number | undefined; hash: string | undefined };
  genesisHash: string | undefined;
  totalBeats: number | undefined;
  /** The submitted beats that it has not spent on children. */
  spendable: number | undefined;
  /** Undefined: it has missed too many anchors, and the switch, which may run late, has not been seen to freeze it. */
  frozen: Known;
  /** The anchor of the latest sign of life, from which missed anchors count. */
  syncAnchor: number | undefined;
  /** Its latest sign of life is a resync of this form. */
  revived: 'prove' | 'receipt' | undefined;
  heartbeats: number;
  lastBeat: number | null | undefined;
  epoch: number | undefined;
  epochHeartbeats: number;
  sigil: Sigil | null;
  generation: number | undefined;
  /** Fields that PATCH /agent/metadata has set. */
  fields: Record<string, unknown>;
  /** Values that replies have shown and that never change. */
  shown: Record<string, unknown>;
  /** The number of changes of its lineage chain. */
  lineageEvents: number;
  lineageShown: { events: number; hash: unknown } | null;
  /** The fields of its latest issued passport. */
  passport: Readonly<Record<string, unknown>> | null;
  children: number;
  /** The number of spawn authorizations that it got. */
  authorizations: number;
}

export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly lamports: number;
  readonly status: 'confirmed' | 'pending' | 'failed';
  usedFor: FeeType | null;
  /** A request that named it was refused. */
  tried: boolean;
}

export type FeeType = 'heartbeat' | 'sigil' | 'reissuance';

export interface Sponsorship {
  readonly parent: string;
  readonly child: string;
  max: number;
  used: number | undefined;
  epoch: number | undefined;
  expiresMs: number | null | undefined;
  /** `open`: it is unknown whether it has ended. */
  status: 'active' | 'revoked' | 'open';
  /** The cause of its end: a call, the freeze of its parent or its child, or the loss of a key. */
  endedBy: 'call' | 'parent' | 'child' | 'key';
  /** The anchor of the call that made or last changed it. */
  readonly anchor: number | undefined;
  madeMs: number | undefined;
  /** The heartbeats that it has paid only by a decision (D-50). */
  decided: number | undefined;
  /** The heartbeats that it has surely paid in an epoch, whatever a change of its terms has made of the number shown (4.5). */
  paid: { readonly epoch: number | undefined; readonly count: number };
  shown: Record<string, unknown>;
}

/** A nonce, token or authorization, which can be used once and for a limited time. */
export interface Ticket {
  readonly kind: 'wallet' | 'resync' | 'register' | 'token' | 'authorization';
  /** The owner: an agent, or a flow of registration. */
  readonly of: string;
  readonly name?: string;
  readonly madeMs: number | undefined;
  used: boolean;
  /** A request that showed it was refused. */
  tried: boolean;
}

export interface Flag {
  readonly reporter: string;
  readonly target: string;
  status: 'pending' | 'sustained' | 'closed';
}

export interface Subsidy {
  /** 0 once it is deleted. */
  bps: number;
  /** The discount that it had. */
  deletedBps?: number;
  floor: number;
  untilMs: number | null | undefined;
  /** The clauses that its terms are evidence for: of its floor, and of the subsidy that it replaced. */
  readonly floorClauses: readonly string[];
  readonly replaces: boolean;
}

/** Requests of a rate-limit bucket: all of them, and those that certainly count. */
interface Bucket {
  readonly sentMs: number[];
  readonly takenMs: number[];
}

export interface State {
  readonly settings: Settings;
  readonly standing: (clause: string) => string | undefined;
  /** Whether time is stopped between the calls that move the clock. */
  isTimed: boolean;
  /** Protocol time; undefined where no clock of the run shows it. */
  nowMs: number | undefined;
  anchor: number | undefined;
  /** When it was issued, by its own field. */
  anchorMs: number | undefined;
  /** No agent that may freeze is in sync since an earlier anchor. */
  oldestSync: number;
  /** The policies of section 5 and 4.10, from the settings or from replies. */
  byoWallet: Known;
  beatsRequired: Known;
  /** Whether a root registration that needs no token is refused for an invalid one, as replies show. */
  readsTokens: Known;
  /** Section 8: the configured interval between heartbeats in beats, as refusals show it. */
  intervalBeats: number | undefined;
  /** Whether the server has found a beat valid, and so reads the form in which the suite sends beats. */
  readsBeats: boolean;
  /** Whether the server has accepted a vendor by the dialect's name (2.8). */
  takesVendors: boolean;
  /** Fees that the fee configuration table sets, in lamports by name. */
  feeTable: Readonly<Record<string, number>>;
  paymentAddress: string | undefined;
  /** The key that passports verify under, and the shapes of passports that have verified. */
  authority: { keyHex: string | undefined; verified: readonly string[] };
  readonly agents: Table<Agent>;
  /** Hash by agent key. */
  readonly keys: Table<{ readonly hash: string }>;
  readonly payments: Table<Payment>;
  /** By parent and child. */
  readonly sponsorships: Table<Sponsorship>;
  readonly tickets: Table<Ticket>;
  readonly flags: Table<Flag>;
  /** Complaints that were sent and are not judged: each may be pending. */
  flagsSent: number;
  /** How many complaints reviews have closed. */
  flagsClosed: number;
  /** The sustained complaints, by the agent that they are about. */
  readonly sustained: Table<Set<string>>;
  /** By agent and fee type. */
  readonly subsidies: Table<Subsidy>;
  readonly buckets: Table<Bucket>;
  /** Limits for which replies have shown that the older page of section 8 does not apply. */
  newerLimits: readonly LimitName[];
  /** SIGILs by principal and name. */
  readonly sigils: Table<object>;
  /** By key. */
  readonly admins: Table<{ expired: boolean }>;
  /** By key. */
  readonly partners: Table<Partner>;
  /** Hashes of anchors, by index. */
  readonly anchors: Table<{ readonly hash: string }>;
  /** Receipts of the beats service, by key. */
  readonly receipts: Table<Receipt>;
  /** Fees that were booked, by type. */
  readonly books: Table<Book>;
  /** The totals in the first summary, by type. */
  readonly bookedBefore: Table<Book>;
  /** Development's share in the latest summary, and whether all summaries have shown the same. */
  development: { readonly bps: number; readonly atMs: number; readonly isSame: boolean } | undefined;
}

/** A receipt of the beats service. */
export interface Receipt {
  readonly beats: number;
  readonly anchor: number | undefined;
  readonly difficulty: number | undefined;
  used: boolean;
  /** A request that showed it was refused. */
  tried: boolean;
}

/** A partner: its key is that of the table. */
export interface Partner {
  readonly ref: string;
  suspended: boolean;
  expired: boolean;
  webhook: { readonly url: unknown; readonly events: unknown } | null;
  /** The latest secret that it was given. */
  secret?: unknown;
}

/** Fees of one type. */
interface Book {
  count: number;
  lamports: number;
  /** Development's part of them, in lamports. */
  readonly development?: number | undefined;
}

/** An agent that has just registered. */
export function newAgent(
  state: State,
  {
    parent,
    ...own
  }: Pick<Agent, 'hash' | 'written' | 'name' | 'metadata' | 'wallet'> & { readonly parent: Agent | undefined },
): Agent {
  return {
    ...own,
    parent: parent?.hash ?? null,
    depth: parent === undefined ? state.settings.protocol.agent.rootDepth : parent.depth + 1,
    registeredBeat:
      state.anchor === undefined ? undefined : state.anchor * state.settings.protocol.anchor.beatsPerAnchor,
    linked: parent === undefined,
    revoked: false,
    started: false,
    chain: { beat: undefined, hash: undefined },
    genesisHash: undefined,
    totalBeats: undefined,
    spendable: 0,
    frozen: false,
    syncAnchor: undefined,
    revived: undefined,
    heartbeats: 0,
    lastBeat: null,
    epoch: undefined,
    epochHeartbeats: 0,
    sigil: null,
    generation: undefined,
    fields: {},
    shown: {},
    lineageEvents: 0,
    lineageShown: null,
    passport: null,
    children: 0,
    authorizations: 0,
  };
}

export function emptyState(settings: Settings): State {
  return {
    settings,
    standing: standingIn(settings.dialect),
    isTimed: true,
    nowMs: undefined,
    anchor: undefined,
    anchorMs: undefined,
    oldestSync: Number.NEGATIVE_INFINITY,
    readsBeats: false,
    takesVendors: false,
    byoWallet: settings.byoWallet,
    beatsRequired: settings.beatsRequired,
    readsTokens: undefined,
    intervalBeats: undefined,
    feeTable: {},
    paymentAddress: undefined,
    authority: { keyHex: undefined, verified: [] },
    agents: new Table(),
    keys: new Table(),
    payments: new Table(),
    sponsorships: new Table(),
    tickets: new Table(),
    flags: new Table(),
    flagsSent: 0,
    flagsClosed: 0,
    sustained: new Table(),
    subsidies: new Table(),
    buckets: new Table(),
    newerLimits: [],
    sigils: new Table(),
    admins: new Table(),
    partners: new Table(),
    anchors: new Table(),
    receipts: new Table(),
    books: new Table(),
    bookedBefore: new Table(),
    development: undefined,
  };
}

const tablesOf = (state: State): readonly [keyof State, Table<object>][] =>
  Object.entries(state).filter((entry): entry is [keyof State, Table<object>] => entry[1] instanceof Table);

/** A copy that may be changed and thrown away. */
export function fork(state: State): State {
  const tables = Object.fromEntries(tablesOf(state).map(([name, table]) => [name, table.fork()]));
  return { ...state, authority: { ...state.authority }, ...tables };
}

/** Writes the changes of a fork into the state that it was made from. */
export function commit(state: State, tried: State): void {
  for (const [, table] of tablesOf(tried)) table.commit();
  const others = Object.entries(tried).filter(([, value]) => !(value instanceof Table));
  Object.assign(state, Object.fromEntries(others));
}

/** 4.5 to 4.7: the fees of the text in lamports, by the names of the fee table. */
export function builtInFees(protocol: Protocol): Readonly<Record<string, number>> {
  const { sigil, heartbeat, reissue } = protocol;
  return {
    ...Object.fromEntries(addedClasses(protocol).map(({ name, feeLamports }) => [`sigil_${name}`, feeLamports])),
    sigil_narrow_task: sigil.narrowTaskFeeLamports,
    sigil_autonomous: sigil.autonomousFeeLamports,
    sigil_orchestrator: sigil.orchestratorFeeLamports,
    heartbeat_tier1: heartbeat.tier1FeeLamports,
    heartbeat_tier2: heartbeat.tier2FeeLamports,
    heartbeat_tier3: heartbeat.tier3FeeLamports,
    reissuance: reissue.feeLamports,
  };
}
