/** Prints which test files took longest, after a run of many: where the time of a run goes. It judges nothing. */
import type { Reporter, TestModule } from 'vitest/node';

const FILES_MIN = 50;
const SHOWN_MAX = 15;

/** Seconds of a file: to import what it needs, to set up, and to run. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + prepareDuration + duration) / 1_000;
}

/** After a run of many files: the slowest of them. */
export class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FILES_MIN) return;
    const rows = modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }));
    const slowest = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN_MAX);
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
    console.log(['', ' The slowest test files:', ...lines].join('\n'));
  }
}
