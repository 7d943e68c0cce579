/**
 * Opens a folder of `--data`: a new one, or what a stop or a crash left of one. What was promised is found again or told to be
 * missing; nothing is taken for a new folder that is not.
 */
import { canonicalJson } from '../beats/canonical-json.js';
import { type FileSystem, readFully, removeIfThere, UNFINISHED, writeFully } from './file-system.js';
import { FORMAT_1, migrate } from './format-1.js';
import { Journal, type JournalParts, manifestOf, SEGMENT_BYTES, startSegment } from './journal.js';
import type { Build, Owner } from './journal-line.js';
import { GENESIS } from './journal-line.js';
import { KnownPosition, readKnown } from './known-position.js';
import { MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.js';
import { replayInto } from './replay-into.js';
import type { Replica } from './saved-state.js';
import { headerOf, openSegment, type ScanEnd } from './scan.js';
import { digestOf, type Position, SegmentReader, segmentName, segmentsAmong } from './segment.js';
import { writeSnapshot } from './snapshot.js';
import { StoreDamage, StoreError } from './store-error.js';

export interface StoreOptions {
  readonly files: FileSystem;
  readonly folder: string;
  readonly build: Build;
  readonly owner: Owner;
  /** When a service whose folder is new starts, Unix ms. */
  readonly startMs: number;
  /** Gets each line that a user should see: in which state the folder was found. */
  readonly log: (text: string) => void;
  /** Called once, when the disk has failed. */
  readonly onFailure: (error: unknown) => void;
  /** For tests: length of a segment. */
  readonly segmentBytes?: number;
}

/** A folder that is locked, and whose journal has not been read yet. */
export interface OpenStore {
  /** When the service of this journal started, Unix ms: as given for a new one, as kept for an old one. */
  readonly startMs: number;
  /** Brings a replica of the service as it started to the state of the journal, which is then open. */
  readonly recover: (replica: Replica) => Promise<Store>;
  /** Lets go of the folder without having read it. */
  readonly abandon: () => Promise<void>;
}

/** A journal that is open, and the state that is kept for it. */
export interface Store {
  readonly journal: Pick<Journal, 'append' | 'appendCheck' | 'settled' | 'failed' | 'length' | 'onDisk'>;
  /** Commands that were applied again at the start. */
  readonly replayed: number;
  /** Keeps the state, as it is after all commands, and closes the journal. With a failed disk nothing is kept. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a folder, or begins one. StoreError when another process uses it, it belongs to a service with other options, or
 * it is damaged.
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const { files, folder } = options;
  await files.makeFolder(folder);
  const lock = await files.lock(folder);
  try {
    const parts: JournalParts = { segmentBytes: SEGMENT_BYTES, ...options };
    const manifest = (await present(parts, options)) ?? (await begin(parts));
    const header = await headerOf(files, folder, manifest, openSegment(manifest));
    requireOwner(folder, header.owner, options.owner);
    const { start_ms: startMs } = manifest;
    return {
      startMs,
      recover: (replica) => recover({ ...parts, startMs }, manifest, replica, { ...options, lock }),
      abandon: lock.release,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Commands of a service with other options would lead to another state. */
function requireOwner(folder: string, found: Owner, wanted: Owner): void {
  if (canonicalJson(found) === canonicalJson(wanted)) return;
  const paths = differences(found, wanted, '').slice(0, PATHS_SHOWN).join(', ');
  const advice = 'Start with the options and the version that it was made with, or give another --data folder.';
  throw new StoreError(`${folder}: this journal is of a service with other options (${paths}). ${advice}`);
}

const PATHS_SHOWN = 5;

/** Where two JSON values differ. */
function differences(a: unknown, b: unknown, path: string): string[] {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return [];
  if (!isRecord(a) || !isRecord(b)) return [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => differences(a[key], b[key], path === '' ? key : `${path}.${key}`));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The owner of the journal in a folder, unjudged; undefined where there is none yet. */
export async function storeOwner(files: FileSystem, folder: string): Promise<Owner | undefined> {
  const manifest = await readManifest(files, folder);
  if (manifest !== undefined) return (await headerOf(files, folder, manifest, openSegment(manifest))).owner;
  return (await files.list(folder)).includes(FORMAT_1) ? (await migrate.headOf(files, folder)).owner : undefined;
}

/** The manifest of a folder that is in use; undefined for a new one. */
async function present(parts: JournalParts, { log }: StoreOptions): Promise<Manifest | undefined> {
  const { files, folder } = parts;
  const names = await files.list(folder);
  const segments = segmentsAmong(names);
  const manifest = await readManifest(files, folder);
  if (manifest === undefined) {
    await requireUnused(files, folder, names, segments);
    return names.includes(FORMAT_1)
      ? migrate.into(parts, { log, requireOwner: (found) => requireOwner(folder, found, parts.owner) })
      : undefined;
  }
  for (const name of names.filter((each) => each.endsWith(UNFINISHED))) await files.remove(`${folder}/${name}`);
  const open = openSegment(manifest);
  for (let number = 1; number <= open; number++) {
    if (!segments.includes(number)) {
      const advice = 'Put it back, or restore a backup. Nothing was started.';
      throw new StoreDamage(
        `${folder}/${segmentName(number)}: is missing, and ${MANIFEST} says that it was here. ${advice}`,
      );
    }
  }
  // A crash came between its first line and the manifest that was to name it: nothing was ever promised in it.
  for (const number of segments.filter((each) => each > open)) await files.remove(`${folder}/${segmentName(number)}`);
  return manifest;
}

/** A folder without a manifest is new, unless there is more in it than a first start leaves that a crash cut short. */
async function requireUnused(
  files: FileSystem,
  folder: string,
  names: readonly string[],
  segments: readonly number[],
): Promise<void> {
  const advice = `aips journal repair ${folder} makes it anew from the journal. Nothing was started.`;
  const missing = new StoreDamage(`${folder}/${MANIFEST}: is missing, and the folder has been used. ${advice}`);
  if (names.includes('snapshot.json') || segments.some((number) => number > 1)) throw missing;
  if (segments.length === 0 || names.includes(FORMAT_1)) return removeAll(files, folder, segments);
  const reader = await SegmentReader.open(files, `${folder}/${segmentName(1)}`, { bytes: 0, link: GENESIS });
  try {
    for await (const lines of reader.lines()) if (lines.some(({ line }) => 'command' in line)) throw missing;
  } finally {
    await reader.close();
  }
  await removeAll(files, folder, segments);
}

async function removeAll(files: FileSystem, folder: string, segments: readonly number[]): Promise<void> {
  for (const number of segments) await removeIfThere(files, `${folder}/${segmentName(number)}`);
}

/** Begins a journal. The manifest comes last: with it the folder is in use. */
async function begin(parts: JournalParts): Promise<Manifest> {
  const { files, folder } = parts;
  const { file, position } = await startSegment(parts, { number: 1, first: 0, previous: GENESIS });
  await file.close();
  const known = await KnownPosition.create(files, folder, position);
  await known.close();
  const manifest = manifestOf(parts, [], position, false);
  await writeManifest(files, folder, manifest);
  return manifest;
}

type Rest = Pick<StoreOptions, 'log'> & { readonly lock: { readonly release: () => Promise<void> } };

async function recover(parts: JournalParts, manifest: Manifest, replica: Replica, { log, lock }: Rest): Promise<Store> {
  const { files, folder, build } = parts;
  try {
    const marked = await readKnown(files, folder);
    const reached = [manifest.known, ...(marked === undefined ? [] : [marked])];
    const { end, replayed } = await replayInto(replica, { files, folder, build, known: { manifest, reached }, log });
    const sure = reached.filter(({ segment }) => segment === end.position.segment).map(({ bytes }) => bytes);
    if (end.header.version !== build.version || end.header.rules !== build.rules) {
      log(
        `${folder}: was written by version ${end.header.version}; under ${build.version} all leads to the same state.`,
      );
    }
    const journal = await goOn(parts, manifest, end, Math.max(0, ...sure));
    if (end.torn > 0)
      log(
        `${folder}/${segmentName(end.position.segment)}: its last write was cut off by a crash (${end.torn} bytes) and has been dropped.`,
      );
    const close = async (): Promise<void> => {
      try {
        const keeps = !journal.failed && (await keepState(parts, journal, replica));
        if (!keeps && !journal.failed) log(`${folder}: the state was not kept; the next start applies the journal.`);
        await journal.close();
      } finally {
        await lock.release();
      }
    };
    return { journal, replayed, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens the journal for writing at its end, which is on the disk and stays there. */
async function goOn(parts: JournalParts, manifest: Manifest, end: ScanEnd, sureBytes: number): Promise<Journal> {
  const { files, folder, build } = parts;
  const { position, header } = end;
  const { first } = header;
  let segments = manifest.segments;
  let file = await files.open(`${folder}/${segmentName(position.segment)}`, 'keep');
  await file.truncate(position.bytes);
  // No reply has promised that these bytes are on the disk. If the disk has failed to take them once, it may say now that
  // nothing is left to write; written again, they are.
  const unsure = await readFully(file, sureBytes, position.bytes - sureBytes);
  await writeFully(file, unsure, sureBytes);
  await file.sync();
  let at: Position = position;
  let digest = await digestOf(files, `${folder}/${segmentName(position.segment)}`, position.bytes);
  if (header.version !== build.version || header.rules !== build.rules) {
    await file.close();
    const { bytes, link } = position;
    segments = [...segments, { first, bytes, link, sha256: digest.digest('hex') }];
    const next = { number: position.segment + 1, first: position.seq, previous: position.link };
    ({ file, position: at, digest } = await startSegment(parts, next));
  }
  const known = await KnownPosition.create(files, folder, at);
  await writeManifest(files, folder, manifestOf(parts, segments, at, false));
  return new Journal(parts, { file, known, position: at, digest, first: at === position ? first : at.seq, segments });
}

/** Keeps the state for the next start. False when the disk does not take it: the journal alone is enough. */
async function keepState({ files, folder, build }: JournalParts, journal: Journal, replica: Replica): Promise<boolean> {
  const columns = replica.columns();
  journal.appendCheck(columns);
  if ((await journal.settled()) === false) return false;
  try {
    await writeSnapshot(files, folder, {
      ...build,
      position: journal.onDisk,
      before: journal.onDiskDigest,
      columns,
      saved: replica.save(),
    });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
