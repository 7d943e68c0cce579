import { type Clock, manualClock, runningClock } from '../reference/http/clock.js';
import { Failure, systemErrorCode } from './failure.js';

/** D-56. */
const MANUAL_START = '2026-01-01T00:00:00Z';

/** Flags that every server of ours has. */
export const serverFlags = {
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to bind to' },
  clock: { type: 'string', default: 'wall', describe: 'wall; manual (moves only when told); or a speed such as 60x' },
  start: { type: 'string', describe: 'Where the clock starts: an ISO 8601 time or now' },
} as const;

/** The seed of `--seed`. */
export function readSeed(seed: number): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Failure('--seed must be a whole number, 0 or more.');
}

/** A port, 0 included. */
export function readPort(flag: string, port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure(`${flag} must be a port: a whole number from 0 to 65535.`);
}

/** What a user can do about a port that cannot be had. `flags`: those that choose ports. */
export function listenFailure(error: unknown, flags: string): unknown {
  const port = typeof error === 'object' && error !== null && 'port' in error ? String(error.port) : 'the port';
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} is in use. Stop what holds it, or choose another with ${flags} (0 takes any free one).`,
      );
    case 'EACCES':
      return new Failure(`Port ${port} may not be opened by you. Choose one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure('--host: this machine has no such address.');
    default:
      return error;
  }
}

/** When the clock starts, Unix ms (D-56). */
export function readStart(flags: { readonly start?: string | undefined; readonly clock: string }): number {
  const given = flags.start ?? (flags.clock === 'manual' ? MANUAL_START : 'now');
  return given === 'now' ? Date.now() : isoMs(given);
}

/** The clock of `--clock`. */
export function readClock(kind: string, startMs: number): Clock {
  if (kind === 'manual') return manualClock(startMs);
  if (kind === 'wall') return runningClock(startMs, 1);
  const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(kind)?.[1] ?? Number.NaN);
  if (factor > 0) return runningClock(startMs, factor);
  throw new Failure(`--clock must be wall, manual, or a speed such as 60x; "${kind}" is none of these.`);
}

function isoMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Failure(`--start must be now or a UTC time such as ${MANUAL_START}; "${text}" is neither.`);
  return ms;
}

/** Resolves when the process is asked to stop. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // A parent that started this server over a channel is gone.
    if (process.channel !== undefined && process.channel !== null) process.once('disconnect', () => resolve());
  });
}
