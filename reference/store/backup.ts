/**
 * Copies a folder of `--data`, also while a server writes it: every command that was acknowledged when the copy began, each line
 * held against its link on the way, and the newest snapshot.
 */

import { type FileSystem, readWhole, writeFully, writeNew } from './file-system.js';
import { manifestOf } from './journal.js';
import { KnownPosition } from './known-position.js';
import { writeManifest } from './manifest.js';
import { findStore } from './read-store.js';
import { START, scan } from './scan.js';
import { type Position, segmentName } from './segment.js';
import { readSnapshot, SNAPSHOT } from './snapshot.js';
import { StoreError } from './store-error.js';

const COPY_BYTES = 1 << 20;

/** Copies a folder into one that has nothing in it. The answer: how many commands the copy has. */
export async function backupStore(files: FileSystem, from: string, to: string): Promise<number> {
  await files.makeFolder(to);
  if ((await files.list(to)).length > 0) throw new StoreError(`${to}: is not empty. Give a new folder for the copy.`);
  const { known, until, header } = await findStore(files, from);
  await scan(files, from, known, { from: START, until }, () => undefined);
  const { manifest } = known;
  for (let number = 1; number <= until.segment; number++) {
    const bytes = manifest.segments[number - 1]?.bytes ?? until.bytes;
    await copyPart(files, `${from}/${segmentName(number)}`, `${to}/${segmentName(number)}`, bytes);
  }
  await copySnapshot(files, from, to, until);
  const kept = await KnownPosition.create(files, to, until);
  await kept.close();
  const build = { version: manifest.version, rules: header.rules };
  const segments = manifest.segments.slice(0, until.segment - 1);
  await writeManifest(files, to, manifestOf({ build, startMs: manifest.start_ms }, segments, until, true));
  // What was written is read again: a copy that is not sound is none.
  await scan(files, to, { manifest, reached: [until] }, { from: START, until }, () => undefined);
  return until.seq;
}

async function copyPart(files: FileSystem, from: string, to: string, bytes: number): Promise<void> {
  const source = await files.open(from, 'read');
  const target = await files.open(to, 'create');
  try {
    for (let at = 0; at < bytes; ) {
      const part = await source.read(at, Math.min(COPY_BYTES, bytes - at));
      if (part.length === 0) throw new StoreError(`${from}: became shorter while it was copied.`);
      await writeFully(target, part, at);
      at += part.length;
    }
    await target.sync();
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** The newest snapshot, unless it is of later commands or another takes its place meanwhile: the journal is enough. */
async function copySnapshot(files: FileSystem, from: string, to: string, until: Position): Promise<void> {
  const { found } = await readSnapshot(files, from, ({ position }) => position.seq <= until.seq);
  if (found === undefined) return;
  for (const name of [found.file, SNAPSHOT]) {
    const bytes = await readWhole(files, `${from}/${name}`);
    if (bytes === undefined) return;
    await writeNew(files, `${to}/${name}`, [bytes]);
  }
}
