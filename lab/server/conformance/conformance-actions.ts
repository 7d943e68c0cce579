/** The actions of the page's Conformance view: a run, its result by cause and by clause, and its difference to an earlier run. */

import { z } from 'zod';
import { allChecks } from '../../../conformance/checks/index.js';
import { plan } from '../../../conformance/run/plan.js';
import { bareTarget } from '../../../conformance/target/target.js';
import { compareReports } from '../../../reports/conformance/conformance-diff.js';
import type { ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import { summaryOfRun } from '../../../reports/conformance/run-summary.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import {
  type ClauseEvidence,
  type ConformanceResult,
  type ReportedClause,
  withoutTranscript,
} from '../../../results/conformance-result.js';
import { checksToRepeat, formats, reportFiles } from '../../../runs/suite/report-files.js';
import { clauses } from '../../../spec/clauses/index.js';
import { type Action, ActionRefused, action, nothing } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import type { ConformanceDesk } from './conformance-desk.js';

const patterns = z.array(z.string().max(200)).max(2_000);

/** Which of the two latest results: that of the target, or that of a reference under a change. */
const changed = z.boolean().default(false);

/** The command that judges the same again, for reports of the lab. */
function writingOf(desk: ConformanceDesk, ofChange = false): ConformanceWriting {
  const command = ofChange ? desk.change?.command : desk.command;
  const run = ofChange ? desk.change?.watched : desk.watched;
  const only = run === undefined || run.completes !== null ? [] : run.only;
  return { ...(command === undefined ? {} : { command }), ...(only.length === 0 ? {} : { only }) };
}

/** The result as the page shows it first: without the transcripts of checks, and without evidence for clauses that pass. */
function resultView(desk: ConformanceDesk, ofChange = false) {
  const result = ofChange ? desk.change?.result : desk.result;
  const watched = (ofChange ? desk.change?.watched : desk.watched) ?? null;
  // Runs under a change are compared with none.
  const writing = writingOf(desk, ofChange);
  const shared = {
    watched,
    runs: ofChange ? [] : desk.runs,
    cut: ofChange ? {} : desk.cut,
    target: desk.target?.baseUrl ?? null,
    writing,
  };
  if (result === undefined) return { ...shared, result: null, summary: null, repeat: 0 };
  const clauses = result.clauses.map((clause) => (clause.state === 'fails' ? clause : { ...clause, evidence: [] }));
  const checks = result.checks.map(withoutTranscript);
  return {
    ...shared,
    result: { ...result, clauses, checks },
    summary: summaryOfRun(result, writing),
    repeat: ofChange ? 0 : checksToRepeat(result).length,
  };
}

function resultOf(desk: ConformanceDesk, ofChange = false): ConformanceResult {
  const result = ofChange ? desk.change?.result : desk.result;
  if (result !== undefined) return result;
  throw new ActionRefused(409, 'NO_RESULT', 'no run has ended yet: start one');
}

/** The other checks that met a finding that one of these met, or of those in turn: the finding is gone where none meets it again. */
function sharingFindings({ findings }: ConformanceResult, chosen: readonly string[]): readonly string[] {
  const again = new Set(chosen);
  for (let known = -1; known < again.size; ) {
    known = again.size;
    for (const { checks } of findings) if (checks.some((id) => again.has(id))) for (const id of checks) again.add(id);
  }
  return [...again].slice(chosen.length);
}

/** The exchanges of the evidence for a clause that can be opened, as `3/heartbeat/too-soon`. */
function keptEvidence(desk: ConformanceDesk, { evidence }: ReportedClause, ofChange: boolean): readonly string[] {
  const isKept = ({ check, n = 0 }: ClauseEvidence): boolean => desk.liveOf(check, ofChange)?.keeps(check, n) === true;
  return [...new Set(evidence.filter(isKept).map(({ check, n }) => `${n}/${check}`))];
}

/** The words that choose checks on a command line. */
export function onlyWords(patterns: readonly string[]): string {
  return patterns.length === 0 ? '' : ` --only ${patterns.map(shellWord).join(' ')}`;
}

