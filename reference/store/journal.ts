/**
 * The journal while it is written: accepted commands are collected, and one write and one wait for the disk serve all of them. After the first disk
 * error it accepts no more. How a journal is opened again is in `open-store.ts`.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Command } from './command.js';
import { type FileSystem, type FolderLock, type OpenFile, writeFully } from './file-system.js';
import { type Build, encodeLine, FORMAT, type JournalLine, type Owner } from './journal-line.js';
import type { KnownPosition } from './known-position.js';
import { type Manifest, writeManifest } from './manifest.js';
import { type Position, segmentName } from './segment.js';
import { LockLost } from './store-error.js';

/** A segment that has grown past this is followed by another. */
export const SEGMENT_BYTES = 1 << 26;

/** The parts that a journal is written with. */
export interface JournalParts {
  readonly files: FileSystem;
  readonly folder: string;
  readonly build: Build;
  readonly owner: Owner;
  readonly startMs: number;
  readonly segmentBytes: number;
  readonly lock: Pick<FolderLock, 'isRecent' | 'assertHeld' | 'ownerMayLive'>;
  /** Called once, when the disk has failed, or another process may use the folder (LockLost). */
  readonly onFailure: (error: unknown) => void;
}

/** Where the writing goes on. */
interface JournalEnd {
  /** The open file that is written to. */
  readonly file: OpenFile;
  readonly known: KnownPosition;
  readonly position: Position;
  /** SHA-256 of the segment up to there. */
  readonly digest: Hash;
  /** Commands before the segment that is written. */
  readonly first: number;
  /** Complete segments. */
  readonly segments: Manifest['segments'];
}

const NEVER = Promise.resolve(false);

/** Lines that are gathered for one write. */
interface Batch {
  text: string;
  /** Commands in it. */
  commands: number;
  link: string;
  readonly onDisk: Promise<boolean>;
  readonly settle: (onDisk: boolean) => void;
}

/** An open journal. It holds only accepted commands, and every acknowledged one. */
export class Journal {
  private file: OpenFile;
  private readonly known: KnownPosition;
  private readonly segments: Manifest['segments'][number][];
  private first: number;
  private digest: Hash;
  /** Up to here all is on the disk. */
  private durable: Position;
  /** Commands and the link of all that was appended, on the disk or not. */
  private seq: number;
  private link: string;
  private gathering: Batch | undefined;
  private writing: Batch | undefined;
  private worker: Promise<void> | undefined;
  private failure: unknown;

  constructor(
    private readonly parts: JournalParts,
    end: JournalEnd,
  ) {
    this.file = end.file;
    this.known = end.known;
    this.segments = [...end.segments];
    this.first = end.first;
    this.digest = end.digest;
    this.durable = end.position;
    this.seq = end.position.seq;
    this.link = end.position.link;
  }

  /** Commands that were appended so far. */
  get length(): number {
    return this.seq;
  }

  /** The place up to which all is on the disk. */
  get onDisk(): Position {
    return this.durable;
  }

  /** SHA-256 of the segment that is written, up to `onDisk`. */
  get onDiskDigest(): string {
    return this.digest.copy().digest('hex');
  }

  /** Whether the disk has failed or the lock is lost, so that the journal accepts no more commands. */
  get failed(): boolean {
    return this.failure !== undefined;
  }

  /** Appends a command, which is on the disk once `settled` says so. Not for a journal that has failed. */
  append(command: Command, state: string): void {
    const first = this.gathering === undefined;
    const line = { seq: this.seq, command, state };
    this.add(first ? { ...line, durable: this.durable.seq } : line);
    this.seq += 1;
    (this.gathering as Batch).commands += 1;
  }

  /** Appends a checksum of the state after the last command. */
  appendCheck(columns: string): void {
    this.add({ check: { seq: this.seq, columns } });
  }

  /** Whether all that was appended is on the disk: undefined when it is now; false when the disk has failed or the lock is lost. */
  readonly settled = (): Promise<boolean> | undefined => {
    if (this.failure !== undefined) return NEVER;
    const pending = (this.gathering ?? this.writing)?.onDisk;
    return pending !== undefined || this.isOurs() ? pending : NEVER;
  };

  /** Whether a reply may leave that has waited for no write. A process that was stopped for long may have lost its folder. */
  private isOurs(): boolean {
    const { lock } = this.parts;
    if (lock.isRecent()) return true;
    try {
      lock.assertHeld();
      return true;
    } catch (error) {
      void this.fail(error);
      return false;
    }
  }

