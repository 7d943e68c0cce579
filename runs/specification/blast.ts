/**
 * Judges recordings by the text before and after a change. The recorded exchanges are replayed once, and the model judges them by both texts. A
 * second replay, with the checks of the changed text, shows which checks would send other requests: what depends on these cannot be predicted.
 */

import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import type { EndedCheck, RunRecord } from '../../conformance/judge/record.js';
import { judgedRun } from '../../conformance/judge/verdict.js';
import { type ConformOptions, runSuite } from '../../conformance/run/runner.js';
import type { Recording } from '../../conformance/tape/read-recording.js';
import type { Target } from '../../conformance/target/target.js';
import type { Transport } from '../../conformance/wire/transport.js';
import type { Blast, BlastClause, BlastRecording, ConfiguredNumber, Witness } from '../../results/blast-result.js';
import type { ConformanceResult, ReportedClause } from '../../results/conformance-result.js';
import type { UnreadRecording } from '../../results/replay-result.js';
import { type ChangedNumber, changedNumbers, changedParts, touchedClauses } from '../../spec/change.js';
import { clauseById } from '../../spec/clauses/index.js';
import { jsonOf } from '../../spec/formats.js';
import { configurable } from '../../spec/numbers.js';
import { type Overlay, withOverlay } from '../../spec/overlay.js';
import { Failure } from '../host/failure.js';
import { judgeRecording, readRecording } from '../suite/record.js';

/** The overlays over the numbers of a recorded target: the text before the change, where it is not that of the target, and after it. */
interface Texts {
  readonly before?: Overlay | undefined;
  readonly after: Overlay;
}

/** A recording under a change: its clauses by both texts, and the checks that would send other requests. */
interface Blasted {
  readonly recording: BlastRecording;
  readonly before: ConformanceResult;
  readonly after: ConformanceResult;
  readonly changedChecks: ReadonlySet<string>;
  /** The clauses about which checks assert less under the change. */
  readonly lost: ReadonlySet<string>;
  /** The clauses that the change is about. */
  readonly touched: ReadonlySet<string>;
  /** The values of changed numbers that replies show as configured, with the clauses that are about these values alone. */
  readonly configured: readonly (ConfiguredNumber & { readonly clauses: readonly string[] })[];
}

type Options = Pick<ConformOptions, 'toolVersion' | 'signal'>;

/** Judges one recording by both texts. `file`: its name. */
export async function blasted(file: string, recording: Recording, texts: Texts, given: Options): Promise<Blasted> {
  const { manifest, target } = recording;
  const options = { ...given, seed: manifest.seed, nowWallMs: Date.now };
  const after = withOverlay(texts.after, target.protocol);
  const before = texts.before === undefined ? target.protocol : withOverlay(texts.before, target.protocol);
  const alsoBy = [after, ...(texts.before === undefined ? [] : [before])];
  const sent = new Requests();
  const { record } = await judgeRecording(recording, { ...options, alsoBy }, sent.runOn(target));
  const [afterwards, base = record] = record.also ?? [];
  const changed = new Requests();
  const { record: other, unshown } = await judgeRecording(
    recording,
    { ...options, alsoBy: [] },
    changed.runOn({ ...target, protocol: after }),
  );
  const again = new Map(other.finished?.map((check) => [check.id, check]));
  const { finished = [] } = record;
  // A check that sends the same requests and comes as far asserts by the changed text; of any other the assertions are kept as they were.
  const isSame = ({ id, end }: EndedCheck): boolean =>
    unshown.requests[id] === undefined &&
    sent.of(id) === changed.of(id) &&
    again.get(id)?.end?.verdict === end?.verdict;
  const same = new Set(finished.filter(isSame).map(({ id }) => id));
  const changedChecks = new Set(finished.map(({ id }) => id).filter((id) => !same.has(id)));
  const asserted = finished.map((check) => (same.has(check.id) ? (again.get(check.id) ?? check) : check));
  const runs = asserted.map((check) => judgedRun(check, afterwards?.traffic?.runs[check.id] ?? [], false));
  const kept = assertionsOf(asserted);
  const lost = [...assertionsOf(finished)].flatMap(([clause, n]) => (n > (kept.get(clause) ?? 0) ? [clause] : []));
  const { also: _, finished: __, ...own } = record;
  const numbers = changedNumbers(before, after);
  const result = (one: Partial<RunRecord>) => conclude([{ ...own, ...one }], { checks: allChecks });
  return {
    recording: {
      ...{ file, server: target.baseUrl, recorded_at: new Date(manifest.started_ms).toISOString() },
      tool_version: manifest.tool_version,
      changed_checks: changedChecks.size,
    },
    before: result(base),
    after: result({ ...afterwards, runs }),
    changedChecks,
    lost: new Set(lost),
    touched: new Set(touchedClauses(numbers, changedParts(before, after))),
    configured: configuredIn(afterwards?.traffic, numbers).map((one) => ({ ...one, recording: file })),
  };
}

