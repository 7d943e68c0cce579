/** The model's knowledge of a service: tables of plain entries, updated by the rules of the text. `undefined` means unknown. */

import { standingIn } from '../../spec/dialect-clauses.js';
import { addedClasses } from '../../spec/parts.js';
import type { LimitName, Protocol } from '../../spec/protocol.js';
import { ClauseLists } from '../reading/clause-lists.js';
import type { Known } from '../reading/known.js';
import { perObject } from '../reading/memo.js';
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
export interface Sigil {
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
  /** Its hash in the case that the service issued and signatures cover. */
  readonly written: string;
  readonly name: string | undefined;
  readonly parent: string | null;
  readonly depth: number;
  /** The metadata of its registration, the clauses that forbid to keep it, and whether the service took it; absent if the request had none. */
  readonly metadata:
    | { readonly value: unknown; readonly unfit: readonly string[]; readonly isTaken: boolean }
    | undefined;
  readonly registeredBeat: number | undefined;
  /** Step 7 of 3.6 (the link to its parent) is done; true for an agent that needs no link. */
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
  /** Undefined: it has missed too many anchors, but no reply shows the freeze yet, since the switch may run late. */
  frozen: Known;
  /** The anchor of its latest sign of life; missed anchors count from there. */
  syncAnchor: number | undefined;
  /** The form of the resync, if its latest sign of life is one. */
  revived: 'prove' | 'receipt' | undefined;
  heartbeats: number;
  lastBeat: number | null | undefined;
  epoch: number | undefined;
  epochHeartbeats: number;
  sigil: Sigil | null;
  /** It has paid a deposit that no freeze is known to have taken. */
  deposit?: true;
  generation: number | undefined;
  /** Fields that PATCH /agent/metadata has set. */
  fields: Record<string, unknown>;
  /** Values that never change, as replies have shown them. */
  shown: Record<string, unknown>;
  /** The number of its lineage events. */
  lineageEvents: number;
  lineageShown: { events: number; hash: unknown } | null;
  /** The fields of its latest passport. */
  passport: Readonly<Record<string, unknown>> | null;
  children: number;
  /** The number of its spawn authorizations. */
  authorizations: number;
  /** It was there before the traffic, so some of its fields are unknown. */
  isPartial?: true;
}

export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly lamports: number;
  readonly status: 'confirmed' | 'pending' | 'failed';
  usedFor: FeeType | null;
  /** A request that named it was refused. */
  tried: boolean;
  /** No transfer was seen, so some of its fields are unknown. */
  isPartial?: true;
}

export type FeeType = 'heartbeat' | 'sigil' | 'reissuance';

export interface Sponsorship {
  readonly parent: string;
  readonly child: string;
  max: number;
  used: number | undefined;
  epoch: number | undefined;
  expiresMs: number | null | undefined;
  /** `open`: it may have ended. */
  status: 'active' | 'revoked' | 'open';
  /** The cause of its end: a call, the freeze of its parent or its child, or the loss of a key. */
  endedBy: 'call' | 'parent' | 'child' | 'key';
  /** The anchor of the call that last made or changed it. */
  readonly anchor: number | undefined;
  madeMs: number | undefined;
  /** The number of its paid heartbeats that count only by a decision (D-50). */
  decided: number | undefined;
  /** The number of heartbeats that it has certainly paid in an epoch, even if a change of its terms resets the shown number (4.5). */
  paid: { readonly epoch: number | undefined; readonly count: number };
  shown: Record<string, unknown>;
}

/** A nonce, token or authorization, which can be used once and for a limited time. */
export interface Ticket {
  readonly kind: 'wallet' | 'resync' | 'register' | 'token' | 'authorization';
  /** The owner: an agent, or a registration in two phases. */
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
  /** The discount before it was deleted. */
  deletedBps?: number;
  floor: number;
  untilMs: number | null | undefined;
  /** The clauses about its floor, and about replacing an earlier subsidy. */
  readonly floorClauses: readonly string[];
  readonly replaces: boolean;
}

/** The requests of a rate-limit bucket: those under way, the times of all that were sent, and of those that certainly count. */
export interface Bucket {
  underWay: number;
  readonly sentMs: number[];
  readonly takenMs: number[];
}

/** The clock of a service as its exchanges show it. */
export interface SeenClock {
  /**
   * `wall`: protocol time runs with the clock of the observer; `own`: it does not; `control`: calls of the control API move it.
   */
  readonly kind: 'unknown' | 'wall' | 'own' | 'control';
  /** The observer's clock plus this is protocol time, as the latest reply with a time has shown. */
  readonly offsetMs?: number;
  /** When that reply came, by the observer's clock. */
  readonly seenMs?: number;
  /** The latest anchor that a reply has shown, and when that reply came. */
  readonly anchor?: { readonly index: number; readonly endedMs: number };
}

