/** Flags that `aips serve` and `aips serve ledger` share, how each is read, and the errors of ports. It starts nothing. */

import { randomBytes } from 'node:crypto';
import { type Clock, clockMsMax, manualClock, runningClock, wallClock } from '../../reference/http/request/clock.js';
import { LONG_SEED, type Seed } from '../../reference/registry/columns/stream.js';
import { Failure, systemErrorCode } from '../../runs/host/failure.js';
import { type Protocol, protocol } from '../../spec/protocol.js';

/** D-56. */
const MANUAL_START = '2026-01-01T00:00:00Z';

/** The flags of every server. */
export const serverFlags = {
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to bind to' },
  clock: {
    type: 'string',
    default: 'wall',
    describe: 'wall; manual (moves only by the control API); or a speed such as 60x',
  },
  start: { type: 'string', describe: 'Where the clock starts: an ISO 8601 time or now' },
} as const;

/** The seed of a service, from a command line. */
export function readServiceSeed(text: string): Seed {
  const long = text.toLowerCase();
  if (LONG_SEED.test(long)) return long;
  const seed = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Failure(
    '--seed must be a whole number, 0 or more, or 64 hex digits as a server without --seed prints them.',
  );
}

/** A seed of `--seed` that is a number. */
export function readSeed(seed: number, flag = '--seed'): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Failure(`${flag} must be a whole number, 0 or more.`);
}

const SEED_BYTES = 32;

/**
 * The seed of a server without `--seed`. Keys, tokens and nonces follow from it: on the wall clock, where strangers may reach the server, it cannot
 * be guessed; on a test clock it is 1, so that every run is the same.
 */
export function defaultSeed(clock: string): Seed {
  return clock === 'wall' ? randomBytes(SEED_BYTES).toString('hex') : 1;
}

/** A port, 0 included. */
export function readPort(flag: string, port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure(`${flag} must be a port: a whole number from 0 to 65535.`);
}

/** The Failure for a port that cannot be opened, with what to do about it. `flags`: those that choose ports. */
export function listenFailure(error: unknown, flags: string): unknown {
  const port = typeof error === 'object' && error !== null && 'port' in error ? String(error.port) : 'the port';
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} is in use. Stop what holds it, or choose another with ${flags} (0 takes any free one).`,
      );
    case 'EACCES':
      return new Failure(`You may not open port ${port}. Choose one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure('--host: this machine has no such address.');
    default:
      return error;
  }
}

interface ClockFlags {
  readonly start?: string | undefined;
  readonly clock: string;
}

/** When the clock starts, Unix ms (D-56): not later than every time in a reply can have a year of four digits. */
export function readStart(flags: ClockFlags, numbers: Protocol = protocol): number {
  const given = flags.start ?? (flags.clock === 'manual' ? MANUAL_START : 'now');
  const startMs = given === 'now' ? Date.now() : isoMs(given);
  const lastMs = clockMsMax(numbers);
  if (startMs >= 0 && startMs <= lastMs) return startMs;
  throw new Failure(`--start must lie between 1970-01-01 and ${new Date(lastMs).toISOString()}; "${given}" does not.`);
}

/**
 * The clock of `--clock` and `--start`. `lastMs`: the latest time that a journal holds. A manual clock goes on exactly there,
 * and no other begins before it.
 */
export function readClock(flags: ClockFlags, numbers: Protocol = protocol, lastMs?: number): Clock {
  const { clock: kind, start } = flags;
  const startMs = readStart(flags, numbers);
  const laterMs = Math.max(startMs, lastMs ?? startMs);
  if (kind === 'manual') return manualClock(lastMs ?? startMs);
  const endMs = clockMsMax(numbers);
  // From `now` on it shows the time of day, even if the journal is ahead of that.
  const isNow = start === undefined || start === 'now';
  if (kind === 'wall') return wallClock(isNow ? startMs : laterMs, { lastMs: laterMs, endMs, onStep: reportStep });
  const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(kind)?.[1] ?? Number.NaN);
  if (factor > 0 && Number.isFinite(factor)) return runningClock(laterMs, factor, endMs);
  throw new Failure(`--clock must be wall, manual, or a speed such as 60x; "${kind}" is none of these.`);
}

/** Operators need to know why agents freeze all at once, or why times are ahead of the machine's. */
function reportStep(stepMs: number): void {
  const sec = `${(Math.abs(stepMs) / 1_000).toFixed(1)} s`;
  console.error(
    stepMs > 0
      ? `The wall clock jumped ahead by ${sec}, as after a suspend. The server's time follows.`
      : `The wall clock was set back by ${sec}. The server's time does not go back: it is ahead until the wall clock has caught up.`,
  );
}

function isoMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Failure(`--start must be now or a UTC time such as ${MANUAL_START}; "${text}" is neither.`);
  // Date.parse takes 30 February for 2 March.
  if (new Date(ms).toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new Failure(`--start: there is no such day as ${text.slice(0, 10)}.`);
  return ms;
}

/** Resolves when the process is asked to stop. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // The parent process that started this server over a channel has ended.
    if (process.channel !== undefined && process.channel !== null) process.once('disconnect', () => resolve());
  });
}
