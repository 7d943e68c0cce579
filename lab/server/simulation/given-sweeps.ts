/** The sweeps that the page offers, read at start: those of the package, and those of the folder that was given. A request names one by its id. */

import { join, relative } from 'node:path';
import { parseSweep } from '../../../experiments/sweep/sweep-file.js';
import { readSweep, type SweepTexts } from '../../../runs/experiment/sweep-plan.js';
import { Failure } from '../../../runs/host/failure.js';
import { readFolder, readText } from '../../../runs/host/files.js';
import { packageRoot } from '../../../runs/host/package.js';
import { readYaml } from '../../../spec/document.js';

/** The sweeps of the package, by id. */
export async function packageSweeps(): Promise<ReadonlyMap<string, SweepTexts>> {
  const folder = relative('.', join(packageRoot(), 'scenarios/experiments'));
  const sweeps = new Map<string, SweepTexts>();
  for (const name of readFolder(folder, 'experiments')) {
    const sweep = /\.ya?ml$/.test(name) ? await sweepIn(join(folder, name)) : undefined;
    if (sweep !== undefined) sweeps.set(`sweep/${name.replace(/\.ya?ml$/, '')}`, sweep);
  }
  return sweeps;
}

/** The sweep of a YAML file; undefined for another kind of file, such as a scenario. Failure where it cannot be read. */
export async function sweepIn(file: string): Promise<SweepTexts | undefined> {
  const text = readText(file, 'sweep file');
  const [fault] = readYaml(text).faults;
  if (fault !== undefined) throw new Failure(`${file}: is not YAML: ${fault.message}`);
  return parseSweep(text, file).ok ? readSweep(file) : undefined;
}
