/** Adds a recording to a registry: its file, and the entry.yaml that says what it is of. */

import { join } from 'node:path';
import { stringify } from 'yaml';
import { entrySchema } from '../../results/registry.js';
import { describeProblem } from '../../spec/document.js';
import { Failure } from '../host/failure.js';
import { readBytes, writeFiles } from '../host/files.js';
import { readRecording } from '../suite/record.js';
import { type Described, ENTRY_FILE, entryOf, readEntry } from './read-registry.js';

/** The name of the recording of an entry. */
const RECORDING_FILE = 'run.aips.gz';
const HEADER =
  '# An entry of the registry: see docs/registry.md. The verdict is not here: every version of the suite judges the recording again.\n';

/** Writes an entry into a registry and returns its folder. Failure where the recording or a value is wrong, or implausible. */
export function addEntry(registry: string, tape: string, described: Omit<Described, 'recording'>): string {
  const recording = readRecording(tape);
  const bytes = readBytes(tape, 'recording');
  const entry = entrySchema.safeParse(entryOf(recording, bytes, { ...described, recording: { file: RECORDING_FILE } }));
  if (!entry.success)
    throw new Failure(entry.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}.`).join('\n'));
  const name = `${described.implementation}/${described.version}`;
  const place = join(registry, name);
  writeFiles(place, { [RECORDING_FILE]: bytes, [ENTRY_FILE]: HEADER + stringify(entry.data) });
  const read = readEntry(registry, name);
  if (!read.ok) throw new Failure(read.problems.map(describeProblem).join('\n'));
  return place;
}
