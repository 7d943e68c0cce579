/**
 * The state of the second server, and the few things that every operation needs of it: time, anchors, agents, single-use
 * nonces, limits and the ledger. The rules of the operations are in the other files.
 */

import type { KeyObject } from 'node:crypto';
import { ed25519Key, ed25519Public, hmac, same, sha256 } from './crypto.js';
import { type LimitName, type Numbers, numbersWith, type OtherNumbers } from './numbers.js';
import { Refusal } from './refusal.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Before the sunset of lineage_proof. */
const START_MS = Date.parse('2026-02-03T04:05:06.000Z');

export type IdentityClass = 'narrow_task' | 'autonomous' | 'orchestrator';
export interface Wallet {
  readonly model: 'self-custody' | 'operator';
  readonly chain: 'solana' | 'ethereum';
  /** By which the ledger names it. */
  readonly address: string;
  /** As the client wrote it. */
  readonly shown: string;
}
export interface Sigil {
  readonly name: string;
  readonly principal: string;
  readonly tier: string;
  readonly identityClass: IdentityClass;
  readonly beat: number;
  readonly birthTx: string;
}
interface Chain {
  readonly genesis: { index: number; hash: string; prev: string; timestamp: number };
  latestBeat: number;
  latestHash: string;
  total: number;
}
export interface Agent {
  readonly hash: string;
  readonly name: string;
  readonly metadata: Record<string, unknown> | null;
  readonly parent: Agent | null;
  readonly depth: number;
  readonly beat: number;
  readonly birthTx: string;
  readonly children: Agent[];
  /** Children by hash whose lineage link has been made. */
  readonly linked: Set<string>;
  wallet: Wallet | null;
  keyRevoked: boolean;
  chain: Chain | null;
  frozen: boolean;
  /** The anchor from which missed anchors count. */
  lastSync: number;
  sigil: Sigil | null;
  heartbeats: number;
  lastHeartbeat: number | null;
  epoch: number;
  epochHeartbeats: number;
  lineage: string;
  /** The hashes of its events, where the lineage is made of them. */
  readonly events: string[];
  passport: Record<string, unknown> | null;
  generation: number;
  mutable: Record<string, unknown>;
}
export interface Sponsorship {
  readonly sponsor: Agent;
  readonly child: Agent;
  readonly createdAt: number;
  expiresAt: number;
  max: number;
  used: number;
  epoch: number;
  state: 'active' | 'revoked' | 'sponsor-frozen';
}
export interface Flag {
  readonly id: string;
  readonly reporter: Agent;
  readonly target: Agent;
  readonly at: number;
  status: 'pending' | 'sustained' | 'dismissed' | 'resolved';
}
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly lamports: number;
  readonly status: 'confirmed' | 'pending' | 'failed';
}
interface Subsidy {
  readonly bps: number;
  readonly floor: number;
  readonly reason: string;
  readonly until: number | null;
}
export interface Settings {
  readonly seed: string;
  readonly network: 'devnet' | 'mainnet';
  readonly registrationSecret: string | null;
  readonly beatsRequired: boolean;
  readonly byoWallet: boolean;
  /** The difficulty of beats: 1000 by the text; less in tests, to save time. */
  readonly difficulty: number;
  /** Numbers in place of those of the text, as a target file has them. */
  readonly numbers: OtherNumbers;
  /** Modes of calls that are switched off: the challenge form of a resync can be. */
  readonly without: readonly 'resync/challenge'[];
  /** The differences of the published service by docs/decisions.md (D-57): published.ts. */
  readonly published: boolean;
}

export class World {
  now = START_MS;
  stalled = false;
  readonly agents = new Map<string, Agent>();
  readonly sponsorships: Sponsorship[] = [];
  readonly flags: Flag[] = [];
  readonly subsidies = new Map<string, Subsidy>();
  readonly adminKeys = new Map<string, boolean>();
  readonly balances = new Map<string, number>();
  readonly transfers = new Map<string, Transfer>();
  readonly paidBy = new Set<string>();
  readonly receiptsUsed = new Set<string>();
  /** Registration tokens, and when each ends. */
  readonly registrationTokens = new Map<string, number>();
  readonly spawnAuthorizations = new Map<string, { parent: Agent; name: string; until: number; used: boolean }>();
  fees: Record<string, number> = {};
  readonly till: string;
  readonly authority: KeyObject;
  readonly authorityPublic: string;
  private readonly nonces = new Map<string, { kind: string; until: number; about: unknown }>();
  private readonly windows = new Map<string, { from: number; count: number }>();
  /** Anchors that were not issued because the chain stood still. */
  private skipped = 0;
  /** When the latest anchor was issued, and the difficulty that follows from the pace of anchors, which the published service reports. */
  anchorAt = START_MS;
  anchorDifficulty: number;
  private drawn = 0;

  readonly numbers: Numbers;

  constructor(readonly settings: Settings) {
    this.numbers = numbersWith(settings.numbers);
    this.anchorDifficulty = settings.difficulty;
    this.authority = ed25519Key(sha256(`authority ${settings.seed}`));
    this.authorityPublic = ed25519Public(this.authority);
    this.till = `1TiLL${sha256(`till ${settings.seed}`).replaceAll('0', 'z').slice(0, 32)}`;
  }

  /** `bytes` random bytes in hex, which follow from the seed. */
  random(bytes: number): string {
    let hex = '';
    while (hex.length < 2 * bytes) hex += hmac(this.settings.seed, `draw ${this.drawn++}`);
    return hex.slice(0, 2 * bytes);
  }

  /** The interval of anchors; a beat of protocol time is as long. */
  get anchorMs(): number {
    return 1_000 * this.numbers.anchor.intervalSec;
  }

