/**
 * Journals of format 1, one file without versions or checksums: how one is read, and how it becomes a journal of the
 * present format. The file itself stays, under another name.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../beats/canonical-json.js';
import type { Command } from './command.js';
import { type FileSystem, type OpenFile, readFully, writeFully } from './file-system.js';
import { type JournalParts, manifestOf, startSegment } from './journal.js';
import { encodeLine, GENESIS, type Owner } from './journal-line.js';
import { KnownPosition } from './known-position.js';
import { type Manifest, writeManifest } from './manifest.js';
import { StoreError } from './store-error.js';

/** The file of a journal of format 1. */
export const FORMAT_1 = 'journal.ndjson';
const KEPT_AS = 'journal.format-1.ndjson';

interface Head {
  readonly owner: Owner;
  readonly start_ms: number;
}

function linkOf(previous: string, body: unknown): string {
  return createHash('sha256').update(previous).update(canonicalJson(body)).digest('hex');
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Whole lines, with the number of each from 1 on. */
async function* linesOf(file: OpenFile): AsyncGenerator<readonly [text: string, number: number], void, undefined> {
  const size = await file.size();
  let left: Uint8Array = new Uint8Array(0);
  let number = 0;
  for (let at = 0; at < size; ) {
    const read = await readFully(file, at, Math.min(CHUNK_BYTES, size - at));
    at += read.length;
    const bytes = Buffer.concat([left, read]);
    let begin = 0;
    for (let stop = bytes.indexOf(NEWLINE); stop >= 0; stop = bytes.indexOf(NEWLINE, begin)) {
      number += 1;
      yield [bytes.toString('utf8', begin, stop), number];
      begin = stop + 1;
    }
    left = bytes.subarray(begin);
  }
}

function parse(path: string, text: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StoreError(`${path}:${number}: this line is not a JSON object.`);
}

/** Reads a journal of format 1, each line held against its link. */
async function readAll(
  files: FileSystem,
  folder: string,
  use: { readonly head: (head: Head) => Promise<void>; readonly command: (command: Command) => Promise<void> },
): Promise<void> {
  const path = `${folder}/${FORMAT_1}`;
  const file = await files.open(path, 'read');
  let link = '';
  try {
    for await (const [text, number] of linesOf(file)) {
      const line = parse(path, text, number);
      const { owner, start_ms, seq, command } = line;
      const body = number === 1 ? { owner, start_ms } : { seq, command };
      link = linkOf(link, body);
      if (line['link'] !== link || (number > 1 && seq !== number - 2)) {
        throw new StoreError(
          `${path}:${number}: this line was changed, or one before it is missing: its link does not hold.`,
        );
      }
      if (number === 1) await use.head(body as unknown as Head);
      else await use.command(command as Command);
    }
  } finally {
    await file.close();
  }
}

/** The first line of a journal of format 1, unjudged. */
async function headOf(files: FileSystem, folder: string): Promise<Head> {
  const path = `${folder}/${FORMAT_1}`;
  const file = await files.open(path, 'read');
  try {
    for await (const [text, number] of linesOf(file)) return parse(path, text, number) as unknown as Head;
  } finally {
    await file.close();
  }
  // A first line without its end is what a crash left: there is no journal yet.
  return { owner: {}, start_ms: 0 };
}

/** Writes a journal of the current format beside one of format 1. Each attempt starts over until the manifest has been written. */
async function into(
  parts: JournalParts,
  { log, requireOwner }: { readonly log: (text: string) => void; readonly requireOwner: (owner: Owner) => void },
): Promise<Manifest | undefined> {
  const { files, folder } = parts;
  let file: OpenFile | undefined;
  let position = { seq: 0, link: GENESIS, segment: 1, bytes: 0 };
  let startMs = parts.startMs;
  let held = '';
  const write = async (): Promise<void> => {
    const bytes = Buffer.from(held, 'utf8');
    held = '';
    await writeFully(file as OpenFile, bytes, position.bytes);
    position = { ...position, bytes: position.bytes + bytes.length };
  };
  await readAll(files, folder, {
    head: async ({ owner, start_ms }) => {
      requireOwner(owner);
      startMs = start_ms;
      ({ file, position } = await startSegment(
        { ...parts, owner, startMs },
        { number: 1, first: 0, previous: GENESIS },
      ));
    },
    command: async (command) => {
      const { text, link } = encodeLine(position.link, { seq: position.seq, command });
      position = { ...position, seq: position.seq + 1, link };
      held += text;
      if (held.length >= CHUNK_BYTES) await write();
    },
  });
  if (file === undefined) return undefined;
  await write();
  await file.sync();
  await file.close();
  await (await KnownPosition.create(files, folder, position)).close();
  const manifest = manifestOf({ ...parts, startMs }, [], position, false);
  await writeManifest(files, folder, manifest);
  await files.rename(`${folder}/${FORMAT_1}`, `${folder}/${KEPT_AS}`);
  await files.syncFolder(folder);
  log(
    `${folder}: was of format 1, and its ${position.seq} commands have been taken over. Which rules it was written under is not known; ${KEPT_AS} is the journal as it was.`,
  );
  return manifest;
}

/** How a journal of format 1 is read and taken over. */
export const migrate = { headOf, into };
