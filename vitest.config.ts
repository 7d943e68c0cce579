// How the tests are run: which files a run has, which of them share a process, and where the results go.
import { defineConfig } from 'vitest/config';
import { DearestFirst } from './test/dearest-first.js';
import { SkippedReporter } from './test/skipped-reporter.js';
import { rooms } from './test/source-tree.js';
import { leftOut } from './test/tiers.js';
import { TimeReporter } from './test/time-reporter.js';

const TESTS = `{${[...rooms, 'test']}}/**/*.test.ts`;

/**
 * Each of them has a process of its own: they put modules in the place of others, or need Node's own `fetch`, which undici
 * takes the place of where the suite has been imported.
 */
const APART = [
  'test/planted-faults*.test.ts',
  'cli/flags/server-flags.test.ts',
  'simulator/error-rows.test.ts',
  'test/late-freeze.slow.test.ts',
  'test/reworded.test.ts',
  'reference/http/server/ledger-clients.slow.test.ts',
  'reference/registry/keys-constant-time.test.ts',
  'reports/charts/charts.test.ts',
];

/** No limit on speed: it ends what hangs. A slow and busy machine needs minutes for what takes seconds elsewhere. */
const TIMEOUT_MS = 1_800_000;

// The mode says which run it is: `quick` is `npm test`, `all` is `npm run test:all`; without one every file may be named.
export default defineConfig(({ mode }) => ({
  test: {
    // The one source that is made, not written: a fresh clone has it not.
    globalSetup: 'build/bundle-page-script.mjs',
    // What was transformed once is read from node_modules, unless it has changed.
    experimental: { fsModuleCache: true },
    // Every core: by default one is left free, and two are all that a small machine has.
    maxWorkers: '100%',
    // Of the tests of one file that say they may run side by side: one that computes while another waits.
    maxConcurrency: 2,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS } },
    reporters: ['default', new TimeReporter(), new SkippedReporter()],
    sequence: { sequencer: DearestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: APART, exclude: leftOut(mode) } },
      // Files that follow each other in a process share the modules that they import.
      {
        extends: true,
        test: { name: 'shared', include: [TESTS], exclude: [...APART, ...leftOut(mode)], isolate: false },
      },
    ],
  },
}));
