/** Every mutant: those that follow from tables or that any endpoint can have, and those of planted/mistakes. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { derivedMutants } from '../conformance/mutants/derived.js';
import { endpointMutants } from './from-endpoints.js';
import { mistakesIn, type PlantedMutant } from './mistake.js';

const here = dirname(fileURLToPath(import.meta.url)).replace(/\/dist\/planted$/, '/planted');

/** The root of the repository, whether this file is built or not. */
export const root = dirname(here);

/** Mistakes written by hand, by the file that they are in. */
export const plantedFiles: ReadonlyMap<string, readonly PlantedMutant[]> = new Map(
  readdirSync(join(here, 'mistakes'))
    .toSorted()
    .map((name) => [name, mistakesIn(name, contentOf(join(here, 'mistakes', name)))] as const),
);

function contentOf(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new RangeError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const allMutants: readonly PlantedMutant[] = [
  ...derivedMutants,
  ...endpointMutants,
  ...[...plantedFiles.values()].flat(),
];
