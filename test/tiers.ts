/**
 * Which run a test file belongs to, by the end of its name. It runs nothing.
 *
 * `npm test` is what a change usually breaks, `npm run test:all` adds what takes longer, and `.ci/nightly` what nobody waits
 * for: many seeds, many crashes, exhaustive matrices.
 */

/** `quick`: `*.test.ts`; `slow`: `*.slow.test.ts`; `nightly`: `*.nightly.test.ts`. */
type Tier = 'quick' | 'slow' | 'nightly';

/** The tier of a test file. */
export function tierOf(path: string): Tier {
  if (path.endsWith('.nightly.test.ts')) return 'nightly';
  return path.endsWith('.slow.test.ts') ? 'slow' : 'quick';
}

const SLOW = '**/*.slow.test.ts';
const NIGHTLY = '**/*.nightly.test.ts';

/** The files that a run leaves out, by its mode: `quick`, `all` or `nightly`; any other leaves out none. */
export function leftOut(mode: string): string[] {
  if (mode === 'quick') return [SLOW, NIGHTLY];
  if (mode === 'all') return [NIGHTLY];
  return mode === 'nightly' ? ['**/!(*.nightly).test.ts'] : [];
}
