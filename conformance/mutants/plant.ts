/** Makes the patches of the mutants known to the module loader of this thread. What a patch does is in hooks.ts. */

import { register } from 'node:module';
import { allMutants } from './index.js';

/** The name by which the loader knows the mutant at a place of the list. */
export const tagOf = (place: number): string => `m${place}`;

/** From now on this thread can load the reference with the patch of any mutant. */
export function plantMutants(): void {
  const rootUrl = new URL('../../', import.meta.url).href;
  const patches = Object.fromEntries(
    allMutants.flatMap(({ patch }, place) => ('file' in patch ? [[tagOf(place), patch]] : [])),
  );
  register(new URL('./hooks.js', import.meta.url), { data: { patches, rootUrl } });
}
