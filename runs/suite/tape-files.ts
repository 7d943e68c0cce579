/** Reads and writes the files of a recording, compressed. Their format is in conformance/tape. */

import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { RECORDING_FILES } from '../../conformance/tape/read-recording.js';
import { Failure } from '../host/failure.js';
import { readBytes, writeFiles } from '../host/files.js';

const { entries: PLAIN, manifest: MANIFEST } = RECORDING_FILES;
const PACKED = `${PLAIN}.gz`;
/** About five times the longest run of the suite. The bound keeps a small compressed file from filling the memory. */
const ENTRIES_BYTES_MAX = 2 ** 28;
const MANIFEST_BYTES_MAX = 2 ** 22;

/** Writes the files of a recording into a folder, the exchanges compressed to about a tenth of their length. */
export function keepTape(folder: string, files: Readonly<Record<string, string>>): void {
  const { [PLAIN]: entries = '', ...others } = files;
  writeFiles(folder, { ...others, [PACKED]: packed(entries) });
  // The file of an earlier recording would contradict the new one.
  rmSync(join(folder, PLAIN), { force: true });
}

/** The manifest of the recording in a folder, as text. Throws a Failure where it cannot be read. */
export function readManifest(folder: string): string {
  return readPlain(join(folder, MANIFEST), MANIFEST_BYTES_MAX).toString('utf8');
}

/** The exchanges of the recording in a folder, compressed or not. Throws a Failure where they cannot be read. */
export function readEntries(folder: string): string {
  const [plain, gzip] = [join(folder, PLAIN), join(folder, PACKED)];
  if (!existsSync(gzip)) return readPlain(plain, ENTRIES_BYTES_MAX).toString('utf8');
  if (existsSync(plain)) throw new Failure(`${folder} holds both ${PLAIN} and ${PACKED}: take one away.`);
  const bytes = readPlain(gzip, ENTRIES_BYTES_MAX);
  try {
    return gunzipSync(bytes, { maxOutputLength: ENTRIES_BYTES_MAX }).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new Failure(`${gzip}: is larger than can be read when unpacked.`);
    if (code.startsWith('Z_')) throw new Failure(`${gzip}: is no gzip file, or a damaged one.`);
    throw error;
  }
}

/** A file of a recording: a plain file in its folder, not a link or an endless device. */
function readPlain(path: string, bytesMax: number): Buffer {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) {
    throw new Failure(`${path}: a recording holds plain files, and no links, pipes or devices.`);
  }
  if (stat !== undefined && stat.size > bytesMax) {
    throw new Failure(`${path}: is larger than a recording can be (${bytesMax} bytes).`);
  }
  return readBytes(path, 'recording', bytesMax);
}

/** Gzip without time (zlib's default) and operating system (RFC 1952, 2.3.1), so that equal texts give equal bytes. */
function packed(text: string): Buffer {
  const bytes = gzipSync(text);
  bytes[9] = 255;
  return bytes;
}