export interface State {
  readonly settings: Settings;
  /** The clauses of the dialect. */
  readonly lists: ClauseLists;
  /** The state knows the service from its start. If it does not, an agent, key or payment that it does not hold may exist. */
  readonly isWhole: boolean;
  /** Whether a judgement describes the situation of its request: by its endpoint (method and path), and the reasons to refuse it that apply. */
  describes: (endpoint: string, outcome: string) => boolean;
  /** Whether time passes only by calls that move the clock. */
  isTimed: boolean;
  /** Time may have passed that no exchange shows, so an agent may be frozen by now. */
  mayHavePassed: boolean;
  /** The largest difference between `nowMs` and protocol time. */
  slackMs: number;
  /** The clock of the service. */
  clock: SeenClock;
  /** Protocol time; undefined if no clock shows it. */
  nowMs: number | undefined;
  anchor: number | undefined;
  /** The time of issue that the anchor shows. */
  anchorMs: number | undefined;
  /** All agents that may freeze were last in sync at this anchor or later. */
  oldestSync: number;
  /** The policies of 5 and 4.10, from the settings or learnt from replies. */
  byoWallet: Known;
  beatsRequired: Known;
  /** Whether the service refuses an invalid token in a root registration that needs no token; learnt from replies. */
  readsTokens: Known;
  /** Section 8: the interval between heartbeats in beats, learnt from refusals. */
  intervalBeats: number | undefined;
  /** The server has found a beat valid, so it reads the form in which the suite sends beats. */
  readsBeats: boolean;
  /** The server has accepted the dialect's name of a vendor (2.8). */
  takesVendors: boolean;
  /** The fee configuration table: lamports by name. */
  feeTable: Readonly<Record<string, number>>;
  /** The fees of a service whose fees are open, as the latest schedule has shown them: lamports by name. */
  shownFees: Readonly<Record<string, number>> | undefined;
  paymentAddress: string | undefined;
  /** The key of the authority, and the sets of fields of passports that it has verified. */
  authority: { keyHex: string | undefined; verified: readonly string[] };
  readonly agents: Table<Agent>;
  /** Hash by agent key. */
  readonly keys: Table<{ readonly hash: string }>;
  readonly payments: Table<Payment>;
  /** By parent and child. */
  readonly sponsorships: Table<Sponsorship>;
  readonly tickets: Table<Ticket>;
  readonly flags: Table<Flag>;
  /** The number of sent complaints without a known review: each may be pending. */
  flagsSent: number;
  /** The number of complaints that reviews have closed. */
  flagsClosed: number;
  /** The sustained complaints, by accused agent. */
  readonly sustained: Table<Set<string>>;
  /** By agent and fee type. */
  readonly subsidies: Table<Subsidy>;
  readonly buckets: Table<Bucket>;
  /** The limits that are larger than on the older page of section 8, as replies have shown. */
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
  /** The fees that the run has paid, by type. */
  readonly books: Table<Book>;
  /** The totals before the run, by type: those of the first summary less the run's own fees. */
  readonly bookedBefore: Table<Book>;
  /** Development's share in the latest summary, and whether all summaries agree. */
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

/** A partner; the key of its entry is its API key. */
export interface Partner {
  readonly ref: string;
  suspended: boolean;
  expired: boolean;
  webhook: { readonly url: unknown; readonly events: unknown } | null;
  /** The latest secret of its webhook. */
  secret?: unknown;
}

/** Fees of one type. */
interface Book {
  count: number;
  lamports: number;
  /** Development's part of them, in lamports. */
  readonly development?: number | undefined;
}

/** Makes the entry of an agent that has just registered. */
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
    lists: new ClauseLists(standingIn(settings.dialect)),
    isWhole: true,
    describes: () => false,
    isTimed: true,
    mayHavePassed: false,
    slackMs: 0,
    clock: { kind: 'unknown' },
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
    shownFees: undefined,
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

/** The tables of a state, by name. */
export const tablesOf = (state: State): readonly [keyof State, Table<object>][] =>
  Object.entries(state).filter((entry): entry is [keyof State, Table<object>] => entry[1] instanceof Table);

/** Copies a state; changes of the copy can be discarded. */
export function fork(state: State): State {
  const tables = Object.fromEntries(tablesOf(state).map(([name, table]) => [name, table.fork()]));
  return { ...state, authority: { ...state.authority }, ...tables };
}

/** The values of a state besides its tables and settings, which change as replies come. */
export function valuesOf(state: State): Readonly<Record<string, unknown>> {
  const { settings: _, lists: __, ...others } = state;
  return Object.fromEntries(Object.entries(others).filter(([, value]) => !(value instanceof Table)));
}

/** Writes the changes of a fork into the state that it was made from. */
export function commit(state: State, tried: State): void {
  for (const [, table] of tablesOf(tried)) table.commit();
  const others = Object.entries(tried).filter(([, value]) => !(value instanceof Table));
  Object.assign(state, Object.fromEntries(others));
}

/** 4.5 to 4.7: the fees of the text in lamports, by the names of the fee table. */
export const builtInFees = perObject((protocol: Protocol): Readonly<Record<string, number>> => {
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
});
