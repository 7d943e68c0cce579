/** Measures the effects of a change in a thread of its own, so that a server goes on answering meanwhile. The scenarios are played in effects.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { startOwnThread } from '../host/own-program.js';
import { type MeasuredEffects, measureScenario } from './effects.js';

type Measurement = Parameters<typeof measureScenario>;

/** Plays one standard scenario, as measureScenario does. Resolves with undefined where the signal ends it before its end. */
export function measureInThread(measurement: Measurement, signal: AbortSignal): Promise<MeasuredEffects | undefined> {
  return new Promise((resolve, reject) => {
    const thread = startOwnThread('runs/specification/effects-thread.js', { workerData: { measurement } });
    thread.unref();
    const stop = (): void => void thread.terminate();
    signal.addEventListener('abort', stop);
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', () => {
      signal.removeEventListener('abort', stop);
      resolve(undefined);
    });
  });
}

const given = workerData as { readonly measurement?: Measurement } | null;
if (given?.measurement !== undefined) parentPort?.postMessage(measureScenario(...given.measurement));
