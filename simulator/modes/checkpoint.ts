/** Checkpoints: the state of a run as bytes, and a run from such bytes. Files and folders are the command line's. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Deserializer, deserialize, serialize } from 'node:v8';
import type { ModuleOrigin } from '../../results/simulation-result.js';
import type { Behaviours } from '../../scenarios/behaviours/own-behaviour.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { jsonOf } from '../../spec/formats.js';
import { type Run, startRun } from '../run/run.js';
import type { OverlayNumbers, Settings } from '../run/simulate.js';
import { countersOf } from '../world/cells.js';

/** The format and version of a checkpoint, in its first line. */
const CHECKPOINT_FORMAT = 'aips-lab/checkpoint/9';

/** The inputs of a run, from which it can be made again. */
export interface CheckpointSource {
  /** The name and the text of the scenario file. */
  readonly file: string;
  readonly scenario: string;
  /** Protocol numbers that replaced those of the file for the whole run: of an overlay file, and settings over it. */
  readonly overlay: OverlayNumbers | null;
  readonly set: Settings;
  readonly seed: number;
  /** The version of this package: another may continue differently. */
  readonly version: string;
  /** The module of the user's own behaviours; absent: none. */
  readonly behaviours?: ModuleOrigin;
}

interface Header extends CheckpointSource {
  readonly format: typeof CHECKPOINT_FORMAT;
  readonly second: number;
  /** The number of bytes after the first line. */
  readonly bytes: number;
  /** The digest of the rest of the first line and of these bytes. */
  readonly sha256: string;
}

const NEWLINE = 0x0a;

/** The whole state of a run: a header line of JSON, then columns and side tables. */
export function checkpointOf(run: Run, source: CheckpointSource): Buffer {
  const state = serialize(stateOf(run));
  const said = { format: CHECKPOINT_FORMAT, ...source, second: run.world.second, bytes: state.length } as const;
  const header: Header = { ...said, sha256: digestOf(said, state) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`, 'utf8'), state]);
}

function digestOf(said: Omit<Header, 'sha256'>, state: Buffer): string {
  return createHash('sha256').update(JSON.stringify(said)).update(state).digest('hex');
}

export type ReadCheckpoint =
  | { readonly ok: true; readonly source: CheckpointSource; readonly second: number; readonly state: Buffer }
  | { readonly ok: false; readonly reason: string };

/** Reads a checkpoint, with a reason if it is cut short, changed or something else. */
export function readCheckpoint(bytes: Buffer): ReadCheckpoint {
  const end = bytes.indexOf(NEWLINE);
  const header = end < 0 ? undefined : headerOf(bytes.toString('utf8', 0, end));
  if (header === undefined) return { ok: false, reason: 'it does not begin with the header line of a checkpoint' };
  if (header.format !== CHECKPOINT_FORMAT) {
    return { ok: false, reason: `its format is ${String(header.format)}, and this version reads ${CHECKPOINT_FORMAT}` };
  }
  const state = bytes.subarray(end + 1);
  if (state.length !== header.bytes) {
    return { ok: false, reason: `it holds ${state.length} bytes of state and should hold ${header.bytes}` };
  }
  const { sha256, ...said } = header;
  if (digestOf(said, state) !== sha256) {
    return { ok: false, reason: 'it does not have the SHA-256 that it was written with' };
  }
  if (!isReadable(state)) return { ok: false, reason: 'it was written by a newer Node' };
  const { file, scenario, overlay, set, seed, version, behaviours, second } = header;
  const own = behaviours === undefined ? {} : { behaviours };
  return { ok: true, source: { file, scenario, overlay, set, seed, version, ...own }, second, state };
}

/** Node reads what it or an older version has serialised. */
function isReadable(state: Buffer): boolean {
  try {
    return new Deserializer(state).readHeader();
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function headerOf(line: string): Header | undefined {
  const parsed = jsonOf(line);
  return typeof parsed === 'object' && parsed !== null ? (parsed as Header) : undefined;
}

/** The run at the moment of a checkpoint. Scenario and seed are those of the original run. */
export function restoreRun(scenario: Scenario, seed: number, state: Buffer, behaviours?: Behaviours): Run {
  const run = startRun(scenario, seed, behaviours);
  // A copy, because what is read holds views of its bytes, and the same state may be restored again.
  const { nextSampleSec, timesSec, values, latest, lines, world } = deserialize(Buffer.from(state)) as ReturnType<
    typeof stateOf
  >;
  run.nextSampleSec = nextSampleSec;
  for (const sec of timesSec) run.samples.timesSec.push(sec);
  run.samples.tracks.forEach((track, i) => {
    for (const value of values[i] ?? []) track.values.push(value);
  });
  overwrite(run.samples, latest);
  overwrite(run.world, world);
  run.world.registry.agents.line.adopt(lines);
  return run;
}

const AGENT_STATE = [
  'words',
  'workBeats',
  'workLeftSec',
  'waitingKind',
  'firstFreezeSec',
  'offlineCountedSec',
  'deposits',
] as const;
const WORLD_STATE = [
  'feesPaid',
  'feesLamports',
  'feesBurnt',
  'feeSharesLamports',
  'tierBeats',
  'topUpCount',
  'counts',
  'tallies',
  'checks',
  'checksOfWhole',
  'eventChains',
  'trail',
  'second',
  'nowMs',
  'epoch',
  'protocolChangedAtAnchor',
  'ledger',
  'agentOfRow',
  'features',
  'anchorShiftSec',
] as const;

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** The state that changes during a run; what follows from scenario and seed is left out. */
function stateOf({ world, samples, nextSampleSec }: Run) {
  const { registry, cells, agents, streams, wheel } = world;
  const { dialect: _d, policy: _o, keySecret: _k, ...moving } = registry;
  const { line: _line, ...rows } = moving.agents;
  return {
    nextSampleSec,
    timesSec: samples.timesSec,
    values: samples.tracks.map((track) => track.values),
    latest: latestOf(samples),
    lines: registry.agents.line.words,
    world: {
      ...pick(world, WORLD_STATE),
      registry: { ...moving, agents: rows },
      cells: countersOf(cells),
      agents: pick(agents, AGENT_STATE),
      streams: { drawn: streams.drawn },
      wheel: { lists: wheel.lists },
    },
  };
}

/** The counts of the latest sample. */
function latestOf({ timesSec: _t, groups: _g, tracks: _r, ...counts }: Run['samples']) {
  return counts;
}

/**
 * Replaces the content of `target` by what was saved. Objects and columns themselves stay, because others refer to them and
 * the engine has compiled its loops for their shape.
 */
function overwrite(target: object, saved: object): void {
  const to = target as Record<string, unknown>;
  for (const [key, value] of Object.entries(saved)) {
    if (!(key in to)) throw new Error(`a checkpoint holds ${key}, which no run has`);
    const there = to[key];
    if (isColumn(there) && isColumn(value) && there.length === value.length) there.set(value);
    // The protocol object is the scenario's until it changes.
    else if (key === 'protocol') to[key] = isDeepStrictEqual(there, value) ? there : value;
    else if (isRecord(there) && isRecord(value)) overwrite(there, value);
    else to[key] = isColumn(value) ? value.slice() : value;
  }
}

type Column = Int32Array | Float64Array | Uint8Array;

/** Whether a value is a typed array. One that was read back is a view of the whole checkpoint. */
function isColumn(value: unknown): value is Column {
  return value instanceof Int32Array || value instanceof Float64Array || value instanceof Uint8Array;
}

/** Whether a value is an object with named fields, not a list or map. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return !(Array.isArray(value) || value instanceof Map || value instanceof Set);
}
