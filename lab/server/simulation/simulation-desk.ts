/**
 * Simulations that the page starts: one arm, or two that differ in numbers of the protocol, each with the same successive seeds; or a
 * sweep. Results are those of the command, byte for byte: the same functions make them.
 */

import { pairedDifference } from '../../../experiments/statistics/difference.js';
import { meanInterval } from '../../../experiments/statistics/estimate.js';
import type { SweepPlan } from '../../../experiments/sweep/plan.js';
import { summarize } from '../../../experiments/sweep/summary.js';
import { type Json, jsonText } from '../../../reports/json-text.js';
import type { SimulationResult } from '../../../reports/simulation-result.js';
import type { SweepRun } from '../../../reports/sweep-result.js';
import { sweepColumns, sweepRows } from '../../../reports/sweep-rows.js';
import { csvPieces } from '../../../reports/tidy-table.js';
import type { ReportedSweep } from '../../../reports/views/sweep.js';
import { inOrder, playSweep } from '../../../runs/experiment/sweep-run.js';
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
  /** An arm of the run, or of the sweep. */
  readonly arm: string;
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
  #sweep: { readonly plan: SweepPlan; readonly runs: SweepRun[] } | undefined;
  #stop = new AbortController();
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
    this.#begin({ arm: 'base', seed });
    this.#running = this.#play(arms, seed, seeds);
    return this.#n;
  }

  /** Starts a sweep. */
  startSweep(plan: SweepPlan): number {
    this.#begin({ arm: plan.arms[0]?.name ?? '', seed: plan.inputs.seed });
    this.#sweep = { plan, runs: [] };
    this.#running = this.#playSweep(this.#sweep);
    return this.#n;
  }

  #begin(at: Pick<SimulationWord, 'arm' | 'seed'>): void {
    if (this.#word?.state === 'running')
      throw new ActionRefused(409, 'RUN_UNDER_WAY', 'a simulation is under way: stop it, or wait for its end');
    this.#n += 1;
    this.#stop = new AbortController();
    this.#results.clear();
    this.#sweep = undefined;
    this.#say({ ...at, share: 0, state: 'running' });
  }

  /** Ends the run that is under way. */
  stop(): void {
    this.#stop.abort('the page');
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

  /** The latest sweep as far as it has been played; undefined before its first run has ended. */
  reportedSweep(): ReportedSweep | undefined {
    if (this.#sweep === undefined || this.#sweep.runs.length === 0) return undefined;
    const { plan, runs } = this.#sweep;
    const { file, scenario_file, replicates } = plan.inputs;
    const summary = summarize(plan, inOrder(runs));
    return { summary, file, scenario_file, runs: runs.length, runs_planned: plan.arms.length * replicates };
  }

  /** The files of a sweep, as the command writes them. */
  filesOfSweep(): Readonly<Record<string, string>> {
    const sweep = this.#sweep;
    if (sweep === undefined || this.#word?.state !== 'ended')
      throw new ActionRefused(409, 'NO_RESULT', 'no sweep has ended');
    const runs = inOrder(sweep.runs);
    return {
      'summary.json': jsonText(summarize(sweep.plan, runs) as unknown as Json),
      'rows.csv': [...csvPieces(sweepColumns, [...sweepRows(sweep.plan.arms, runs)])].join(''),
    };
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
          const played = await playRun(run, {
            quiet: true,
            interrupt: { isRequested: () => this.#stop.signal.aborted },
          });
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

  async #playSweep({ plan, runs }: { readonly plan: SweepPlan; readonly runs: SweepRun[] }): Promise<void> {
    const { signal } = this.#stop;
    const total = plan.arms.length * plan.inputs.replicates;
    let at = { arm: '', seed: plan.inputs.seed };
    const onRun = (run: SweepRun): void => {
      runs.push(run);
      at = { arm: plan.arms[run.arm]?.name ?? '', seed: run.seed };
      this.#say({ ...at, share: runs.length / total, state: 'running' });
    };
    const interrupt = { isRequested: () => signal.aborted, signal, forget: () => undefined };
    try {
      const { interrupted } = await playSweep(plan, { workers: 1, shard: null, known: [], interrupt, onRun });
      this.#say({ ...at, share: runs.length / total, state: interrupted ? 'stopped' : 'ended' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say({ ...at, share: runs.length / total, state: 'failed', error: error.message });
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
