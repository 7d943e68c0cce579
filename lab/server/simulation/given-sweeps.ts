/** The sweeps that the page offers, read at start: those of the package, and those of the folder that was given. A request names one by its id. */

import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSweep } from '../../../experiments/sweep/sweep-file.js';
import { readSweep, type SweepTexts } from '../../../runs/experiment/sweep-plan.js';
import { readText } from '../../../runs/host/files.js';
import { packageRoot } from '../../../runs/host/package.js';

/** Sweeps by id; a sweep of the given folder takes the place of one of the package. */
export async function givenSweeps(folder?: string): Promise<ReadonlyMap<string, SweepTexts>> {
  const sweeps = new Map<string, SweepTexts>();
  const own = relative('.', join(packageRoot(), 'scenarios/experiments'));
  for (const each of [own, ...(folder === undefined ? [] : [folder])]) {
    if (!existsSync(each)) continue;
    for (const name of readdirSync(each).toSorted()) {
      const file = join(each, name);
      // Folders have scenarios, searches and overlays in YAML, too.
      if (!/\.ya?ml$/.test(name) || !parseSweep(readText(file, 'sweep file'), file).ok) continue;
      sweeps.set(`sweep/${name.replace(/\.ya?ml$/, '')}`, await readSweep(file));
    }
  }
  return sweeps;
}
