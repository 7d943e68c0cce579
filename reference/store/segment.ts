/**
 * The files that a journal is cut into, and how one is read: piece by piece, however long it is. What a line means is
 * not examined here, beyond whether it follows the one before.
 */
import { createHash, type Hash } from 'node:crypto';
import { codeOf, type FileSystem, type OpenFile, readFully } from './file-system.js';
import { decodeLine, durableByLaterLines, type JournalLine } from './journal-line.js';
import { StoreDamage } from './store-error.js';

const PATTERN = /^journal-(\d{6,})\.ndjson$/;

/** The name of a segment; the first is number 1. */
export function segmentName(number: number): string {
  return `journal-${String(number).padStart(6, '0')}.ndjson`;
}

/** The numbers of the segments among the names of a folder, in order. */
export function segmentsAmong(names: readonly string[]): number[] {
  const numbers = names.map((name) => PATTERN.exec(name)?.[1]).filter((digits) => digits !== undefined);
  return numbers.map(Number).toSorted((a, b) => a - b);
}

/** A place between two lines of a journal: `seq` commands are before it. */
export interface Position {
  readonly seq: number;
  /** The link of the line before. */
  readonly link: string;
  /** The number of the segment, and how many of its bytes are before. */
  readonly segment: number;
  readonly bytes: number;
}

/** An unfinished SHA-256 of the first bytes of a file; of fewer bytes if the file is shorter. */
export async function digestOf(files: FileSystem, path: string, bytes: number): Promise<Hash> {
  const digest = createHash('sha256');
  const file = await opened(files, path);
  try {
    for (let at = 0; at < bytes; ) {
      const part = await readFully(file, at, Math.min(CHUNK_BYTES, bytes - at));
      if (part.length === 0) break;
      digest.update(part);
      at += part.length;
    }
  } finally {
    await file.close();
  }
  return digest;
}

/** A segment that the manifest names. StoreDamage when it is gone. */
async function opened(files: FileSystem, path: string): Promise<OpenFile> {
  try {
    return await files.open(path, 'read');
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? missingSegment(path) : error;
  }
}

export function missingSegment(path: string): StoreDamage {
  const repair = `aips journal repair ${path.slice(0, path.lastIndexOf('/'))}`;
  return new StoreDamage(
    `${path}: is missing, and the manifest says that it was here. Put it back, restore a backup, or keep the commands before it: ${repair}`,
  );
}

function withCrlf(path: string): StoreDamage {
  const repair = `aips journal repair ${path.slice(0, path.lastIndexOf('/'))}`;
  return new StoreDamage(
    `${path}: its lines end with CRLF: another program, such as an editor or git, has changed the line ends. Each line is whole. Stop that program from doing so, and restore the line ends: ${repair}`,
  );
}

/** A line that is whole and in its place. */
interface SoundLine {
  readonly line: JournalLine;
  readonly link: string;
  /** The byte of its segment behind its end. */
  readonly end: number;
}

const CHUNK_BYTES = 1 << 20;
/** No command is near as long; a file without line ends is not read into memory in search of one. */
const LINE_BYTES_MAX = 1 << 24;
const NEWLINE = 0x0a;

/** Reads the lines of one segment from a place on, as long as each follows the one before. */
export class SegmentReader {
  /** Behind the last sound line so far, and its link. */
  end: number;
  link: string;

  private constructor(
    private readonly path: string,
    private readonly file: OpenFile,
    /** How long the segment was when it was opened. */
    readonly size: number,
    from: { readonly bytes: number; readonly link: string },
  ) {
    this.end = from.bytes;
    this.link = from.link;
  }

  static async open(
    files: FileSystem,
    path: string,
    from: { readonly bytes: number; readonly link: string },
  ): Promise<SegmentReader> {
    const file = await opened(files, path);
    return new SegmentReader(path, file, await file.size(), from);
  }

  /** Sound lines, some at a time, until the segment ends or a line is not sound. */
  async *lines(): AsyncGenerator<readonly SoundLine[], void, undefined> {
    for await (const texts of this.texts(this.end)) {
      const sound: SoundLine[] = [];
      for (const { text, end } of texts) {
        const read = decodeLine(this.link, text);
        if (read === undefined) {
          if (text.endsWith('\r') && decodeLine(this.link, text.slice(0, -1)) !== undefined) throw withCrlf(this.path);
          yield sound;
          return;
        }
        this.end = end;
        this.link = read.link;
        sound.push({ ...read, end });
      }
      yield sound;
    }
  }

  /** The number of commands that were on the disk according to the bytes after the last intact line; -1 if unknown. */
  async durableByRest(): Promise<number> {
    let durable = -1;
    for await (const texts of this.rest()) durable = Math.max(durable, durableByLaterLines(texts));
    return durable;
  }

  /** Whole lines behind the last sound one, some at a time. */
  async *rest(): AsyncGenerator<readonly string[], void, undefined> {
    for await (const texts of this.texts(this.end)) yield texts.map(({ text }) => text);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Whole lines, some at a time, each with the place behind it. */
  private async *texts(from: number): AsyncGenerator<readonly { text: string; end: number }[], void, undefined> {
    let at = from;
    let left: Uint8Array = new Uint8Array(0);
    while (at < this.size && left.length <= LINE_BYTES_MAX) {
      const read = await readFully(this.file, at, Math.min(CHUNK_BYTES, this.size - at));
      if (read.length === 0) return;
      const bytes =
        left.length === 0 ? Buffer.from(read.buffer, read.byteOffset, read.length) : Buffer.concat([left, read]);
      const start = at - left.length;
      at += read.length;
      const found: { text: string; end: number }[] = [];
      let begin = 0;
      for (let stop = bytes.indexOf(NEWLINE); stop >= 0; stop = bytes.indexOf(NEWLINE, begin)) {
        found.push({ text: bytes.toString('utf8', begin, stop), end: start + stop + 1 });
        begin = stop + 1;
      }
      left = bytes.subarray(begin);
      if (found.length > 0) yield found;
    }
  }
}
