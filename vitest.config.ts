import { defineConfig } from 'vitest/config';
import { ClauseReporter } from './test/clause-reporter.js';

export default defineConfig({
  test: {
    include: ['{spec,reference,scenarios,simulator,conformance,reports,cli,test}/**/*.test.ts'],
    // Every core: by default one is left free, and two are all that a small machine has.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', new ClauseReporter()],
  },
});
