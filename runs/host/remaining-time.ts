/** Says how long the rest of a long command will take, at the pace so far. Showing it is for progress.ts. */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The time left after `done` of `total` steps took `elapsedMs`, such as `about 12 min left`. */
export function remainingText(done: number, total: number, elapsedMs: number): string {
  const leftMs = (elapsedMs / Math.max(1, done)) * (total - done);
  if (leftMs >= 2 * HOUR_MS) return `about ${Math.round(leftMs / HOUR_MS)} h left`;
  if (leftMs >= 2 * MINUTE_MS) return `about ${Math.round(leftMs / MINUTE_MS)} min left`;
  return `about ${Math.ceil(leftMs / 1_000)} s left`;
}
