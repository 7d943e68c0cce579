/**
 * Runs of the suite that the page starts: against the target that was given at start, or a reference of its own; and, kept apart, against a
 * reference under a change. It reports progress a few times a second, so that watching does not slow down a run.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergedResult } from '../../../conformance/judge/merged.js';
import { conform } from '../../../conformance/run/runner.js';
import type { Target } from '../../../conformance/target/target.js';
import type { Evidence } from '../../../model/evidence.js';
import { type ComparedReport, comparedReport } from '../../../reports/conformance/conformance-diff.js';
import { findingTitle } from '../../../reports/conformance/findings-view.js';
import { type Verdict as RunVerdict, verdictOf } from '../../../reports/conformance/verdict-text.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import type { CheckOutcome, ConformanceResult, Verdict } from '../../../results/conformance-result.js';
import { packageVersion } from '../../../runs/host/package.js';
import { startReference, WITH_WEBHOOKS } from '../../../runs/server/reference-process.js';
import { ActionRefused } from '../action.js';

/** A deviation that has been met in the run that is under way. */
interface SeenDeviation {
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level: string;
  readonly expected: string;
  readonly actual: string;
  times: number;
}

/** A run, as the page follows it. */
export interface Watched {
  readonly n: number;
  readonly only: readonly string[];
  /** It is cut to one judgement a clause. */
  readonly quick: boolean;
  /** The reference of the run is under a change of the specification. */
  readonly changed: boolean;
  readonly total: number;
  done: number;
  readonly counts: Partial<Record<Verdict, number>>;
  /** Wrong checks, the latest last. */
  readonly wrong: string[];
  readonly seen: SeenDeviation[];
  state: 'running' | 'ended' | 'failed';
  /** The verdict of the report, once the run has ended. */
  verdict: RunVerdict | null;
  /** The earlier run whose other checks stay in the report; null where the report is of this run alone. */
  readonly completes: number | null;
  /** Why a run could not be made. */
  error?: string;
}

/** How a run is made. */
interface RunWanted {
  /** Ids, clauses or sections; all checks where it is empty. */
  readonly only: readonly string[];
  /** The number of checks that it plans. */
  readonly total: number;
  /** Cut to one judgement a clause. */
  readonly quick?: boolean;
  /** The checks run again: the rest of the latest report stays. */
  readonly again?: boolean;
  /** The text of an overlay: a reference under it is judged, by the specification as it is. */
  readonly overlay?: Overlay;
}

/** A change of the specification, in a file for the command that judges a reference under it. */
interface Overlay {
  readonly text: string;
  readonly file: string;
}

/** A run that has ended, as far as a later one is compared with it. */
interface Kept {
  readonly n: number;
  readonly report: ComparedReport;
}

/** The command that judges a reference of its own, as runs without a target do. */
const OWN_REFERENCE = 'aips conform self --configuration webhooks';

const TELL_EVERY_MS = 250;
const RUNS_KEPT = 20;
const WRONG_MAX = 200;

/** The runs of the suite of one lab. */
export class ConformanceDesk {
  readonly target: Target | undefined;
  /** The command of a run, without its seed and its checks; undefined where the target has no file. */
  readonly command: string | undefined;
  readonly seed: number;
  readonly #tell: (watched: Watched) => void;
  /** The latest run against the target, or a reference of its own. */
  watched: Watched | undefined;
  result: ConformanceResult | undefined;
  /** The latest run against a reference under a change. */
  change: { readonly watched: Watched; readonly command: string; result?: ConformanceResult } | undefined;
  #n = 0;
  #kept: Kept[] = [];
  #stop: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `targetFile` is the path of the target's file. */
  constructor(target: Target | undefined, seed: number, tell: (watched: Watched) => void, targetFile?: string) {
    this.target = target;
    this.command =
      target === undefined
        ? OWN_REFERENCE
        : targetFile === undefined
          ? undefined
          : `aips conform --target ${shellWord(targetFile)}`;
    this.seed = seed;
    this.#tell = tell;
  }

  /** The numbers of the runs that can be compared with. */
  get runs(): readonly number[] {
    return this.#kept.map(({ n }) => n);
  }

  /** The report of an earlier run. */
  reportOf(n: number): ComparedReport | undefined {
    return this.#kept.find((each) => each.n === n)?.report;
  }

