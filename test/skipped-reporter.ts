/** Prints which tests a run skipped, since their number alone does not say what was not checked. It judges nothing. */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** After any run that was not narrowed by `-t`: the tests that were skipped, by file and title. */
export class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const lines = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `   ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (lines.length > 0) console.log(['', ' Skipped:', ...lines].join('\n'));
  }
}
