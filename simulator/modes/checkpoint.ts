import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Deserializer, deserialize, serialize } from 'node:v8';
import type { Scenario } from '../../scenarios/scenario.js';
import { type Run, startRun } from '../run/run.js';

/** The version of the form of a checkpoint, and what its first line begins with. */
export const CHECKPOINT_FORMAT = 'aips-lab/checkpoint/3';

/** What a run was made of, so that it can be made again. */
export interface CheckpointSource {
  /** The name and the text of the scenario file. */
  readonly file: string;
  readonly scenario: string;
  /** Numbers of the protocol that were set for the whole run, by path. */
  readonly set: Readonly<Record<string, number>>;
  readonly seed: number;
  /** The version of this package: another one may go on otherwise. */
  readonly version: string;
}

interface Header extends CheckpointSource {
  readonly format: typeof CHECKPOINT_FORMAT;
  readonly second: number;
  /** How many bytes follow on the first line. */
  readonly bytes: number;
  /** Of what the first line says besides, and of these bytes. */
  readonly sha256: string;
}

const NEWLINE = 0x0a;

/** The whole state of a run: a line of JSON that says what it is, then columns and side tables. */
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

/** Reads a checkpoint, and says what is wrong with one that is cut short, changed or something else. */
export function readCheckpoint(bytes: Buffer): ReadCheckpoint {
  const end = bytes.indexOf(NEWLINE);
  const header = end < 0 ? undefined : headerOf(bytes.toString('utf8', 0, end));
  if (header === undefined) return { ok: false, reason: 'it does not begin with the line that says what it is' };
  if (header.format !== CHECKPOINT_FORMAT) {
    return { ok: false, reason: `its form is ${String(header.format)}, and this version reads ${CHECKPOINT_FORMAT}` };
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
  const { file, scenario, set, seed, version, second } = header;
  return { ok: true, source: { file, scenario, set, seed, version }, second, state };
}

/** Node reads what it and older versions of it have serialised. */
function isReadable(state: Buffer): boolean {
  try {
    return new Deserializer(state).readHeader();
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function headerOf(line: string): Header | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Header) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The run that stands where a checkpoint was taken. The scenario and the seed are those that it was taken with. */
export function restoreRun(scenario: Scenario, seed: number, state: Buffer): Run {
  const run = startRun(scenario, seed);
  // A copy: what is read holds views of its bytes, and the same state may be restored again.
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

/** What changes in a run. What follows from the scenario and the seed is left out. */
function stateOf({ world, samples, nextSampleSec }: Run) {
  const { registry, cells, agents, streams, wheel } = world;
  const { dialect: _d, policy: _o, keySecret: _k, ...moving } = registry;
  const { line: _line, ...rows } = moving.agents;
  const { populations: _ps, classes: _cs, ...counters } = cells;
  const { feesPaid, feesLamports, tierBeats, topUpCount, counts, checks, eventChain, trail } = world;
  const { second, nowMs, epoch, protocolChangedAtAnchor, ledger, agentOfRow, features, anchorShiftSec } = world;
  return {
    nextSampleSec,
    timesSec: samples.timesSec,
    values: samples.tracks.map((track) => track.values),
    latest: latestOf(samples),
    lines: registry.agents.line.words,
    world: {
      ...{ feesPaid, feesLamports, tierBeats, topUpCount, counts, checks, eventChain, trail },
      ...{ second, nowMs, epoch, protocolChangedAtAnchor, ledger, agentOfRow, features, anchorShiftSec },
      registry: { ...moving, agents: rows },
      cells: counters,
      agents: { words: agents.words, workBeats: agents.workBeats, workLeftSec: agents.workLeftSec },
      streams: { drawn: streams.drawn },
      wheel: { lists: wheel.lists },
    },
  };
}

/** What the latest sample counted by cell. */
function latestOf({ warning, offline, walletLamports, complained, depthMax }: Run['samples']) {
  return { warning, offline, walletLamports, complained, depthMax };
}

/**
 * Puts what was saved in the place of what stands there. Objects and columns stay, and what is in them is replaced: others hold
 * on to some of them, and the engine has compiled its loops for the form that they have.
 */
function overwrite(target: object, saved: object): void {
  const to = target as Record<string, unknown>;
  for (const [key, value] of Object.entries(saved)) {
    if (!(key in to)) throw new Error(`a checkpoint holds ${key}, which no run has`);
    const there = to[key];
    if (isColumn(there) && isColumn(value) && there.length === value.length) there.set(value);
    // The rules belong to the scenario until they change.
    else if (key === 'protocol') to[key] = isDeepStrictEqual(there, value) ? there : value;
    else if (isRecord(there) && isRecord(value)) overwrite(there, value);
    else to[key] = isColumn(value) ? value.slice() : value;
  }
}

type Column = Int32Array | Float64Array | Uint8Array;

/** A list of numbers of one kind. What was read back is a view of the whole checkpoint, wherever it lies in it. */
function isColumn(value: unknown): value is Column {
  return value instanceof Int32Array || value instanceof Float64Array || value instanceof Uint8Array;
}

/** An object of named parts, and no list or map. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return !(Array.isArray(value) || value instanceof Map || value instanceof Set);
}
