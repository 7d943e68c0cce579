/**
 * Ends the process when a behaviour of the user's own does not come to a decision: while it runs, the thread that plays can neither stop it
 * nor hear Ctrl-C. A thread of its own looks on. It never changes a result: a run ends with an error, or plays on as without it.
 */

import { Worker } from 'node:worker_threads';
import { oneLine } from '../../results/visible.js';
import { EXIT } from '../host/failure.js';
import { END_PROCESS } from './surroundings.js';

/** Notes when a decision begins, and when it is made. */
export interface DecisionWatch {
  readonly begin: (behaviour: string, nowSec: number) => void;
  readonly end: () => void;
}

/** Between two looks. The looks are counted and not the time: a process that was stopped meanwhile has missed none of its own. */
const LOOK_MS = 250;
/** Some five seconds; a decision takes microseconds. */
const DECISION_LOOKS_MAX = 20;
/** A module may import many others, from a slow disk. */
const LOADING_LOOKS_MAX = 240;

/** The words that both threads see: the number of the decision that runs, or 0; its second; and the index of its behaviour. */
const RUNS = 0;
const SECOND = 1;
const NAME = 2;
const NAMES_MAX = 1_000;
const NAME_CHARS_MAX = 100;

/** Watches the decisions of this thread by the behaviours of a module. Its loading is the decision of a behaviour without a name. */
export function watchDecisions(file: string): DecisionWatch {
  const state = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(state);
  const names = new SharedArrayBuffer(NAMES_MAX * NAME_CHARS_MAX * Uint16Array.BYTES_PER_ELEMENT);
  const letters = new Uint16Array(names);
  const indices = new Map<string, number>();
  const indexOf = (behaviour: string): number => {
    const known = indices.get(behaviour);
    if (known !== undefined) return known;
    const index = Math.min(indices.size, NAMES_MAX - 1);
    const shown = oneLine(behaviour).slice(0, NAME_CHARS_MAX);
    for (let at = 0; at < shown.length; at++) letters[index * NAME_CHARS_MAX + at] = shown.charCodeAt(at);
    indices.set(behaviour, index);
    return index;
  };
  const given = { state, names, file: oneLine(file), looks: [DECISION_LOOKS_MAX, LOADING_LOOKS_MAX] };
  const end = `globalThis[Symbol.for(${JSON.stringify(END_PROCESS)})](${EXIT.unable})`;
  const workerData = { ...given, end, LOOK_MS, RUNS, SECOND, NAME, NAME_CHARS_MAX };
  new Worker(`(${look.toString()})()`, { eval: true, workerData }).unref();
  let count = 0;
  return {
    begin: (behaviour, nowSec) => {
      words[NAME] = indexOf(behaviour);
      words[SECOND] = nowSec;
      count = count === 0x7fffffff ? 1 : count + 1;
      words[RUNS] = count;
    },
    end: () => {
      words[RUNS] = 0;
    },
  };
}

/** The other thread. It is started by its text, so it names nothing outside of itself. */
function look(): void {
  const { workerData: given } = process.getBuiltinModule('node:worker_threads');
  const [words, letters] = [new Int32Array(given.state), new Uint16Array(given.names)];
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let [seen, looks] = [0, 0]; ; ) {
    Atomics.wait(clock, 0, 0, given.LOOK_MS);
    const runs = Atomics.load(words, given.RUNS);
    looks = runs === seen && runs !== 0 ? looks + 1 : 0;
    seen = runs;
    const from = (words[given.NAME] ?? 0) * given.NAME_CHARS_MAX;
    const name = String.fromCharCode(...letters.slice(from, from + given.NAME_CHARS_MAX)).split('\0')[0];
    if (looks < given.looks[name === '' ? 1 : 0]) continue;
    const seconds = (given.looks[name === '' ? 1 : 0] * given.LOOK_MS) / 1_000;
    const what =
      name === ''
        ? `${given.file}: cannot be loaded: it has not come to its end`
        : `${given.file}: behaviour ${name} has not decided at ${words[given.SECOND]} s of the run`;
    process.getBuiltinModule('node:fs').writeSync(2, `${what} after ${seconds} s.\n`);
    // Only the thread itself can end the process with a status, and only the inspector reaches a thread in a loop.
    const { Session } = process.getBuiltinModule('node:inspector');
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.evaluate', { expression: given.end });
    return;
  }
}
