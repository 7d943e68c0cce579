/** A progress bar on a terminal's standard error; elsewhere, after half a minute, a line every ten seconds. It never writes to standard output. */

import { Presets, SingleBar } from 'cli-progress';
import { remainingText } from './remaining-time.js';

/** Progress of a long command. It never writes to standard output. */
interface Progress {
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

/** Without a terminal, the time of the first line and between two lines, in ms. */
const SPOKEN = { everyMs: 10_000, fromMs: 30_000 } as const;

/** Progress for a log: a line every ten seconds, of a command that takes more than half a minute. */
function spokenProgress(name: string, total: number): Progress {
  const startedMs = performance.now();
  let [done, dueMs] = [0, startedMs + SPOKEN.fromMs];
  const to = (count: number, what: string): void => {
    done = count;
    const nowMs = performance.now();
    if (nowMs < dueMs || count >= total) return;
    dueMs = nowMs + SPOKEN.everyMs;
    const words = [`${name} ${count} of ${total}`, remainingText(count, total, nowMs - startedMs), what];
    console.error(words.filter((word) => word !== '').join(', '));
  };
  return {
    ...silentProgress,
    step: (what) => to(done + 1, what),
    to: (share, what) => to(Math.floor(share * total), what),
  };
}

/** A bar of `total` steps; lines now and then where there is no terminal. */
export function progressBar(name: string, total: number): Progress {
  if (process.stderr.isTTY !== true) return spokenProgress(name, total);
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
