/** The abstract state of a small world: which fields it has, and their values. World writes them into a registry and reads them back. */

import { ACTIVE, FROZEN } from '../reference/registry/state.js';
import type { Protocol } from '../spec/protocol.js';
import { Layout } from './layout.js';
import { spansOf } from './small-numbers.js';

/** The stages of an agent. A root is REGISTERED from the start of its life; a child counts as a descendant once it is LINKED. */
export const ABSENT = 0;
export const AUTHORIZED = 1;
export const REGISTERED = 2;
export const LINKED = 3;

/** The last heartbeat: none yet, older than the minimum interval, or FRESH plus its age in anchors. */
export const NEVER = 0;
export const OLD = 1;
export const FRESH = 2;

/** The SIGIL of an agent. */
export const NO_SIGIL = 0;
export const SIGIL = 1;
export const SANDBOX = 2;

/** A sponsorship of a child by the root. One that has ended counts as absent, unless its end by a freeze changes an answer. */
export const UNSPONSORED = 0;
export const SPONSORED = 1;
export const SILENCED = 2;

/**
 * The open flag of one agent against another, if there is one: pending or sustained. A second one, in addition to one that is sustained, and flags
 * on an agent whose key is revoked lie outside the small world.
 */
export const PENDING = 1;
export const SUSTAINED = 2;

/** The fields of an agent, as offsets from its first. */
export const STAGE = 0;
export const STATUS = 1;
/** Anchors since its last sign of life, at most those that a rule tells apart. */
export const AGE = 2;
export const BEAT = 3;
export const COUNT = 4;
export const SIGIL_KIND = 5;
export const WALLET = 6;
export const REVOKED = 7;
const AGENT_FIELDS = 8;

/** The fields of a sponsorship, as offsets from its first. */
export const SPONSOR_STATE = 0;
/** Anchors that it is still valid; `spans.sponsorship + 1`: without an end. */
export const SPONSOR_LEFT = 1;
export const SPONSOR_USED = 2;
const SPONSOR_FIELDS = 3;

/** Where the fields of a world with this many agents are, and how large each may get. */
export class Fields {
  readonly layout: Layout;
  readonly spans: ReturnType<typeof spansOf>;
  /** The most heartbeats of an agent in an epoch. */
  readonly countMax: number;
  readonly #sponsors: number;
  readonly #flags: number;
  /** The anchors that have passed in the billing epoch. */
  readonly phase: number;
  /** Anchors for which the authorization of the next child is still valid. */
  readonly authorizationLeft: number;

  /** `agents`: the root and its children, 2 or more. */
  constructor(
    protocol: Protocol,
    readonly agents: number,
  ) {
    this.spans = spansOf(protocol);
    const { interval, epoch, silence, sponsorship, authorization } = this.spans;
    const cap = protocol.heartbeat.narrowTaskCap;
    this.countMax = interval === 0 ? cap : Math.min(cap, Math.floor((epoch - 1) / interval) + 1);
    const of = (agent: number): [string, number][] => [
      [`${nameOf(agent)}.stage`, LINKED],
      [`${nameOf(agent)}.status`, 2],
      [`${nameOf(agent)}.age`, silence],
      [`${nameOf(agent)}.heartbeat`, FRESH + Math.max(0, interval - 1)],
      [`${nameOf(agent)}.count`, this.countMax],
      [`${nameOf(agent)}.sigil`, SANDBOX],
      [`${nameOf(agent)}.wallet`, 1],
      [`${nameOf(agent)}.revoked`, 1],
    ];
    const all = Array.from({ length: agents }, (_, agent) => agent);
    const children = all.slice(1);
    this.#sponsors = agents * AGENT_FIELDS;
    this.#flags = this.#sponsors + children.length * SPONSOR_FIELDS;
    this.phase = this.#flags + agents * agents;
    this.authorizationLeft = this.phase + 1;
    this.layout = new Layout([
      ...all.flatMap(of),
      ...children.flatMap((child): [string, number][] => [
        [`sponsorship of ${nameOf(child)}`, SILENCED],
        [`sponsorship of ${nameOf(child)}.left`, sponsorship + 1],
        [`sponsorship of ${nameOf(child)}.used`, protocol.sponsor.heartbeatsEpochMin],
      ]),
      ...all.flatMap((by) =>
        all.map((of): [string, number] => [`flag by ${nameOf(by)} on ${nameOf(of)}`, by === of ? 0 : SUSTAINED]),
      ),
      ['phase', epoch - 1],
      ['authorization.left', authorization],
    ]);
  }

  /** The first field of an agent. */
  agent(agent: number): number {
    return agent * AGENT_FIELDS;
  }

  /** The first field of the sponsorship of a child. */
  sponsorship(child: number): number {
    return this.#sponsors + (child - 1) * SPONSOR_FIELDS;
  }

  /** The field of the flag of one agent on another. */
  flag(by: number, of: number): number {
    return this.#flags + by * this.agents + of;
  }

