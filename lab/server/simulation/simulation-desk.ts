/**
 * Simulations that the page starts: one arm or several, each with the same successive seeds; or a
 * sweep. Results are those of the command, byte for byte: the same functions make them.
 */

import type { SweepPlan } from '../../../experiments/sweep/plan.js';
import { summarize } from '../../../experiments/sweep/summary.js';
import { sweepColumns, sweepRows } from '../../../reports/experiment/sweep-rows.js';
import { seriesColumns, seriesRows } from '../../../reports/simulation/series-rows.js';
import { csvPieces, parquetBytes } from '../../../reports/text/tidy-table.js';
import type { ReportedSweep } from '../../../reports/views/sweep.js';
import { type Json, jsonText } from '../../../results/json-text.js';
import type { SimulationResult } from '../../../results/simulation-result.js';
import type { SweepRun } from '../../../results/sweep-result.js';
import { inOrder, playSweep } from '../../../runs/experiment/sweep-run.js';
import { Failure } from '../../../runs/host/failure.js';
import { simulationFiles } from '../../../runs/simulation/outputs.js';
import { differenceColumns, pairedTotals, type TotalDifference } from '../../../runs/simulation/paired-totals.js';
import { playRun } from '../../../runs/simulation/play.js';
import { runSourceOf, type ScenarioSource } from '../../../runs/simulation/scenario-source.js';
import { type Run, startRun } from '../../../simulator/run/run.js';
import { shownValue } from '../../../simulator/run/samples.js';
import { resultOf } from '../../../simulator/run/simulate.js';
import { ActionRefused } from '../action.js';

export type { TotalDifference } from '../../../runs/simulation/paired-totals.js';

/** The arm with which the others are compared. */
export const BASE = 'base';

/** The scenario or sweep that is played: its name in the list of the page, and its text as it was. */
interface PlayedText {
  readonly name: string;
  readonly text: string;
}

/** A word about a run that is under way: samples since the last word. */
export interface SimulationWord {
  readonly n: number;
  /** The scenario or sweep. */
  readonly name: string;
  readonly state: 'running' | 'ended' | 'failed' | 'stopped';
  /** An arm of the run, or of the sweep. */
  readonly arm: string;
  readonly seed: number;
  /** The place of the seed among those of each arm, from 1, and how many there are; absent for a sweep. */
  readonly nth?: number;
  readonly seeds?: number;
  /** Of all runs. */
  readonly share: number;
  readonly timesSec: readonly number[];
  /** Values of each shown measure, in the order of `timesSec`. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly error?: string;
}

/** A run with its results so far. */
interface Played {
  readonly of: PlayedText;
  word: SimulationWord | undefined;
  readonly results: Map<string, SimulationResult[]>;
  readonly sweep?: { readonly plan: SweepPlan; readonly runs: SweepRun[] };
}

const TELL_EVERY_MS = 100;
/** Scenarios and sweeps whose latest results are kept. */
const KEPT_MAX = 8;
const NAMELESS: PlayedText = { name: '', text: '' };

/** The simulations of one lab: one at a time. The latest results of each scenario and sweep are kept. */
export class SimulationDesk {
  readonly #tell: (word: SimulationWord) => void;
  /** By name, the latest last. */
  readonly #played = new Map<string, Played>();
  #n = 0;
  #word: SimulationWord | undefined;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(tell: (word: SimulationWord) => void) {
    this.#tell = tell;
  }

  /** The latest word about the latest run. */
  get word(): SimulationWord | undefined {
    return this.#word;
  }

  /** The text that the results belong to; undefined without results of this name. */
  textOf(name: string): string | undefined {
    return this.#of(name)?.of.text;
  }

  /** Starts the arms, one after the other, each with `seeds` successive seeds. */
  start(
    arms: ReadonlyMap<string, (seed: number) => ScenarioSource>,
    { seed, seeds }: { readonly seed: number; readonly seeds: number },
    of: PlayedText = NAMELESS,
  ): number {
    const played = this.#begin({ of, word: undefined, results: new Map() }, { arm: BASE, seed });
    this.#running = this.#play(played, arms, seed, seeds);
    return this.#n;
  }

