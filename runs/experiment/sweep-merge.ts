/** Puts the shards of a sweep together. A shard is defined in sweep-run.ts, and its folder in sweep-folder.ts. */

import type { SweepRun, SweepSummary } from '../../results/sweep-result.js';
import { Failure } from '../host/failure.js';
import { ensureFolder } from '../host/files.js';
import { copyAgents, keepsAgentsOf } from './sweep-agents.js';
import { beginSweepFolder, readSweepFolder, writeResults } from './sweep-folder.js';
import { inOrder, tasksOf } from './sweep-run.js';

/** Makes one result of shards, the same bytes as one uninterrupted sweep. */
export function mergeShards(folders: readonly string[], out: string): SweepSummary {
  const shards = folders.map((folder) => ({ folder, ...readSweepFolder(folder) }));
  const [first] = shards;
  if (first === undefined) throw new Failure('Name the folders of the shards.');
  const { plan } = first;
  const other = shards.find((shard) => shard.plan.inputs.digest !== plan.inputs.digest);
  if (other !== undefined) {
    const [one, two] = [plan.inputs.behaviours?.sha256, other.plan.inputs.behaviours?.sha256];
    throw new Failure(
      one === two
        ? `${other.folder}: is of another sweep than ${first.folder}.`
        : `${other.folder}: was played with other behaviours (SHA-256 ${two ?? 'of none'}) than ${first.folder} (${one ?? 'of none'}).`,
    );
  }
  const runs = new Map<string, SweepRun>();
  const whole = shards.map(({ folder, ...shard }) => ({
    folder,
    runs: shard.runs.filter((run) => keepsAgentsOf(folder, shard.plan, run)),
  }));
  for (const run of whole.flatMap((shard) => shard.runs)) runs.set(`${run.arm} ${run.replicate}`, run);
  const missing = tasksOf(plan, plan.inputs.replicates, null).filter(
    ({ arm, replicate }) => !runs.has(`${arm} ${replicate}`),
  );
  const [lost] = missing;
  if (lost !== undefined) {
    throw new Failure(
      `${missing.length} runs are missing, the first of arm ${lost.arm}, replicate ${lost.replicate}: play the missing shards, or aips experiment resume one that was cut off.`,
    );
  }
  ensureFolder(out);
  beginSweepFolder(out, plan.inputs);
  for (const shard of whole) for (const run of shard.runs) copyAgents(shard.folder, out, run);
  return writeResults(out, plan, inOrder([...runs.values()]));
}
