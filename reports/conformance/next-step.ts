/** Says what to do next about a result: the one fix that comes first on the way to a whole server. The order is in stages.ts. */

import type { ConformanceResult, Why } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { inOrderToFix, placeOf, placeOfFinding } from '../../results/stages.js';
import { decisions } from '../../spec/decisions.js';
import { shellWord } from '../text/shell-word.js';
import { type ConformanceWriting, rerunCommand, runCommand } from './conformance-view.js';
import { causesOf, checkToRepeat, findingTitle, sortedFindings } from './findings-view.js';
import { adviceOn } from './need-hints.js';
import { unsupportedLine } from './not-served.js';

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

type WithoutCount = Omit<Step, 'frees'>;

/** A fix, the checks that it frees, and the must clauses that wait for it. */
interface Fix extends WithoutCount {
  readonly kind: 'fault' | 'endpoint' | 'control' | 'lack';
  /** Its stage on the way to a whole server. */
  readonly place: number;
  readonly checks: ReadonlySet<string>;
  readonly clauses: number;
}

/**
 * The next steps; none where there is nothing to do. First what comes first on the way: a fault before what is to be built after
 * it, and what most must clauses wait for where a stage has several. Then, where few endpoints are not there, how to declare them.
 */
export function nextSteps(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const faults = findingFixes(result, writing);
  const end = stepAfterStop(result, writing);
  // A run that stopped does not show all that is lacking, and without replies not all that is wrong.
  if (result.stopped !== undefined) {
    const fault = result.stopped_why?.kind === 'no-reply' ? undefined : faults[0];
    return fault === undefined ? end : [stepOf(fault)];
  }
  const waiting = waitingFixes(result, writing).toSorted(
    (a, b) =>
      Number(b.kind === 'control') - Number(a.kind === 'control') ||
      a.place - b.place ||
      b.clauses - a.clauses ||
      b.checks.size - a.checks.size,
  );
  const built = waiting.find(({ kind }) => kind === 'endpoint');
  const first = faults.find(({ place }) => place <= (built?.place ?? place)) ?? waiting[0] ?? faults[0];
  return [...(first === undefined ? [] : [stepOf(first)]), ...declaring(result, writing)];
}

/** How to get to the end of a run that stopped. */
function stepAfterStop(
  { stopped_why: why, ...result }: ConformanceResult,
  writing: ConformanceWriting,
): readonly Step[] {
  const { only = [] } = writing;
  const chosen = only.length === 0 ? '' : ` --only ${only.map(shellWord).join(' ')}`;
  const lines = [`${runCommand(result, writing)}${result.mode === 'quick' ? ' --quick' : ''}${chosen}`];
  if (why?.kind === 'no-reply')
    return [{ text: 'see in the log of the server why it no longer answers, start it, and run this again', lines }];
  if (why?.kind === 'interrupted') return [{ text: 'run this again, to its end', lines }];
  const advice = why && adviceOn(why)?.text;
  return advice === undefined ? [] : [{ text: advice, lines }];
}

function stepOf({ checks, clauses, kind: _, place: __, ...step }: Fix): Step {
  const frees = [countText(checks.size, 'check'), ...(clauses === 0 ? [] : [countText(clauses, 'must clause')])];
  return { ...step, frees: frees.join(', ') };
}

function findingFixes(result: ConformanceResult, writing: ConformanceWriting): readonly Fix[] {
  const failing = causesOf(sortedFindings(result, writing).failing).toSorted(inOrderToFix);
  const must = new Set(result.clauses.filter(({ level }) => level === 'must').map(({ id }) => id));
  return failing.map((finding) => {
    const check = checkToRepeat(finding, result);
    const lines = check === undefined ? [] : [rerunCommand(result, check, writing)];
    const clauses = finding.clauses.filter((id) => must.has(id)).length;
    const place = placeOfFinding(finding);
    return {
      kind: 'fault',
      place,
      text: 'fix',
      subject: findingTitle(finding),
      lines,
      checks: new Set(finding.checks),
      clauses,
    };
  });
}

/** The fixes of what was not judged, or not to its end, by the kinds of reasons. */
function waitingFixes(result: ConformanceResult, writing: ConformanceWriting): readonly Fix[] {
  const ran = new Set(result.checks.map(({ id }) => id));
  const fixes = new Map<string, Fix>();
  const wait = (why: Why | undefined, checks: readonly string[], clauses: number): void => {
    const step = why && stepOn(why, result, writing);
    if (step === undefined) return;
    const key = `${step.text} ${step.subject}`;
    // A call that is broken comes before settings that are not given.
    const kind = why?.kind === 'endpoint' ? 'endpoint' : why?.kind === 'effect' ? 'control' : 'lack';
    const known = fixes.get(key) ?? { checks: new Set(), clauses: 0 };
    const place = why === undefined ? 0 : placeOf(why);
    fixes.set(key, {
      ...step,
      kind,
      place,
      checks: new Set([...known.checks, ...checks]),
      clauses: known.clauses + clauses,
    });
  };
  for (const { id, why, not_served: of } of result.checks)
    wait(of === undefined ? why : { kind: 'endpoint', of }, [id], 0);
  for (const { why, checks, level } of result.clauses)
    wait(
      why,
      checks.filter((id) => ran.has(id)),
      Number(level === 'must'),
    );
  return [...fixes.values()];
}

/** A step against a reason, with what to type for it; undefined where nothing can be done. */
function stepOn(why: Why, result: ConformanceResult, writing: ConformanceWriting): WithoutCount | undefined {
  const { kind, of = '' } = why;
  const command = runCommand(result, writing);
  if (kind === 'endpoint') {
    const gone = result.not_served?.find(({ endpoint }) => endpoint === of);
    const lines = [`${command} --only ${shellWord(`${gone?.stem}/*`)}`];
    return gone && { text: 'build', subject: `${gone.method} ${gone.path}`, lines };
  }
  if (kind === 'decision') {
    const title = decisions.find((one) => one.id === of)?.title;
    const text = `follow ${of}${title === undefined ? '' : ` (${title})`}, without which these cannot be judged`;
    return { text, lines: [`aips spec decisions ${of}`] };
  }
  // With a clock that can be moved nothing has to wait.
  const { text, by } = adviceOn(kind === 'wait' ? { kind: 'clock' } : why) ?? {};
  if (text === undefined) return undefined;
  if (by !== undefined && by !== 'target-file') return { text, lines: [`${command} ${by}`] };
  // The servers that `aips conform self` starts have a name that is no URL, and nobody describes them.
  if (by === undefined || hasTargetFile(command) || !URL.canParse(result.target.base_url)) return { text, lines: [] };
  return { text: `in a target file, ${text}`, lines: ['aips conform --target target.yaml'] };
}

const hasTargetFile = (command: string): boolean => command.includes(' --target ');

/** How to declare the endpoints that the target is not to have. */
function declaring(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const line = unsupportedLine(result);
  if (line === undefined) return [];
  const command = runCommand(result, writing);
  if (hasTargetFile(command)) {
    return [{ text: 'or declare in the target file what the target is not to have', lines: [line] }];
  }
  const declare = {
    text: 'or declare what the target is not to have in a file, say target.yaml',
    lines: [`base_url: ${result.target.base_url}`, line],
  };
  const then = { text: 'and judge the rest', lines: ['aips conform --target target.yaml'] };
  return command.includes(result.target.base_url) ? [declare, then] : [declare];
}
