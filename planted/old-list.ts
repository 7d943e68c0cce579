/**
 * The mutants of an earlier commit, judged by the suite of this one: the reference and the list are those of a build in another
 * folder, which this suite sees as it sees any server. docs/kill-matrix.md says how; it knows the layout of 08fcb9e alone.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Deployment, InProcess } from '../conformance/in-process/reference.js';
import type { Mutant } from '../conformance/mutants/mutant.js';

/** The modules of that commit that make its list and start its reference. */
interface OldModules {
  readonly allMutants: readonly Mutant<object>[];
  readonly plantMutants: () => void;
  readonly tagOf: (place: number) => string;
  readonly startMutant: (mutant: Mutant<object>, tag: string, deployment: Deployment) => Promise<InProcess>;
}

interface OldList {
  readonly mutants: readonly Mutant<object>[];
  readonly start: (place: number, deployment: Deployment) => Promise<InProcess>;
}

/** `folder` is the root of a checkout that is built; `plant` makes this thread able to start its mutants. */
export async function oldList(folder: string, { plant = false } = {}): Promise<OldList> {
  const load = (name: string) =>
    import(pathToFileURL(join(resolve(folder), 'dist/conformance/mutants', name)).href) as Promise<OldModules>;
  const [{ allMutants }, { plantMutants, tagOf }, { startMutant }] = await Promise.all(
    ['index.js', 'plant.js', 'judge-mutant.js'].map(load) as [
      Promise<OldModules>,
      Promise<OldModules>,
      Promise<OldModules>,
    ],
  );
  if (plant) plantMutants();
  return {
    mutants: allMutants,
    start: (place, deployment) => startMutant(allMutants[place] as Mutant<object>, tagOf(place), deployment),
  };
}
