/**
 * Copies a folder of `--data`, also while a server writes it: every command that was acknowledged when the copy began, each line
 * held against its link on the way, and the newest snapshot.
 */

import { copyBytes, type FileSystem, readWhole, writeNew } from './file-system.js';
import { manifestOf } from './journal.js';
import { KNOWN, KnownPosition } from './known-position.js';
import { writeManifest } from './manifest.js';
import { findStore } from './read-store.js';
import { START, scan } from './scan.js';
import { type Position, segmentName } from './segment.js';
import { readSnapshot, SNAPSHOT } from './snapshot.js';
import { StoreError } from './store-error.js';

/** Copies a folder into an empty one. Returns the number of commands in the copy. */
export async function backupStore(files: FileSystem, from: string, to: string): Promise<number> {
  await files.makeFolder(to);
  if ((await files.list(to)).length > 0) throw new StoreError(`${to}: is not empty. Give a new folder for the copy.`);
  const { known, until, header } = await findStore(files, from);
  await scan(files, from, known, { from: START, until }, () => undefined);
  const { manifest } = known;
  for (let number = 1; number <= until.segment; number++) {
    const end = manifest.segments[number - 1]?.bytes ?? until.bytes;
    await copyBytes(files, `${from}/${segmentName(number)}`, `${to}/${segmentName(number)}`, { end });
  }
  await copySnapshot(files, from, to, until);
  const kept = await KnownPosition.create(files, to, until);
  await kept.close();
  const build = { version: manifest.version, rules: header.rules };
  const segments = manifest.segments.slice(0, until.segment - 1);
  await writeManifest(files, to, manifestOf({ build, startMs: manifest.start_ms }, segments, until, true));
  // The copy is read again: an unsound one is not a backup.
  await scan(files, to, { manifest, reached: [{ ...until, by: KNOWN }] }, { from: START, until }, () => undefined);
  return until.seq;
}

/** Copies the newest snapshot, unless it is of later commands or is replaced meanwhile; the journal alone is enough. */
async function copySnapshot(files: FileSystem, from: string, to: string, until: Position): Promise<void> {
  const { found } = await readSnapshot(files, from, ({ position }) => position.seq <= until.seq);
  if (found === undefined) return;
  for (const name of [found.file, SNAPSHOT]) {
    const bytes = await readWhole(files, `${from}/${name}`);
    if (bytes === undefined) return;
    await writeNew(files, `${to}/${name}`, [bytes]);
  }
}
