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
  type IdentityClass,
  type Sigil,
  type Sponsorship,
  TIERS,
  type Transfer,
  type World,
} from './world.js';

/** The schedule of fees in lamports. */
function schedule({ numbers: { sigil, heartbeat: beat, reissue: print }, fees }: World): Record<string, number> {
  return {
    sigil_narrow_task: sigil.narrowTaskFeeLamports,
    sigil_autonomous: sigil.autonomousFeeLamports,
    sigil_orchestrator: sigil.orchestratorFeeLamports,
    heartbeat_tier_1: beat.tier1FeeLamports,
    heartbeat_tier_2: beat.tier2FeeLamports,
    heartbeat_tier_3: beat.tier3FeeLamports,
    reissuance: print.feeLamports,
    ...fees,
  };
}

/** The heartbeats of each class in an epoch. */
const caps = ({ numbers: { heartbeat: beat } }: World): Readonly<Record<IdentityClass, number>> => ({
  narrow_task: beat.narrowTaskCap,
  autonomous: beat.autonomousCap,
  orchestrator: beat.orchestratorCap,
});

/** The fee in lamports that an agent pays for an item of the schedule. */
function feeOf(world: World, agent: Agent, type: string, item: string): number {
  const base = schedule(world)[item] ?? 0;
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
  world.limit('sigil', agent.hash);
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
  world.limit('reissueProof', agent.hash);
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
  const { intervalBeatsMin } = world.numbers.heartbeat;
  if (agent.lastHeartbeat !== null && world.anchor < agent.lastHeartbeat + intervalBeatsMin) {
    throw new Refusal(429, 'HEARTBEAT_TOO_SOON', `Heartbeats are at least ${intervalBeatsMin} beats apart.`, {
      next_eligible_beat: agent.lastHeartbeat + intervalBeatsMin,
    });
  }
  if (inEpoch(world, agent) >= caps(world)[agent.sigil?.identityClass ?? 'narrow_task']) {
    throw new Refusal(429, 'VOLUME_CAP_REACHED', "The class's cap of this epoch is reached.");
  }
}

export const inEpoch = (world: World, agent: Agent): number =>
  agent.epoch === world.epoch ? agent.epochHeartbeats : 0;

/** POST /agent/heartbeat */
export function heartbeat(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit('heartbeat', agent.hash);
  needWallet(world, agent);
  const { payment_tx: tx, global_anchor: anchor } = call.body;
  if (typeof tx !== 'string' || tx === '') throw new Refusal(400, 'PAYMENT_REQUIRED', 'payment_tx is missing.');
  if (anchor !== undefined && (!Number.isSafeInteger(anchor) || Number(anchor) < 0)) {
    throw new Refusal(400, 'VALIDATION', 'global_anchor is the index of an anchor.');
  }
  mayHeartbeat(world, agent);
  const nth = inEpoch(world, agent) + 1;
  const { tier1HeartbeatsMax, tier2HeartbeatsMax } = world.numbers.heartbeat;
  const tier = nth <= tier1HeartbeatsMax ? 1 : nth <= tier2HeartbeatsMax ? 2 : 3;
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
const publishedSchedule = (world: World): Record<string, unknown> => ({
  heartbeat_tiers: tiers(world).map(({ from, to, lamports }) => ({ from, to, sol: lamports / 1e9, lamports })),
});

/** The tiers of heartbeats, each with its first and its last heartbeat of an epoch. */
function tiers(world: World): readonly { tier: number; from: number; to: number | null; lamports: number }[] {
  const { tier1HeartbeatsMax: first, tier2HeartbeatsMax: second } = world.numbers.heartbeat;
  const lamports = schedule(world);
  const ends: readonly (readonly [number, number | null])[] = [
    [1, first],
    [first + 1, second],
    [second + 1, null],
  ];
  return ends.map(([from, to], at) => ({
    ...{ tier: at + 1, from, to },
    lamports: lamports[`heartbeat_tier_${at + 1}`] ?? 0,
  }));
}

/** GET /fees/summary. payment_address and fee_split_bps are named as in docs/decisions.md (D-22), the rest as we like. */
export function feesSummary(world: World): Reply {
  const development = Math.max(5, 15 - world.years);
  return {
    body: {
      payment_address: world.till,
      lamports: schedule(world),
      heartbeat_tiers: tiers(world),
      caps: caps(world),
      ...(world.settings.published ? { schedule: publishedSchedule(world) } : {}),
      billing_epoch_beats: world.numbers.heartbeat.epochBeats,
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
