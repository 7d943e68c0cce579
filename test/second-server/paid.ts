/** Operations that cost a fee: SIGILs, heartbeats and reissues (sections 4.5 to 4.7), with the schedule of fees and subsidies. */

import { sha256 } from './crypto.js';
import { MUTABLE } from './metadata.js';
import { issuePassport, shown } from './passport.js';
import { noteEvent } from './published.js';
import { Refusal } from './refusal.js';
import { explorer } from './registration.js';
import type { Call, Reply } from './server.js';
import {
  type Agent,
  CLASSES,
  HOUR_MS,
  type IdentityClass,
  MINUTE_MS,
  type Sigil,
  type Sponsorship,
  TIERS,
  type Transfer,
  type World,
} from './world.js';

const DEFAULT_FEES: Readonly<Record<string, number>> = {
  sigil_narrow_task: 50_000_000,
  sigil_autonomous: 150_000_000,
  sigil_orchestrator: 350_000_000,
  heartbeat_tier_1: 500_000,
  heartbeat_tier_2: 300_000,
  heartbeat_tier_3: 200_000,
  reissuance: 200_000,
};
const CAPS: Readonly<Record<IdentityClass, number>> = { narrow_task: 1_000, autonomous: 5_000, orchestrator: 20_000 };
const INTERVAL_BEATS = 10;

/** The fee in lamports that an agent pays for an item of the schedule. */
function feeOf(world: World, agent: Agent, type: string, item: string): number {
  const base = world.fees[item] ?? DEFAULT_FEES[item] ?? 0;
  const subsidy = world.subsidies.get(`${agent.hash} ${type}`);
  if (subsidy === undefined || (subsidy.until !== null && world.now >= subsidy.until)) return base;
  const discounted = Math.ceil((base * (10_000 - subsidy.bps)) / 10_000);
  return Math.min(base, Math.max(discounted, subsidy.floor));
}

/** The confirmed payment of exactly a fee to the service, or a refusal. */
function payment(world: World, tx: string, fee: number): Transfer {
  const transfer = world.transfers.get(tx);
  if (transfer === undefined || transfer.status !== 'confirmed') {
    throw new Refusal(400, 'PAYMENT_INVALID', 'The transaction was not found.');
  }
  if (world.paidBy.has(tx)) throw new Refusal(409, 'PAYMENT_ALREADY_USED', 'The transaction has paid already.');
  if (transfer.to !== world.till || transfer.lamports !== fee) {
    throw new Refusal(400, 'PAYMENT_INVALID', `The transaction does not pay ${fee} lamports to ${world.till}.`);
  }
  return transfer;
}

const feeObject = (lamports: number, tx: string): Record<string, unknown> => ({
  amount_sol: lamports / 1e9,
  amount_lamports: lamports,
  payment_tx: tx,
});

function needWallet(world: World, agent: Agent): void {
  if (agent.wallet !== null || !world.settings.byoWallet) return;
  throw new Refusal(403, 'WALLET_REQUIRED', 'Link a wallet with POST /api/v1/agent/wallet first.');
}

