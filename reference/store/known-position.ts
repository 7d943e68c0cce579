/**
 * How far a journal is known to reach: two places that are written in turn after each write to the journal, so that one of them is always whole.
 * Writing them does not wait for the disk. The position that they name was on the disk before they were written, so a shorter journal has lost
 * acknowledged commands.
 */
import { hash } from 'node:crypto';
import { type FileSystem, type OpenFile, readWhole, removeIfThere, UNFINISHED, writeFullyNow } from './file-system.js';
import type { Position } from './segment.js';

/** The file that holds the known position, next to the journal. */
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

/** Whether the file is there and its places can be read: both, one, or none. Only a loss of power during a write leaves it `damaged`. */
export type KnownState = 'whole' | 'half' | 'damaged' | 'cut off' | 'missing';

/** The places that the file of a folder names. Both were on the disk. */
export async function readKnown(
  files: FileSystem,
  folder: string,
): Promise<{ readonly positions: readonly Position[]; readonly state: KnownState }> {
  const bytes = await readWhole(files, `${folder}/${KNOWN}`);
  if (bytes === undefined) return { positions: [], state: 'missing' };
  const slots = [0, 1].map((i) => readSlot(bytes.subarray(i * SLOT_BYTES, (i + 1) * SLOT_BYTES)));
  const positions = slots.filter((slot) => slot !== undefined);
  const state = (['damaged', 'half', 'whole'] as const)[positions.length] ?? 'damaged';
  return { positions, state: bytes.length === 2 * SLOT_BYTES ? state : 'cut off' };
}

/** The file while a journal is written. */
export class KnownPosition {
  private next = 0;

  private constructor(private readonly file: OpenFile) {}

  /**
   * Writes a new file with one position in the place of the one that is there, which another process may still have open. It and
   * its name are on the disk when this returns.
   */
  static async create(files: FileSystem, folder: string, position: Position): Promise<KnownPosition> {
    const path = `${folder}/${KNOWN}`;
    await removeIfThere(files, `${path}${UNFINISHED}`);
    const known = new KnownPosition(await files.open(`${path}${UNFINISHED}`, 'create'));
    known.put(position);
    known.put(position);
    await known.file.sync();
    await files.rename(`${path}${UNFINISHED}`, path);
    await files.syncFolder(folder);
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
