/**
 * Runs steps and then, however they end, what undoes them. An error of the steps is thrown rather than one of the clean-up, which
 * `finally` would throw in its place.
 */
export async function withCleanup(steps: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  const [found] = await Promise.allSettled([steps()]);
  const [undone] = await Promise.allSettled([undo()]);
  for (const end of [found, undone]) if (end.status === 'rejected') throw end.reason;
}
