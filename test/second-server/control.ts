/** The control API of docs/control-api.md, as far as the second server has it. */

import { same, sha256 } from './crypto.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { find, type World } from './world.js';

const bad = (message: string): Refusal => new Refusal(400, 'VALIDATION', message);

function text(call: Call, field: string): string {
  const value = call.body[field];
  if (typeof value !== 'string' || value === '') throw bad(`${field} is a text.`);
  return value;
}

function count(call: Call, field: string): number {
  const value = call.body[field];
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw bad(`${field} is a whole number.`);
  return Number(value);
}

function advance(world: World, call: Call): Reply {
  world.advance('anchors' in call.body ? world.untilAnchor(count(call, 'anchors')) : count(call, 'ms'));
  return { body: { now_ms: world.now, anchor_index: world.anchor } };
}

function stall(world: World, call: Call): Reply {
  world.stalled = call.body['on'] === true;
  return { body: { on: world.stalled } };
}

function mint(world: World, call: Call): Reply {
  const address = text(call, 'address');
  const balance = (world.balances.get(address) ?? 0) + count(call, 'lamports');
  world.balances.set(address, balance);
  return { body: { address, lamports: balance } };
}

function transfer(world: World, call: Call): Reply {
  const [from, to, lamports] = [text(call, 'from'), text(call, 'to'), count(call, 'lamports')];
  const status = call.body['status'] ?? 'confirmed';
  if (status !== 'confirmed' && status !== 'pending' && status !== 'failed')
    throw bad('status is confirmed, pending or failed.');
  const has = world.balances.get(from) ?? 0;
  if (has < lamports) throw new Refusal(409, 'INSUFFICIENT_FUNDS', `The wallet has ${has} lamports.`);
  if (status === 'confirmed') {
    world.balances.set(from, has - lamports);
    world.balances.set(to, (world.balances.get(to) ?? 0) + lamports);
  }
  const signature = `tx${world.random(40)}`;
  world.transfers.set(signature, { from, to, lamports, status });
  return { body: { signature } };
}

function adminKey(world: World): Reply {
  const key = `pva_${world.random(24)}`;
  world.adminKeys.set(key, true);
  return { status: 201, body: { key } };
}

function expireAdminKey(world: World, call: Call): Reply {
  world.adminKeys.set(text(call, 'key'), false);
  return { body: { ok: true } };
}

function revokeKey(world: World, call: Call): Reply {
  const agent = find(world, call.rest);
  if (agent === undefined) throw new Refusal(404, 'AGENT_NOT_FOUND', 'There is no such agent.');
  agent.keyRevoked = true;
  world.revokeSponsorships(agent, 'revoked');
  return { body: { ok: true } };
}

function review(world: World, call: Call): Reply {
  const flag = world.flags.find(({ id }) => id === call.rest);
  if (flag === undefined) throw new Refusal(404, 'FLAG_NOT_FOUND', 'There is no such flag.');
  const outcome = call.body['outcome'];
  const next = { sustain: 'sustained', dismiss: 'dismissed', resolve: 'resolved' } as const;
  if (outcome !== 'sustain' && outcome !== 'dismiss' && outcome !== 'resolve')
    throw bad('outcome is sustain, dismiss or resolve.');
  if (flag.status !== (outcome === 'resolve' ? 'sustained' : 'pending')) {
    throw new Refusal(409, 'FLAG_WRONG_STATE', `The flag is ${flag.status}.`);
  }
  flag.status = next[outcome];
  return { body: { flag_id: flag.id, status: flag.status } };
}

type Handler = (world: World, call: Call) => Reply;
const CALLS: readonly [method: string, path: string, handler: Handler][] = [
  ['POST', 'clock/advance', advance],
  ['POST', 'anchors/stall', stall],
  ['POST', 'ledger/wallets', mint],
  ['POST', 'ledger/transfers', transfer],
  ['POST', 'admin-keys', adminKey],
  ['POST', 'admin-keys/expire', expireAdminKey],
  ['POST', 'agents/:hash/revoke-key', revokeKey],
  ['POST', 'flags/:id/review', review],
];

/** Answers a call to the control API. */
export function control(world: World, token: string, call: Call): Reply {
  if (!same(sha256(call.headers.authorization ?? ''), sha256(`Bearer ${token}`))) {
    throw new Refusal(401, 'AUTH_MISSING', 'Send the control token.');
  }
  const path = call.path.replace('/control/v1/', '');
  if (call.method === 'GET' && path === 'capabilities') return { body: { calls: CALLS.map(([, name]) => name) } };
  for (const [method, name, handler] of CALLS) {
    const match = new RegExp(`^${name.replace(/:\w+/, '([^/]+)')}$`).exec(path);
    if (method === call.method && match !== null) return handler(world, { ...call, rest: match[1] ?? '' });
  }
  throw new Refusal(404, 'NOT_FOUND', 'There is no such call.');
}
