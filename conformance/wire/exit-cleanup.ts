/**
 * Removes things that must not outlive the process, such as a file with a key, when it ends or is interrupted. Ordinary clean-up is in the code
 * that makes them.
 */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const pending = new Set<() => void>();

/**
 * Calls `undo` if this process ends, or is interrupted, before the returned `settle` is called. An interrupted process still ends by its signal,
 * unless other code listens for it.
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

/** Lets the other listeners of a signal act first. Without any the signal has its usual effect; a listener that is removed soon counts, too. */
function interrupted(signal: NodeJS.Signals): void {
  const isTaken = process.listenerCount(signal) > 0;
  setImmediate(() => {
    undoAll();
    if (!isTaken) process.kill(process.pid, signal);
  });
}

function listen(): void {
  process.once('exit', undoAll);
  // Before all other listeners, since some remove themselves once they were called.
  for (const signal of SIGNALS) process.prependOnceListener(signal, interrupted);
}

function forget(): void {
  process.removeListener('exit', undoAll);
  for (const signal of SIGNALS) process.removeListener(signal, interrupted);
}
