/**
 * All that the model knows of a service: plain entries in tables, kept by the text of the specification alone. `undefined` stands
 * for unknown wherever it is a value.
 */

import type { Facts } from '../spec/endpoint.js';
import { addedClasses } from '../spec/parts.js';
import type { Protocol } from '../spec/protocol.js';
import { Table } from './table.js';

/** How the service is set up; what is not stated is unknown. */
export interface Settings extends Facts {
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
  readonly controlUrl: string | undefined;
  readonly byoWallet: boolean | undefined;
  readonly beatsRequired: boolean | undefined;
  /** Whether root registrations need the registration secret. */
  readonly needsSecret: boolean | undefined;
  readonly mainnet: boolean;
  readonly registrationSecret: string | undefined;
}

export interface Wallet {
  readonly kind: 'self-custody' | 'operator' | 'ethereum';
  readonly address: string;
  /** Hex; absent for Ethereum. */
  readonly publicKeyHex?: string;
}

/** A SIGIL as it was bought. */
export interface Sigil {
  readonly identity_class: string;
  readonly tier: string;
  readonly principal: string;
  readonly sigil_name: unknown;
  readonly sigil: unknown;
  readonly issued_at_beat: unknown;
  readonly birth_tx: unknown;
}

export interface Agent {
  readonly hash: string;
  readonly name: string | undefined;
  readonly parent: string | null;
  readonly depth: number;
  /** The metadata of its registration; absent: it sent none. */
  readonly metadata: { readonly value: unknown } | undefined;
  readonly registeredAnchor: number | undefined;
  /** The link of 3.6, step 7, was made, or it needs none. */
  linked: boolean;
  wallet: Wallet | null;
  revoked: boolean;
  started: boolean;
  /** The end of its chain. */
  chain: { beat: number | undefined; hash: string | undefined };
  genesisHash: string | undefined;
  totalBeats: number | undefined;
  frozen: boolean;
  /** The anchor of the latest sign of life, from which missed anchors count. */
  syncAnchor: number | undefined;
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
  /** Changes of its lineage chain, and the hash that a passport showed after how many of them. */
  lineageEvents: number;
  lineageShown: { events: number; hash: unknown } | null;
  /** The fields of its latest passport that was handed out. */
  passport: Readonly<Record<string, unknown>> | null;
  /** The place of its partner, as registered. */
  partnerRef: string | undefined;
  children: number;
  /** Spawn authorizations that it was given. */
  authorizations: number;
}

export interface Payment {
  readonly tx: string;
  readonly from: string;
  readonly to: string;
  readonly lamports: number;
  readonly status: 'confirmed' | 'pending' | 'failed';
  usedFor: FeeType | null;
}

export type FeeType = 'heartbeat' | 'sigil' | 'reissuance';

export interface Sponsorship {
  readonly parent: string;
  readonly child: string;
  max: number;
  used: number | undefined;
  epoch: number | undefined;
  expiresMs: number | null | undefined;
  status: 'active' | 'revoked';
  /** The sponsor froze, which ended it. */
  byFreeze: boolean;
  shown: Record<string, unknown>;
}

/** A nonce, token or authorization: once, and for a time. */
export interface Ticket {
  readonly kind: 'wallet' | 'resync' | 'register' | 'token' | 'authorization';
  /** The owner: an agent, or a flow of registration. */
  readonly of: string;
  readonly name?: string;
  readonly madeMs: number | undefined;
  used: boolean;
}

export interface Flag {
  readonly id: string;
  readonly reporter: string;
  readonly target: string;
  readonly atMs: number | undefined;
  status: 'pending' | 'sustained' | 'closed';
}

export interface Subsidy {
  bps: number;
  floor: number;
  untilMs: number | null | undefined;
}

/** Requests of a rate-limit bucket: all of them, and those that were surely counted. */
export interface Bucket {
  readonly sentMs: number[];
  readonly takenMs: number[];
}

