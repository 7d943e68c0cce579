/**
 * The registry as its picture needs it: who is whose child, each standing, and from then on what changes, heartbeats and refusals. It reads the
 * state that is shown, and changes nothing.
 */

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
  #refused: (readonly [number, string])[] = [];

  constructor(reference: LivingReference, publish: (news: RegistryNews) => void) {
    this.#reference = reference;
    this.#publish = publish;
  }

  /** Notes a heartbeat or a refusal of an agent. */
  note({ agent, path, refused }: LoggedRequest): void {
    if (agent < 0) return;
    if (refused !== undefined) this.#refused.push([agent, refused.clause || refused.code]);
    else if (path.endsWith('/agent/heartbeat')) this.#beats.add(agent);
  }

  /** Notes a command that a copy of an earlier moment has gone through. */
  noteReplayed(name: string, agent: number): void {
    if (name === 'heartbeat' && agent >= 0) this.#beats.add(agent);
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
    const refused = this.#refused.slice(-REFUSED_MAX);
    this.#service = service;
    this.#standings = now;
    this.#beats = new Set();
    this.#refused = [];
    if (!isOther && born.length + changed.length + beats.length + refused.length === 0) return;
    // Another state altogether: a version is left out, so that the picture is read again.
    this.#version += isOther ? 2 : 1;
    this.#publish({ version: this.#version, born, standings: changed, beats, refused });
  }
}
