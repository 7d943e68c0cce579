/** Makes a damaged folder of `--data` usable again: keeps the commands before the damage, and renames the rest. It reports beforehand what would be lost. */

import { copyBytes, type FileSystem, removeIfThere } from './file-system.js';
import { manifestOf } from './journal.js';
import { GENESIS, type Header } from './journal-line.js';
import { KnownPosition } from './known-position.js';
import { asTheyWere, crlfAmong, restoreLineEnds } from './line-ends.js';
import { MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.js';
import { allMarks, contradiction, type Mark, MarkCheck, readMarks } from './marks.js';
import { digestOf, type Position, SegmentReader, segmentName, segmentsAmong } from './segment.js';
import { SNAPSHOTS } from './snapshot.js';
import { StoreError } from './store-error.js';
import { type Writers, writersAfter } from './two-writers.js';

/** The commands and files that a repair would keep and lose. */
export interface RepairPlan {
  /** Commands that stay. */
  readonly kept: number;
  /** Acknowledged commands that are lost, as far as can be known. */
  readonly lost: number;
  /** Why more may be lost; null where all that was acknowledged is known. */
  readonly unsure: 'two-writers' | 'perhaps-two-writers' | 'end-unknown' | null;
  /** Files that are put aside, as a whole or from a byte on. */
  readonly aside: readonly { readonly name: string; readonly fromByte: number }[];
  /** Segments whose lines end with CRLF, which are restored. */
  readonly crlf: readonly string[];
  /** Behind the last command that stays. */
  readonly position: Position;
  readonly header: Header;
  readonly segments: Manifest['segments'];
}

/** Looks how far a journal is sound. StoreError when not even its first line is. */
export async function planRepair(given: FileSystem, folder: string): Promise<RepairPlan> {
  const numbers = segmentsAmong(await given.list(folder));
  const crlf = await crlfAmong(given, folder, numbers.map(segmentName));
  // All that follows is about the journal with its line ends restored.
  const files = crlf.length === 0 ? given : asTheyWere(given, folder, crlf);
  const segments: Manifest['segments'][number][] = [];
  let position: Position = { seq: 0, link: GENESIS, segment: 1, bytes: 0 };
  let header: Header | undefined;
  let first = 0;
  let cut = false;
  const { marks, end } = await promised(files, folder);
  let writers: Writers = contradiction(marks) === undefined ? 'one' : 'two';
  let durable = 0;
  for (let number = 1; !cut && numbers.includes(number); number++) {
    const reader = await SegmentReader.open(files, `${folder}/${segmentName(number)}`, {
      bytes: 0,
      link: position.link,
    });
    let seq = position.seq;
    const check = new MarkCheck(marks, number, 0);
    for await (const lines of reader.lines()) {
      for (const { line, link, end: bytes } of lines) {
        if ('format' in line) header = line;
        seq += 'command' in line ? 1 : 0;
        check.pass({ seq, link, bytes });
      }
    }
    cut = reader.end < reader.size;
    if (check.other !== undefined) writers = moreOf(writers, 'perhaps-two');
    if (cut) writers = moreOf(writers, await writersAfter(reader, { commands: seq, segment: number, marks }));
    if (cut) durable = await reader.durableByRest();
    await reader.close();
    if (reader.end === 0) break;
    if (number > 1) segments.push(await closedSegment(files, folder, first, position));
    first = position.seq;
    position = { seq, link: reader.link, segment: number, bytes: reader.end };
  }
  if (header === undefined) {
    throw new StoreError(`${folder}: not even the first line of the journal is sound. Restore a backup.`);
  }
  const aside = await asideOf(files, folder, numbers, position);
  return {
    kept: position.seq,
    lost: Math.max(0, ...[durable, ...marks.map(({ seq }) => seq)].map((acknowledged) => acknowledged - position.seq)),
    unsure: writers === 'one' ? (end === 'unknown' ? 'end-unknown' : null) : `${writers}-writers`,
    aside,
    crlf,
    position,
    header,
    segments,
  };
}

function moreOf(a: Writers, b: Writers): Writers {
  return a === 'two' || b === 'one' ? a : b;
}

async function closedSegment(files: FileSystem, folder: string, first: number, { segment, bytes, link }: Position) {
  const digest = await digestOf(files, `${folder}/${segmentName(segment)}`, bytes);
  return { first, bytes, link, sha256: digest.digest('hex') };
}

async function asideOf(files: FileSystem, folder: string, numbers: readonly number[], { segment, bytes }: Position) {
  const aside: { name: string; fromByte: number }[] = [];
  for (const number of numbers.filter((each) => each >= segment)) {
    const name = segmentName(number);
    const file = await files.open(`${folder}/${name}`, 'read');
    const size = await file.size();
    await file.close();
    if (number > segment) aside.push({ name, fromByte: 0 });
    else if (size > bytes) aside.push({ name, fromByte: bytes });
  }
  return aside;
}

/** The marks that can be read of a folder, damaged or not, and whether they say how far the journal reached. */
async function promised(
  files: FileSystem,
  folder: string,
): Promise<{ readonly marks: readonly Mark[]; readonly end: 'known' | 'unknown' }> {
  const read = await readMarks(files, folder);
  const isKnown = read.known === 'whole';
  try {
    const manifest = await readManifest(files, folder);
    const marks = manifest === undefined ? read.marks : allMarks(read, manifest);
    return { marks, end: isKnown || manifest?.closed === true ? 'known' : 'unknown' };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { marks: read.marks, end: isKnown ? 'known' : 'unknown' };
  }
}

/** Ends the names of files that were put aside. */
const ASIDE = '.damaged';

/** Carries out a plan. The folder must be locked. */
export async function repairStore(files: FileSystem, folder: string, plan: RepairPlan): Promise<void> {
  const { position, header, segments, aside, crlf } = plan;
  await restoreLineEnds(files, folder, crlf);
  for (const { name, fromByte } of aside) {
    if (fromByte > 0) await copyTail(files, `${folder}/${name}`, fromByte);
    else await files.rename(`${folder}/${name}`, `${folder}/${name}${ASIDE}`);
  }
  for (const name of await files.list(folder)) {
    // A snapshot may include commands that are lost now; another is made from the journal.
    if (SNAPSHOTS.some((pattern) => pattern.test(name))) await removeIfThere(files, `${folder}/${name}`);
  }
  const known = await KnownPosition.create(files, folder, position);
  await known.close();
  await removeIfThere(files, `${folder}/${MANIFEST}.new`);
  const parts = { build: { version: header.version, rules: header.rules }, startMs: header.start_ms };
  await writeManifest(files, folder, manifestOf(parts, segments, position, true));
}

/** Keeps what lies behind a byte in a file of its own, and cuts it off. */
async function copyTail(files: FileSystem, path: string, fromByte: number): Promise<void> {
  await removeIfThere(files, `${path}${ASIDE}`);
  const file = await files.open(path, 'change');
  try {
    await copyBytes(files, path, `${path}${ASIDE}`, { begin: fromByte, end: await file.size() });
    await file.truncate(fromByte);
    await file.sync();
  } finally {
    await file.close();
  }
}
