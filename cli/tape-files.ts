/** Reads and writes the files of a recording, compressed. What they hold is decided in conformance/tape. */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { RECORDING_FILES } from '../conformance/tape/recording.js';
import { Failure } from './failure.js';
import { readBytes, readText, writeFiles } from './files.js';

const { entries: PLAIN } = RECORDING_FILES;
const PACKED = `${PLAIN}.gz`;
/** Some five times the longest run of the suite: a small file is not unpacked to all of the memory. */
const ENTRIES_BYTES_MAX = 2 ** 28;

/** Writes the files of a recording into a folder, the exchanges compressed to about a tenth of their length. */
export function keepTape(folder: string, files: Readonly<Record<string, string>>): void {
  const { [PLAIN]: entries = '', ...others } = files;
  writeFiles(folder, { ...others, [PACKED]: packed(entries) });
  // Left by an earlier recording, it would contradict the new one.
  rmSync(join(folder, PLAIN), { force: true });
}

/** The exchanges of the recording in a folder, compressed or not. Throws a Failure where they cannot be read. */
export function readEntries(folder: string): string {
  const [plain, gzip] = [join(folder, PLAIN), join(folder, PACKED)];
  if (!existsSync(gzip)) return readText(plain, 'recording');
  if (existsSync(plain)) throw new Failure(`${folder} holds both ${PLAIN} and ${PACKED}: take one away.`);
  const bytes = readBytes(gzip, 'recording');
  try {
    return gunzipSync(bytes, { maxOutputLength: ENTRIES_BYTES_MAX }).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new Failure(`${gzip}: is larger than can be read when unpacked.`);
    if (code.startsWith('Z_')) throw new Failure(`${gzip}: is no gzip file, or a damaged one.`);
    throw error;
  }
}

/** Gzip without time (zlib's default) and operating system (RFC 1952, 2.3.1), so that equal texts give equal bytes. */
function packed(text: string): Buffer {
  const bytes = gzipSync(text);
  bytes[9] = 255;
  return bytes;
}
