/** A progress bar on a terminal's standard error; elsewhere notes alone. It never writes to standard output. */

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

/** A bar of `total` steps. */
export function progressBar(name: string, total: number): Progress {
  if (process.stderr.isTTY !== true) return silentProgress;
  const startedMs = performance.now();
  const left = (count: number): string =>
    count === 0 ? '' : remainingText(count, total, performance.now() - startedMs);
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