/** The actions over a desk. */
export function conformanceActions(desk: ConformanceDesk, folder: CommandFolder): readonly Action[] {
  const seeded = (words: string): string | undefined =>
    desk.command === undefined ? undefined : `${desk.command} --seed ${desk.seed}${words}`;
  /** The command that completes the latest result; undefined where `--failed` chooses other checks. */
  const repeating = (chosen: readonly string[], patterns: readonly string[]): string | undefined => {
    if (patterns.length > chosen.length || chosen.join() !== checksToRepeat(resultOf(desk)).join()) return undefined;
    const { 'conformance.json': text = '' } = reportFiles(resultOf(desk), writingOf(desk), ['json']);
    return seeded(` --failed ${folder.write('conformance', '.json', text.toString())}`);
  };
  const start = (only: readonly string[], again: boolean, all = true) => {
    // Checks that somebody names run as they are.
    const quick = !all && only.length === 0;
    const target = desk.target ?? bareTarget('http://127.0.0.1:1');
    const planned = (patterns: readonly string[]) =>
      plan(target, allChecks, patterns.length === 0 ? { quick } : { only: patterns }).checks.map(({ id }) => id);
    const chosen = planned(only);
    if (chosen.length === 0)
      throw new ActionRefused(400, 'NO_CHECK', `no check has such an id, clause or section: ${only.join(', ')}`);
    const patterns = again && desk.result !== undefined ? [...only, ...sharingFindings(desk.result, chosen)] : only;
    const total = patterns === only ? chosen.length : planned(patterns).length;
    const completes = again && desk.result !== undefined;
    const command = completes ? repeating(only, patterns) : seeded(quick ? ' --quick' : onlyWords(patterns));
    return { watched: desk.start({ only: patterns, total, quick, again }), command };
  };
  return [
    action(
      'conformance/result',
      'Returns the latest result, and the run that is under way; with `changed`, of a reference under a change.',
      z.strictObject({ changed }),
      (body) => {
        if (!body.changed) desk.prepare();
        return resultView(desk, body.changed);
      },
    ),
    action(
      'conformance/run',
      'Starts a quick run, with `all` one of all checks, or one of some by id, clause or section; with `again` the rest of the latest result stays.',
      z.strictObject({
        only: patterns.default([]),
        all: z.boolean().default(false),
        again: z.boolean().default(false),
      }),
      ({ only, all, again }) => start(only, again, all),
    ),
    action(
      'conformance/repeat',
      'Runs again what failed or was not judged; the rest of the result stays.',
      nothing,
      () => {
        const only = checksToRepeat(resultOf(desk));
        if (only.length === 0)
          throw new ActionRefused(409, 'NOTHING_OPEN', 'nothing failed and nothing was left unjudged');
        return start(only, true);
      },
    ),
    action('conformance/stop', 'Ends the running run; its results so far are kept.', nothing, () => {
      desk.stop();
      return {};
    }),
    action(
      'conformance/file',
      'Returns a report of the latest result as the command writes it.',
      z.strictObject({ format: z.enum(formats) }),
      ({ format }) => {
        const [[name, text] = ['', '']] = Object.entries(reportFiles(resultOf(desk), writingOf(desk), [format]));
        return { name, text: text.toString() };
      },
    ),
    action(
      'conformance/clause',
      'Returns one clause with all evidence about it, or its text before a run has judged it.',
      z.strictObject({ id: z.string().max(200), changed }),
      ({ id, changed: ofChange }) => {
        const found = (ofChange ? desk.change?.result : desk.result)?.clauses.find((each) => each.id === id);
        if (found !== undefined) return { ...found, kept: keptEvidence(desk, found, ofChange) };
        const clause = clauses.find((each) => each.id === id);
        if (clause === undefined) throw new ActionRefused(404, 'NO_CLAUSE', `no clause has the id ${id}`);
        const { text, section, level } = clause;
        return { id, text, section, level, unjudged: true };
      },
    ),
    action(
      'conformance/check',
      'Returns one check with its transcript; while a run is under way, its requests so far in short; or its title before it has run.',
      z.strictObject({ id: z.string().max(200), changed }),
      ({ id, changed: ofChange }) => {
        const check = allChecks.find((each) => each.id === id);
        const { result, watched } = (ofChange ? desk.change : desk) ?? {};
        const live = desk.liveOf(id, ofChange);
        // While a run is under way, it has only what the latest report lacks.
        if (watched?.state === 'running' && live !== undefined)
          return { id, title: check?.title ?? '', requests: live.requestsOf(id) };
        const isOver = watched?.state === 'running' && watched.completes === null;
        const found = isOver ? undefined : result?.checks.find((each) => each.id === id);
        if (found !== undefined) return found;
        if (check === undefined) throw new ActionRefused(404, 'NO_CHECK', `no check has the id ${id}`);
        return { id, text: check.title, unjudged: true };
      },
    ),
    action(
      'conformance/difference',
      'Returns the clauses that are in another state than in an earlier run.',
      z.strictObject({ from: z.int() }),
      ({ from }) => {
        const earlier = desk.reportOf(from);
        if (earlier === undefined)
          throw new ActionRefused(404, 'NO_RUN', `run ${from} is not kept; there are ${desk.runs.join(', ')}`);
        const now = resultOf(desk);
        const diff = compareReports(earlier, now);
        const { fixed, unconfirmed, regressed, newly_judged, no_longer_judged, still_failing } = diff;
        // A run that ended early has not asked again for all that failed.
        const isCut = desk.cut[desk.runs.at(-1) ?? 0] !== undefined;
        const unchosen = new Set(now.clauses.filter(({ why }) => why?.kind === 'unchosen').map(({ id }) => id));
        const failing = newly_judged.filter(({ to }) => to === 'fails');
        const changes = {
          failing: [...regressed, ...failing],
          passing: isCut ? [] : fixed,
          judged: isCut ? [] : newly_judged.filter((each) => !failing.includes(each)),
          unconfirmed: isCut ? [...fixed, ...unconfirmed] : unconfirmed,
          unjudged: no_longer_judged.filter(({ id }) => !unchosen.has(id)),
        };
        const judged = now.clauses.filter(({ state }) => state === 'holds' || state === 'fails').length;
        return {
          ...changes,
          unchanged: judged - regressed.length - fixed.length - unconfirmed.length - newly_judged.length,
          still: still_failing.length,
        };
      },
    ),
  ];
}
