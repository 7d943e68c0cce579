/**
 * Runs of the suite that the page starts: against the target that was given at start, or a reference of its own; and, kept apart, against a
 * reference under a change. It reports progress a few times a second, so that watching does not slow down a run.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { allChecks } from '../../../conformance/checks/index.js';
import { mergedResult } from '../../../conformance/judge/merged.js';
import type { LiveRun } from '../../../conformance/run/live-run.js';
import { conform } from '../../../conformance/run/runner.js';
import type { Target } from '../../../conformance/target/target.js';
import { type ComparedReport, comparedReport } from '../../../reports/conformance/conformance-diff.js';
import { verdictOf } from '../../../reports/conformance/verdict-text.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import type { ConformanceResult } from '../../../results/conformance-result.js';
import { packageVersion } from '../../../runs/host/package.js';
import { type ReferenceProcess, startReference, WITH_WEBHOOKS } from '../../../runs/server/reference-process.js';
import { ActionRefused } from '../action.js';
import { RunWatch, statesOf, type Watched } from './watched.js';

export type { Watched } from './watched.js';

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
  readonly states: string;
  /** Why it says little: it stopped before its end, or could not judge; null for a run that came to its end. */
  readonly cut: string | null;
}

/** The runs of one kind whose exchanges are kept, the latest last, and the reference that was started for the latest. */
interface Seen {
  runs: readonly LiveRun[];
  own: ReferenceProcess | undefined;
}

/** The command that judges a reference of its own, as runs without a target do. */
const OWN_REFERENCE = 'aips conform self --configuration webhooks';

const TELL_EVERY_MS = 150;
const RUNS_KEPT = 20;
const CHECKS = allChecks.map(({ id }) => id);

