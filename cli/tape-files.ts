import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { RECORDING_FILES } from '../conformance/tape/recording.js';
import { Failure } from './failure.js';
import { readBytes, readText, writeFiles } from './files.js';

const { entries: PLAIN } = RECORDING_FILES;
const PACKED = `${PLAIN}.gz`;
/** A text of JavaScript holds no more. */
const ENTRIES_BYTES_MAX = 2 ** 29 - 24;

/** Writes the files of a recording into a folder, what was said compressed: an exchange costs a tenth of its length so. */
export function keepTape(folder: string, files: Readonly<Record<string, string>>): void {
  const { [PLAIN]: entries = '', ...others } = files;
  writeFiles(folder, { ...others, [PACKED]: packed(entries) });
  // That of a recording before, which would stand beside the new one.
  rmSync(join(folder, PLAIN), { force: true });
}

/** What was said in the recording of a folder, whether it is compressed or not. Throws a Failure where it cannot be told. */
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

/** Gzip with nothing of the moment or the machine: no time (zlib's default) and no operating system (RFC 1952, 2.3.1). */
function packed(text: string): Buffer {
  const bytes = gzipSync(text);
  bytes[9] = 255;
  return bytes;
}
