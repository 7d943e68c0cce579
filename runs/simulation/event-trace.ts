/** Writes `events.ndjson.gz` for `aips simulate --trace`, a line for each event. It does not choose which events there are. */

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

/** Writes every event of a run as a line, 10,000 lines at once. */
interface EventTrace {
  readonly observer: EventObserver;
  readonly close: () => void;
}

/** Begins `events.ndjson.gz` in a folder, for one world that has all agents. */
export function eventTrace(folder: string, { scenario, agents, features }: World): EventTrace {
  const file = openToWrite(join(folder, 'events.ndjson.gz'));
  let lines: string[] = [];
  const write = (): void => {
    const text = lines.map((line) => `${line}\n`).join('');
    lines = [];
    if (text !== '') writeSync(file, gzipSync(text));
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
    close: () => {
      write();
      closeSync(file);
    },
  };
}