/** The runs of the suite of one lab. */
export class ConformanceDesk {
  readonly target: Target | undefined;
  /** The command of a run, without its seed and its checks; undefined where the target has no file. */
  readonly command: string | undefined;
  readonly seed: number;
  readonly #tell: (watched: Watched) => void;
  readonly #targetFile: string | undefined;
  /** The latest run against the target, or a reference of its own. */
  watched: Watched | undefined;
  result: ConformanceResult | undefined;
  /** The latest run against a reference under a change. */
  change: { readonly watched: Watched; readonly command: string; result?: ConformanceResult } | undefined;
  #n = 0;
  #kept: Kept[] = [];
  readonly #seen: Readonly<Record<'target' | 'change', Seen>> = {
    target: { runs: [], own: undefined },
    change: { runs: [], own: undefined },
  };
  /** A reference that waits for the next run: starting one takes seconds. */
  #next: Promise<ReferenceProcess> | undefined;
  #stop: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `targetFile` is the path of the target's file. */
  constructor(target: Target | undefined, seed: number, tell: (watched: Watched) => void, targetFile?: string) {
    this.target = target;
    this.#targetFile = targetFile;
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

  /** Why runs that can be compared with stopped before their end or could not judge, by their numbers. */
  get cut(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#kept.flatMap(({ n, cut }) => (cut === null ? [] : [[n, cut]])));
  }

  /** The report of an earlier run. */
  reportOf(n: number): ComparedReport | undefined {
    return this.#kept.find((each) => each.n === n)?.report;
  }

  /** The run that has the exchanges of a check, of the latest report of a kind; undefined where the check has not begun. */
  liveOf(check: string, ofChange = false): LiveRun | undefined {
    return this.#seenBy(ofChange).runs.findLast((run) => run.has(check));
  }

  /** The reference that was started for the latest run of a kind; undefined where the target was given. */
  ownOf(ofChange = false): Target | undefined {
    return this.#seenBy(ofChange).own?.target;
  }

  #seenBy(ofChange: boolean): Seen {
    return this.#seen[ofChange ? 'change' : 'target'];
  }

  /** Starts the reference of the next run, unless a target was given: then its first evidence comes at once. */
  prepare(): void {
    if (this.target !== undefined || this.#next !== undefined) return;
    this.#next = startReference({ seed: this.seed, ...WITH_WEBHOOKS });
    // The run that takes it says why it did not start.
    this.#next.catch(() => undefined);
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
        first: null,
        state: 'running',
        verdict: null,
        states: '',
        verdicts: '',
        requests: 0,
        tookMs: 0,
        newest: null,
      },
      server: this.#serverOf(changed),
      completes: again && !changed && this.result !== undefined ? (this.runs.at(-1) ?? null) : null,
      before: changed ? null : beforeOf(this.#kept.findLast(({ cut }) => cut === null)),
    };
    if (changed) this.change = { watched, command: `${OWN_REFERENCE} --under ${shellWord(overlay.file)}` };
    else this.watched = watched;
    const stop = new AbortController();
    this.#stop = stop;
    this.#running = this.#run(
      new RunWatch(watched, CHECKS, performance.now.bind(performance)),
      stop.signal,
      overlay?.text,
    );
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

  /** Stops the run that is under way, and every reference that was started here. */
  async close(): Promise<void> {
    this.stop();
    await this.idle();
    const next = await this.#next?.catch(() => undefined);
    await Promise.all([next, this.#seen.target.own, this.#seen.change.own].map((each) => each?.stop()));
  }

  async #run(watch: RunWatch, signal: AbortSignal, overlay: string | undefined): Promise<void> {
    const { watched } = watch;
    const tell = (): void => {
      watch.look();
      this.#tell(watched);
    };
    const telling = setInterval(tell, TELL_EVERY_MS);
    try {
      tell();
      const run = await this.#judged(watch, signal, overlay);
      const before = watched.completes === null ? undefined : this.result;
      const result = before === undefined ? run : mergedResult(before, run);
      if (this.change?.watched === watched) this.change.result = result;
      else {
        this.result = result;
        const report = comparedReport.parse(result);
        this.#kept = [...this.#kept, { n: watched.n, report, states: statesOf(result), cut: cutOf(run) }].slice(
          -RUNS_KEPT,
        );
      }
      watch.end(result, verdictOf(result, {}), run.checks);
    } catch (error) {
      watched.state = 'failed';
      watched.error = error instanceof Error ? error.message : String(error);
    } finally {
      clearInterval(telling);
      this.#tell(watched);
    }
  }

  async #judged(watch: RunWatch, signal: AbortSignal, overlay: string | undefined): Promise<ConformanceResult> {
    const { watched } = watch;
    const seen = this.#seenBy(watched.changed);
    // The reference of the run before has served its curls until now.
    await seen.own?.stop();
    seen.own = undefined;
    seen.own = await this.#started(overlay);
    const target = seen.own?.target ?? (this.target as Target);
    watched.server = { ...watched.server, url: target.baseUrl };
    return await conform(target, {
      ...{ seed: this.seed, toolVersion: packageVersion(), nowWallMs: Date.now, signal },
      ...(watched.only.length === 0 ? {} : { only: watched.only }),
      quick: watched.quick,
      onResult: (outcome) => watch.outcome(outcome),
      onDeviation: (...met) => watch.deviation(...met),
      onLive: (live) => {
        watch.live = live;
        seen.runs = [...(watched.completes === null ? [] : seen.runs), live].slice(-RUNS_KEPT);
      },
    });
  }

  /** The name of the judged server, and its URL where that is known. */
  #serverOf(changed: boolean): Watched['server'] {
    const { target } = this;
    if (changed || target === undefined)
      return { name: changed ? 'a reference under the change' : 'a reference of its own', url: '' };
    const file = this.#targetFile === undefined ? '' : `${basename(this.#targetFile)}, `;
    return { name: `${file}${target.dialect.name} on ${target.network}`, url: target.baseUrl };
  }

  /** The reference of a run; undefined where the target was given. */
  async #started(overlay: string | undefined): Promise<ReferenceProcess | undefined> {
    if (overlay !== undefined) return referenceUnder(overlay, this.seed);
    this.prepare();
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
}

/** Why a run says little; null for one that came to its end. */
function cutOf({ stopped, summary: { clauses } }: ConformanceResult): string | null {
  if (stopped !== undefined) return stopped;
  return clauses.must.judged + clauses.decision.judged === 0 ? 'it judged nothing' : null;
}

const beforeOf = (kept: Kept | undefined): Watched['before'] =>
  kept === undefined ? null : { n: kept.n, states: kept.states };

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
