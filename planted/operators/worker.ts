/**
 * Judges syntactic mutants in a process of its own, in the tree that has them all behind a switch. Which there are, and in
 * which order they are judged, is in mutate.ts.
 */

import { allChecks } from '../../conformance/checks/index.js';
import {
  cheap,
  type Deployment,
  deploymentNames,
  loadReference,
  startInProcess,
} from '../../conformance/in-process/reference.js';
import { conform } from '../../conformance/run/runner.js';
import type { ConformanceResult } from '../../results/conformance-result.js';

/** Per check the deployment in which it passes, and the mutants that it reaches there. */
export type Coverage = Readonly<
  Record<string, { readonly deployment: Deployment; readonly mutants: readonly string[] }>
>;

/** A mutant, and the checks to hold against it, by turns. */
export interface Job {
  readonly id: string;
  readonly runs: readonly { readonly deployment: string; readonly checks: readonly string[] }[];
}

/** The check that found a mutant by the text of the specification; without one whether an advisory speaks of it. */
export interface MutantJudgement {
  readonly killer?: string;
  readonly advisory: boolean;
}

/** A loop that passes a switch this many times is considered endless. */
const PASSES_MAX = 20_000_000;

/** By this the instrumented code knows which mutant is on, and reports where it was. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  /** The instrumented modules keep this very object. */
  readonly mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

const switches: Switches = { mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: switches });
const modules = await loadReference();
const byId = new Map(allChecks.map((check) => [check.id, check]));
/** Webhooks need a receiver besides: what can be judged without them is judged with them, too. */
const deployments = ['webhooks', ...deploymentNames.filter((name) => name !== 'webhooks')] as const;

process.on('message', (job: { readonly kind: 'coverage' } | ({ readonly kind: 'judge' } & Job)) => {
  const answer = job.kind === 'coverage' ? coverage() : judged(job);
  answer.then(
    (found) => process.send?.(found),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function resultOf(deployment: Deployment, ids: readonly string[]): Promise<ConformanceResult> {
  const server = startInProcess(modules, { seed: 1, numbers: cheap, deployment });
  const checks = ids.flatMap((id) => byId.get(id) ?? []);
  try {
    const options = { seed: 1, toolVersion: 'stryker', nowWallMs: Date.now, checks, unprobed: true };
    return await conform(server.target, { ...options, transport: server.send });
  } finally {
    await server.close();
  }
}

async function coverage(): Promise<Coverage> {
  const found: Record<string, Coverage[string]> = {};
  for (const { id } of allChecks) {
    for (const deployment of deployments) {
      switches.currentTestId = id;
      switches.mutantCoverage.perTest = {};
      const { checks } = await resultOf(deployment, [id]);
      if (checks.find((check) => check.id === id)?.verdict !== 'pass') continue;
      found[id] = { deployment, mutants: Object.keys(switches.mutantCoverage.perTest[id] ?? {}) };
      break;
    }
  }
  return found;
}

async function judged({ id, runs }: Job): Promise<MutantJudgement> {
  let advisory = false;
  for (const { deployment, checks } of runs) {
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: PASSES_MAX });
    try {
      const { findings } = await resultOf(deployment as Deployment, checks);
      const [must] = findings.filter(({ level }) => level === 'must');
      if (must !== undefined) return { killer: must.checks[0] ?? must.id, advisory };
      advisory ||= findings.length > 0;
    } catch (error) {
      // The run itself is the same with every mutant: what it throws comes from the reference.
      return { killer: `the run ended: ${String(error)}`, advisory };
    } finally {
      switches.activeMutant = undefined;
    }
  }
  return { advisory };
}