  /** Starts a run; one at a time, of either kind. */
  start({ only, total, quick = false, again = false, overlay }: RunWanted): Watched {
    if (this.watched?.state === 'running' || this.change?.watched.state === 'running')
      throw new ActionRefused(409, 'RUN_UNDER_WAY', 'a run is under way: stop it, or wait for its end');
    this.#n += 1;
    const changed = overlay !== undefined;
    const watched: Watched = {
      ...{
        n: this.#n,
        only,
        quick,
        changed,
        total,
        done: 0,
        counts: {},
        wrong: [],
        seen: [],
        state: 'running',
        verdict: null,
      },
      completes: again && !changed && this.result !== undefined ? (this.runs.at(-1) ?? null) : null,
    };
    if (changed) this.change = { watched, command: `${OWN_REFERENCE} --under ${shellWord(overlay.file)}` };
    else this.watched = watched;
    const stop = new AbortController();
    this.#stop = stop;
    this.#running = this.#run(watched, stop.signal, overlay?.text);
    return watched;
  }

  /** Ends the running run; its results so far are kept. */
  stop(): void {
    this.#stop?.abort('the page');
  }

  /** Resolves when no run is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(watched: Watched, signal: AbortSignal, overlay: string | undefined): Promise<void> {
    const telling = setInterval(() => this.#tell(watched), TELL_EVERY_MS);
    try {
      this.#tell(watched);
      const run = await this.#judged(watched, signal, overlay);
      const before = watched.completes === null ? undefined : this.result;
      const result = before === undefined ? run : mergedResult(before, run);
      if (this.change?.watched === watched) this.change.result = result;
      else {
        this.result = result;
        this.#kept = [...this.#kept, { n: watched.n, report: comparedReport.parse(result) }].slice(-RUNS_KEPT);
      }
      // Checks find deviations that the model alone does not; the final result has all findings.
      const found = result.findings.map((finding) => ({
        ...{ title: findingTitle(finding), clauses: finding.clauses, level: finding.level },
        ...{ expected: finding.expected, actual: finding.actual, times: finding.checks.length },
      }));
      watched.seen.splice(0, watched.seen.length, ...found);
      watched.verdict = verdictOf(result, {});
      watched.state = 'ended';
    } catch (error) {
      watched.state = 'failed';
      watched.error = error instanceof Error ? error.message : String(error);
    } finally {
      clearInterval(telling);
      this.#tell(watched);
    }
  }

  async #judged(watched: Watched, signal: AbortSignal, overlay: string | undefined): Promise<ConformanceResult> {
    const own =
      overlay !== undefined
        ? await referenceUnder(overlay, this.seed)
        : this.target === undefined
          ? await startReference({ seed: this.seed, ...WITH_WEBHOOKS })
          : undefined;
    try {
      return await conform(own?.target ?? (this.target as Target), {
        ...{ seed: this.seed, toolVersion: packageVersion(), nowWallMs: Date.now, signal },
        ...(watched.only.length === 0 ? {} : { only: watched.only }),
        quick: watched.quick,
        onResult: (outcome) => noteOutcome(watched, outcome),
        onDeviation: (evidence) => noteDeviation(watched, evidence),
      });
    } finally {
      await own?.stop();
    }
  }
}

/** A reference under the text of an overlay, which it reads from a file as it starts. */
async function referenceUnder(overlay: string, seed: number): ReturnType<typeof startReference> {
  const folder = mkdtempSync(join(tmpdir(), 'aips-lab-'));
  const file = join(folder, 'change.yaml');
  writeFileSync(file, overlay);
  try {
    return await startReference({ seed, ...WITH_WEBHOOKS, flags: [...WITH_WEBHOOKS.flags, '--protocol', file] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function noteOutcome(watched: Watched, { id, verdict }: CheckOutcome): void {
  watched.done += 1;
  watched.counts[verdict] = (watched.counts[verdict] ?? 0) + 1;
  if ((verdict === 'fail' || verdict === 'error') && watched.wrong.length < WRONG_MAX) watched.wrong.push(id);
}

function noteDeviation(watched: Watched, evidence: Evidence): void {
  const { clauses, level, expected = '', actual = '' } = evidence;
  const title = findingTitle(evidence);
  const seen = watched.seen.find((each) => each.title === title);
  if (seen !== undefined) seen.times += 1;
  else if (watched.seen.length < WRONG_MAX) watched.seen.push({ title, clauses, level, expected, actual, times: 1 });
}
