/** Reads the entries of a registry: `IMPLEMENTATION/VERSION/` with an entry.yaml and its recording. It judges nothing. */

import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseRecording, type Recording } from '../../conformance/tape/read-recording.js';
import { ENTRY_SCHEMA, type Entry, entrySchema, isEntryName } from '../../results/registry.js';
import { type Parsed, type Path, type Problem, parseYaml, problemIn } from '../../spec/document.js';
import { Failure } from '../host/failure.js';
import { readBytes, readFolder } from '../host/files.js';
import { tapeText } from '../suite/tape-files.js';
import { implausible } from './plausible.js';

/** The file of an entry that says what its recording is of. */
export const ENTRY_FILE = 'entry.yaml';

const ENTRY_BYTES_MAX = 16_384;
/** Thrice the longest quick run. */
const RECORDING_BYTES_MAX = 4_000_000;
const TEXT_BYTES_MAX = 2 ** 26;
const ENTRIES_MAX = 5_000;
/** Files that a registry may have in addition to folders of implementations. */
const OTHER_FILES = ['README.md'];

/** An entry that has no fault, with its recording. */
export interface ReadEntry {
  readonly entry: Entry;
  readonly recording: Recording;
}

/** The folders of entries, as `IMPLEMENTATION/VERSION`, in order. Failure for anything else in a registry. */
export function entriesIn(folder: string): readonly string[] {
  const found = foldersIn(folder, OTHER_FILES).flatMap((implementation) =>
    foldersIn(join(folder, implementation), []).map((version) => `${implementation}/${version}`),
  );
  if (found.length === 0) throw new Failure(`${folder}: holds no entry. aips registry add makes one of a recording.`);
  if (found.length > ENTRIES_MAX) throw new Failure(`${folder}: holds more than ${ENTRIES_MAX} entries.`);
  return found;
}

function foldersIn(folder: string, files: readonly string[]): readonly string[] {
  const names = readFolder(folder, 'a registry').filter((name) => !files.includes(name));
  for (const name of names) {
    const path = join(folder, name);
    if (!lstatSync(path).isDirectory())
      throw new Failure(`${path}: does not belong here: a registry has folders IMPLEMENTATION/VERSION.`);
    if (!isEntryName(name))
      throw new Failure(`${path}: a name has 1 to 64 lower-case letters, digits or . _ + -, and no other characters.`);
  }
  return names;
}

/** An entry and its recording, or everything that is wrong with them: the form, digests, what both say of each other, and what is implausible. */
export function readEntry(folder: string, name: string): Parsed<ReadEntry> {
  const place = join(folder, name);
  try {
    const file = join(place, ENTRY_FILE);
    const text = plainFile(file, ENTRY_BYTES_MAX).toString('utf8');
    const entry = parseYaml(text, file, entrySchema);
    if (!entry.ok) return entry;
    const tape = join(place, entry.value.recording.file);
    const bytes = plainFile(tape, RECORDING_BYTES_MAX);
    const recording = parseRecording(tapeText(bytes, tape, TEXT_BYTES_MAX), tape);
    if (!recording.ok) return recording;
    const value = { entry: entry.value, recording: recording.value };
    const problems = [
      ...strayFiles(place, entry.value),
      ...contradictions(value, name, bytes).map(([path, message]) => problemIn(text, file, path, message)),
      ...implausible(recording.value, tape),
    ];
    return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problems.length > 0) return { ok: false, problems: error.problems };
    return { ok: false, problems: [{ file: place, line: 1, key: '', message: error.message }] };
  }
}

/** A file within its bound that is neither a link nor a device. */
function plainFile(path: string, bytesMax: number): Buffer {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Failure(`${path}: there is no such file.`);
  if (!stat.isFile()) throw new Failure(`${path}: must be a plain file, and no link, folder or device.`);
  if (stat.size > bytesMax) throw new Failure(`${path}: has ${stat.size} bytes, and may have ${bytesMax}.`);
  return readBytes(path, 'entry', bytesMax);
}

function strayFiles(place: string, { recording }: Entry): readonly Problem[] {
  return readFolder(place, 'an entry')
    .filter((name) => name !== ENTRY_FILE && name !== recording.file)
    .map((name) => ({ file: join(place, name), line: 1, key: '', message: 'does not belong to the entry' }));
}

/** The keys of an entry.yaml that its folder, its file or its recording contradicts. */
function contradictions({ entry, recording }: ReadEntry, name: string, bytes: Buffer): readonly [Path, string][] {
  const fresh = entryOf(recording, bytes, entry);
  const [implementation, version] = [name.split('/')[0], basename(name)];
  const pairs: readonly (readonly [Path, string, string | undefined, string])[] = [
    [['implementation'], entry.implementation, implementation, 'the folder is'],
    [['version'], entry.version, version, 'the folder is'],
    [['recorded'], entry.recorded, fresh.recorded, 'the run began on'],
    [['dialect'], entry.dialect, fresh.dialect, 'the recording is in the dialect'],
    [['recorded_by', 'version'], entry.recorded_by.version, fresh.recorded_by.version, 'the recording is of'],
    [['recorded_by', 'suite'], entry.recorded_by.suite, fresh.recorded_by.suite, 'the recording has'],
    [['recorded_by', 'text'], entry.recorded_by.text, fresh.recorded_by.text, 'the recording has'],
    [['recording', 'sha256'], entry.recording.sha256, fresh.recording.sha256, 'the file was changed: its SHA-256 is'],
    [['recording', 'digest'], entry.recording.digest, recording.digest, 'the recording was changed: it ends with'],
  ];
  return pairs.flatMap(([path, said, is, words]): [Path, string][] =>
    said === is ? [] : [[path, `is ${said}, and ${words} ${is}`]],
  );
}

/** Facts about an implementation that its recording does not show. */
export type Described = Pick<Entry, 'implementation' | 'version' | 'licence'> & {
  readonly url?: string | undefined;
  readonly recording: Pick<Entry['recording'], 'file'>;
};

/** The entry of a recording. `bytes`: its file. */
export function entryOf({ manifest, target, digest }: Recording, bytes: Buffer, described: Described): Entry {
  const { implementation, version, url, licence } = described;
  return {
    ...{ schema: ENTRY_SCHEMA, implementation, version, ...(url === undefined ? {} : { url }), licence },
    recorded: new Date(manifest.started_ms).toISOString().slice(0, 'YYYY-MM-DD'.length),
    dialect: target.dialect.name,
    recorded_by: { version: manifest.tool_version, ...manifest.digests },
    recording: { file: described.recording.file, sha256: hash('sha256', bytes, 'hex'), digest },
  };
}

/** The entries whose recording is another entry's too, by name, with the problem. `digests`: the digest of each entry's recording. */
export function copies(digests: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const found = new Map<string, string>();
  for (const [name, digest] of digests) {
    const owner = owners.get(digest);
    if (owner === undefined) owners.set(digest, name);
    else found.set(name, `${name}/${ENTRY_FILE}: recording.digest: is the recording of ${owner}, too`);
  }
  return found;
}