  /** Starts a sweep. */
  startSweep(plan: SweepPlan, of: PlayedText = NAMELESS): number {
    const sweep = { plan, runs: [] };
    const at = { arm: plan.arms[0]?.name ?? '', seed: plan.inputs.seed };
    const played = this.#begin({ of, word: undefined, results: new Map(), sweep }, at);
    this.#running = this.#playSweep(played, sweep);
    return this.#n;
  }

  #begin(played: Played, at: Pick<SimulationWord, 'arm' | 'seed'>): Played {
    if (this.#word?.state === 'running')
      throw new ActionRefused(409, 'RUN_UNDER_WAY', 'a simulation is under way: stop it, or wait for its end');
    this.#n += 1;
    this.#stop = new AbortController();
    this.#played.delete(played.of.name);
    this.#played.set(played.of.name, played);
    const [oldest] = this.#played.keys();
    if (this.#played.size > KEPT_MAX && oldest !== undefined) this.#played.delete(oldest);
    this.#say(played, { ...at, share: 0, state: 'running' });
    return played;
  }

  /** The latest run of a name; without one, the latest of all. */
  #of(name: string | undefined): Played | undefined {
    return name === undefined ? [...this.#played.values()].at(-1) : this.#played.get(name);
  }

  /** Ends the run that is under way. */
  stop(): void {
    this.#stop.abort('the page');
  }

  /** Resolves when no run is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** The result of an arm's first seed; here and below, of the latest run, or of that of a name. */
  resultOf(arm: string, name?: string): SimulationResult | undefined {
    return this.#of(name)?.results.get(arm)?.[0];
  }

  /** The arms of which a run has ended, in their order. */
  armsOf(name?: string): readonly string[] {
    return [...(this.#of(name)?.results.keys() ?? [])];
  }

  /** How many successive seeds of an arm have been played. */
  seedsOf(arm: string, name?: string): number {
    return this.#of(name)?.results.get(arm)?.length ?? 0;
  }

  /** The files of an arm's first seed, as the command writes them. */
  filesOf(arm: string, name?: string): Readonly<Record<string, string | Uint8Array>> {
    const result = this.resultOf(arm, name);
    if (result === undefined) throw new ActionRefused(409, 'NO_RESULT', `no run of the arm ${arm} has ended`);
    const text = result.manifest.scenario.text ?? '';
    const rows = [...seriesRows(result)];
    const differences = arm === BASE ? [] : this.differences(name, arm);
    return {
      ...simulationFiles(result, ''),
      ...(arm === BASE ? {} : { 'differences.csv': [...csvPieces(differenceColumns, differences)].join('') }),
      'measures.csv': [...csvPieces(seriesColumns, rows)].join(''),
      'measures.parquet': parquetBytes(seriesColumns, rows),
      'scenario.yaml': text,
    };
  }

  /** The latest sweep as far as it has been played; undefined before its first run has ended. */
  reportedSweep(name?: string): ReportedSweep | undefined {
    const sweep = this.#of(name)?.sweep;
    if (sweep === undefined || sweep.runs.length === 0) return undefined;
    const { plan, runs } = sweep;
    const { file, scenario_file, replicates } = plan.inputs;
    const summary = summarize(plan, inOrder(runs));
    return { summary, file, scenario_file, runs: runs.length, runs_planned: plan.arms.length * replicates };
  }

  /** The files of a sweep, as the command writes them. */
  filesOfSweep(name?: string): Readonly<Record<string, string | Uint8Array>> {
    const { sweep, word } = this.#of(name) ?? {};
    if (sweep === undefined || word?.state !== 'ended') throw new ActionRefused(409, 'NO_RESULT', 'no sweep has ended');
    const runs = inOrder(sweep.runs);
    const rows = [...sweepRows(sweep.plan.arms, runs)];
    return {
      'summary.json': jsonText(summarize(sweep.plan, runs) as unknown as Json),
      'rows.csv': [...csvPieces(sweepColumns, rows)].join(''),
      'rows.parquet': parquetBytes(sweepColumns, rows),
    };
  }

  /** The paired differences of all totals of an arm from the first one; without a name those of the second arm. */
  differences(name?: string, arm = this.armsOf(name)[1] ?? ''): readonly TotalDifference[] {
    const [base = [], other = []] = [BASE, arm].map((each) => this.#of(name)?.results.get(each));
    return pairedTotals(
      base.map(({ totals }) => totals),
      other.map(({ totals }) => totals),
    );
  }

  async #play(
    played: Played,
    arms: ReadonlyMap<string, (seed: number) => ScenarioSource>,
    seed: number,
    seeds: number,
  ): Promise<void> {
    const total = seeds * arms.size;
    let at = { arm: BASE, seed, nth: 1, seeds };
    let done = 0;
    try {
      for (let i = 0; i < seeds; i += 1) {
        for (const [arm, sourceOf] of arms) {
          at = { arm, seed: seed + i, nth: i + 1, seeds };
          const source = sourceOf(seed + i);
          const run = startRun(source.scenario, source.seed);
          this.#follow(played, run, i === 0, (share) => ({ ...at, share: (done + share) / total }));
          const ended = await playRun(run, {
            quiet: true,
            interrupt: { isRequested: () => this.#stop.signal.aborted },
          });
          if (ended.interrupted) {
            this.#say(played, { ...at, share: done / total, state: 'stopped' });
            return;
          }
          const results = played.results.get(arm) ?? [];
          played.results.set(arm, results);
          results.push(resultOf(run, runSourceOf(source), ended));
          done += 1;
        }
      }
      this.#say(played, { ...at, share: 1, state: 'ended' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say(played, { ...at, share: done / total, state: 'failed', error: error.message });
    }
  }

  async #playSweep(played: Played, { plan, runs }: NonNullable<Played['sweep']>): Promise<void> {
    const { signal } = this.#stop;
    const total = plan.arms.length * plan.inputs.replicates;
    let at = { arm: '', seed: plan.inputs.seed };
    const onRun = (run: SweepRun): void => {
      runs.push(run);
      at = { arm: plan.arms[run.arm]?.name ?? '', seed: run.seed };
      this.#say(played, { ...at, share: runs.length / total, state: 'running' });
    };
    const interrupt = { isRequested: () => signal.aborted, signal, forget: () => undefined };
    try {
      const { interrupted } = await playSweep(plan, { workers: 1, shard: null, known: [], interrupt, onRun });
      this.#say(played, { ...at, share: runs.length / total, state: interrupted ? 'stopped' : 'ended' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say(played, { ...at, share: runs.length / total, state: 'failed', error: error.message });
    }
  }

  /** Says how far a run is, a few times a second; with its samples as they are taken where they are shown. */
  #follow(
    played: Played,
    run: Run,
    isShown: boolean,
    at: (share: number) => Pick<SimulationWord, 'arm' | 'seed' | 'nth' | 'seeds' | 'share'>,
  ): void {
    let told = 0;
    let reportedMs = 0;
    run.onSample = () => {
      const { world, samples } = run;
      const over = world.second >= world.scenario.durationSec;
      if (!over && performance.now() - reportedMs < TELL_EVERY_MS) return;
      const word = { ...at(world.second / world.scenario.durationSec), state: 'running' as const };
      reportedMs = performance.now();
      if (!isShown) {
        this.#say(played, word);
        return;
      }
      const shown = samples.tracks.filter(
        ({ measure, group }) => group.name === null && world.scenario.measures.names.includes(measure),
      );
      const values = Object.fromEntries(
        shown.map(({ measure, values: all }) => [measure, all.slice(told).map(shownValue)]),
      );
      const timesSec = samples.timesSec.slice(told);
      this.#say(played, { ...word, timesSec, values });
      told = samples.timesSec.length;
    };
  }

  #say(
    played: Played,
    word: Omit<SimulationWord, 'n' | 'name' | 'timesSec' | 'values'> &
      Partial<Pick<SimulationWord, 'timesSec' | 'values'>>,
  ): void {
    this.#word = { n: this.#n, name: played.of.name, timesSec: [], values: {}, ...word };
    played.word = this.#word;
    this.#tell(this.#word);
  }
}