  /** True for a registered agent. */
  exists(values: Int32Array, agent: number): boolean {
    return values[this.agent(agent) + STAGE]! >= REGISTERED;
  }

  /** True for a frozen agent that a heartbeat can still bring back. `at`: the first of its fields. */
  isInGrace(values: Int32Array, at: number): boolean {
    return values[at + STATUS] === FROZEN && values[at + AGE]! < this.spans.freeze + this.spans.grace;
  }

  /** True if an agent other than this one has a SIGIL. */
  hasSigilBeside(values: Int32Array, agent: number): boolean {
    for (let other = 0; other < this.agents; other++)
      if (other !== agent && values[this.agent(other) + SIGIL_KIND] !== NO_SIGIL) return true;
    return false;
  }

  /** The anchors until something can change by time alone: an age reaches a threshold, an epoch or a term ends. */
  untilChange(values: Int32Array): number {
    const { freeze, silence, epoch, interval } = this.spans;
    let anchors = epoch - values[this.phase]!;
    for (let agent = 0; agent < this.agents; agent++) {
      const at = this.agent(agent);
      const status = values[at + STATUS]!;
      const age = values[at + AGE]!;
      const beat = values[at + BEAT]!;
      if (status === ACTIVE) anchors = Math.min(anchors, freeze - age);
      if (status === FROZEN && age < silence) anchors = 1;
      if (beat >= FRESH) anchors = Math.min(anchors, interval - (beat - FRESH));
      if (values[at + STAGE] === AUTHORIZED) anchors = Math.min(anchors, values[this.authorizationLeft]! + 1);
    }
    for (let child = 1; child < this.agents; child++) {
      const at = this.sponsorship(child);
      const left = values[at + SPONSOR_LEFT]!;
      if (values[at + SPONSOR_STATE] === SPONSORED && left <= this.spans.sponsorship)
        anchors = Math.min(anchors, left + 1);
    }
    return Math.max(1, anchors);
  }

  /**
   * Replaces fields that no rule reads any more: those of an agent whose key is revoked, which can send nothing. With `symmetric`, agents
   * that only their number distinguishes are put in order: the children of the root.
   */
  normalize(values: Int32Array, symmetric: boolean): void {
    const root = this.agent(0);
    for (let agent = 0; agent < this.agents; agent++) {
      const at = this.agent(agent);
      // Only of the root a move needs to know whether it has ever paid for a heartbeat.
      if (agent > 0 && values[at + BEAT] === NEVER && values[at + STAGE]! >= REGISTERED) values[at + BEAT] = OLD;
      if (values[at + REVOKED] === 0) continue;
      values[at + BEAT] = OLD;
      values[at + COUNT] = 0;
      values[at + SIGIL_KIND] = NO_SIGIL;
      // The wallet of a root still pays for its children.
      if (agent > 0) values[at + WALLET] = 0;
      for (let by = 0; by < this.agents; by++) values[this.flag(by, agent)] = 0;
    }
    if (values[root + REVOKED] === 1) {
      for (let child = 1; child < this.agents; child++) {
        const at = this.agent(child);
        if (values[at + STAGE] === AUTHORIZED) values[at + STAGE] = ABSENT;
      }
      values[this.authorizationLeft] = 0;
    }
    if (symmetric && this.agents === 3 && this.isOutOfOrder(values)) this.swapChildren(values);
  }

  /** True if the two children of a world of three have to be exchanged to be in canonical order. */
  isOutOfOrder(values: Int32Array): boolean {
    if (!this.exists(values, 2)) return false;
    const compare = (one: number, other: number, length: number): number => {
      for (let i = 0; i < length; i++)
        if (values[one + i] !== values[other + i]) return values[one + i]! - values[other + i]!;
      return 0;
    };
    const order =
      compare(this.agent(1), this.agent(2), AGENT_FIELDS) ||
      compare(this.sponsorship(1), this.sponsorship(2), SPONSOR_FIELDS) ||
      values[this.flag(1, 2)]! - values[this.flag(2, 1)]! ||
      values[this.flag(0, 1)]! - values[this.flag(0, 2)]! ||
      values[this.flag(1, 0)]! - values[this.flag(2, 0)]!;
    return order > 0;
  }

  /** Exchanges the two children of a world of three. */
  swapChildren(values: Int32Array): void {
    const swap = (one: number, other: number): void => {
      const kept = values[one]!;
      values[one] = values[other]!;
      values[other] = kept;
    };
    for (let i = 0; i < AGENT_FIELDS; i++) swap(this.agent(1) + i, this.agent(2) + i);
    for (let i = 0; i < SPONSOR_FIELDS; i++) swap(this.sponsorship(1) + i, this.sponsorship(2) + i);
    swap(this.flag(1, 2), this.flag(2, 1));
    swap(this.flag(0, 1), this.flag(0, 2));
    swap(this.flag(1, 0), this.flag(2, 0));
  }
}

const NAMES = ['root', 'child', 'sibling'] as const;

/** The name of an agent in reports. */
export function nameOf(agent: number): string {
  return NAMES[agent] ?? `agent ${agent}`;
}
