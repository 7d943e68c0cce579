/**
 * All that the model of a service knows: plain data, so that a copy of it can be tried and thrown away. It is kept by the text
 * of the specification, and knows nothing of the reference or of the checks.
 */

import { addedClasses } from '../../spec/parts.js';
import type { Protocol, RateLimit } from '../../spec/protocol.js';

/** A wallet of an agent. `secret`: 32 bytes in hex. */
export interface WalletState {
  readonly kind: 'self-custody' | 'operator' | 'ethereum';
  readonly secret: string;
  readonly address: string;
  readonly publicKeyHex: string;
}

/** A SIGIL as it was bought. */
export interface SigilState {
  readonly identityClass: string;
  readonly tier: string;
  readonly text: string;
  readonly beat: number;
  readonly name: string;
  readonly principal: string;
}

/** All that the model knows of an agent. */
export interface AgentState {
  readonly hash: string;
  readonly name: string;
  readonly key: string;
  readonly parent: number | null;
  readonly depth: number;
  /** The link of 3.6, step 7, was made, or it needs none: whether an ancestor may sponsor it before, the text leaves open. */
  linked: boolean;
  readonly metadata: unknown;
  wallet: WalletState | null;
  revoked: boolean;
  frozen: boolean;
  /** The end of its chain; null until init. */
  chain: { beat: number; hash: string } | null;
  totalBeats: number | null;
  /** The anchor from which missed anchors count. */
  syncAnchor: number;
  /** Its registration as passports show it, once one has been seen. */
  registeredAtBeat: number | null;
  lastHeartbeatBeat: number | null;
  heartbeats: number;
  epoch: number;
  epochHeartbeats: number;
  sigil: SigilState | null;
  passport: Readonly<Record<string, unknown>> | null;
  generation: number | null;
  /** Fields that PATCH /agent/metadata has set, with their values (2.8). */
  readonly fields: Record<string, unknown>;
}

/** A transaction that a request may name as its payment. */
export interface PaymentState {
  readonly tx: string;
  readonly from: string;
  readonly toService: boolean;
  readonly lamports: number;
  readonly status: 'confirmed' | 'pending' | 'failed';
  usedFor: 'heartbeat' | 'sigil' | 'reissuance' | null;
}

/** A sponsorship, as long as it is not revoked. */
export interface SponsorshipState {
  readonly sponsor: number;
  readonly child: number;
  max: number;
  used: number;
  epoch: number;
  expiresMs: number | null;
  state: 'active' | 'revoked' | 'sponsor-frozen';
}

/** A nonce of a wallet or resync challenge. */
export interface NonceState {
  readonly nonce: string;
  readonly agent: number;
  readonly madeMs: number;
  used: boolean;
}

/** A registration token (4.3), and whether it has been used. */
export interface TokenState {
  readonly token: string;
  readonly madeMs: number;
  used: boolean;
}

/** A receipt of the beats service. */
export interface ReceiptState {
  readonly receipt: unknown;
  readonly beats: number;
  readonly madeAnchor: number;
  used: boolean;
}

/** An authorization of a spawn preflight. */
export interface AuthorizationState {
  readonly token: string;
  readonly parent: number;
  readonly name: string;
  readonly madeMs: number;
  used: boolean;
}

/** A complaint by one agent about another (4.16). */
export interface FlagState {
  readonly id: string;
  readonly reporter: number;
  readonly target: number;
  readonly atMs: number;
  status: 'pending' | 'sustained' | 'closed';
}

/** A discount of one fee type for one agent. */
export interface SubsidyState {
  readonly agent: number;
  readonly feeType: string;
  readonly bps: number;
  readonly floor: number;
  readonly untilMs: number | null;
}

/** The fees of one type that have been paid (4.5). */
export interface BookState {
  count: number;
  lamports: number;
}

/** The fees summary as it was last seen: when, and what had been booked by then. */
export interface SummaryState {
  readonly atMs: number;
  /** Shares of a fee in basis points. */
  readonly bps: Readonly<Record<string, number>>;
  /** Lamports of development, of all fees. */
  readonly development: number | undefined;
  readonly lamports: number;
  readonly count: number;
}

/** Requests of a rate-limit bucket: all of them, and those that were surely counted. */
interface Bucket {
  readonly sentMs: number[];
  readonly takenMs: number[];
}

/** Everything that the model knows. */
export interface State {
  readonly protocol: Protocol;
  readonly byoWallet: boolean;
  readonly beatsRequired: boolean;
  readonly needsSecret: boolean;
  nowMs: number;
  anchor: number;
  readonly agents: AgentState[];
  readonly payments: PaymentState[];
  readonly sponsorships: SponsorshipState[];
  readonly nonces: NonceState[];
  readonly tokens: TokenState[];
  readonly receipts: ReceiptState[];
  readonly authorizations: AuthorizationState[];
  readonly flags: FlagState[];
  subsidies: SubsidyState[];
  readonly buckets: Record<string, Bucket>;
  /** By fee type. */
  readonly books: Record<string, BookState>;
  summary: SummaryState | null;
  /** The fees summary before anything was played. */
  baseline: unknown;
  /** The key that passports verify under, and whether one has. */
  authority: { readonly keyHex: string | null; verified: boolean };
  /** Hashes of anchors that were shown, by index. */
  readonly anchorHashes: Record<number, string>;
}

