import { register } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Overlay } from '../../spec/overlay.js';
import { allMutants } from './index.js';
import { judgeMutant } from './judge-mutant.js';

/** The program of a worker of run.ts: it judges the mutants that it is told to, one after the other. */

const { rootUrl, overlay } = workerData as { readonly rootUrl: string; readonly overlay: Overlay };
const patches = Object.fromEntries(
  allMutants.flatMap(({ patch }, place) => ('file' in patch ? [[`m${place}`, patch]] : [])),
);
register(new URL('./hooks.js', import.meta.url), { data: { patches, rootUrl } });

parentPort?.on('message', (place: number) => {
  const mutant = allMutants[place];
  if (mutant === undefined) throw new RangeError(`there is no mutant ${place}`);
  judgeMutant(mutant, `m${place}`, overlay).then(
    (result) => parentPort?.postMessage({ place, result }),
    (error: unknown) => parentPort?.postMessage({ place, error: error instanceof Error ? error.stack : String(error) }),
  );
});
