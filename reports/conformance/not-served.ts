/** Lists the endpoints that a target lacks. Other failures are in findings-view.ts, and what to do about any in next-step.ts. */

import type { ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { endpoints } from '../../spec/endpoints/index.js';
import { knownText } from './conformance-view.js';
import { tellsLacking } from './findings-view.js';
import { clausesLeft } from './unjudged.js';

/** An endpoint that the target has not, as a report lists it. */
export interface MissingEndpoint {
  readonly endpoint: string;
  /** `GET /api/v1/status/:hash`. */
  readonly name: string;
  readonly section: string;
  /** The status with which the target answers it; empty where no check of it was chosen. */
  readonly status: string;
  /** `7 checks and 9 must clauses wait for it`, and why its absence does not count where it is excused. */
  readonly note: string;
}

/** The endpoints that the target has not, in the order of the specification. */
export function lackingEndpoints(result: ConformanceResult): readonly MissingEndpoint[] {
  return (result.not_served ?? []).map(({ endpoint, method, path, section, checks }) => {
    const name = `${method} ${path}`;
    const finding = result.findings.find((one) => one.endpoint === name && tellsLacking(one, result));
    const known = finding?.known === undefined ? [] : [`known ${knownText(finding.known)}`];
    const { must } = clausesLeft({
      clauses: result.clauses.filter(({ why }) => why?.kind === 'endpoint' && why.of === endpoint),
    });
    const waiting = [
      ...(checks === 0 ? [] : [countText(checks, 'check')]),
      ...(must === 0 ? [] : [countText(must, 'must clause')]),
    ].join(' and ');
    const wait = checks + must === 1 ? 'waits' : 'wait';
    const status = /^\d{3}/.exec(finding?.actual ?? '')?.[0] ?? '';
    return {
      endpoint,
      name,
      section,
      status,
      note: [...(waiting === '' ? [] : [`${waiting} ${wait} for it`]), ...known].join(', '),
    };
  });
}

/** A server that lacks more than this is still being built: nothing is left out on purpose. */
const LEFT_OUT_MAX = endpoints.filter(({ service }) => service === 'registry').length / 3;

/**
 * The line of a target file that declares what is lacking; a word stands for all endpoints of it, so none of them may be there.
 * Undefined where nothing is lacking, or so much that the server is being built.
 */
export function unsupportedLine(result: Pick<ConformanceResult, 'not_served'>): string | undefined {
  const lacking = new Set((result.not_served ?? []).map(({ endpoint }) => endpoint));
  if (lacking.size > LEFT_OUT_MAX) return undefined;
  const stems = new Set((result.not_served ?? []).map(({ stem }) => stem));
  const whole = [...stems].filter((stem) =>
    endpoints.every((one) => one.stem !== stem || one.service !== 'registry' || lacking.has(one.id)),
  );
  return whole.length === 0 ? undefined : `unsupported: [${whole.join(', ')}]`;
}
