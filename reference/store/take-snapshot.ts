/**
 * Makes a snapshot of a journal that another process is writing, from the files alone: the process that serves neither stops
 * nor computes for it.
 */
import type { FileSystem } from './file-system.js';
import type { Build } from './journal-line.js';
import { findStore } from './read-store.js';
import { type Replayed, replayInto } from './replay-into.js';
import type { Replica } from './saved-state.js';
import { digestOf, segmentName } from './segment.js';
import { writeSnapshot } from './snapshot.js';

/** Brings a replica of the service as it started to where the journal was acknowledged, and keeps its state. */
export async function takeSnapshot(
  replica: Replica,
  { files, folder, build }: { readonly files: FileSystem; readonly folder: string; readonly build: Build },
): Promise<Replayed> {
  const { known, until } = await findStore(files, folder);
  const replayed = await replayInto(replica, { files, folder, build, known, until, log: () => undefined });
  const { position } = replayed.end;
  const digest = await digestOf(files, `${folder}/${segmentName(position.segment)}`, position.bytes);
  const segmentSha256 = digest.digest('hex');
  await writeSnapshot(files, folder, {
    ...build,
    position,
    segmentSha256,
    columns: replica.columns(),
    saved: replica.save(),
  });
  return replayed;
}
