/** Checks the entries of a registry, as a change of it is checked: form, digests and plausibility. It judges no server. */

import { describeProblem } from '../../spec/document.js';
import { suiteDigests } from '../suite/suite-digests.js';
import { copies, entriesIn, readEntry } from './read-registry.js';

/** An entry after the check: a note of the recording, or every problem as a line. */
interface CheckedEntry {
  readonly name: string;
  readonly note: string;
  readonly problems: readonly string[];
}

/** Checks all entries of a folder, in order. Failure for a folder that is no registry. */
export function checkRegistry(folder: string): readonly CheckedEntry[] {
  const { text } = suiteDigests();
  const digests = new Map<string, string>();
  const checked = entriesIn(folder).map((name): CheckedEntry => {
    const read = readEntry(folder, name);
    if (!read.ok) return { name, note: '', problems: read.problems.map(describeProblem) };
    const { entry, recording } = read.value;
    digests.set(name, recording.digest);
    const exchanges = recording.entries.length;
    const state = entry.recorded_by.text === text ? 'the text of this version' : 'expired: by another text';
    return { name, note: `${exchanges} exchanges of ${entry.recorded}, ${state}`, problems: [] };
  });
  const copied = copies(digests);
  return checked.map((each) => {
    const copy = copied.get(each.name);
    return copy === undefined ? each : { ...each, problems: [...each.problems, copy] };
  });
}