  /** Writes all appended commands to the disk, notes in the manifest that none is missing, and closes the files. */
  async close(): Promise<void> {
    await this.worker;
    try {
      if (!this.failed) await this.writeManifest(this.durable, true);
    } finally {
      await Promise.all([this.file.close(), this.known.close()]);
    }
  }

  private add(line: JournalLine): void {
    if (this.failure !== undefined) throw new Error('a journal that has failed takes nothing', { cause: this.failure });
    const { text, link } = encodeLine(this.link, line);
    this.link = link;
    this.gathering ??= newBatch();
    this.gathering.text += text;
    this.gathering.link = link;
    // Waits for the end of this turn of the event loop, so that all commands of the turn share one write.
    this.worker ??= new Promise<void>((turn) => setImmediate(turn)).then(() => this.work());
  }

  private async work(): Promise<void> {
    try {
      while (this.gathering !== undefined) {
        this.writing = this.gathering;
        this.gathering = undefined;
        await this.write(this.writing);
        // From here on the next owner of the folder finds the bytes that were just written.
        this.parts.lock.assertHeld();
        // A later reader that finds less than this knows that something is missing.
        this.known.put(this.durable);
        const { settle } = this.writing;
        this.writing = undefined;
        settle(true);
        if (this.durable.bytes >= this.parts.segmentBytes) await this.cut();
      }
    } catch (error) {
      await this.fail(error);
    } finally {
      this.worker = undefined;
    }
  }

  private async write({ text, commands, link }: Batch): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    await writeFully(this.file, bytes, this.durable.bytes);
    this.digest.update(bytes);
    const { seq, segment, bytes: before } = this.durable;
    this.durable = { seq: seq + commands, link, segment, bytes: before + bytes.length };
  }

  /** Goes on in another segment. Nothing is written to it before the manifest, on the disk, names it. */
  private async cut(): Promise<void> {
    const { seq, link, segment, bytes } = this.durable;
    const next = await startSegment(this.parts, { number: segment + 1, first: seq, previous: link });
    await this.file.close();
    this.file = next.file;
    this.segments.push({ first: this.first, bytes, link, sha256: this.digest.digest('hex') });
    this.first = seq;
    this.digest = next.digest;
    await this.writeManifest(next.position, false);
    // Now replies may show it.
    this.durable = next.position;
    this.known.put(this.durable);
  }

  private async writeManifest(known: Position, closed: boolean): Promise<void> {
    const { files, folder, lock } = this.parts;
    lock.assertHeld();
    return writeManifest(files, folder, manifestOf(this.parts, this.segments, known, closed));
  }

  /** Accepts no more commands, and cuts off bytes that may be incomplete, so that the next reader finds the file intact. A file of another process stays. */
  private async fail(error: unknown): Promise<void> {
    this.failure = error;
    this.parts.onFailure(error);
    for (const batch of [this.writing, this.gathering]) batch?.settle(false);
    this.writing = undefined;
    this.gathering = undefined;
    if (error instanceof LockLost) return;
    try {
      await this.file.truncate(this.durable.bytes);
      await this.file.sync();
    } catch {
      // The disk does not take this either. The next start finds the torn line, and drops it.
    }
  }
}

function newBatch(): Batch {
  let settle: Batch['settle'] = () => undefined;
  const onDisk = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { text: '', commands: 0, link: '', onDisk, settle };
}

/** The manifest of a journal that is on the disk up to a place. */
export function manifestOf(
  { build, startMs }: Pick<JournalParts, 'build' | 'startMs'>,
  segments: Manifest['segments'],
  known: Position,
  closed: boolean,
): Manifest {
  return { format: FORMAT, version: build.version, start_ms: startMs, segments: [...segments], known, closed };
}

/** Begins a segment: its first line and its name are on the disk when this returns. */
export async function startSegment(
  { files, folder, build, owner, startMs }: Pick<JournalParts, 'files' | 'folder' | 'build' | 'owner' | 'startMs'>,
  { number, first, previous }: { readonly number: number; readonly first: number; readonly previous: string },
): Promise<Pick<JournalEnd, 'file' | 'position' | 'digest'>> {
  const path = `${folder}/${segmentName(number)}`;
  const said = { owner, start_ms: startMs, segment: number, first, previous };
  const { text } = encodeLine(previous, { format: FORMAT, ...build, ...said });
  const bytes = Buffer.from(text, 'utf8');
  const file = await files.open(path, 'create-and-keep');
  await writeFully(file, bytes, 0);
  await files.syncFolder(folder);
  // A first line is not part of the chain: commands accepted while the segment was begun follow the previous segment.
  const position = { seq: first, link: previous, segment: number, bytes: bytes.length };
  return { file, position, digest: createHash('sha256').update(bytes) };
}