  /** The index of the latest anchor, which is the current beat too. */
  get anchor(): number {
    return Math.floor((this.now - START_MS) / this.anchorMs) - this.skipped;
  }

  get epoch(): number {
    return Math.floor(this.anchor / this.numbers.heartbeat.epochBeats);
  }

  /** Years since the service began, of 365 days. */
  get years(): number {
    return Math.floor((this.now - START_MS) / (365 * 24 * HOUR_MS));
  }

  anchorHash(index: number): string {
    return sha256(`anchor ${this.settings.seed} ${index}`);
  }

  /** Moves time forward, and freezes who has missed more anchors than the limit. */
  advance(ms: number): void {
    const before = this.anchor;
    this.now += ms;
    if (this.stalled) this.skipped += this.anchor - before;
    for (let index = before + 1; index <= this.anchor; index += 1) this.issue(index);
    for (const agent of this.agents.values()) {
      if (agent.chain === null || agent.frozen || this.anchor - agent.lastSync <= this.numbers.dms.missedAnchorsMax)
        continue;
      agent.frozen = true;
      this.revokeSponsorships(agent, 'sponsor-frozen');
    }
  }

  /** Issues an anchor: with each 100th the difficulty follows the pace, at most four times either way. */
  private issue(index: number): void {
    const at = START_MS + (index + this.skipped) * this.anchorMs;
    if (index % 100 === 0) {
      const factor = Math.min(4, Math.max(0.25, this.anchorMs / (at - this.anchorAt)));
      this.anchorDifficulty = Math.min(1_000_000, Math.max(100, Math.floor(this.anchorDifficulty * factor)));
    }
    this.anchorAt = at;
  }

  /** The prefix of signed messages. */
  get messagePrefix(): string {
    return this.settings.published ? 'provenonce' : 'service';
  }

  /** Milliseconds until the n-th anchor from now. */
  untilAnchor(n: number): number {
    const since = (this.now - START_MS) % this.anchorMs;
    return n === 0 ? 0 : n * this.anchorMs - since;
  }

  /** Ends the sponsorships that an agent has part in; one that it pays itself ends in the state `asSponsor`. */
  revokeSponsorships(agent: Agent, asSponsor: 'revoked' | 'sponsor-frozen'): void {
    for (const each of this.sponsorships) {
      if (each.state !== 'active') continue;
      if (each.sponsor === agent) each.state = asSponsor;
      else if (each.child === agent) each.state = 'revoked';
    }
  }

  /** The key of an agent. */
  keyOf(agent: Agent): string {
    const payload = Buffer.from(JSON.stringify({ agent: agent.hash })).toString('base64url');
    return `pvn_${payload}.${hmac(`key ${this.settings.seed}`, payload)}`;
  }

  /** The agent of an Authorization header, or 401. */
  agentOf(authorization: string | undefined): Agent {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [payload, signature, ...rest] = token.replace(/^pvn_/, '').split('.');
    const fits =
      token.startsWith('pvn_') && payload !== undefined && signature !== undefined && rest.length === 0
        ? same(signature, hmac(`key ${this.settings.seed}`, payload))
        : false;
    const about: unknown = fits ? JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) : null;
    const agent = isRecord(about) ? this.agents.get(String(about['agent'])) : undefined;
    if (agent === undefined || agent.keyRevoked) {
      throw new Refusal(401, 'AUTH_MISSING', 'Send the API key of an agent as Authorization: Bearer <key>.');
    }
    return agent;
  }

  /** Counts a request in a bucket of section 8. `max`: the published service has another count. */
  limit(name: LimitName, subject: string, max = this.numbers.limits[name].count): void {
    this.count(`${name} ${subject}`, max, 1_000 * this.numbers.limits[name].windowSec);
  }

  /** Counts a request in a bucket, and refuses it where the bucket is full: `max` in the window that its first one opened. */
  count(bucket: string, max: number, windowMs: number): void {
    const open = this.windows.get(bucket);
    const window = open === undefined || this.now >= open.from + windowMs ? { from: this.now, count: 0 } : open;
    if (window.count >= max) {
      const seconds = Math.ceil((window.from + windowMs - this.now) / 1000);
      throw new Refusal(429, 'RATE_LIMITED', `Too many requests. Come back in ${seconds} s.`, { retry_after: seconds });
    }
    window.count += 1;
    this.windows.set(bucket, window);
  }

  /** A nonce of one kind, for one use within 300 seconds. */
  nonce(kind: string, about: unknown = null): string {
    const value = this.random(16);
    this.nonces.set(value, { kind, until: this.now + 300_000, about });
    return value;
  }

  /** Whether a nonce of that kind can be used now. It stays usable. */
  hasNonce(kind: string, value: unknown): boolean {
    const found = typeof value === 'string' ? this.nonces.get(value) : undefined;
    return found !== undefined && found.kind === kind && this.now < found.until;
  }

  /** Uses a nonce up and returns what it is about; undefined if it cannot be used. */
  takeNonce(kind: string, value: unknown): { about: unknown } | undefined {
    if (!this.hasNonce(kind, value)) return undefined;
    const found = this.nonces.get(String(value));
    this.nonces.delete(String(value));
    return found;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);

export const CLASSES: readonly string[] = ['narrow_task', 'autonomous', 'orchestrator'];
export const TIERS: readonly string[] = ['sov', 'org', 'ind', 'eph', 'sbx'];

/** An agent by its hash, in either case. */
export const find = (world: World, hash: unknown): Agent | undefined =>
  typeof hash === 'string' ? world.agents.get(hash.toLowerCase()) : undefined;
