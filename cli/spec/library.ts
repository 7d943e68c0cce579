/** The scenarios of the library as `aips spec check` names them, and what a change can break about each besides its expectations. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { glob } from '../../conformance/run/select.js';
import { packageRoot } from '../../runs/host/package.js';

/** How an expectation is named that a change can break: the scenario can be played at all. */
export const PLAYABLE = 'can be played';

/** The same, for the rules of the simulator that hold in every run. */
export const INVARIANTS_HOLD = 'invariants';

/** The scenarios of the library by name, those that a glob names. */
export function libraryNames(only: readonly string[] = []): readonly string[] {
  const tests = only.map(glob);
  return readdirSync(join(packageRoot(), 'scenarios/library'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .filter((name) => tests.length === 0 || tests.some((test) => test(name)))
    .toSorted();
}
