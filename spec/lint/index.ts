/** `lint`: everything that the rules find about a protocol, in the order of the kinds. The rules are in this folder, one file a kind. */

import { endpoints } from '../endpoints/index.js';
import { errors } from '../errors.js';
import { flows } from '../flows.js';
import { type Protocol, protocol as textProtocol } from '../protocol.js';
import { moves, states } from '../states.js';
import { belowCost } from './below-cost.js';
import { bodySize } from './body-size.js';
import { cheapIdentity } from './cheap-identity.js';
import { classCap } from './class-cap.js';
import { dominatedPrice } from './dominated-price.js';
import { earlyDefault } from './early-default.js';
import { feeSplit } from './fee-split.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { hashRate } from './hash-rate.js';
import { noExit } from './no-exit.js';
import { outlivedRight } from './outlived-right.js';
import { penaltyLoop } from './penalty-loop.js';
import { saturation } from './saturation.js';
import { shortLife } from './short-life.js';
import { stoppedFlow } from './stopped-flow.js';
import { tightLimit } from './tight-limit.js';
import { unreachable } from './unreachable.js';

export type { Finding, LintFacts, LintRule, Severity } from './finding.js';

/** Hashes a second of the slowest agent that should be able to take part: a small computer, or a busy one. */
const HASHES_PER_SEC = 20_000;

/** Every kind of finding. */
export const lintRules: readonly LintRule[] = [
  classCap,
  unreachable,
  earlyDefault,
  saturation,
  hashRate,
  stoppedFlow,
  dominatedPrice,
  noExit,
  penaltyLoop,
  outlivedRight,
  cheapIdentity,
  belowCost,
  tightLimit,
  shortLife,
  bodySize,
  feeSplit,
];

/** The facts of the specification, with these numbers. */
export function factsOf(protocol: Protocol = textProtocol, hashesPerSec: number = HASHES_PER_SEC): LintFacts {
  return { protocol, states, moves, flows, errors, endpoints, hashesPerSec };
}

/** Everything that the rules find. The same facts give the same findings in the same order. */
export function lint(facts: LintFacts): readonly Finding[] {
  return lintRules.flatMap(({ find }) => find(facts));
}
