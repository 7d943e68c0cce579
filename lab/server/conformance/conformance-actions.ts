/** The actions of the page's Conformance view: a run, its result by cause and by clause, and its difference to an earlier run. */

import { z } from 'zod';
import { allChecks } from '../../../conformance/checks/index.js';
import { plan } from '../../../conformance/run/plan.js';
import { bareTarget } from '../../../conformance/target/target.js';
import { compareReports } from '../../../reports/conformance-diff.js';
import type { ConformanceResult } from '../../../reports/conformance-result.js';
import { headline, rerunCommand } from '../../../reports/conformance-view.js';
import { curlScript } from '../../../reports/curl.js';
import { causesOf, checkToRepeat, findingTitle, followersOf, sortedFindings } from '../../../reports/findings-view.js';
import { nextSteps } from '../../../reports/next-step.js';
import { verdictText } from '../../../reports/verdict-text.js';
import { checksToRepeat } from '../../../runs/suite/report-files.js';
import { type Action, ActionRefused, action, nothing } from '../action.js';
import type { ConformanceDesk } from './conformance-desk.js';

const patterns = z.array(z.string().max(200)).max(2_000);

/** The result as the page shows it first: no transcripts. */
export function resultView(desk: ConformanceDesk) {
  const { result, watched } = desk;
  const shared = { watched: watched ?? null, runs: desk.runs, target: desk.target?.baseUrl ?? null };
  if (result === undefined) return { ...shared, result: null };
  const { failing, ...others } = sortedFindings(result, {});
  const causes = causesOf(failing);
  return {
    ...shared,
    result: {
      headline: headline(result),
      verdict: verdictText(result, {}),
      exitStatus: result.exit_status,
      summary: result.summary,
      requests: result.requests,
      wallSec: result.wall_s,
      stopped: result.stopped ?? null,
      next: nextSteps(result, {}),
      findings: [...causes, ...Object.values(others).flat()].map((finding) => ({
        id: finding.id,
        title: findingTitle(finding),
        clauses: finding.clauses,
        level: finding.level,
        checks: finding.checks.length,
        followers: followersOf(finding, result.findings).length,
        cause: causes.includes(finding),
      })),
      clauses: result.clauses.map(({ id, section, level, state, text }) => ({ id, section, level, state, text })),
      repeat: checksToRepeat(result).length,
    },
  };
}

function resultOf(desk: ConformanceDesk): ConformanceResult {
  if (desk.result !== undefined) return desk.result;
  throw new ActionRefused(409, 'NO_RESULT', 'no run has ended yet: start one');
}

/** The actions over a desk. */
export function conformanceActions(desk: ConformanceDesk): readonly Action[] {
  const start = (only: readonly string[]) => {
    const target = desk.target ?? bareTarget('http://127.0.0.1:1');
    const chosen = plan(target, allChecks, only.length === 0 ? {} : { only }).checks.length;
    if (chosen === 0)
      throw new ActionRefused(400, 'NO_CHECK', `no check has such an id, clause or section: ${only.join(', ')}`);
    return {
      watched: desk.start(only, chosen),
      command: `aips conform --target FILE${only.length === 0 ? '' : ` --only ${only.join(' ')}`}`,
    };
  };
  return [
    action('conformance/result', 'Returns the latest result, and the run that is under way.', nothing, () =>
      resultView(desk),
    ),
    action(
      'conformance/run',
      'Starts a run of all checks, or of some by id, clause or section.',
      z.strictObject({ only: patterns.default([]) }),
      ({ only }) => start(only),
    ),
    action('conformance/repeat', 'Runs again what failed or was not judged.', nothing, () => {
      const only = checksToRepeat(resultOf(desk));
      if (only.length === 0)
        throw new ActionRefused(409, 'NOTHING_OPEN', 'nothing failed and nothing was left unjudged');
      return start(only);
    }),
    action('conformance/stop', 'Ends the run that is under way; what has been judged is kept.', nothing, () => {
      desk.stop();
      return {};
    }),
    action(
      'conformance/finding',
      'Returns one finding: clauses, expected, actual, and the exchange that shows it.',
      z.strictObject({ id: z.string().max(500) }),
      ({ id }) => findingView(resultOf(desk), id),
    ),
    action(
      'conformance/clause',
      'Returns one clause with all evidence about it.',
      z.strictObject({ id: z.string().max(200) }),
      ({ id }) => {
        const result = resultOf(desk);
        const clause = result.clauses.find((each) => each.id === id);
        if (clause === undefined) throw new ActionRefused(404, 'NO_CLAUSE', `no clause has the id ${id}`);
        return {
          ...clause,
          command: `aips conform --target FILE --only ${id}`,
          findings: result.findings.filter(({ clauses }) => clauses.includes(id)).map(({ id: finding }) => finding),
        };
      },
    ),
    action(
      'conformance/check',
      'Returns one check with its transcript.',
      z.strictObject({ id: z.string().max(200) }),
      ({ id }) => {
        const result = resultOf(desk);
        const check = result.checks.find((each) => each.id === id);
        if (check === undefined) throw new ActionRefused(404, 'NO_CHECK', `no check has the id ${id}`);
        return { ...check, command: rerunCommand(result, id, {}) };
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
        const { fixed, regressed, newly_judged, no_longer_judged } = compareReports(earlier, resultOf(desk));
        const unchosen = new Set(
          resultOf(desk)
            .clauses.filter(({ why }) => why?.kind === 'unchosen')
            .map(({ id }) => id),
        );
        return {
          fixed,
          regressed,
          judged: newly_judged,
          unjudged: no_longer_judged.filter(({ id }) => !unchosen.has(id)),
        };
      },
    ),
  ];
}

function findingView(result: ConformanceResult, id: string) {
  const finding = result.findings.find((each) => each.id === id);
  if (finding === undefined) throw new ActionRefused(404, 'NO_FINDING', `no finding has the id ${id}`);
  const check = checkToRepeat(finding, result);
  return {
    ...finding,
    title: findingTitle(finding),
    texts: result.clauses
      .filter((clause) => finding.clauses.includes(clause.id))
      .map(({ id: clause, section, where, text }) => ({ id: clause, section, where, text })),
    command: check === undefined ? '' : rerunCommand(result, check, {}),
    curl: curlScript(finding.transcript),
    followers: followersOf(finding, result.findings).map((each) => ({ id: each.id, title: findingTitle(each) })),
  };
}
