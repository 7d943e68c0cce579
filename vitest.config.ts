import { defineConfig } from 'vitest/config';
import { ClauseReporter } from './test/clause-reporter.js';

export default defineConfig({
  test: {
    include: ['{spec,reference,scenarios,simulator,conformance,reports,cli,test}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new ClauseReporter()],
  },
});
