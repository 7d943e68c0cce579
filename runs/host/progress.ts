/** A progress bar on a terminal's standard error; elsewhere notes alone. It never writes to standard output. */

import { Presets, SingleBar } from 'cli-progress';

/** Progress of a long command, on a terminal's standard error; elsewhere only notes are shown. */
export interface Progress {
  readonly step: (what: string) => void;
  /** A note about a long wait, such as an hour: a line of its own where there is no terminal. */
  readonly note: (what: string) => void;
  readonly to: (share: number, what: string) => void;
  readonly stop: () => void;
}

/** Progress that shows only notes. */
export const silentProgress: Progress = {
  step: () => undefined,
  note: (what) => console.error(what),
  to: () => undefined,
  stop: () => undefined,
};

/** A bar of `total` steps. */
export function progressBar(name: string, total: number): Progress {
  if (process.stderr.isTTY !== true) return silentProgress;
  const format = `${name} {bar} {value}/{total} {what}`;
  const bar = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0, { what: '' });
  return {
    step: (what) => bar.increment(1, { what }),
    note: (what) => bar.increment(0, { what }),
    to: (share, what) => bar.update(Math.floor(share * total), { what }),
    stop: () => bar.stop(),
  };
}
