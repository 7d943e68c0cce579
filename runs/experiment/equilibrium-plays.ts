/** Plays the cells of a game as sweeps, each cell and seed once, and keeps their runs. Which cells are played is decided in experiments/equilibrium. */

import { join } from 'node:path';
import type { Request, Seeds } from '../../experiments/equilibrium/answer.js';
import type { EquilibriumPlan, EquilibriumSource } from '../../experiments/equilibrium/equilibrium-plan.js';
import { type Cell, cellKey } from '../../experiments/equilibrium/role-game.js';
import { planSweep, type SweepPlan } from '../../experiments/sweep/plan.js';
import type { SweepRun } from '../../results/sweep-result.js';
import { Failure } from '../host/failure.js';
import { ensureFolder, parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { withRules } from '../host/with-rules.js';
import type { SearchMemory } from './search-folder.js';
import { beginSweepFolder, writeResults } from './sweep-folder.js';
import { inOrder, playSweep } from './sweep-run.js';

/** How cells are played. */
interface CellPlaying {
  readonly source: EquilibriumSource;
  readonly plan: EquilibriumPlan;
  /** The seed of each set of seeds. */
  readonly seeds: Readonly<Record<Seeds, number>>;
  readonly workers: number;
  /** Where runs are kept as they end; absent: nowhere. */
  readonly memory?: SearchMemory | undefined;
}

interface PlayedCell {
  readonly cell: Cell;
  readonly payoffs: number[];
  /** Empty where agents leave, which nobody needs to play. */
  readonly runs: SweepRun[];
}

/** Cells that were played. */
export class PlayedCells {
  readonly #playing: CellPlaying;
  readonly #cells: Readonly<Record<Seeds, Map<string, PlayedCell>>> = { game: new Map(), held_out: new Map() };

  constructor(playing: CellPlaying) {
    this.#playing = playing;
  }

  /** The payoffs of a cell with a set of seeds, in the order of replicates. */
  payoffs(seeds: Seeds, cell: Cell): readonly number[] {
    return this.#cells[seeds].get(cellKey(cell))?.payoffs ?? [];
  }

  /** The number of different cells, and of runs. */
  played(): { readonly cells: number; readonly runs: number } {
    const all = [...this.#cells.game.values(), ...this.#cells.held_out.values()];
    return { cells: all.length, runs: all.reduce((sum, { runs }) => sum + runs.length, 0) };
  }

  /** Plays what is missing of a request. Failure for a run that failed. */
  async play({ seeds, cells, replicates }: Request): Promise<void> {
    const { plan, workers, memory } = this.#playing;
    const store = this.#cells[seeds];
    const missing: PlayedCell[] = [];
    for (const cell of cells) {
      const known = store.get(cellKey(cell)) ?? { cell, payoffs: [], runs: [] };
      if (known.payoffs.length >= replicates) continue;
      const outside = plan.outsideOf(cell);
      if (outside !== null)
        known.payoffs.splice(0, known.payoffs.length, ...new Array<number>(replicates).fill(outside));
      else if (!missing.includes(known)) missing.push(known);
      store.set(cellKey(cell), known);
    }
    if (missing.length === 0) return;
    const sweep = this.#sweepOf(seeds, missing, replicates);
    const known = new Map<string, SweepRun>();
    for (const run of memory?.runsOf(sweep) ?? []) known.set(`${run.arm} ${run.replicate}`, run);
    missing.forEach(({ runs }, arm) => {
      for (const run of runs) known.set(`${arm} ${run.replicate}`, { ...run, arm });
    });
    const onRun = (run: SweepRun): void => memory?.keep(sweep, run);
    const { runs, interrupted } = await playSweep(sweep, { workers, shard: null, known: [...known.values()], onRun });
    if (interrupted) {
      const how =
        memory === undefined || memory.isEmpty()
          ? ''
          : ` Continue it with ${withRules(`aips experiment resume ${memory.folder}`)}`;
      throw new Failure(`Interrupted: the search for equilibria did not finish.${how}`);
    }
    missing.forEach((each, arm) => {
      const own = inOrder(runs.filter((run) => run.arm === arm));
      each.runs.splice(0, each.runs.length, ...own);
      each.payoffs.splice(0, each.payoffs.length, ...own.map((run) => this.#payoff(each.cell, run)));
    });
  }

  /** Writes the cells as sweeps in a folder, those with the same number of runs together, which `aips experiment again` plays again. */
  write(folder: string): void {
    for (const [seeds, name] of [
      ['game', 'game'],
      ['held_out', 'held-out'],
    ] as const) {
      const cells = [...this.#cells[seeds].values()].filter(({ runs }) => runs.length > 0);
      for (const replicates of [...new Set(cells.map(({ runs }) => runs.length))].toSorted((a, b) => a - b)) {
        const own = cells.filter(({ runs }) => runs.length === replicates);
        const path = join(folder, name, `${replicates}-runs`);
        const sweep = this.#sweepOf(seeds, own, replicates);
        ensureFolder(path);
        beginSweepFolder(path, sweep.inputs);
        writeResults(
          path,
          sweep,
          own.flatMap(({ runs }, arm) => runs.map((run) => ({ ...run, arm }))),
        );
      }
    }
  }

  #payoff(cell: Cell, run: SweepRun): number {
    const payoff = this.#playing.plan.payoffOf(cell, run);
    if (payoff !== null) return payoff;
    const where = JSON.stringify(this.#playing.plan.settingsOf(cell));
    throw new Failure(`The run of seed ${run.seed} with ${where} failed: ${run.error}`);
  }

  #sweepOf(seeds: Seeds, cells: readonly PlayedCell[], replicates: number): SweepPlan {
    const { source, plan, seeds: numbers } = this.#playing;
    const own = cells.map(({ cell }) => cell);
    return parsedOrFail(
      planSweep({
        file: source.file,
        text: plan.sweepTextOf(own, numbers[seeds], replicates),
        written: source.text,
        scenarioFile: source.scenarioFile,
        scenarioText: plan.scenarioText,
        version: packageVersion(),
      }),
    );
  }
}