/** The changed numbers for which a reply shows another value that the text allows. */
function configuredIn(traffic: RunRecord['traffic'], changed: readonly ChangedNumber[]) {
  const demanded = new Map(changed.map(({ path, to }) => [path, to]));
  return (traffic?.learnt ?? []).flatMap((one) => {
    const { by, clauses } = configurable[one.number];
    const isOther = demanded.has(one.number) && demanded.get(one.number) !== one.value;
    return isOther ? [{ ...one, by, section: clauseById(by).section, clauses }] : [];
  });
}

/** How often checks assert something about each clause. */
function assertionsOf(checks: readonly EndedCheck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const clause of checks.flatMap(({ evidence }) => evidence.flatMap(({ clauses }) => clauses)))
    counts.set(clause, (counts.get(clause) ?? 0) + 1);
  return counts;
}

/** The requests of each check, each with the protocol time since the first. */
class Requests {
  readonly #sent = new Map<string, { readonly sinceMs: number; text: string }>();
  #nowMs = 0;

  /** Runs the suite on a target, and notes its requests. */
  runOn(target: Target) {
    return (_: Target, options: ConformOptions): Promise<RunRecord> =>
      runSuite(
        target,
        options.transport === undefined ? options : { ...options, transport: this.#noting(options.transport) },
      );
  }

  /** All requests of a check, as text. */
  of(check: string): string | undefined {
    return this.#sent.get(check)?.text;
  }

  #noting(send: Transport): Transport {
    return async (request) => {
      const { method, url, body = '', owner = '' } = request;
      const known = this.#sent.get(owner) ?? { sinceMs: this.#nowMs, text: '' };
      known.text += `${this.#nowMs - known.sinceMs} ${method} ${url} ${body}\n`;
      this.#sent.set(owner, known);
      const reply = await send(request);
      const { now_ms: nowMs } = Object(url.endsWith('/clock/advance') ? jsonOf(reply.body) : {}) as {
        now_ms?: unknown;
      };
      if (typeof nowMs === 'number') this.#nowMs = nowMs;
      return reply;
    };
  }
}

/**
 * The verdicts of one recording that change, or cannot be predicted: those that rest on checks which send other requests under the change. A reply to
 * such a check counts against a clause that the change is about, since it shows how the server behaves there. Under other clauses it may be a
 * consequence of a request that nobody would send any more.
 */
export function flipsOf({ before, after, changedChecks, lost, touched, configured }: Blasted): {
  readonly fail: readonly ReportedClause[];
  readonly pass: readonly ReportedClause[];
  readonly unpredicted: readonly ReportedClause[];
  /** Clauses about a changed number that the recorded exchanges do not break, since a reply shows that the server has configured another one. */
  readonly configured: readonly ReportedClause[];
} {
  const earlier = new Map(before.clauses.map((clause) => [clause.id, clause]));
  const was = new Map(before.clauses.map(({ id, state }) => [id, state]));
  const judged = after.clauses.filter(({ id }) => was.get(id) === 'holds' || was.get(id) === 'fails');
  const isChanged = (check: string): boolean => changedChecks.has(check);
  const free = new Set(configured.flatMap(({ clauses }) => clauses));
  const isFree = ({ id, state }: ReportedClause): boolean =>
    free.has(id) && state !== 'fails' && was.get(id) === 'holds';
  const isOpen = (clause: ReportedClause): boolean => {
    const { id, state, checks, evidence } = clause;
    // A clause does not begin to pass because model or checks can no longer judge what broke it.
    const first = earlier.get(id) ?? clause;
    const isLost = first.state === 'fails' && (lost.has(id) || judgedExchanges(clause) < judgedExchanges(first));
    if (state !== 'fails') return state === 'not-judged' || isLost || [...first.checks, ...checks].some(isChanged);
    return !touched.has(id) && evidence.every(({ ok, check }) => ok || isChanged(check));
  };
  return {
    fail: judged.filter((clause) => clause.state === 'fails' && was.get(clause.id) !== 'fails' && !isOpen(clause)),
    pass: judged.filter((clause) => was.get(clause.id) === 'fails' && clause.state === 'holds' && !isOpen(clause)),
    unpredicted: judged.filter(isOpen),
    configured: judged.filter(isFree),
  };
}