export interface State {
  readonly settings: Settings;
  /** Protocol time; undefined where no clock of the run shows it. */
  nowMs: number | undefined;
  anchor: number | undefined;
  /** Fees that a table sets, by name; undefined: unknown. */
  fees: Readonly<Record<string, number>> | undefined;
  paymentAddress: string | undefined;
  /** The key that passports verify under, whether one has, and how many were seen. */
  authority: { keyHex: string | undefined; verified: boolean; seen: number };
  readonly agents: Table<Agent>;
  /** Hash by agent key. */
  readonly keys: Table<{ readonly hash: string }>;
  readonly payments: Table<Payment>;
  /** By parent and child. */
  readonly sponsorships: Table<Sponsorship>;
  readonly tickets: Table<Ticket>;
  readonly flags: Table<Flag>;
  /** By agent and fee type. */
  readonly subsidies: Table<Subsidy>;
  readonly buckets: Table<Bucket>;
  /** By key of an administrator or partner. */
  /** SIGILs by principal and name. */
  readonly sigils: Table<object>;
  readonly admins: Table<{ expired: boolean }>;
  readonly partners: Table<Partner>;
  /** Hashes of anchors, by index. */
  readonly anchors: Table<{ readonly hash: string }>;
  /** Receipts of the beats service, by key. */
  readonly receipts: Table<Receipt>;
  /** Fees that were booked, by type. */
  readonly books: Table<Book>;
  /** The books as the first summary showed them, by type. */
  readonly bookedBefore: Table<Book>;
}

/** A receipt of the beats service. */
export interface Receipt {
  readonly beats: number;
  readonly anchor: number | undefined;
  readonly difficulty: number | undefined;
  used: boolean;
}

/** A partner: its key is that of the table. */
export interface Partner {
  readonly ref: string;
  suspended: boolean;
  expired: boolean;
  webhook: { readonly url: unknown; readonly events: unknown } | null;
}

/** Fees of one type. */
export interface Book {
  count: number;
  lamports: number;
}

/** An agent that has just registered. */
export function newAgent(
  state: State,
  {
    parent,
    ...own
  }: Pick<Agent, 'hash' | 'name' | 'metadata' | 'wallet' | 'partnerRef'> & { readonly parent: Agent | undefined },
): Agent {
  return {
    ...own,
    parent: parent?.hash ?? null,
    depth: parent === undefined ? state.settings.protocol.agent.rootDepth : parent.depth + 1,
    partnerRef: own.partnerRef ?? parent?.partnerRef,
    registeredAnchor: state.anchor,
    linked: parent === undefined,
    revoked: false,
    started: false,
    chain: { beat: undefined, hash: undefined },
    genesisHash: undefined,
    totalBeats: undefined,
    frozen: false,
    syncAnchor: undefined,
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
    nowMs: undefined,
    anchor: undefined,
    fees: builtInFees(settings.protocol),
    paymentAddress: undefined,
    authority: { keyHex: undefined, verified: false, seen: 0 },
    agents: new Table(),
    keys: new Table(),
    payments: new Table(),
    sponsorships: new Table(),
    tickets: new Table(),
    flags: new Table(),
    subsidies: new Table(),
    buckets: new Table(),
    sigils: new Table(),
    admins: new Table(),
    partners: new Table(),
    anchors: new Table(),
    receipts: new Table(),
    books: new Table(),
    bookedBefore: new Table(),
  };
}

const tablesOf = (state: State): readonly [keyof State, Table<object>][] =>
  Object.entries(state).filter((entry): entry is [keyof State, Table<object>] => entry[1] instanceof Table);

/** A copy that may be changed and thrown away. */
export function fork(state: State): State {
  const tables = Object.fromEntries(tablesOf(state).map(([name, table]) => [name, table.fork()]));
  return { ...state, authority: { ...state.authority }, ...tables };
}

/** Makes a fork's knowledge that of the state which it was made of. */
export function commit(state: State, tried: State): void {
  for (const [, table] of tablesOf(tried)) table.commit();
  const { nowMs, anchor, fees, paymentAddress, authority } = tried;
  Object.assign(state, { nowMs, anchor, fees, paymentAddress, authority });
}

