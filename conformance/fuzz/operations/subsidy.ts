/** Subsidies of administrators (4.17), and the webhooks of partners as far as they are configured (4.18). */

import { partnerEventsOf } from '../../../spec/parts.js';
import { feeTypes } from '../../../spec/vocabulary.js';
import { nearHash } from '../../trial/looks.js';
import { anyOf, mostly, oftener, place, request, sequence } from '../operation.js';
import type { Player } from '../player.js';

/** And half a second: whether a subsidy holds in its last moment is open, and clocks are moved to whole ones. */
const HALF_HOUR_MS = 1_800_500;

const feeType = anyOf<string>('sigil', ...feeTypes.filter((each) => each !== 'sigil'));
const key = mostly('right', 'none', 'agent');
const path = '/admin/agent/subsidy';

async function adminKey(
  player: Player,
  { agent, key: which }: { readonly agent: number; readonly key: typeof key.usual },
): Promise<string | undefined> {
  const right = await player.keyOf('admin-keys', {});
  return { right, none: undefined, agent: player.agent(agent).key }[which];
}

/** POST. `bps`: in words, since under changed bounds they are other numbers. */
export const subsidy = request(
  'subsidy',
  {
    agent: place,
    unknown: mostly(false, true),
    feeType: oftener<string>('sigil', 3, [
      'heartbeat',
      'heartbeat',
      'heartbeat',
      'reissuance',
      'reissuance',
      'reissuance',
      'spawn',
    ]),
    bps: mostly('half', 'least', 'most', 'almost', 'too-low', 'too-high'),
    floor: anyOf(undefined, undefined, 0, 5000, 100_000),
    until: mostly('never', 'half-hour'),
    key,
    omit: mostly('nothing', 'reason', 'discount_bps', 'fee_type', 'agent_hash'),
  },
  async (player, action) => {
    if (!player.calls.has('admin-keys')) return undefined;
    const { hash } = player.agent(action.agent);
    const { discountBpsMin: least, discountBpsMax: most } = player.target.protocol.subsidy;
    const half = Math.min(Math.max(5000, least), most);
    const almost = Math.max(least, most - 1);
    const until = new Date(player.nowMs + HALF_HOUR_MS).toISOString();
    const whole = {
      agent_hash: action.unknown ? nearHash(hash) : hash,
      fee_type: action.feeType,
      discount_bps: { half, least, most, almost, 'too-low': least - 1, 'too-high': most + 1 }[action.bps],
      reason: 'a model test',
      floor_lamports: action.floor,
      valid_until: action.until === 'never' ? undefined : until,
    };
    const body = action.omit === 'nothing' ? whole : { ...whole, [action.omit]: undefined };
    return { request: { method: 'POST', path, key: await adminKey(player, action), address: player.address(), body } };
  },
);

export const subsidyDelete = request('subsidy-delete', { agent: place, feeType, key }, async (player, action) => {
  if (!player.calls.has('admin-keys')) return undefined;
  const body = { agent_hash: player.agent(action.agent).hash, fee_type: action.feeType };
  return { request: { method: 'DELETE', path, key: await adminKey(player, action), body } };
});

/** PUT, GET and DELETE /partner/webhook, one after the other. Deliveries need somebody who listens: none are made. */
export const partnerWebhook = sequence(
  'partner-webhook',
  { url: mostly('right', 'plain', 'none'), events: mostly('all', 'unknown', 'none') },
  async (player, { url, events }) => {
    if (!player.calls.has('partners')) return;
    const sent = { path: '/partner/webhook', key: await player.keyOf('partners', { name: player.draws.word() }) };
    const all = partnerEventsOf(player.target.protocol);
    const body = {
      url: { right: 'https://partner.example/hook', plain: 'ftp://partner.example/hook', none: undefined }[url],
      events: { all, unknown: ['agent.born'], none: undefined }[events],
    };
    await player.play({ request: { ...sent, method: 'PUT', body } });
    await player.play({ request: { ...sent, method: 'GET' } });
    if (url === 'right') await player.play({ request: { ...sent, method: 'DELETE' } });
  },
);
