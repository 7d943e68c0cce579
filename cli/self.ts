import { allChecks } from '../conformance/checks/index.js';
import { mergedResult } from '../conformance/result.js';
import type { ConformOptions } from '../conformance/runner.js';
import { selectChecks } from '../conformance/select.js';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { type Configuration, configurations } from './configurations.js';
import { Failure } from './failure.js';
import { startReference } from './reference-process.js';

type Judge = (
  target: Awaited<ReturnType<typeof startReference>>['target'],
  options: ConformOptions,
) => Promise<ConformanceResult>;

/**
 * Judges the reference in every configuration that a clause needs, one server after another, and merges the runs into
 * one result (design, section 4). `judge` runs the suite.
 */
export async function judgeSelf(options: ConformOptions, judge: Judge): Promise<ConformanceResult> {
  const chosen = selectChecks(allChecks, options).map(({ id }) => id);
  const runs: ConformanceResult[] = [];
  const used: string[] = [];
  for (const configuration of configurations) {
    const only = checksFor(configuration, chosen, runs);
    if (only.length === 0) continue;
    const server = await startReference({
      seed: options.seed,
      flags: configuration.flags,
      target: configuration.target,
    });
    try {
      runs.push(await judge(server.target, { ...options, only }));
      used.push(configuration.name);
    } finally {
      await server.stop();
    }
    if (runs.at(-1)?.stopped !== undefined) break;
  }
  const [first, ...rest] = runs;
  const where = options.profile === undefined ? '' : ` in the profile ${options.profile.name}`;
  if (first === undefined)
    throw new Failure(`No check has such an id, clause or section${where}: ${options.only?.join(', ')}.`);
  return mergedResult([first, ...rest], allChecks, {
    target: `aips serve (${used.join(', ')})`,
    ...(options.requireJudged === undefined ? {} : { requireJudged: options.requireJudged }),
  });
}

/** The chosen checks that a configuration is to judge: what it is for, else what nobody has judged before it. */
function checksFor(
  { only }: Configuration,
  chosen: readonly string[],
  runs: readonly ConformanceResult[],
): readonly string[] {
  if (only !== undefined) {
    const wanted = new Set(selectChecks(allChecks, { only: [only] }).map(({ id }) => id));
    return chosen.filter((id) => wanted.has(id));
  }
  const judged = new Set(
    runs.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id)),
  );
  return chosen.filter((id) => !judged.has(id));
}