/** POST /sigil */
export function buySigil(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit(`sigil ${agent.hash}`, 5, HOUR_MS);
  const { identity_class: identityClass, principal, tier, name, payment_tx: tx } = call.body;
  const invalid = (what: string): Refusal => new Refusal(400, 'VALIDATION', what);
  if (typeof identityClass !== 'string' || !CLASSES.includes(identityClass)) throw invalid('identity_class is none.');
  if (typeof principal !== 'string' || !/^[a-z0-9][a-z0-9-]{0,23}$/.test(principal))
    throw invalid('principal has no such form.');
  if (typeof tier !== 'string' || !TIERS.includes(tier)) throw invalid('tier is none.');
  if (name !== undefined && (typeof name !== 'string' || !/^[^*\s]{1,64}$/.test(name)))
    throw invalid('name has no such form.');
  const { published } = world.settings;
  if (published && name !== undefined && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    throw invalid('name has no such form.');
  const extra = published ? Object.entries(call.body).filter(([field]) => MUTABLE.has(field)) : [];
  const wrong = extra.find(([field, value]) => MUTABLE.get(field)?.(value) !== true);
  if (wrong !== undefined) throw invalid(`${wrong[0]} has no such value.`);
  if (typeof tx !== 'string' || tx === '') throw invalid('payment_tx is missing.');
  needWallet(world, agent);
  if (agent.sigil !== null) throw new Refusal(409, 'SIGIL_ALREADY_EXISTS', 'The agent has a SIGIL.');
  const fee = feeOf(world, agent, 'sigil', `sigil_${identityClass}`);
  payment(world, tx, fee);
  world.paidBy.add(tx);
  const sigil: Sigil = {
    name: name === undefined || name === 'auto' ? `agent-${agent.hash.slice(2, 10)}` : name,
    principal,
    tier,
    identityClass: identityClass as IdentityClass,
    beat: world.anchor,
    birthTx: `sigil-${world.random(32)}`,
  };
  agent.sigil = sigil;
  for (const [field, value] of extra) agent.mutable[field] = value;
  if (published) noteEvent(world, agent, 'sigil');
  else agent.lineage = sha256(`${agent.lineage} sigil ${sigilText(sigil)}`);
  return {
    body: {
      ok: true,
      sigil: sigilObject(sigil),
      passport: issuePassport(world, agent),
      fee: feeObject(fee, tx),
    },
  };
}

export const sigilText = (sigil: Sigil): string => `${sigil.name}*${sigil.principal}*${sigil.tier}`;

export const sigilObject = (sigil: Sigil): Record<string, unknown> => ({
  sigil: sigilText(sigil),
  sigil_name: sigil.name,
  principal: sigil.principal,
  tier: sigil.tier,
  identity_class: sigil.identityClass,
  issued_at_beat: sigil.beat,
  birth_tx: sigil.birthTx,
  explorer_url: explorer(sigil.birthTx),
});

/** POST /agent/reissue-proof */
export function reissue(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit(`reissue ${agent.hash}`, 10, HOUR_MS);
  needWallet(world, agent);
  if (agent.parent === null && agent.sigil === null) throw new Refusal(403, 'SIGIL_REQUIRED', 'Buy a SIGIL first.');
  const tx = call.body['payment_tx'];
  if (typeof tx !== 'string' || tx === '') throw new Refusal(400, 'PAYMENT_REQUIRED', 'payment_tx is missing.');
  const fee = feeOf(world, agent, 'reissuance', 'reissuance');
  payment(world, tx, fee);
  world.paidBy.add(tx);
  const passport = issuePassport(world, agent);
  return { body: { ok: true, reissued: true, ...shown(world, passport), fee: feeObject(fee, tx) } };
}

/** The sponsorship by which a sender that is not the agent's wallet may pay. */
function sponsorshipOf(world: World, agent: Agent, sender: string): Sponsorship {
  const mine = world.sponsorships.filter((each) => each.child === agent && each.sponsor.wallet?.address === sender);
  const active = mine.filter((each) => each.state === 'active' && world.now < each.expiresAt);
  const left = active.find((each) => usedInEpoch(world, each) < each.max);
  if (left !== undefined) return left;
  if (active.length > 0)
    throw new Refusal(429, 'SPONSOR_CAP_REACHED', "The sponsorship's cap of this epoch is reached.");
  if (mine.some((each) => each.state === 'sponsor-frozen' && each.sponsor.frozen)) {
    throw new Refusal(403, 'SPONSOR_PARENT_FROZEN', 'The sponsor is frozen.');
  }
  throw new Refusal(400, 'PAYMENT_SENDER_MISMATCH', 'The sender is neither the agent nor its sponsor.');
}

export const usedInEpoch = (world: World, each: Sponsorship): number => (each.epoch === world.epoch ? each.used : 0);

/** Refuses who may not send heartbeats at all, or not now. */
function mayHeartbeat(world: World, agent: Agent): void {
  if (agent.frozen) throw new Refusal(403, 'AGENT_FROZEN', 'The agent is frozen: resync first.');
  if (world.flags.some((flag) => flag.target === agent && flag.status === 'sustained')) {
    throw new Refusal(403, 'COMPLAINT_SUSTAINED', 'A complaint against the agent has been sustained.');
  }
  if (agent.parent === null && agent.sigil === null) throw new Refusal(403, 'SIGIL_REQUIRED', 'Buy a SIGIL first.');
  if (agent.lastHeartbeat !== null && world.anchor < agent.lastHeartbeat + INTERVAL_BEATS) {
    throw new Refusal(429, 'HEARTBEAT_TOO_SOON', 'Heartbeats are at least 10 beats apart.', {
      next_eligible_beat: agent.lastHeartbeat + INTERVAL_BEATS,
    });
  }
  if (inEpoch(world, agent) >= CAPS[agent.sigil?.identityClass ?? 'narrow_task']) {
    throw new Refusal(429, 'VOLUME_CAP_REACHED', "The class's cap of this epoch is reached.");
  }
}

export const inEpoch = (world: World, agent: Agent): number =>
  agent.epoch === world.epoch ? agent.epochHeartbeats : 0;

/** POST /agent/heartbeat */
export function heartbeat(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit(`heartbeat ${agent.hash}`, 60, MINUTE_MS);
  needWallet(world, agent);
  const { payment_tx: tx, global_anchor: anchor } = call.body;
  if (typeof tx !== 'string' || tx === '') throw new Refusal(400, 'PAYMENT_REQUIRED', 'payment_tx is missing.');
  if (anchor !== undefined && (!Number.isSafeInteger(anchor) || Number(anchor) < 0)) {
    throw new Refusal(400, 'VALIDATION', 'global_anchor is the index of an anchor.');
  }
  mayHeartbeat(world, agent);
  const nth = inEpoch(world, agent) + 1;
  const tier = nth <= 100 ? 1 : nth <= 1_000 ? 2 : 3;
  const fee = feeOf(world, agent, 'heartbeat', `heartbeat_tier_${tier}`);
  const { from } = payment(world, tx, fee);
  const sponsorship =
    from === agent.wallet?.address ? null : agent.wallet === null ? null : sponsorshipOf(world, agent, from);
  if (sponsorship !== null) {
    sponsorship.used = usedInEpoch(world, sponsorship) + 1;
    sponsorship.epoch = world.epoch;
  }
  world.paidBy.add(tx);
  agent.epoch = world.epoch;
  agent.epochHeartbeats = nth;
  agent.heartbeats += 1;
  agent.lastHeartbeat = world.anchor;
  agent.lastSync = world.anchor;
  if (world.settings.published) noteEvent(world, agent, 'heartbeat');
  else agent.lineage = sha256(`${agent.lineage} heartbeat ${world.anchor}`);
  return {
    body: {
      ok: true,
      agent_hash: agent.hash,
      ...shown(world, issuePassport(world, agent)),
      total_heartbeats: agent.heartbeats,
      heartbeat_count_epoch: nth,
      billing_epoch: world.epoch,
      current_beat: world.anchor,
      fee: { ...feeObject(fee, tx), tier },
    },
  };
}

/** The tiers of heartbeats as the published service has them. */
const publishedSchedule = (lamports: Record<string, number>): Record<string, unknown> => ({
  heartbeat_tiers: [
    [1, 100],
    [101, 1_000],
    [1_001, null],
  ].map(([from, to], at) => {
    const fee = lamports[`heartbeat_tier_${at + 1}`] ?? 0;
    return { from, to, sol: fee / 1e9, lamports: fee };
  }),
});

/** GET /fees/summary. payment_address and fee_split_bps are named as in docs/decisions.md (D-22), the rest as we like. */
export function feesSummary(world: World): Reply {
  const development = Math.max(5, 15 - world.years);
  const lamports = { ...DEFAULT_FEES, ...world.fees };
  return {
    body: {
      payment_address: world.till,
      lamports,
      heartbeat_tiers: [
        { tier: 1, from: 1, to: 100, lamports: lamports['heartbeat_tier_1'] },
        { tier: 2, from: 101, to: 1_000, lamports: lamports['heartbeat_tier_2'] },
        { tier: 3, from: 1_001, to: null, lamports: lamports['heartbeat_tier_3'] },
      ],
      caps: CAPS,
      ...(world.settings.published ? { schedule: publishedSchedule(lamports) } : {}),
      billing_epoch_beats: 100_000,
      fee_split_bps: {
        operations: 3000,
        contributors: 3000,
        referral: 1000,
        development: 100 * development,
        treasury: 100 * (30 - development),
      },
    },
  };
}
