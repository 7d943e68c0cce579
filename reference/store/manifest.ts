/**
 * The manifest of a folder of `--data`: the segments that it should hold, and how far the journal reached when it was last
 * closed or cut. A folder that holds less is reported, and never taken for a new one.
 */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { isObject } from '../../spec/formats.js';
import { type FileSystem, readWhole, replaceFile } from './file-system.js';
import { FORMAT } from './journal-line.js';
import { StoreDamage, StoreError } from './store-error.js';

/** The name of the manifest in the folder. */
export const MANIFEST = 'manifest.json';

const link = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** A place in a journal, as files name it. */
export const positionSchema = z.strictObject({ seq: count, link, segment: count, bytes: count });

const schema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of the package that wrote it. */
  version: z.string(),
  start_ms: z.int(),
  /** Complete segments, from number 1 on: the commands before each, its length, last link and SHA-256. */
  segments: z.array(z.strictObject({ first: count, bytes: count, link, sha256: link })),
  /** A place up to which the journal is on the disk, in the segment that is written: the one after `segments`. */
  known: positionSchema,
  /** Nothing was written after `known`. */
  closed: z.boolean(),
});

export type Manifest = z.output<typeof schema>;

/** Other line ends do not change its content. */
const DIGEST = /^\{"sha256":"([0-9a-f]{64})","manifest":(.*)\}\r?\n$/s;

/** Writes the manifest in the place of the one that is there. */
export async function writeManifest(files: FileSystem, folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest);
  await replaceFile(files, folder, MANIFEST, [
    Buffer.from(`{"sha256":"${hash('sha256', text)}","manifest":${text}}\n`),
  ]);
}

/** The manifest of a folder; undefined when there is none. StoreError when it is damaged or of a format that is not read here. */
export async function readManifest(files: FileSystem, folder: string): Promise<Manifest | undefined> {
  const path = `${folder}/${MANIFEST}`;
  const bytes = await readWhole(files, path);
  if (bytes === undefined) return undefined;
  const form = DIGEST.exec(Buffer.from(bytes).toString('utf8'));
  const damaged = new StoreDamage(
    `${path}: this file was changed or cut off. aips journal repair ${folder} makes it anew from the journal.`,
  );
  if (form === null || hash('sha256', form[2] ?? '') !== form[1]) throw damaged;
  const value: unknown = JSON.parse(form[2] ?? '');
  const format = isObject(value) ? value['format'] : undefined;
  if (format !== FORMAT) {
    throw new StoreError(
      `${path}: is of format ${String(format)}, and this version reads ${FORMAT}. Use the version that wrote it.`,
    );
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged;
  return parsed.data;
}
