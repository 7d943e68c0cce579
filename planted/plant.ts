/** Makes the mutants known to the module loader of this thread, and starts them. The changes themselves are made in engine/. */
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Deployment, type InProcess, loadReference } from '../conformance/in-process/reference.js';
import { startMutant } from '../conformance/mutants/judge-mutant.js';
import type { Overlay } from '../spec/overlay.js';
import { allMutants, root } from './all-mutants.js';
import type { Planting } from './hooks.js';
import type { PlantedMutant } from './mistake.js';

/** The name by which the loader knows the mutant at a place of the list. */
const tagOf = (place: number): string => `m${place}`;

/** From now on this thread can load the reference with the changes of any mutant. It has to be of the built program. */
export function plantMutants(): void {
  const edits = Object.fromEntries(
    allMutants.flatMap(({ patch }, place) => ('edits' in patch ? [[tagOf(place), patch.edits]] : [])),
  );
  const data: Planting = {
    edits,
    builtUrl: new URL('../', import.meta.url).href,
    sourceUrl: `${pathToFileURL(root).href}/`,
  };
  register(new URL('./hooks.js', import.meta.url), { data });
}

export function mutantAt(place: number): PlantedMutant {
  const mutant = allMutants[place];
  if (mutant === undefined) throw new RangeError(`there is no mutant ${place}`);
  return mutant;
}

/** A reference with the mutant at a place of the list. Needs plantMutants() of this thread. */
export async function startPlanted(place: number, deployment: Deployment, overlay: Overlay = {}): Promise<InProcess> {
  const mutant = mutantAt(place);
  const modules = await loadReference('edits' in mutant.patch ? tagOf(place) : undefined);
  return startMutant(mutant, { deployment, overlay, modules });
}
