/**
 * Runs steps and then, however they end, what undoes them. What the steps find is told before that something could not be
 * undone, which `finally` would tell in its place.
 */
export async function withCleanup(steps: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  const [found] = await Promise.allSettled([steps()]);
  const [undone] = await Promise.allSettled([undo()]);
  for (const end of [found, undone]) if (end.status === 'rejected') throw end.reason;
}
