/**
 * Reads the folder that is given to the lab at its start: sweeps and failed sequences. A file that cannot be read is a problem, and the others
 * are offered.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepTexts } from '../../runs/experiment/sweep-plan.js';
import { Failure } from '../../runs/host/failure.js';
import { readFolder } from '../../runs/host/files.js';
import { type GivenSequence, sequenceIn } from './conformance/sequence-actions.js';
import { packageSweeps, sweepIn } from './simulation/given-sweeps.js';

/** The sweeps and sequences that the page offers, and the problems of files that it cannot offer. */
export interface Given {
  readonly sequences: readonly GivenSequence[];
  /** Sweeps by id: those of the package, and in their place those of the folder. */
  readonly sweeps: ReadonlyMap<string, SweepTexts>;
  readonly problems: readonly string[];
}

/** Reads the folder, if there is one, and the sweeps of the package. A folder in which nothing can be read is a Failure. */
export async function readGiven(folder: string | undefined): Promise<Given> {
  const sweeps = new Map(await packageSweeps());
  if (folder === undefined) return { sequences: [], sweeps, problems: [] };
  const problems: string[] = [];
  const orProblem = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const names = readFolder(folder, 'sweeps and failed sequences');
  const within = names
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const sequences: GivenSequence[] = [];
  for (const each of [folder, ...within]) {
    const found = await orProblem(() => sequenceIn(each));
    if (found !== undefined) sequences.push(found);
  }
  let own = 0;
  for (const name of names.filter((each) => /\.ya?ml$/.test(each))) {
    const found = await orProblem(() => sweepIn(join(folder, name)));
    if (found === undefined) continue;
    sweeps.set(`sweep/${name.replace(/\.ya?ml$/, '')}`, found);
    own += 1;
  }
  if (problems.length > 0 && sequences.length + own === 0) throw new Failure(problems.join('\n'));
  return { sequences, sweeps, problems };
}
