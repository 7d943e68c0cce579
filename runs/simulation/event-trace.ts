/**
 * Writes `events.ndjson` for `aips simulate --trace`, a line for each event, or the same compressed. It does not choose which events there
 * are.
 */

import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NONE } from '../../simulator/world/features.js';
import { EVENT_NAMES, outcomeName } from '../../simulator/world/operations.js';
import type { EventObserver, World } from '../../simulator/world/world.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { openToWrite } from '../host/files.js';

/** Lines that are written at once. */
const LINES = 10_000;

/** Writes every event of a run as a line of `events.ndjson`. */
export interface EventTrace {
  readonly observer: EventObserver;
  /** Writes what has come up to now. Compressed events are written by 10,000 alone, so that pieces of a run do not show. */
  readonly flush: () => void;
  readonly close: () => void;
}

/** Begins `events.ndjson` in a folder, or `events.ndjson.gz`, for one world that has all agents. */
export function eventTrace(folder: string, { scenario, agents, features }: World, compressed: boolean): EventTrace {
  const file = openToWrite(join(folder, compressed ? 'events.ndjson.gz' : 'events.ndjson'));
  let lines: string[] = [];
  const write = (): void => {
    const text = lines.map((line) => `${line}\n`).join('');
    lines = [];
    if (text !== '') writeSync(file, compressed ? gzipSync(text) : Buffer.from(text));
  };
  const populationOf = (agent: number): string | null =>
    scenario.populations[Math.floor(agents.cell(agent) / identityClasses.length)]?.name ?? null;
  const parentOf = (agent: number): number | null => {
    const parent = features?.parent[agent] ?? NONE;
    return parent === NONE ? null : parent;
  };
  return {
    observer: (second, agent, what, outcome, lamports) => {
      const who = { agent, population: populationOf(agent), parent: parentOf(agent) };
      const event = { second, ...who, event: EVENT_NAMES[what], outcome: outcomeName(outcome), lamports };
      if (lines.push(JSON.stringify(event)) >= LINES) write();
    },
    flush: compressed ? () => undefined : write,
    close: () => {
      write();
      closeSync(file);
    },
  };
}
