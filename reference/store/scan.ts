/**
 * Reads a journal from a place to its end and says how far it is sound: a last line that a crash cut off is skipped, a line that was changed or is
 * missing is damage. It changes nothing.
 */
import type { FileSystem } from './file-system.js';
import { GENESIS, type Header, type JournalLine } from './journal-line.js';
import { MANIFEST, type Manifest } from './manifest.js';
import { contradiction, type Mark, MarkCheck } from './marks.js';
import { type Position, SegmentReader, segmentName } from './segment.js';
import { StoreDamage } from './store-error.js';
import { type Writers, writersAfter } from './two-writers.js';

/** The facts about a journal that are known before it is read. */
export interface JournalFacts {
  readonly manifest: Manifest;
  /** Places up to which the journal was on the disk. */
  readonly reached: readonly Mark[];
}

/** The end of a journal as it was found. */
export interface ScanEnd {
  readonly position: Position;
  /** The first line of the last segment that was read. */
  readonly header: Header;
  /** Bytes after the last intact line, of a line that a crash cut off. */
  readonly torn: number;
}

/** From where and how far a journal is read. */
interface ScanRange {
  readonly from: Position;
  /** Absent: to the end, which is verified; bytes after a given position are not read. */
  readonly until?: Position | undefined;
}

/** The number of the segment that is written. */
export function openSegment({ segments }: Manifest): number {
  return segments.length + 1;
}

/** The place before the first line of a journal. */
export const START: Position = { seq: 0, link: GENESIS, segment: 1, bytes: 0 };

/**
 * Reads the lines of a range, in order, each given to `use` with the number of commands before it. StoreError when a
 * line that was on the disk is not there as it was written.
 */
export async function scan(
  files: FileSystem,
  folder: string,
  known: JournalFacts,
  { from, until }: ScanRange,
  use: (line: JournalLine, seq: number) => void,
): Promise<ScanEnd> {
  const { manifest } = known;
  const lastNumber = until?.segment ?? openSegment(manifest);
  const reading: Reading = { folder, known, until, use, number: from.segment, seq: from.seq };
  for (; ; reading.number++) {
    const { number } = reading;
    const link = manifest.segments[number - 2]?.link ?? GENESIS;
    const begin = number === from.segment ? from : { bytes: 0, link };
    const reader = await SegmentReader.open(files, `${folder}/${segmentName(number)}`, begin);
    try {
      const reached = await readSegment(reading, reader);
      if (number < lastNumber) continue;
      return {
        // The reader may have read beyond the end of the range.
        position: reached && until !== undefined ? until : positionOf(reading, reader),
        header: reading.header ?? (await headerOf(files, folder, manifest, number)),
        torn: reached ? 0 : reader.size - reader.end,
      };
    } finally {
      await reader.close();
    }
  }
}

function positionOf({ seq, number }: Reading, { link, end }: SegmentReader): Position {
  return { seq, link, segment: number, bytes: end };
}

interface Reading {
  readonly folder: string;
  readonly known: JournalFacts;
  readonly until: Position | undefined;
  readonly use: (line: JournalLine, seq: number) => void;
  number: number;
  /** Commands so far. */
  seq: number;
  /** The latest first line of a segment. */
  header?: Header;
}

/** Reads a segment to its end, or to where the range ends: then the answer is true, and what follows is not judged. */
async function readSegment(reading: Reading, reader: SegmentReader): Promise<boolean> {
  const { known, until, number } = reading;
  const check = new MarkCheck(known.reached, number, reader.end);
  const pass = ({ end, link }: { readonly end: number; readonly link: string }): void => {
    check.pass({ seq: reading.seq, link, bytes: end });
    if (check.other !== undefined) throw replaced(reading, check.other);
  };
  const isEnd = (end: number): boolean => until?.segment === number && until.bytes <= end;
  pass(reader);
  if (isEnd(reader.end)) return true;
  for await (const lines of reader.lines()) {
    for (const { line, link, end } of lines) {
      if ('format' in line) reading.header = line;
      reading.use(line, reading.seq);
      if ('command' in line) reading.seq += 1;
      pass({ end, link });
      if (isEnd(end)) return true;
    }
  }
  await judgeEnd(reading, reader);
  return false;
}

