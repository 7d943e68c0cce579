/** Fee subsidies that administrators grant, by section 4.17. */

import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { find, type World } from './world.js';

const FEE_TYPES = ['sigil', 'heartbeat', 'reissuance'];

function admin(world: World, call: Call): void {
  world.limit('subsidy', call.ip);
  const { authorization } = call.headers;
  if (authorization === undefined) throw new Refusal(401, 'AUTH_MISSING', 'Send an admin key.');
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  if (world.adminKeys.get(key) !== true) throw new Refusal(401, 'AUTH_INVALID', 'The admin key is invalid or expired.');
}

/** POST /admin/agent/subsidy */
export function grantSubsidy(world: World, call: Call): Reply {
  admin(world, call);
  const {
    agent_hash: hash,
    fee_type: type,
    discount_bps: bps,
    reason,
    floor_lamports: floor = 5000,
    valid_until: until,
  } = call.body;
  const invalid = (what: string): Refusal => new Refusal(400, 'SUBSIDY_INVALID', what);
  if (typeof type !== 'string' || !FEE_TYPES.includes(type))
    throw invalid('fee_type is sigil, heartbeat or reissuance.');
  if (!Number.isInteger(bps) || Number(bps) < 1 || Number(bps) > 10_000) throw invalid('discount_bps is 1 to 10000.');
  if (typeof reason !== 'string' || reason === '') throw invalid('reason is a text.');
  if (!Number.isSafeInteger(floor) || Number(floor) < 0) throw invalid('floor_lamports is a number of lamports.');
  const end = until === undefined || until === null ? null : typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(end)) throw invalid('valid_until is an ISO 8601 time.');
  const agent = find(world, hash);
  if (agent === undefined) throw new Refusal(404, 'AGENT_NOT_FOUND', 'There is no such agent.');
  world.subsidies.set(`${agent.hash} ${type}`, { bps: Number(bps), floor: Number(floor), reason, until: end });
  return {
    body: {
      ok: true,
      subsidy: {
        agent_hash: agent.hash,
        fee_type: type,
        discount_bps: bps,
        floor_lamports: floor,
        reason,
        valid_until: end === null ? null : new Date(end).toISOString(),
      },
    },
  };
}

/** DELETE /admin/agent/subsidy */
export function endSubsidy(world: World, call: Call): Reply {
  admin(world, call);
  const { agent_hash: hash, fee_type: type } = call.body;
  if (typeof type !== 'string' || !FEE_TYPES.includes(type)) {
    throw new Refusal(400, 'SUBSIDY_INVALID', 'fee_type is sigil, heartbeat or reissuance.');
  }
  const agent = find(world, hash);
  if (agent === undefined) throw new Refusal(404, 'AGENT_NOT_FOUND', 'There is no such agent.');
  if (!world.subsidies.delete(`${agent.hash} ${type}`))
    throw new Refusal(404, 'SUBSIDY_NOT_FOUND', 'There is no such subsidy.');
  return { body: { ok: true, deleted: true, agent_hash: agent.hash, fee_type: type } };
}
