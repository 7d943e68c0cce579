/** Lint: fees and discounts below the cost of goods. */

import { dialects } from '../dialect.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { shown } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

const BPS = 10_000;

/** Base fees by the type of subsidy that discounts them; the lowest of each. */
function fees({ protocol }: LintFacts): Readonly<Record<'sigil' | 'heartbeat' | 'reissuance', number>> {
  const { sigil, heartbeat, reissue } = protocol;
  return {
    sigil: Math.min(sigil.narrowTaskFeeLamports, sigil.autonomousFeeLamports, sigil.orchestratorFeeLamports),
    heartbeat: Math.min(heartbeat.tier1FeeLamports, heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports),
    reissuance: reissue.feeLamports,
  };
}

/** Whether an administrator may name this floor, by the schema of the call. */
function floorTaken(floorLamports: number, { protocol, endpoints }: LintFacts): boolean {
  const body = endpoints.find(({ id }) => id === 'subsidy.post')?.body;
  if (body === undefined || body === null) return false;
  return body({ protocol, dialect: dialects.service }).safeParse({
    agent_hash: `0x${'00'.repeat(protocol.agent.hashBytes)}`,
    fee_type: 'reissuance',
    discount_bps: protocol.subsidy.discountBpsMax,
    reason: 'lint',
    floor_lamports: floorLamports,
  }).success;
}

function find(facts: LintFacts): readonly Finding[] {
  const { floorLamportsDefault, discountBpsMin, discountBpsMax } = facts.protocol.subsidy;
  const base = Object.entries(fees(facts));
  const cheap = base
    .filter(([, lamports]) => lamports < floorLamportsDefault)
    .map(
      ([type, lamports]): Finding => ({
        id: `below-cost/fee-${type}`,
        severity: 'error',
        clauses: ['constant.subsidy-floor', 'fee.subsidy.formula'],
        arithmetic: `the lowest fee of type ${type} is ${shown(lamports)} lamports before any discount, and the cost of goods ${shown(floorLamportsDefault)}`,
        harm: floorLamportsDefault - lamports,
        remedy: `a fee of at least ${shown(floorLamportsDefault)} lamports, or a lower floor`,
      }),
    );
  const lowest = Math.min(...base.map(([, lamports]) => lamports));
  const discounted = Math.floor((lowest * Math.max(0, BPS - discountBpsMax)) / BPS);
  if (discounted >= floorLamportsDefault || !floorTaken(0, facts)) return cheap;
  return [
    ...cheap,
    {
      id: 'below-cost/floor',
      severity: 'error',
      clauses: ['subsidy.post.body.floor-lamports', 'fee.floor', 'constant.subsidy-floor'],
      arithmetic: `floor_lamports may be 0 and discount_bps ${shown(discountBpsMax)}: a fee of ${shown(lowest)} lamports becomes ${shown(discounted)}, below the ${shown(floorLamportsDefault)} of the cost-of-goods floor, which is only a default`,
      harm: floorLamportsDefault - discounted,
      remedy: eitherOf(
        setTo(
          'subsidy.discountBpsMax',
          'of at most',
          BPS - Math.ceil((floorLamportsDefault * BPS) / Math.max(1, lowest)),
          Math.max(1, discountBpsMin),
        ),
        'floor_lamports of at least the default',
      ),
    },
  ];
}

export const belowCost: LintRule = { kind: 'below-cost', says: 'A fee or a discount below cost.', find };
