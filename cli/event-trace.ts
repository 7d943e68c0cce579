/**
 * Writes `events.ndjson` for `aips simulate --trace`, a line for each event. It does not choose which events there are.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_NAMES, outcomeName } from '../simulator/world/operations.js';
import type { EventObserver } from '../simulator/world/world.js';

/** Writes every event of a run as a line of `events.ndjson`. */
export interface EventTrace {
  readonly observer: EventObserver;
  /** Writes what has come up to now. */
  readonly flush: () => void;
  readonly close: () => void;
}

/** Begins `events.ndjson` in a folder. */
export function eventTrace(folder: string): EventTrace {
  const file = openSync(join(folder, 'events.ndjson'), 'w');
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) writeSync(file, `${lines.join('\n')}\n`);
    lines = [];
  };
  return {
    observer: (second, agent, what, outcome, lamports) => {
      const event = { second, agent, event: EVENT_NAMES[what], outcome: outcomeName(outcome), lamports };
      if (lines.push(JSON.stringify(event)) >= 10_000) flush();
    },
    flush,
    close: () => {
      flush();
      closeSync(file);
    },
  };
}
