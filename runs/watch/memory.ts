/** Keeps the memory of a long run small: V8 lets garbage grow to several times of what is in use before it collects it. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage is collected beyond this much memory of the process, in bytes. */
const RSS_MAX = 180_000_000;
/** Calls between two looks. A collection takes some 50 ms. */
const LOOK_EVERY = 2_000;

/** A function to call with each exchange: now and then it collects garbage, if the process has grown. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % LOOK_EVERY === 0 && process.memoryUsage.rss() > RSS_MAX) collect();
  };
}
