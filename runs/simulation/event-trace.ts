/** Writes `events.ndjson.gz` for `aips simulate --trace`, a line for each event. It does not choose which events there are. */

import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OutageEvents } from '../../simulator/play/outage-events.js';
import { NONE } from '../../simulator/world/features.js';
import { ACCEPTED, EVENT_NAMES, outcomeName } from '../../simulator/world/operations.js';
import type { EventObserver, World } from '../../simulator/world/world.js';
import { openToWrite } from '../host/files.js';

/** Lines that are written at once. */
const LINES = 10_000;

/** Writes every event of a run as a line, 10,000 lines at once. */
interface EventTrace {
  readonly observer: EventObserver;
  readonly close: () => void;
}

/** Begins `events.ndjson.gz` in a folder, for one world that has all agents and has not been played yet. */
export function eventTrace(folder: string, world: World): EventTrace {
  const { scenario, agents, features, cells } = world;
  const file = openToWrite(join(folder, 'events.ndjson.gz'));
  let lines: string[] = [];
  const write = (): void => {
    const text = lines.map((line) => `${line}\n`).join('');
    lines = [];
    if (text !== '') writeSync(file, gzipSync(text));
  };
  // Events of no agent have no population.
  const placeOf = (agent: number): { readonly population: string | null; readonly option?: string } => {
    const cell = agent < 0 ? undefined : agents.cell(agent);
    const population = cell === undefined ? undefined : scenario.populations[cells.indices[cell]!];
    const option = cell === undefined ? null : cells.options[cell]!;
    const name = option === null ? undefined : population?.adapts?.options[option]?.name;
    return { population: population?.name ?? null, ...(name === undefined ? {} : { option: name }) };
  };
  const parentOf = (agent: number): number | null => {
    const parent = features?.parent[agent] ?? NONE;
    return parent === NONE ? null : parent;
  };
  const outages = new OutageEvents(world);
  const add = (second: number, agent: number, event: string, outcome: number, lamports: number): void => {
    const who = { agent, ...placeOf(agent), parent: parentOf(agent) };
    const line = { second, ...who, event, outcome: outcomeName(outcome), lamports };
    if (lines.push(JSON.stringify(line)) >= LINES) write();
  };
  const addOutages = (until: number): void => {
    for (const { second, agent, event } of outages.until(until)) add(second, agent, event, ACCEPTED, 0);
  };
  return {
    observer: (second, agent, what, outcome, lamports) => {
      addOutages(second);
      outages.follow(second, agent, what);
      add(second, agent, EVENT_NAMES[what] as string, outcome, lamports);
    },
    close: () => {
      addOutages(world.second - 1);
      write();
      closeSync(file);
    },
  };
}