/** 4.5 to 4.7: the fees in lamports, by the names that the fee table has. */
function builtInFees(protocol: Protocol): Readonly<Record<string, number>> {
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

/** 4.5: the billing epoch. D-04: a beat is an anchor. */
export function epochOf({ anchor, settings }: State): number | undefined {
  return anchor === undefined ? undefined : Math.floor(anchor / settings.protocol.heartbeat.epochBeats);
}

/** The heartbeats of an agent in the current epoch. */
export function heartbeatsInEpoch(state: State, agent: Agent): number | undefined {
  const epoch = epochOf(state);
  if (agent.heartbeats === 0) return 0;
  if (epoch === undefined || agent.epoch === undefined) return undefined;
  return agent.epoch === epoch ? agent.epochHeartbeats : 0;
}

/** 4.5: the heartbeats that a class may send in an epoch. */
export function capOf({ settings: { protocol } }: State, identityClass: string): number | undefined {
  const { heartbeat } = protocol;
  const caps: Readonly<Record<string, number>> = {
    ...Object.fromEntries(addedClasses(protocol).map(({ name, cap }) => [name, cap])),
    narrow_task: heartbeat.narrowTaskCap,
    autonomous: heartbeat.autonomousCap,
    orchestrator: heartbeat.orchestratorCap,
  };
  return caps[identityClass];
}

/** The fee of an agent in lamports: D-28 has the formula of a subsidy. */
export function feeOf(state: State, agent: Agent, feeType: FeeType, name: string): number | undefined {
  const base = state.fees?.[name];
  const subsidy = state.subsidies.get(`${agent.hash} ${feeType}`);
  if (base === undefined || subsidy === undefined) return base;
  if (subsidy.untilMs !== null) {
    if (subsidy.untilMs === undefined || state.nowMs === undefined) return undefined;
    if (subsidy.untilMs <= state.nowMs) return base;
  }
  return Math.min(base, Math.max(1, subsidy.floor, Math.floor((base * (10_000 - subsidy.bps)) / 10_000)));
}

/** The name of the heartbeat fee that the nth heartbeat of an epoch costs, and its tier (4.5). */
export function tierOf({ settings }: State, nth: number): 1 | 2 | 3 {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax } = settings.protocol.heartbeat;
  return nth <= tier1HeartbeatsMax ? 1 : nth <= tier2HeartbeatsMax ? 2 : 3;
}

/** Whether `from` is among the ancestors of an agent; unknown where a link between them is not made yet. */
export function descends(state: State, agent: Agent, from: string): boolean | undefined {
  let linked = true;
  for (let at: Agent | undefined = agent; at !== undefined && at.parent !== null; ) {
    linked &&= at.linked;
    if (at.parent === from) return linked ? true : undefined;
    at = state.agents.get(at.parent);
  }
  return false;
}

/** The active sponsorships of a child or of a parent end. */
export function endSponsorships(state: State, hash: string, byFreeze: boolean): void {
  for (const key of state.sponsorships.keys()) {
    const each = key.includes(hash) ? state.sponsorships.get(key) : undefined;
    if (each?.status !== 'active') continue;
    each.status = 'revoked';
    each.byFreeze = byFreeze && each.parent === hash;
  }
}

/** 3.1: brings the model to a later anchor. More than 60 missed anchors freeze an agent whose chain has started. */
export function moveTo(state: State, nowMs: number | undefined, anchor: number | undefined): void {
  state.nowMs = nowMs;
  state.anchor = anchor;
  if (anchor === undefined) return;
  for (const hash of state.agents.keys()) {
    const agent = state.agents.get(hash);
    if (agent === undefined || !agent.started || agent.frozen || agent.syncAnchor === undefined) continue;
    if (anchor - agent.syncAnchor <= state.settings.protocol.dms.missedAnchorsMax) continue;
    agent.frozen = true;
    agent.lineageEvents += 1;
    endSponsorships(state, hash, true);
  }
}
