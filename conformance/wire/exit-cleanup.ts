/**
 * Removes things that must not outlive the process, such as a file with a key, when it ends or is interrupted. The code that makes them also
 * removes them in the ordinary case.
 */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const pending = new Set<() => void>();

/**
 * Calls `undo` if this process ends or is interrupted before the returned function is called. An interrupted process still ends by its signal,
 * unless other code listens for the signal.
 */
export function cleanupAtExit(undo: () => void): () => void {
  if (pending.size === 0) listen();
  pending.add(undo);
  return () => {
    pending.delete(undo);
    if (pending.size === 0) forget();
  };
}

function undoAll(): void {
  for (const undo of pending) undo();
  pending.clear();
  forget();
}

/** Cleans up, and then lets other listeners handle the signal. Without other listeners, the signal ends the process as usual. */
function interrupted(signal: NodeJS.Signals): void {
  const isTaken = process.listenerCount(signal) > 0;
  setImmediate(() => {
    undoAll();
    if (!isTaken) process.kill(process.pid, signal);
  });
}

function listen(): void {
  process.once('exit', undoAll);
  // First in the list of listeners, since others may remove themselves when they are called.
  for (const signal of SIGNALS) process.prependOnceListener(signal, interrupted);
}

function forget(): void {
  process.removeListener('exit', undoAll);
  for (const signal of SIGNALS) process.removeListener(signal, interrupted);
}