const judgedExchanges = ({ exchanges: { pass, fail } = { pass: 0, fail: 0, open: 0 } }: ReportedClause): number =>
  pass + fail;

/** The blast radius of a change over recordings. A recording that cannot be read is listed with its reason. */
export async function blastOf(
  files: readonly string[],
  texts: Texts,
  options: Options & { readonly onFile: (file: string) => void },
): Promise<Blast> {
  const all: Blasted[] = [];
  const unread: UnreadRecording[] = [];
  const duplicates: Blast['duplicates'][number][] = [];
  const known = new Map<string, string>();
  for (const file of files) {
    if (options.signal?.aborted === true) break;
    try {
      const recording = readRecording(file);
      const of = known.get(recording.digest);
      known.set(recording.digest, of ?? file);
      if (of !== undefined) duplicates.push({ file, of });
      else all.push(await blasted(file, recording, texts, options));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      unread.push({ file, error: error.message });
    }
    options.onFile(file);
  }
  return { recordings: all.map(({ recording }) => recording), unread, duplicates, clauses: clausesOf(all) };
}

function clausesOf(all: readonly Blasted[]): readonly BlastClause[] {
  type Found = { level: BlastClause['level']; fail: Witness[]; pass: string[]; unpredicted: string[] } & {
    configured: ConfiguredNumber[];
  };
  const found = new Map<string, Found>();
  const of = ({ id, level }: ReportedClause) => {
    const known = found.get(id) ?? { level, fail: [], pass: [], unpredicted: [], configured: [] };
    found.set(id, known);
    return known;
  };
  for (const one of all) {
    const { fail, pass, unpredicted, configured } = flipsOf(one);
    const { file } = one.recording;
    for (const clause of configured)
      for (const { clauses, ...number } of one.configured)
        if (clauses.includes(clause.id)) of(clause).configured.push(number);
    for (const clause of fail) of(clause).fail.push(witnessOf(clause, one));
    for (const clause of pass) of(clause).pass.push(file);
    for (const clause of unpredicted) of(clause).unpredicted.push(file);
  }
  const rows = [...found].map(([id, { level, fail, pass, unpredicted, configured }]) => ({
    ...{ id, level, begin_to_fail: fail, begin_to_pass: pass, unpredicted, configured },
  }));
  // First those that the most servers would fail.
  return rows.toSorted(
    (a, b) => b.begin_to_fail.length - a.begin_to_fail.length || b.begin_to_pass.length - a.begin_to_pass.length,
  );
}

/** The first exchange of a recording that a clause does not allow any more. */
function witnessOf({ id, evidence }: ReportedClause, { recording, after }: Blasted): Witness {
  const finding = after.findings.find(({ clauses }) => clauses.includes(id));
  const seen = evidence.find(({ ok }) => !ok);
  const [exchange] = finding?.transcript ?? [];
  return {
    ...{ recording: recording.file, server: recording.server },
    endpoint: finding?.endpoint ?? '',
    about: finding?.about ?? seen?.about ?? '',
    expected: finding?.expected ?? seen?.expected ?? '',
    actual: finding?.actual ?? seen?.actual ?? '',
    check: finding?.checks[0] ?? seen?.check ?? '',
    ...(exchange === undefined ? {} : { exchange }),
  };
}
