/** Lists the endpoints that a target lacks, and what to do about them. Other failures are in findings.ts. */

import { endpoints } from '../spec/endpoints/index.js';
import type { ConformanceResult, NotServedEndpoint } from './conformance-result.js';
import {
  type ConformanceWriting,
  failsRun,
  isContradicted,
  knownText,
  rerunCommand,
  runCommand,
} from './conformance-view.js';
import { findings, tellsLacking } from './findings.js';
import { countText } from './numbers.js';
import { shellWord } from './shell-word.js';

/** An endpoint that the target has not, as a report lists it. */
export interface Lacking {
  readonly endpoint: string;
  /** `GET /api/v1/status/:hash`. */
  readonly name: string;
  readonly section: string;
  /** The status with which the target answers it; empty where no check of it was chosen. */
  readonly status: string;
  /** `7 checks wait for it`, and why its absence does not count where it is excused. */
  readonly note: string;
}

/** What the target has not, in the order of the specification. */
export function lackingEndpoints(result: ConformanceResult): readonly Lacking[] {
  return (result.not_served ?? []).map(({ endpoint, method, path, section, checks }) => {
    const teller = result.checks
      .filter(isContradicted)
      .find((check) => tellsLacking(check) && check.not_served === endpoint);
    const known = teller?.known === undefined ? [] : [`known ${knownText(teller.known)}`];
    const waiting = checks === 0 ? [] : [`${countText(checks, 'check')} ${checks === 1 ? 'waits' : 'wait'} for it`];
    const status = /^\d{3}/.exec(teller?.actual ?? '')?.[0] ?? '';
    const notes = [...waiting, ...known].join(', ');
    return { endpoint, name: `${method} ${path}`, section, status, note: notes };
  });
}

/** The line of a target file that declares what is lacking; a word stands for all endpoints of it, so none of them may be there. */
export function unsupportedLine(result: ConformanceResult): string | undefined {
  const lacking = new Set((result.not_served ?? []).map(({ endpoint }) => endpoint));
  const stems = new Set((result.not_served ?? []).map(({ stem }) => stem));
  const whole = [...stems].filter((stem) =>
    endpoints.every((one) => one.stem !== stem || one.service !== 'registry' || lacking.has(one.id)),
  );
  return whole.length === 0 ? undefined : `unsupported: [${whole.join(', ')}]`;
}

/** Something for the reader to do: in words, and what to type or to write into a file. */
export interface Step {
  readonly text: string;
  readonly lines: readonly string[];
}

/** What to do next about a result that is not what it should be; nothing where there is nothing to do. */
export function nextSteps(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const [wrong] = findings(result).flatMap(({ check }) => (failsRun(check, writing) ? [check] : []));
  const mend: Step[] =
    wrong === undefined
      ? []
      : [{ text: 'Mend what is wrong, and run its check alone:', lines: [rerunCommand(result, wrong.id, writing)] }];
  return [...mend, ...stepsOfLacking(result, writing)];
}

/** Of what is lacking, the endpoint that holds up most checks of others. */
function mostNeeded({ not_served = [], checks }: ConformanceResult): NotServedEndpoint | undefined {
  const heldUp = ({ endpoint, stem }: NotServedEndpoint): number =>
    checks.filter((check) => check.not_served === endpoint && !check.id.startsWith(`${stem}/`)).length;
  return not_served.toSorted((a, b) => heldUp(b) - heldUp(a))[0];
}

function stepsOfLacking(result: ConformanceResult, writing: ConformanceWriting): readonly Step[] {
  const first = mostNeeded(result);
  if (first === undefined) return [];
  const command = runCommand(result, writing);
  const build = {
    text: `Build what is not there, and judge each while you do, ${first.stem} for one:`,
    lines: [`${command} --only ${shellWord(`${first.stem}/*`)}`],
  };
  const line = unsupportedLine(result);
  if (line === undefined) return [build];
  const hasFile = command.includes(' --target ');
  const declare = hasFile
    ? { text: 'Or declare in the target file what the target is not to have:', lines: [line] }
    : {
        text: 'Or declare what it is not to have. In a file, say target.yaml:',
        lines: [`base_url: ${result.target.base_url}`, line],
      };
  const then = { text: 'and judge the rest:', lines: ['aips conform --target target.yaml'] };
  return hasFile || !command.includes(result.target.base_url) ? [build, declare] : [build, declare, then];
}
