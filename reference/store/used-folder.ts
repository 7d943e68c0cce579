/**
 * Tells a folder of `--data` that is in use from a new one, before its journal is read: files that are missing are reported, and only leftovers of
 * a crash are removed.
 */
import { type FileSystem, UNFINISHED } from './file-system.js';
import { GENESIS } from './journal-line.js';
import { readKnown } from './known-position.js';
import { MANIFEST, type Manifest, readManifest } from './manifest.js';
import { openSegment } from './scan.js';
import { missingSegment, SegmentReader, segmentName, segmentsAmong } from './segment.js';
import { SNAPSHOTS } from './snapshot.js';
import { StoreDamage } from './store-error.js';

/** The manifest of a folder that is in use; undefined for a new one. StoreDamage when a file is missing that was there. */
export async function usedFolder(files: FileSystem, folder: string): Promise<Manifest | undefined> {
  const names = await files.list(folder);
  const segments = segmentsAmong(names);
  const manifest = await readManifest(files, folder);
  if (manifest === undefined) {
    await requireUnused(files, folder, names, segments);
    return undefined;
  }
  for (const name of names.filter((each) => each.endsWith(UNFINISHED))) await files.remove(`${folder}/${name}`);
  const open = openSegment(manifest);
  for (let number = 1; number <= open; number++) {
    if (!segments.includes(number)) throw missingSegment(`${folder}/${segmentName(number)}`);
  }
  for (const number of segments.filter((each) => each > open)) await removeUnnamed(files, folder, number, open);
  return manifest;
}

/** Removes a segment that the manifest does not name: a crash came between its first line and the manifest, and nothing follows it. */
async function removeUnnamed(files: FileSystem, folder: string, number: number, open: number): Promise<void> {
  const path = `${folder}/${segmentName(number)}`;
  if (number > open + 1 || (await holdsCommands(files, path))) {
    const advice = `aips journal repair ${folder} makes it anew from the journal. Nothing was started.`;
    throw new StoreDamage(
      `${folder}/${MANIFEST}: is older than ${segmentName(number)}, which it does not name. ${advice}`,
    );
  }
  await files.remove(path);
}

async function holdsCommands(files: FileSystem, path: string): Promise<boolean> {
  const reader = await SegmentReader.open(files, path, { bytes: 0, link: GENESIS });
  try {
    for await (const texts of reader.rest()) if (texts.some((text) => text.startsWith('{"seq":'))) return true;
    return false;
  } finally {
    await reader.close();
  }
}

/** A folder without a manifest is new, unless there is more in it than a first start leaves that a crash cut short. */
async function requireUnused(
  files: FileSystem,
  folder: string,
  names: readonly string[],
  segments: readonly number[],
): Promise<void> {
  const isUsed =
    names.some((name) => SNAPSHOTS.some((pattern) => pattern.test(name))) || segments.some((number) => number > 1);
  if (isUsed || (await hasCommands(files, folder, segments))) {
    const advice = `aips journal repair ${folder} makes it anew from the journal. Nothing was started.`;
    throw new StoreDamage(`${folder}/${MANIFEST}: is missing, and the folder has been used. ${advice}`);
  }
  for (const number of segments) await files.remove(`${folder}/${segmentName(number)}`);
}

/** Whether a first segment holds commands, or did so once. */
async function hasCommands(files: FileSystem, folder: string, segments: readonly number[]): Promise<boolean> {
  const { positions } = await readKnown(files, folder);
  if (positions.some(({ seq }) => seq > 0)) return true;
  return segments.length > 0 && holdsCommands(files, `${folder}/${segmentName(1)}`);
}
