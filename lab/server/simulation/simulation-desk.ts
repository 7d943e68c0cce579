/**
 * Simulations that the page starts: one arm, or two that differ in numbers of the protocol, each with the same successive seeds. Results
 * are those of the command, byte for byte: the same functions make them.
 */

import { pairedDifference } from '../../../experiments/statistics/difference.js';
import { meanInterval } from '../../../experiments/statistics/estimate.js';
import type { SimulationResult } from '../../../reports/simulation-result.js';
import { Failure } from '../../../runs/host/failure.js';
import { simulationFiles } from '../../../runs/simulation/outputs.js';
import { playRun } from '../../../runs/simulation/play.js';
import { runSourceOf, type ScenarioSource } from '../../../runs/simulation/scenario-source.js';
import { type Run, startRun } from '../../../simulator/run/run.js';
import { resultOf } from '../../../simulator/run/simulate.js';
import { ActionRefused } from '../action.js';

/** The arms of a run, by the names that the page shows. */
export type ArmName = 'base' | 'changed';

/** A word about a run that is under way: samples since the last word. */
export interface SimulationWord {
  readonly n: number;
  readonly state: 'running' | 'ended' | 'failed' | 'stopped';
  readonly arm: ArmName;
  readonly seed: number;
  readonly share: number;
  readonly timesSec: readonly number[];
  /** Values of each shown measure, in the order of `timesSec`. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly error?: string;
}

/** The difference of a total between two arms, over pairs of runs of one seed. */
export interface TotalDifference {
  readonly total: string;
  readonly base: number;
  readonly changed: number;
  readonly difference: number;
  /** 95 %; null for one pair. */
  readonly interval: readonly [number, number] | null;
}

const TELL_EVERY_MS = 100;

/** The simulations of one lab: one at a time. */
export class SimulationDesk {
  readonly #tell: (word: SimulationWord) => void;
  readonly #results = new Map<ArmName, SimulationResult[]>();
  #n = 0;
  #word: SimulationWord | undefined;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(tell: (word: SimulationWord) => void) {
    this.#tell = tell;
  }

  /** The latest word about the latest run. */
  get word(): SimulationWord | undefined {
    return this.#word;
  }

  /** Starts the arms, one after the other, each with `seeds` successive seeds. */
  start(arms: ReadonlyMap<ArmName, (seed: number) => ScenarioSource>, seed: number, seeds: number): number {
    if (this.#word?.state === 'running')
      throw new ActionRefused(409, 'RUN_UNDER_WAY', 'a simulation is under way: stop it, or wait for its end');
    this.#n += 1;
    this.#stopped = false;
    this.#results.clear();
    this.#say({ arm: 'base', seed, share: 0, state: 'running' });
    this.#running = this.#play(arms, seed, seeds);
    return this.#n;
  }

  /** Ends the run that is under way. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no run is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** The result of an arm's first seed. */
  resultOf(arm: ArmName): SimulationResult | undefined {
    return this.#results.get(arm)?.[0];
  }

  /** The files of an arm's first seed, as the command writes them. */
  filesOf(arm: ArmName): Readonly<Record<string, string>> {
    const result = this.resultOf(arm);
    if (result === undefined) throw new ActionRefused(409, 'NO_RESULT', `no run of the arm ${arm} has ended`);
    return simulationFiles(result, '');
  }

  /** The paired differences of all totals; empty without a second arm. */
  differences(): readonly TotalDifference[] {
    const [base = [], changed = []] = [this.#results.get('base'), this.#results.get('changed')];
    const pairs = Math.min(base.length, changed.length);
    const totals = Object.keys(base[0]?.totals ?? {}).filter((name) => changed[0]?.totals[name] !== undefined);
    if (pairs === 0) return [];
    return totals.map((total) => {
      const of = (results: readonly SimulationResult[]) =>
        results.slice(0, pairs).map(({ totals: all }) => all[total] ?? 0);
      const [a, b] = [of(base), of(changed)];
      const differences = b.map((value, i) => value - (a[i] ?? 0));
      return {
        total,
        base: mean(a),
        changed: mean(b),
        difference: pairs > 1 ? pairedDifference(a, b).difference : (differences[0] ?? 0),
        interval: pairs > 1 ? meanInterval(differences) : null,
      };
    });
  }

  async #play(
    arms: ReadonlyMap<ArmName, (seed: number) => ScenarioSource>,
    seed: number,
    seeds: number,
  ): Promise<void> {
    let at = { arm: 'base' as ArmName, seed };
    try {
      for (let i = 0; i < seeds; i += 1) {
        for (const [arm, sourceOf] of arms) {
          at = { arm, seed: seed + i };
          const source = sourceOf(seed + i);
          const run = startRun(source.scenario, source.seed);
          if (i === 0) this.#follow(run, arm);
          const played = await playRun(run, { quiet: true, interrupt: { isRequested: () => this.#stopped } });
          if (played.interrupted) {
            this.#say({ ...at, share: 1, state: 'stopped' });
            return;
          }
          const results = this.#results.get(arm) ?? [];
          this.#results.set(arm, results);
          results.push(resultOf(run, runSourceOf(source), played));
        }
      }
      this.#say({ ...at, share: 1, state: 'ended' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say({ ...at, share: 1, state: 'failed', error: error.message });
    }
  }

  /** Says the samples of a run as they are taken, a few times a second. */
  #follow(run: Run, arm: ArmName): void {
    let told = 0;
    let toldMs = 0;
    run.onSample = () => {
      const { world, samples } = run;
      const over = world.second >= world.scenario.durationSec;
      if (!over && performance.now() - toldMs < TELL_EVERY_MS) return;
      const shown = samples.tracks.filter(
        ({ measure, group }) => group.name === null && world.scenario.measures.names.includes(measure),
      );
      const values = Object.fromEntries(shown.map(({ measure, values: all }) => [measure, all.slice(told)]));
      const timesSec = samples.timesSec.slice(told);
      this.#say({
        arm,
        seed: world.scenario.seed,
        share: world.second / world.scenario.durationSec,
        state: 'running',
        timesSec,
        values,
      });
      told = samples.timesSec.length;
      toldMs = performance.now();
    };
  }

  #say(
    word: Omit<SimulationWord, 'n' | 'timesSec' | 'values'> & Partial<Pick<SimulationWord, 'timesSec' | 'values'>>,
  ): void {
    this.#word = { n: this.#n, timesSec: [], values: {}, ...word };
    this.#tell(this.#word);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
