/**
 * Opens a folder of `--data`: a new one, or one after a stop or a crash. Acknowledged commands are found or reported as missing; a used folder is
 * never taken for a new one.
 */
import { isObject } from '../../spec/formats.js';
import { canonicalJson } from '../beats/canonical-json.js';
import {
  copyBytes,
  type FileSystem,
  type FolderLock,
  readFully,
  removeIfThere,
  UNFINISHED,
  writeFully,
} from './file-system.js';
import { Journal, type JournalParts, manifestOf, SEGMENT_BYTES, startSegment } from './journal.js';
import type { Build, Owner } from './journal-line.js';
import { GENESIS } from './journal-line.js';
import { KNOWN, KnownPosition } from './known-position.js';
import { MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.js';
import { allMarks, type Marks, readMarks, unsureEnd } from './marks.js';
import { patientFiles } from './patient-files.js';
import { replayInto } from './replay-into.js';
import type { Replica } from './saved-state.js';
import { headerOf, openSegment, type ScanEnd } from './scan.js';
import { digestOf, type Position, segmentName } from './segment.js';
import { writeSnapshot } from './snapshot.js';
import { StoreError } from './store-error.js';
import { usedFolder } from './used-folder.js';

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
  /** For tests: length of a segment, and how to wait between tries of opening a file. */
  readonly segmentBytes?: number;
  readonly pause?: (ms: number) => Promise<unknown>;
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
  /** Saves the state after all commands, and closes the journal. After a disk error it saves nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a folder, or begins one. StoreError when another process uses it, it belongs to a service with other options, or
 * it is damaged.
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const { files, folder } = options;
  await files.makeFolder(folder);
  const lock = await files.lock(folder, { log: options.log });
  try {
    const parts: JournalParts = { segmentBytes: SEGMENT_BYTES, ...options, lock };
    const manifest = (await usedFolder(files, folder)) ?? (await begin(parts));
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
  if (!isObject(a) || !isObject(b)) return [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => differences(a[key], b[key], path === '' ? key : `${path}.${key}`));
}

/** The owner of the journal in a folder, without a test whether it is alive; undefined if there is none yet. */
export async function storeOwner(files: FileSystem, folder: string): Promise<Owner | undefined> {
  const manifest = await readManifest(files, folder);
  return manifest === undefined ? undefined : (await headerOf(files, folder, manifest, openSegment(manifest))).owner;
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

/** Lines for the user about the file that says how far the journal reaches. StoreDamage where no crash leaves it so. */
function aboutKnown(folder: string, marks: Marks, manifest: Manifest, commands: number): string[] {
  const path = `${folder}/${KNOWN}`;
  const { known } = marks;
  const unsure = unsureEnd(folder, marks, manifest);
  if (unsure !== null && known !== 'damaged') throw unsure;
  if (known === 'whole' || (known === 'half' && manifest.closed)) return [];
  if (known === 'half') {
    return [
      `${path}: one of its two places is damaged. If it was the newer one, the last write before the crash may be missing.`,
    ];
  }
  return unsure === null
    ? [`${path}: is ${known}, and is made anew: the server was stopped, and ${MANIFEST} says that nothing is missing.`]
    : [
        `${path}: is damaged, as when the power goes. The journal has ${commands} commands; if later ones were acknowledged, they are lost, and a backup may have them.`,
      ];
}

type Rest = Pick<StoreOptions, 'log' | 'pause'> & { readonly lock: FolderLock };

async function recover(
  parts: JournalParts,
  manifest: Manifest,
  replica: Replica,
  { log, lock, pause }: Rest,
): Promise<Store> {
  const { files, folder, build } = parts;
  try {
    const marks = await readMarks(files, folder);
    const reached = allMarks(marks, manifest);
    const { end, replayed } = await replayInto(replica, { files, folder, build, known: { manifest, reached }, log });
    for (const text of aboutKnown(folder, marks, manifest, end.position.seq)) log(text);
    const sure = reached.filter(({ segment }) => segment === end.position.segment).map(({ bytes }) => bytes);
    if (end.header.version !== build.version || end.header.rules !== build.rules) {
      log(
        `${folder}: was written by version ${end.header.version}; under ${build.version} all leads to the same state.`,
      );
    }
    lock.assertHeld();
    const patient = { ...parts, files: patientFiles(files, { log, ...(pause === undefined ? {} : { pause }) }) };
    const journal = await goOn(patient, manifest, end, Math.max(0, ...sure));
    if (end.torn > 0)
      log(
        `${folder}/${segmentName(end.position.segment)}: its last write was cut off by a crash (${end.torn} bytes) and has been dropped.`,
      );
    const close = async (): Promise<void> => {
      try {
        const keeps = !journal.failed && (await keepState(patient, journal, replica));
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
  const { files, folder, build, lock } = parts;
  const { position, header } = end;
  const { first } = header;
  let segments = manifest.segments;
  const path = `${folder}/${segmentName(position.segment)}`;
  if (lock.ownerMayLive) await replaceByCopy(files, folder, path, position.bytes);
  let file = await files.open(path, 'keep');
  await file.truncate(position.bytes);
  // No reply has promised that these bytes are on the disk. If writing them failed once, the disk may now report that nothing is left to write; so
  // they are written again.
  const unsure = await readFully(file, sureBytes, position.bytes - sureBytes);
  await writeFully(file, unsure, sureBytes);
  await file.sync();
  let at: Position = position;
  let digest = await digestOf(files, path, position.bytes);
  if (header.version !== build.version || header.rules !== build.rules) {
    await file.close();
    const { bytes, link } = position;
    segments = [...segments, { first, bytes, link, sha256: digest.digest('hex') }];
    const next = { number: position.segment + 1, first: position.seq, previous: position.link };
    ({ file, position: at, digest } = await startSegment(parts, next));
  }
  const known = await KnownPosition.create(files, folder, position);
  await writeManifest(files, folder, manifestOf(parts, segments, at, false));
  known.put(at);
  return new Journal(parts, { file, known, position: at, digest, first: at === position ? first : at.seq, segments });
}

/** Replaces a file that another process may have open by a copy, so that its later writes have no effect. */
async function replaceByCopy(files: FileSystem, folder: string, path: string, bytes: number): Promise<void> {
  await removeIfThere(files, `${path}${UNFINISHED}`);
  await copyBytes(files, path, `${path}${UNFINISHED}`, { end: bytes });
  await files.rename(`${path}${UNFINISHED}`, path);
  await files.syncFolder(folder);
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
      segmentSha256: journal.onDiskDigest,
      columns,
      saved: replica.save(),
    });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