/** A complete segment has its recorded length and last link; the open segment contains every command that is known to be written. */
async function judgeEnd(reading: Reading, reader: SegmentReader): Promise<void> {
  const { known, number, seq } = reading;
  const { end, link, size } = reader;
  const closed = known.manifest.segments[number - 1];
  const isBeyond = ({ segment, bytes }: Mark): boolean =>
    (segment > number && closed === undefined) || (segment === number && bytes > end);
  if (size < end || known.reached.some(isBeyond)) throw await lost(reading, reader);
  if (closed !== undefined) {
    if (end !== closed.bytes || link !== closed.link || size !== end) throw await lost(reading, reader);
    return;
  }
  if (known.manifest.closed && end > known.manifest.known.bytes) throw writtenAfterStop(reading);
  if (size === end) return;
  // Only later lines show whether these commands were acknowledged.
  if ((await reader.durableByRest()) > seq || (await writersOf(reading, reader)) === 'two')
    throw await lost(reading, reader);
}

/** The advice that goes with every damage. */
export const ADVICE = 'Restore a backup; or aips journal repair keeps what comes before, and says what is lost.';

async function lost(reading: Reading, reader: SegmentReader): Promise<StoreDamage> {
  const { folder, number, seq, known } = reading;
  const { end, size } = reader;
  const path = `${folder}/${segmentName(number)}`;
  const where = seq === 0 ? 'before the first command' : `after command ${seq - 1}`;
  if (size <= end) return new StoreDamage(`${path}: it ends ${where}, and more was kept. ${ADVICE}`);
  const writers = await writersOf(reading, reader);
  if (writers === 'two' || contradiction(known.reached) !== undefined) {
    return new StoreDamage(
      `${path}: two servers have written it at the same time, from byte ${end} on, ${where}: each has overwritten commands that the other one acknowledged. ${ADVICE}`,
    );
  }
  return new StoreDamage(
    `${path}: the line at byte ${end}, ${where}, was changed, or one before it is missing${writers === 'perhaps-two' ? ', or two servers have written it at the same time' : ''}: its link does not hold. ${ADVICE}`,
  );
}

function writersOf({ seq, number, known }: Reading, reader: SegmentReader): Promise<Writers> {
  return writersAfter(reader, { commands: seq, segment: number, marks: known.reached });
}

/** StoreDamage if two servers wrote the lines after a position. Nothing else of them is verified, since they may still be being written. */
export async function requireOneWriter(
  files: FileSystem,
  folder: string,
  known: JournalFacts,
  from: Position,
): Promise<void> {
  const reader = await SegmentReader.open(files, `${folder}/${segmentName(from.segment)}`, from);
  const reading: Reading = {
    folder,
    known,
    until: undefined,
    use: () => undefined,
    number: from.segment,
    seq: from.seq,
  };
  try {
    for await (const lines of reader.lines()) reading.seq += lines.filter(({ line }) => 'command' in line).length;
    if ((await writersOf(reading, reader)) === 'two') throw await lost(reading, reader);
  } finally {
    await reader.close();
  }
}

function replaced({ folder, number, known }: Reading, { by, bytes }: Mark): StoreDamage {
  const path = `${folder}/${segmentName(number)}`;
  const two = contradiction(known.reached);
  const why =
    two === undefined
      ? `${by} names another line at byte ${bytes}: the file was replaced, or two servers have written it at the same time`
      : `two servers have written it at the same time: ${two[0].by} and ${two[1].by} name different lines at byte ${two[0].bytes}`;
  return new StoreDamage(`${path}: is not the journal that was kept here: ${why}. ${ADVICE}`);
}

function writtenAfterStop({ folder, number, known }: Reading): StoreDamage {
  const { bytes } = known.manifest.known;
  return new StoreDamage(
    `${folder}/${segmentName(number)}: was written from byte ${bytes} on after its server had stopped, says ${MANIFEST}: two servers have used the folder at the same time, or ${MANIFEST} is an older copy. ${ADVICE}`,
  );
}

/** The first line of a segment. */
export async function headerOf(files: FileSystem, folder: string, manifest: Manifest, number: number): Promise<Header> {
  const link = manifest.segments[number - 2]?.link ?? GENESIS;
  const reader = await SegmentReader.open(files, `${folder}/${segmentName(number)}`, { bytes: 0, link });
  try {
    for await (const [first] of reader.lines()) if (first !== undefined && 'format' in first.line) return first.line;
  } finally {
    await reader.close();
  }
  throw new StoreDamage(`${folder}/${segmentName(number)}: its first line was changed or cut off. ${ADVICE}`);
}
