/** A reporter that prints the slowest test files after a run of many. It judges nothing. */
import type { Reporter, TestModule } from 'vitest/node';

/** In a run of fewer files nothing is printed. */
const FILES_MIN = 50;
const SHOWN_MAX = 15;

/** Seconds that a file took: to import, to set up, and to run. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + prepareDuration + duration) / 1_000;
}

export class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FILES_MIN) return;
    const rows = modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }));
    const slowest = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN_MAX);
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
    console.log(['', ' The slowest test files:', ...lines].join('\n'));
  }
}
