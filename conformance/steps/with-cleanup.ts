/** Runs steps and then their clean-up, even if they fail. If both fail, throws the error of the steps; `finally` would throw that of the clean-up. */
export async function withCleanup(steps: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  const [found] = await Promise.allSettled([steps()]);
  const [undone] = await Promise.allSettled([undo()]);
  for (const end of [found, undone]) if (end.status === 'rejected') throw end.reason;
}
