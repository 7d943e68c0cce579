/** Says what to do next about a result: the one fix that frees most checks. What could not be judged, and why, is in unjudged.ts. */

import { decisions } from '../spec/decisions.js';
import type { ConformanceResult } from './conformance-result.js';
import { type ConformanceWriting, rerunCommand, runCommand } from './conformance-view.js';
import { checkToRepeat, findingTitle, sortedFindings } from './findings-view.js';
import { unsupportedLine } from './not-served.js';
import { countText } from './numbers.js';
import { shellWord } from './shell-word.js';
import { endpointAwaited, isUnchosen, unjudgedGroups } from './unjudged.js';

/** Something for the reader to do. */
export interface Step {
  /** In our words, `code` between backticks. */
  readonly text: string;
  /** The finding or the endpoint that it is done to. */
  readonly subject?: string;
  /** How much it frees: `119 checks, 7 must clauses`. */
  readonly frees?: string;
  /** Lines to type, or to write into a file. */
  readonly lines: readonly string[];
}

/** A fix, the checks that it frees, and the must clauses that wait for it. */
interface Fix extends Omit<Step, 'frees'> {
  readonly checks: ReadonlySet<string>;
  readonly clauses: number;
}

/**
 * The next steps; none where there is nothing to do. First the one fix that frees most checks: a failure that is fixed, an
 * endpoint that is built, a decision that is followed, or something that the target file gives. Then, where endpoints are not
 * there, how to declare them.
 */
export function nextSteps(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const fixes = [
    ...findingFixes(result, writing),
    ...endpointFixes(result, writing),
    ...decisionFixes(result),
    ...needFixes(result, writing),
  ];
  // Among equals the first kind wins: faults come before what could not be judged.
  const [first] = fixes.toSorted((a, b) => b.checks.size - a.checks.size || b.clauses - a.clauses);
  return [...(first === undefined ? [] : [stepOf(first)]), ...declaring(result, writing)];
}

function stepOf({ checks, clauses, ...step }: Fix): Step {
  const frees = [countText(checks.size, 'check'), ...(clauses === 0 ? [] : [countText(clauses, 'must clause')])];
  return { ...step, frees: frees.join(', ') };
}

function findingFixes(result: ConformanceResult, writing: ConformanceWriting): readonly Fix[] {
  return sortedFindings(result, writing).failing.map((finding) => {
    const check = checkToRepeat(finding, result);
    const lines = check === undefined ? [] : [rerunCommand(result, check, writing)];
    const clauses = finding.level === 'must' ? finding.clauses.length : 0;
    return { text: 'fix', subject: findingTitle(finding), lines, checks: new Set(finding.checks), clauses };
  });
}

function endpointFixes(result: ConformanceResult, writing: ConformanceWriting): readonly Fix[] {
  return (result.not_served ?? []).map(({ endpoint, method, path, stem }) => ({
    text: 'build',
    subject: `${method} ${path}`,
    lines: [`${runCommand(result, writing)} --only ${shellWord(`${stem}/*`)}`],
    checks: new Set(result.checks.filter((check) => check.not_served === endpoint).map(({ id }) => id)),
    clauses: mustCount(result, (reason) => endpointAwaited(reason, result)?.endpoint === endpoint),
  }));
}

const NOT_FOLLOWED = /\b(D-\d{2}) is not followed/;

function decisionFixes(result: ConformanceResult): readonly Fix[] {
  const named = new Set([...reasonsIn(result)].flatMap((reason) => NOT_FOLLOWED.exec(reason)?.[1] ?? []));
  return [...named].map((id) => {
    const fits = (reason: string): boolean => NOT_FOLLOWED.exec(reason)?.[1] === id;
    const title = decisions.find((one) => one.id === id)?.title;
    return {
      text: `follow ${id}${title === undefined ? '' : ` (${title})`}, without which these cannot be judged`,
      lines: [`aips spec decisions ${id}`],
      checks: checksWaiting(result, fits),
      clauses: mustCount(result, fits),
    };
  });
}

function needFixes(result: ConformanceResult, writing: ConformanceWriting): readonly Fix[] {
  const groups = unjudgedGroups(result).filter((group) => group.provide !== undefined && !isUnchosen(group));
  const hints = new Set(groups.flatMap(({ provide }) => provide ?? []));
  return [...hints].map((hint) => {
    const reasons = new Set(groups.filter(({ provide }) => provide === hint).map(({ reason }) => reason));
    const fits = (reason: string): boolean => reasons.has(reason);
    return {
      ...needStep(hint, runCommand(result, writing)),
      checks: checksWaiting(result, fits),
      clauses: mustCount(result, fits),
    };
  });
}

/** A hint as a step, with what to type for it: a flag, or a target file where there is none yet. */
function needStep(hint: string, command: string): Step {
  const flag = /^add `(--[\w-]+)`$/.exec(hint)?.[1];
  if (flag !== undefined) return { text: hint, lines: [`${command} ${flag}`] };
  if (!hint.startsWith('give `') || command.includes(' --target ') || command.startsWith('aips conform self')) {
    return { text: hint, lines: [] };
  }
  return { text: `in a target file, ${hint}`, lines: ['aips conform --target target.yaml'] };
}

/** Every reason for which something was not judged. */
function reasonsIn({ checks, clauses }: ConformanceResult): ReadonlySet<string> {
  const ofChecks = checks.flatMap((check) =>
    check.verdict === 'not-tested' ? [check.reason] : check.ended === undefined ? [] : [check.ended],
  );
  return new Set([...ofChecks, ...clauses.flatMap(({ reason }) => reason ?? [])]);
}

/** The checks that were not judged, or did not come to their end, for such a reason; or that have a clause of which this is so. */
function checksWaiting({ checks, clauses }: ConformanceResult, fits: (reason: string) => boolean): ReadonlySet<string> {
  const ran = new Set(checks.map(({ id }) => id));
  return new Set([
    ...checks.flatMap((check) => {
      const reason = check.verdict === 'not-tested' ? check.reason : check.ended;
      return reason !== undefined && fits(reason) ? [check.id] : [];
    }),
    ...clauses
      .filter(({ reason }) => reason !== undefined && fits(reason))
      .flatMap((clause) => clause.checks.filter((id) => ran.has(id))),
  ]);
}

function mustCount({ clauses }: ConformanceResult, fits: (reason: string) => boolean): number {
  return clauses.filter(({ level, reason }) => level === 'must' && reason !== undefined && fits(reason)).length;
}

/** How to declare the endpoints that the target is not to have. */
function declaring(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const line = unsupportedLine(result);
  if (line === undefined) return [];
  const command = runCommand(result, writing);
  if (command.includes(' --target ')) {
    return [{ text: 'or declare in the target file what the target is not to have', lines: [line] }];
  }
  const declare = {
    text: 'or declare what the target is not to have in a file, say target.yaml',
    lines: [`base_url: ${result.target.base_url}`, line],
  };
  const then = { text: 'and judge the rest', lines: ['aips conform --target target.yaml'] };
  return command.includes(result.target.base_url) ? [declare, then] : [declare];
}
