/** Looks for the equilibria of a scenario whose agents have options. The game and its answers are in experiments/equilibrium. */

import { answerGame } from '../../experiments/equilibrium/answer.js';
import type { EquilibriumFile } from '../../experiments/equilibrium/equilibrium-file.js';
import { type EquilibriumSource, planEquilibrium } from '../../experiments/equilibrium/equilibrium-plan.js';
import { confirmingSeed } from '../../experiments/search/searched-sweep.js';
import { drawsOf } from '../../experiments/statistics/draws.js';
import { EQUILIBRIUM_SCHEMA, type EquilibriumResult } from '../../results/equilibrium-result.js';
import { parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { PlayedCells } from './equilibrium-plays.js';
import { digestOf } from './search-folder.js';
import type { SearchPlaying } from './searched-points.js';

/** Searches, and writes the cells as sweeps. Failure for a file that does not fit its scenario, and for a run that failed. */
export async function searchEquilibria(
  file: EquilibriumFile,
  source: EquilibriumSource,
  { out, workers, memory }: SearchPlaying,
): Promise<EquilibriumResult> {
  const plan = parsedOrFail(planEquilibrium(file, source));
  const { roles, agents } = plan;
  const seeds = { game: file.seed, held_out: confirmingSeed(file.seed) };
  const cells = new PlayedCells({ source, plan, seeds, workers, memory });
  const samples = (set: keyof typeof seeds) => (cell: Parameters<PlayedCells['payoffs']>[1]) =>
    cells.payoffs(set, cell);
  const asking = answerGame(roles, agents, file, samples, drawsOf(file.seed, 'equilibrium'));
  let step = asking.next();
  while (step.done !== true) {
    await cells.play(step.value);
    step = asking.next();
  }
  if (out !== undefined) cells.write(out);
  return {
    ...{ schema: EQUILIBRIUM_SCHEMA, version: packageVersion(), name: file.name, question: file.question },
    ...{ digest: digestOf(source), seed: seeds.game, held_out_seed: seeds.held_out },
    roles: roles.map((role, of) => ({ ...role, agents: agents[of] as number })),
    ...{ deviators: file.deviators, warmup_ms: file.warmup * 1_000, resolution: file.resolution },
    played: cells.played(),
    ...step.value,
  };
}
