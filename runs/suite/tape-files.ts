/** Reads and writes recordings, each a compressed file. Their form is in conformance/tape. */

import { hash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Failure } from '../host/failure.js';
import { ensureFile, ensureFolder, headOf, readBytes, readFolder, writeFiles } from '../host/files.js';

/** The end of the name of a recording in a folder. */
const RECORDING_SUFFIX = '.aips.gz';

/** About five times the longest run of the suite. The bound keeps a small compressed file from filling the memory. */
const TEXT_BYTES_MAX = 2 ** 28;
const DIGEST_CHARS = 12;
/** The first bytes of a gzip file (RFC 1952, 2.3.1). */
const GZIP = 0x1f8b;

/** Throws a Failure where a recording cannot be written to a path: a file, or a folder that gets a file with a name of its own. */
export function ensureTape(path: string): void {
  if (isFolder(path) || path.endsWith('/')) ensureFolder(path);
  else ensureFile(path);
}

/** Writes a recording, compressed to about a tenth of its length, and returns its path. `server`: the URL of the target, for the name in a folder. */
export function keepTape(path: string, text: string, server: string, startedMs: number): string {
  const file = isFolder(path) ? join(path, nameOf(text, server, startedMs)) : path;
  writeFiles(dirname(file), { [basename(file)]: packed(text) });
  return file;
}

/** The server, the time of the run and the beginning of the digest: no two recordings have the same. */
function nameOf(text: string, server: string, startedMs: number): string {
  const host = new URL(server).host.replaceAll(/[^\w.-]/g, '-');
  const time = new Date(startedMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${host}-${time}-${hash('sha256', text, 'hex').slice(0, DIGEST_CHARS)}${RECORDING_SUFFIX}`;
}

/** The recordings that paths name: files, and all files of folders whose names end like those of recordings. Failure for a folder without one. */
export function tapesIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [path];
    const names = readFolder(path, 'recordings').filter((name) => name.endsWith(RECORDING_SUFFIX));
    if (names.length === 0) throw new Failure(`${path}: holds no recording, a file that ends in ${RECORDING_SUFFIX}.`);
    return names.map((name) => join(path, name));
  });
}

/** The text of a recording. Failure where it is no plain file, or not compressed. */
export function readTape(file: string): string {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) {
    throw new Failure(`${file}: a recording is a plain file, and no link, pipe or device.`);
  }
  if (stat !== undefined && stat.size > TEXT_BYTES_MAX) {
    throw new Failure(`${file}: is larger than a recording can be (${TEXT_BYTES_MAX} bytes).`);
  }
  return tapeText(readBytes(file, 'recording', TEXT_BYTES_MAX), file);
}

/** The text of a recording whose compressed bytes are read. `textBytesMax`: how long it may be. */
export function tapeText(bytes: Uint8Array, file: string, textBytesMax = TEXT_BYTES_MAX): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: textBytesMax }).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new Failure(`${file}: is larger than can be read when unpacked.`);
    if (code.startsWith('Z_')) throw new Failure(`${file}: is no recording, which is a gzip file, or a damaged one.`);
    throw error;
  }
}

/** Whether a file is compressed, as recordings are. */
export function isTape(file: string): boolean {
  if (!existsSync(file) || !lstatSync(file).isFile()) return false;
  const head = headOf(file, 2);
  return head?.length === 2 && head.readUInt16BE() === GZIP;
}

const isFolder = (path: string): boolean => existsSync(path) && lstatSync(path).isDirectory();

/** Gzip without time (zlib's default) and operating system (RFC 1952, 2.3.1), so that equal texts give equal bytes. */
function packed(text: string): Buffer {
  const bytes = gzipSync(text);
  bytes[9] = 255;
  return bytes;
}
