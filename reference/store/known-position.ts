/**
 * How far a journal is known to reach, beside it: two places that are written in turn after each write to the journal, so
 * that one of them is always whole. The disk is not waited for. What they name was on the disk before they were written: a
 * journal that ends before it has lost what was promised.
 */
import { hash } from 'node:crypto';
import { type FileSystem, type OpenFile, readWhole, writeFullyNow } from './file-system.js';
import type { Position } from './segment.js';

/** The file that holds the known position, beside the journal. */
export const KNOWN = 'journal.known';

const SLOT_BYTES = 256;
const SUM_HEX = 16;

function slotOf(position: Position): Uint8Array {
  const said = JSON.stringify(position);
  const text = JSON.stringify({ position, sum: hash('sha256', said).slice(0, SUM_HEX) });
  return Buffer.from(`${text.padEnd(SLOT_BYTES - 1)}\n`, 'latin1');
}

function readSlot(bytes: Uint8Array): Position | undefined {
  const text = Buffer.from(bytes).toString('latin1').trimEnd();
  const form = /^\{"position":(\{[^{}]*\}),"sum":"([0-9a-f]{16})"\}$/.exec(text);
  if (form === null || hash('sha256', form[1] ?? '').slice(0, SUM_HEX) !== form[2]) return undefined;
  return JSON.parse(form[1] ?? '') as Position;
}

/** The furthest place that the file of a folder names; undefined where it is absent or both of its places are damaged. */
export async function readKnown(files: FileSystem, folder: string): Promise<Position | undefined> {
  const bytes = await readWhole(files, `${folder}/${KNOWN}`);
  if (bytes === undefined) return undefined;
  const slots = [0, 1].map((i) => readSlot(bytes.subarray(i * SLOT_BYTES, (i + 1) * SLOT_BYTES)));
  return slots.filter((slot) => slot !== undefined).toSorted((a, b) => b.seq - a.seq || b.bytes - a.bytes)[0];
}

/** The file while a journal is written. */
export class KnownPosition {
  private next = 0;

  private constructor(private readonly file: OpenFile) {}

  /** Writes a new file with one position, which is on the disk when this returns. The caller syncs the folder. */
  static async create(files: FileSystem, folder: string, position: Position): Promise<KnownPosition> {
    const path = `${folder}/${KNOWN}`;
    const exists = (await files.list(folder)).includes(KNOWN);
    const known = new KnownPosition(await files.open(path, exists ? 'change' : 'create'));
    known.put(position);
    known.put(position);
    await known.file.sync();
    return known;
  }

  /** Writes a place over the older of the two. */
  put(position: Position): void {
    writeFullyNow(this.file, slotOf(position), this.next * SLOT_BYTES);
    this.next = 1 - this.next;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
