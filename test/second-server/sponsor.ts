/** Sponsorships, by section 4.13. */

import { usedInEpoch } from './paid.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, find, HOUR_MS, isHash, type Sponsorship, type World } from './world.js';

/** A sponsorship without expires_in_hours ends after 30 days. */
const DEFAULT_HOURS = 720;

const statusOf = (world: World, each: Sponsorship): string => {
  if (each.state !== 'active') return 'revoked';
  return world.now < each.expiresAt ? 'active' : 'expired';
};

const shown = (world: World, each: Sponsorship): Record<string, unknown> => ({
  parent_hash: each.sponsor.hash,
  child_hash: each.child.hash,
  status: statusOf(world, each),
  max_heartbeats_epoch: each.max,
  heartbeats_used_epoch: usedInEpoch(world, each),
  expires_at: new Date(each.expiresAt).toISOString(),
  created_at: new Date(each.createdAt).toISOString(),
});

function childOf(world: World, sponsor: Agent, hash: unknown): Agent {
  if (!isHash(hash)) throw new Refusal(400, 'VALIDATION', 'child_hash is an agent hash.');
  const child = find(world, hash);
  if (child === undefined) throw new Refusal(404, 'AGENT_NOT_FOUND', 'There is no such child.');
  if (child === sponsor) throw new Refusal(400, 'SPONSOR_INVALID', 'An agent does not sponsor itself.');
  return child;
}

function descends(agent: Agent, from: Agent): boolean {
  for (let each = agent.parent; each !== null; each = each.parent) if (each === from) return true;
  return false;
}

/** POST /agent/sponsor */
export function createSponsorship(world: World, call: Call): Reply {
  const sponsor = world.agentOf(call.headers.authorization);
  world.limit('sponsorPost', sponsor.hash);
  const {
    heartbeatsEpochMin: low,
    heartbeatsEpochMax: high,
    heartbeatsEpochDefault,
    expiresHoursMin,
  } = world.numbers.sponsor;
  const { max_heartbeats_epoch: max = heartbeatsEpochDefault, expires_in_hours: hours = DEFAULT_HOURS } = call.body;
  if (!Number.isInteger(max) || Number(max) < low || Number(max) > high) {
    throw new Refusal(400, 'VALIDATION', `max_heartbeats_epoch is ${low} to ${high}.`);
  }
  if (typeof hours !== 'number' || hours < expiresHoursMin || hours > 1e6) {
    throw new Refusal(400, 'VALIDATION', `expires_in_hours is at least ${expiresHoursMin}.`);
  }
  const child = childOf(world, sponsor, call.body['child_hash']);
  if (!descends(child, sponsor))
    throw new Refusal(403, 'SPONSOR_NOT_ANCESTOR', 'The child does not descend from the sponsor.');
  if (sponsor.wallet === null) throw new Refusal(403, 'WALLET_REQUIRED', 'Link a wallet first.');
  if (sponsor.frozen) throw new Refusal(403, 'SPONSOR_PARENT_FROZEN', 'The sponsor is frozen.');
  const expiresAt = world.now + Math.round(hours * HOUR_MS);
  const old = world.sponsorships.find(
    (each) => each.sponsor === sponsor && each.child === child && statusOf(world, each) === 'active',
  );
  if (old !== undefined) {
    old.max = Number(max);
    old.expiresAt = expiresAt;
    return { body: { ok: true, sponsorship: shown(world, old) } };
  }
  const made: Sponsorship = {
    sponsor,
    child,
    createdAt: world.now,
    expiresAt,
    max: Number(max),
    used: 0,
    epoch: world.epoch,
    state: 'active',
  };
  world.sponsorships.push(made);
  return { body: { ok: true, sponsorship: shown(world, made) } };
}

/** DELETE /agent/sponsor */
export function endSponsorship(world: World, call: Call): Reply {
  const sponsor = world.agentOf(call.headers.authorization);
  world.limit('sponsorDelete', sponsor.hash);
  const child = childOf(world, sponsor, call.body['child_hash']);
  const active = world.sponsorships.find(
    (each) => each.sponsor === sponsor && each.child === child && statusOf(world, each) === 'active',
  );
  if (active === undefined)
    throw new Refusal(404, 'SPONSOR_NOT_FOUND', 'There is no active sponsorship of that child.');
  active.state = 'revoked';
  return { body: { ok: true, revoked: true } };
}

/** GET /agent/sponsor */
export function listSponsorships(world: World, call: Call): Reply {
  const sponsor = world.agentOf(call.headers.authorization);
  world.limit('sponsorGet', sponsor.hash);
  const mine = world.sponsorships.filter((each) => each.sponsor === sponsor);
  return { body: { ok: true, sponsorships: mine.map((each) => shown(world, each)) } };
}
