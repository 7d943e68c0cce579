/**
 * Reads the journal of a folder without opening it, whether a server is writing it or not: for `aips journal verify`,
 * `replay` and `export`. It changes nothing.
 */

import type { FileSystem } from './file-system.js';
import type { Build, Header, JournalLine } from './journal-line.js';
import { readManifest } from './manifest.js';
import { allMarks, furthest, type Marks, readMarks, requireSureEnd } from './marks.js';
import { type Replayed, replayInto } from './replay-into.js';
import type { Replica } from './saved-state.js';
import { headerOf, type JournalFacts, requireOneWriter, START, scan } from './scan.js';
import type { Position } from './segment.js';
import { readSnapshot } from './snapshot.js';
import { StoreError } from './store-error.js';

/** A folder as it is found. */
interface FoundStore {
  readonly known: JournalFacts;
  /** The first line of its first segment. */
  readonly header: Header;
  /** Up to here its commands were acknowledged; what follows may be being written. */
  readonly until: Position;
}

/** Finds the journal of a folder. StoreError if it has none, a part is missing, or its expected length is unknown. */
export async function findStore(files: FileSystem, folder: string): Promise<FoundStore> {
  const found = await lookInto(files, folder);
  requireSureEnd(folder, found.marks, found.known.manifest);
  return found;
}

async function lookInto(files: FileSystem, folder: string): Promise<FoundStore & { readonly marks: Marks }> {
  // Marks are read first, so that a segment that is begun meanwhile lies behind them.
  const marks = await readMarks(files, folder);
  const manifest = await readManifest(files, folder);
  if (manifest === undefined) {
    throw new StoreError(`${folder}: holds no journal. Give a folder that aips serve --data has written.`);
  }
  const reached = allMarks(marks, manifest);
  const until = furthest(reached);
  const header = await headerOf(files, folder, manifest, 1);
  return { known: { manifest, reached }, header, until, marks };
}

/** The result of reading every line. */
interface Verified {
  readonly commands: number;
  readonly segments: number;
  readonly checks: number;
  /** The versions that have written it, in order. */
  readonly versions: readonly string[];
  /** The number of commands in the newest intact snapshot; null without one. */
  readonly snapshot: number | null;
  /** Files of snapshots that are damaged: the journal has all that they held. */
  readonly damaged: readonly string[];
}

/** Reads every line up to the acknowledged end of the journal, and the snapshots. StoreError at the first damage. */
export async function verifyStore(files: FileSystem, folder: string): Promise<Verified> {
  const { known, until, marks } = await lookInto(files, folder);
  let checks = 0;
  const versions = new Set<string>();
  const end = await scan(files, folder, known, { from: START, until }, (line) => {
    if ('format' in line) versions.add(line.version);
    else if ('check' in line) checks += 1;
  });
  await requireOneWriter(files, folder, known, until);
  requireSureEnd(folder, marks, known.manifest);
  const { found, damaged } = await readSnapshot(files, folder, () => true);
  return {
    commands: end.position.seq,
    segments: end.position.segment,
    checks,
    versions: [...versions],
    snapshot: found?.position.seq ?? null,
    damaged,
  };
}

/** Applies every acknowledged command to a replica of the service as it started, and holds each against its digest. */
export async function replayStore(
  files: FileSystem,
  folder: string,
  { build, replica }: { readonly build: Build; readonly replica: Replica },
): Promise<Replayed> {
  const { known, until } = await findStore(files, folder);
  const log = (): void => undefined;
  return replayInto(replica, { files, folder, build, known, log, until, fromStart: true });
}

/** Gives every acknowledged line to `use`, in order, with the number of commands before it. */
export async function readStore(
  files: FileSystem,
  folder: string,
  use: (line: JournalLine, seq: number) => void,
): Promise<void> {
  const { known, until } = await findStore(files, folder);
  await scan(files, folder, known, { from: START, until }, use);
}