/** The model before anything has happened, of a service that is as `service` says. */
export function emptyState(service: Pick<State, 'protocol' | 'byoWallet' | 'beatsRequired' | 'needsSecret'>): State {
  return {
    ...service,
    nowMs: 0,
    anchor: 0,
    agents: [],
    payments: [],
    sponsorships: [],
    nonces: [],
    tokens: [],
    receipts: [],
    authorizations: [],
    flags: [],
    subsidies: [],
    buckets: {},
    books: {},
    summary: null,
    baseline: undefined,
    authority: { keyHex: null, verified: false },
    anchorHashes: {},
  };
}

/** A limit that a request counts against: the name of its bucket, how much it holds, and whether refused requests surely do not count. */
export type Counted = readonly [bucket: string, limit: RateLimit, what?: 'accepted'];

/** Notes a request in a bucket; `taken`: it was answered as one that the limit let through. */
export function count(state: State, bucket: string, taken: boolean): void {
  const entry = state.buckets[bucket] ?? { sentMs: [], takenMs: [] };
  state.buckets[bucket] = entry;
  entry.sentMs.push(state.nowMs);
  if (taken) entry.takenMs.push(state.nowMs);
}

/**
 * Whether a limit has to refuse the next request, may refuse it, or must not. The form of the window is open: one that is
 * anchored anywhere lets twice as many through in a span of its length, and none lets more than its count through at once.
 */
export function limited(state: State, [bucket, { count: max, windowSec }]: Counted): 'no' | 'may' | 'must' {
  const entry = state.buckets[bucket];
  // A limit of 0 switches an endpoint off.
  if (max === 0) return 'must';
  if (entry === undefined) return 'no';
  const within = (times: readonly number[]): number =>
    times.filter((atMs) => atMs > state.nowMs - windowSec * 1_000).length;
  const now = entry.takenMs.filter((atMs) => atMs === state.nowMs).length;
  if (now >= max || within(entry.takenMs) >= 2 * max) return 'must';
  return within(entry.sentMs) >= max ? 'may' : 'no';
}

/** Books a fee that was paid. */
export function book({ books }: State, feeType: 'sigil' | 'heartbeat' | 'reissuance', lamports: number): void {
  const entry = books[feeType] ?? { count: 0, lamports: 0 };
  books[feeType] = { count: entry.count + 1, lamports: entry.lamports + lamports };
}

/** The billing epoch, counted in beats; a beat is an anchor here (D-04), since the text gives beats no other clock. */
export function epochOf({ anchor, protocol }: State): number {
  return Math.floor(anchor / protocol.heartbeat.epochBeats);
}

/** The heartbeats of an agent in this epoch. */
export function inEpoch(state: State, agent: AgentState): number {
  return agent.epoch === epochOf(state) ? agent.epochHeartbeats : 0;
}

/** The heartbeats that an agent may send in an epoch; undefined for one without a class. */
export function capOf({ protocol }: State, { sigil }: AgentState): number | undefined {
  if (sigil === null) return undefined;
  const { heartbeat } = protocol;
  const added = addedClasses(protocol).map(({ name, cap }) => [name, cap] as const);
  const caps: Readonly<Record<string, number>> = {
    ...Object.fromEntries(added),
    narrow_task: heartbeat.narrowTaskCap,
    autonomous: heartbeat.autonomousCap,
    orchestrator: heartbeat.orchestratorCap,
  };
  return caps[sigil.identityClass];
}

/** The heartbeats that a sponsorship has paid in this epoch. */
export function usedInEpoch(state: State, { epoch, used }: SponsorshipState): number {
  return epoch === epochOf(state) ? used : 0;
}

/** Brings the model to a later moment: who has missed more than 60 anchors is frozen, and its sponsorships are revoked. */
export function moveOn(state: State, nowMs: number, anchor: number): void {
  state.nowMs = nowMs;
  state.anchor = anchor;
  state.agents.forEach((agent, place) => {
    if (agent.chain === null || agent.frozen) return;
    if (anchor - agent.syncAnchor <= state.protocol.dms.missedAnchorsMax) return;
    agent.frozen = true;
    revokeSponsorships(state, place, 'sponsor-frozen');
  });
}

/** Ends the sponsorships of an agent; those that it pays in the state `asSponsor`. */
export function revokeSponsorships(state: State, place: number, asSponsor: 'revoked' | 'sponsor-frozen'): void {
  for (const each of state.sponsorships) {
    if (each.state !== 'active') continue;
    if (each.sponsor === place) each.state = asSponsor;
    else if (each.child === place) each.state = 'revoked';
  }
}

/** Whether every link from an agent up to another was made. */
export function isLinked({ agents }: State, place: number, to: number): boolean {
  for (let at: number | null = place; at !== null && at !== to; at = agents[at]?.parent ?? null) {
    if (agents[at]?.linked !== true) return false;
  }
  return true;
}

/** Whether an agent descends from another, at any depth. */
export function descends({ agents }: State, place: number, from: number): boolean {
  for (let at = agents[place]?.parent ?? null; at !== null; at = agents[at]?.parent ?? null) {
    if (at === from) return true;
  }
  return false;
}

/** The fee of an agent for an item whose price is `base` lamports: a subsidy discounts it, down to its floor. */
export function feeOf(state: State, place: number, feeType: string, base: number): number {
  const subsidy = state.subsidies.find(
    (each) => each.agent === place && each.feeType === feeType && (each.untilMs === null || each.untilMs > state.nowMs),
  );
  if (subsidy === undefined) return base;
  return Math.max((base * (10_000 - subsidy.bps)) / 10_000, subsidy.floor);
}
