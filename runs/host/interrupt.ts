/**
 * Notices Ctrl-C and SIGTERM, so that a run can end with what it has. What ends, and how, is decided by the command.
 */

/** A request to stop early. */
export interface Interrupt {
  readonly isRequested: () => boolean;
  /** Aborted when the request comes, with the name of the signal. */
  readonly signal: AbortSignal;
  readonly forget: () => void;
}

/** Ctrl-C, and what job schedulers send when time is up. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Listens for a request to end the process. A second request ends it at once. */
export function interruptOf(): Interrupt {
  const controller = new AbortController();
  const forget = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, note);
  };
  // It keeps listening: with the last listener gone, exit-cleanup.ts would take the first signal for the process's end.
  const note = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      forget();
      process.kill(process.pid, signal);
    } else controller.abort(signal);
  };
  for (const signal of SIGNALS) process.on(signal, note);
  return { isRequested: () => controller.signal.aborted, signal: controller.signal, forget };
}
