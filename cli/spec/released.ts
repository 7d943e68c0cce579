/** Released specifications: reads those of spec/released/, and `aips spec snapshot` prints the present one in their form. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { type Json, jsonRows } from '../../results/json-text.js';
import { Failure } from '../../runs/host/failure.js';
import { readText } from '../../runs/host/files.js';
import { packageRoot, packageVersion } from '../../runs/host/package.js';
import { presentSpec, type ReleasedSpec, releasedSchema } from '../../spec/released.js';

const folder = (): string => join(packageRoot(), 'spec/released');

/** The versions that were released, the oldest first. */
export function releasedVersions(): readonly string[] {
  if (!existsSync(folder())) return [];
  const versions = readdirSync(folder()).map((file) => file.replace(/\.json$/, ''));
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Reads a specification that was released. Failure for a version that was not. */
export function releasedSpec(version: string): ReleasedSpec {
  const known = releasedVersions();
  if (!known.includes(version))
    throw new Failure(`${version}: no such version was released. Released: ${known.join(', ')}.`);
  return releasedSchema.parse(JSON.parse(readText(join(folder(), `${version}.json`), 'released specification')));
}

/** The present specification in the form of a release. */
export function presentRelease(): ReleasedSpec {
  return presentSpec(
    packageVersion(),
    allChecks.map(({ id }) => id),
  );
}

/** `aips spec snapshot`: what a release adds to spec/released/. */
export const snapshotCommand: CommandModule<object, object> = {
  command: 'snapshot',
  describe: 'Print the present specification as spec/released/ keeps it: numbers, errors, endpoints, clauses, checks',
  builder: (args: Argv) => args.example('$0 spec snapshot > spec/released/0.2.0.json', 'when 0.2.0 is released'),
  handler: () => {
    process.stdout.write(jsonRows(presentRelease() as unknown as Record<string, Json>));
  },
};
