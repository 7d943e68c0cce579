// A signal, and the things that must not outlive the process.
import { afterEach, expect, it, vi } from 'vitest';
import { cleanupAtExit } from './exit-cleanup.js';

const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
afterEach(() => kill.mockClear());

/** Sends a signal to the listeners of this process, and resolves once they have acted. */
async function signalled(): Promise<void> {
  process.emit('SIGHUP', 'SIGHUP');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

it('undoes it, and has the signal end the process where nobody else listens', async () => {
  const undo = vi.fn();
  cleanupAtExit(undo);
  await signalled();
  expect(undo).toHaveBeenCalledOnce();
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGHUP']]);
});

it('undoes it, and leaves the end to who listens, even if that is over at once', async () => {
  const undo = vi.fn();
  process.once('SIGHUP', () => undefined);
  cleanupAtExit(undo);
  await signalled();
  expect(undo).toHaveBeenCalledOnce();
  expect(kill).not.toHaveBeenCalled();
});
