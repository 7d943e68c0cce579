/** The progress of a long command on standard error: a bar on a terminal, a line now and then elsewhere. */

import { Presets, SingleBar } from 'cli-progress';
import { remainingText } from './remaining-time.js';

/** Progress of a long command. It never writes to standard output. */
export interface Progress {
  readonly step: (what: string) => void;
  /** A note about a long wait, such as an hour: a line of its own where there is no terminal. */
  readonly note: (what: string) => void;
  readonly to: (share: number, what: string) => void;
  /** A line that stays. */
  readonly say: (line: string) => void;
  readonly stop: () => void;
}

const silence = (): undefined => undefined;

/** Progress that shows only notes. */
export const silentProgress: Progress = {
  step: silence,
  note: (what) => console.error(what),
  to: silence,
  say: (line) => console.error(line),
  stop: silence,
};

/** Where there is no terminal, a line says this often how far a command is. */
const LINE_EVERY_MS = 10_000;

/** A bar of `total` steps. */
export function progressBar(name: string, total: number): Progress {
  const startedMs = performance.now();
  const left = (done: number): string => (done === 0 ? '' : remainingText(done, total, performance.now() - startedMs));
  return process.stderr.isTTY === true ? barOf(name, total, left) : linesOf(name, total, left);
}

function linesOf(name: string, total: number, left: (done: number) => string): Progress {
  let [done, saidMs] = [0, performance.now()];
  return {
    ...silentProgress,
    step: () => {
      done += 1;
      if (performance.now() - saidMs < LINE_EVERY_MS) return;
      saidMs = performance.now();
      console.error(`${name}: ${done} of ${total}, ${left(done)}`);
    },
  };
}

function barOf(name: string, total: number, left: (done: number) => string): Progress {
  const format = `${name} {bar} {value}/{total} {left} {what}`;
  const bar = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let done = 0;
  bar.start(total, 0, { what: '', left: '' });
  const to = (count: number, what: string): void => {
    done = count;
    bar.update(count, { what, left: left(count) });
  };
  return {
    step: (what) => to(done + 1, what),
    note: (what) => to(done, what),
    to: (share, what) => to(Math.floor(share * total), what),
    say: (line) => {
      process.stderr.write('\r\x1b[K');
      console.error(line);
    },
    stop: () => bar.stop(),
  };
}
