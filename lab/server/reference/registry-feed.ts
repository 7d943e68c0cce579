/**
 * The registry as its picture needs it: who is whose child, each standing, and from then on what changes, heartbeats, fees and refusals. It reads
 * the state that is shown, and changes nothing.
 */

import { type FeeBook, feesBooked } from '../../../reference/registry/fee-book.js';
import { standingOf } from '../../../reference/registry/standing.js';
import type { Service } from '../../../reference/service.js';
import { standings } from '../../../spec/vocabulary.js';
import type { LivingReference } from './living-reference.js';
import type { LoggedRequest } from './request-log.js';

/** A change of the picture. A standing is its place among the standings. */
export interface RegistryNews {
  /** One more than that of the news before, or of the whole picture; else the picture must be read again. */
  readonly version: number;
  readonly born: readonly (readonly [name: string, parent: number])[];
  readonly standings: readonly (readonly [row: number, standing: number])[];
  /** Rows with an accepted heartbeat; where there are many, some of them. */
  readonly beats: readonly number[];
  /** The fees that requests of an agent paid; where there are many, those of some agents. */
  readonly fees: readonly (readonly [row: number, lamports: number])[];
  readonly refused: readonly (readonly [row: number, clause: string])[];
}

/** The whole picture, by row. */
export interface RegistryPicture {
  readonly version: number;
  readonly names: readonly string[];
  /** The row of the parent; -1 for a root. */
  readonly parents: readonly number[];
  readonly standings: readonly number[];
}

const BEATS_MAX = 400;
const FEES_MAX = 200;
const REFUSED_MAX = 40;

/** The picture of one reference, and the news of it. */
export class RegistryFeed {
  readonly #reference: LivingReference;
  readonly #publish: (news: RegistryNews) => void;
  #service: Service | undefined;
  #standings: number[] = [];
  #version = 0;
  #seen = '';
  #beats = new Set<number>();
  #fees = new Map<number, number>();
  /** The fees that a state had booked when it was last read. */
  readonly #booked = new WeakMap<FeeBook, number>();
  #refused: (readonly [number, string])[] = [];

  constructor(reference: LivingReference, publish: (news: RegistryNews) => void) {
    this.#reference = reference;
    this.#publish = publish;
  }

  /** Notes a heartbeat, a fee or a refusal of an agent. */
  note({ agent, path, refused }: LoggedRequest): void {
    this.#notePaid(agent, this.#reference.running.host.service);
    if (agent < 0) return;
    if (refused !== undefined) this.#refused.push([agent, refused.clause || refused.code]);
    else if (path.endsWith('/agent/heartbeat')) this.#beats.add(agent);
  }

  /** Notes a command that a copy of an earlier moment has gone through. */
  noteReplayed(name: string, agent: number): void {
    this.#notePaid(agent, this.#reference.shown.service);
    if (name === 'heartbeat' && agent >= 0) this.#beats.add(agent);
  }

  /** Notes the fees that a state has booked since it was last read: the agent that has just sent a request paid them. */
  #notePaid(agent: number, { registry: { feeBook } }: Service): void {
    const booked = feesBooked(feeBook);
    const paid = booked - (this.#booked.get(feeBook) ?? booked);
    this.#booked.set(feeBook, booked);
    if (agent >= 0 && paid > 0) this.#fees.set(agent, (this.#fees.get(agent) ?? 0) + paid);
  }

  /** The whole picture. */
  picture(): RegistryPicture {
    this.tell();
    const { registry } = this.#reference.shown.service;
    return {
      version: this.#version,
      names: Array.from(this.#standings, (_, row) => registry.names[row] ?? ''),
      parents: Array.from(this.#standings, (_, row) => registry.agents.columns.parent[row] ?? -1),
      standings: this.#standings,
    };
  }

  /** Publishes what has changed since it was last called. */
  tell(): void {
    const { service, nowMs } = this.#reference.shown;
    const seen = `${nowMs} ${this.#reference.history.length}`;
    const isOther = service !== this.#service;
    if (isOther) this.#notePaid(-1, service);
    if (!isOther && seen === this.#seen && this.#refused.length === 0) return;
    this.#seen = seen;
    const { registry } = service;
    const now = Array.from({ length: registry.agents.rows }, (_, row) => standings.indexOf(standingOf(registry, row)));
    const before = isOther ? now : this.#standings;
    const born = Array.from({ length: now.length - before.length }, (_, at) => {
      const row = before.length + at;
      return [registry.names[row] ?? '', registry.agents.columns.parent[row] ?? -1] as const;
    });
    const changed = now.flatMap((standing, row) => (standing === (before[row] ?? 0) ? [] : [[row, standing] as const]));
    const beats = [...this.#beats].slice(0, BEATS_MAX);
    const fees = [...this.#fees].slice(0, FEES_MAX);
    const refused = this.#refused.slice(-REFUSED_MAX);
    this.#service = service;
    this.#standings = now;
    this.#beats = new Set();
    this.#fees = new Map();
    this.#refused = [];
    if (!isOther && [born, changed, beats, fees, refused].every((each) => each.length === 0)) return;
    // Another state altogether: a version is left out, so that the picture is read again.
    this.#version += isOther ? 2 : 1;
    this.#publish({ version: this.#version, born, standings: changed, beats, fees, refused });
  }
}
