/** Whether somebody wants an end. */
export interface Interrupt {
  readonly isRequested: () => boolean;
  /** Aborted when somebody does, with the name of what came. */
  readonly signal: AbortSignal;
  readonly forget: () => void;
}

/** By Ctrl-C, and by those who run jobs for others when time is up. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Whether the process was asked to end since this was made. When it is asked again it ends as ever. */
export function interruptOf(): Interrupt {
  const controller = new AbortController();
  const forget = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, note);
  };
  // It keeps listening: with the last listener gone, leftovers.ts would take the first signal for the process's end.
  const note = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      forget();
      process.kill(process.pid, signal);
    } else controller.abort(signal);
  };
  for (const signal of SIGNALS) process.on(signal, note);
  return { isRequested: () => controller.signal.aborted, signal: controller.signal, forget };
}
