/** Rows for the numbers of fees, their split, discounts and passports: how each shows on the wire. */

import { DAY_MS, HOUR_MS } from '../../spec/time.js';
import type { IdentityClass } from '../../spec/vocabulary.js';
import { answerOf, type Lab } from './lab.js';
import { edged, exactly, least, most, type Row, told } from './row.js';

const unpaid = { outside: '400 PAYMENT_INVALID' } as const;

const sigilFor = (identityClass: IdentityClass) => async (lab: Lab, lamports: number) =>
  answerOf(await lab.buySigil(await lab.agent(), identityClass, lamports));

/** Pays for a heartbeat before which so many were made in the epoch. */
const heartbeatAfter = (made: number) => async (lab: Lab, lamports: number) => {
  const agent = await lab.sigilAgent();
  heartbeatsMade(lab, agent.hash, made);
  return answerOf(await lab.sendHeartbeat(agent, agent, lamports));
};

/** Puts the heartbeats of epoch 0 into the server's own state: over the wire they would be thousands. */
export function heartbeatsMade(lab: Lab, hash: string, made: number): void {
  const { registry, row } = lab.inside(hash);
  registry.agents.line.setEpoch(row, 0);
  registry.agents.line.setEpochHeartbeats(row, made);
}

async function reprint(lab: Lab, lamports: number): Promise<string> {
  const agent = await lab.sigilAgent();
  const payment_tx = await lab.pay(agent, lamports);
  return answerOf(await lab.call('POST /agent/reissue-proof', { payment_tx }, agent.key));
}

type Share = 'operations' | 'contributors' | 'development' | 'treasury' | 'referral';

/** A share of the fees as it is announced, and what it had of a fee of 50,000,000 lamports. */
const shareOf = (share: Share) => async (lab: Lab) => {
  await lab.sigilAgent();
  const { fee_split_bps, overall_allocation } = await lab.done('GET /fees/summary');
  return { bps: fee_split_bps[share], lamports: overall_allocation[`${share}_lamports`] };
};
const shared = { as: (n: number) => ({ bps: n, lamports: 5_000 * n }) };

/** What goes to development and treasury so long after the service's genesis. */
async function splitAfter(lab: Lab, ms: number) {
  await lab.pass(ms);
  const { development, treasury } = (await lab.done('GET /fees/summary')).fee_split_bps;
  return { development, treasury };
}

/** Asks for a subsidy of a plain agent. */
async function subsidised(lab: Lab, discount_bps: number): Promise<string> {
  const { hash } = await lab.plain();
  const { key } = await lab.control('POST admin-keys');
  const body = { agent_hash: hash, fee_type: 'heartbeat', discount_bps, reason: 'test' };
  return answerOf(await lab.call('POST /admin/agent/subsidy', body, key));
}

/** Pays for a heartbeat that is free but for the floor. */
async function floored(lab: Lab, lamports: number): Promise<string> {
  const agent = await lab.sigilAgent();
  const { key } = await lab.control('POST admin-keys');
  const body = { agent_hash: agent.hash, fee_type: 'heartbeat', discount_bps: 10_000, reason: 'test' };
  await lab.done('POST /admin/agent/subsidy', body, key);
  return answerOf(await lab.sendHeartbeat(agent, agent, lamports));
}

/** Whether the alias stands beside the passport, at a moment of Unix time. */
async function aliasAt(lab: Lab, atMs: number): Promise<boolean> {
  const { key } = await lab.sigilAgent();
  await lab.pass(atMs - Date.parse('2026-01-01T00:00:00Z'));
  return 'lineage_proof' in (await lab.done('GET /agent/passport', undefined, key));
}

/** Fees, their split and their discounts; and the passport, which is what they buy. */
export const moneyRows: readonly Row[] = [
  exactly('sigil.narrowTaskFeeLamports', 50_000_000, { ask: sigilFor('narrow_task'), ...unpaid }),
  exactly('sigil.autonomousFeeLamports', 150_000_000, { ask: sigilFor('autonomous'), ...unpaid }),
  exactly('sigil.orchestratorFeeLamports', 350_000_000, { ask: sigilFor('orchestrator'), ...unpaid }),
  exactly('heartbeat.tier1FeeLamports', 500_000, { ask: heartbeatAfter(99), here: true, ...unpaid }),
  exactly('heartbeat.tier2FeeLamports', 300_000, { ask: heartbeatAfter(100), here: true, ...unpaid }),
  exactly('heartbeat.tier3FeeLamports', 200_000, {
    ask: heartbeatAfter(1_000),
    here: true,
    alongside: { 'heartbeat.narrowTaskCap': 2_000 },
    ...unpaid,
  }),
  exactly('reissue.feeLamports', 200_000, { ask: reprint, ...unpaid }),

  told('feeSplit.operationsBps', 3_000, shareOf('operations'), shared),
  told('feeSplit.contributorsBps', 3_000, shareOf('contributors'), shared),
  told('feeSplit.referralBps', 1_000, shareOf('referral'), shared),
  told('feeSplit.developmentStartBps', 1_500, shareOf('development'), shared),
  // Treasury takes what the others leave of each fee, whatever is announced.
  told('feeSplit.treasuryStartBps', 1_500, shareOf('treasury'), { as: (n) => ({ bps: n, lamports: 7_500_000 }) }),
  edged(
    'feeSplit.developmentFallBpsPerYear',
    100,
    (n) => [
      [365 * DAY_MS - 1, { development: 1_500, treasury: 1_500 }],
      [365 * DAY_MS, { development: 1_500 - n, treasury: 1_500 + n }],
      [2 * 365 * DAY_MS, { development: 1_500 - 2 * n, treasury: 1_500 + 2 * n }],
    ],
    { ask: splitAfter, alone: true },
  ),
  edged(
    'feeSplit.developmentFloorBps',
    500,
    (n) =>
      [9, 10, 11].map((years) => {
        const development = Math.max(n, 1_500 - 100 * years);
        return [years * 365 * DAY_MS, { development, treasury: 3_000 - development }] as const;
      }),
    { ask: splitAfter, alone: true },
  ),
  edged(
    'feeSplit.yearDays',
    365,
    (n) => [
      [n * DAY_MS - 1, { development: 1_500, treasury: 1_500 }],
      [n * DAY_MS, { development: 1_400, treasury: 1_600 }],
    ],
    { ask: splitAfter, alone: true },
  ),

  least('subsidy.discountBpsMin', 1, { ask: subsidised, outside: '400 SUBSIDY_INVALID' }),
  most('subsidy.discountBpsMax', 10_000, { ask: subsidised, outside: '400 SUBSIDY_INVALID' }),
  exactly('subsidy.floorLamportsDefault', 5_000, { ask: floored, ...unpaid }),

  told('passport.formatVersion', 1, async (lab) => {
    const { key } = await lab.sigilAgent();
    return (await lab.done('GET /agent/passport', undefined, key)).passport.format_version;
  }),
  told(
    'passport.validityHours',
    24,
    async (lab) => {
      const { key } = await lab.sigilAgent();
      const { issued_at, valid_until } = (await lab.done('GET /agent/passport', undefined, key)).passport;
      return valid_until - issued_at;
    },
    { as: (n) => n * HOUR_MS },
  ),
  most('passport.lineageProofUntilMs', 1_788_307_199_999, { ask: aliasAt, inside: true, outside: false, alone: true }),
];
