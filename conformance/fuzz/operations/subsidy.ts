/** Subsidies of administrators (4.17), and the configuration of partner webhooks (4.18). */

import { partnerEventsOf } from '../../../spec/parts.js';
import { protocol } from '../../../spec/protocol.js';
import { feeTypes } from '../../../spec/vocabulary.js';
import { namesOf, nearHash } from '../../moves/move.js';
import { deleteWebhook, getWebhook, putWebhook, webhookFaults } from '../../moves/partner-webhook.js';
import { discounts, endSubsidy, grant, terms } from '../../moves/subsidy.js';
import { anyOf, mostly, place, request, sequence, weighted } from '../operation.js';
import type { Player } from '../player.js';

/** With half a second, since clocks are moved by whole seconds and the text leaves the last moment of a subsidy open. */
const HALF_HOUR_MS = 1_800_500;

const feeType = anyOf<string>('sigil', ...feeTypes.filter((each) => each !== 'sigil'));
const key = mostly('right', 'none', 'agent');

async function adminKey(
  player: Player,
  { agent, key: which }: { readonly agent: number; readonly key: typeof key.usual },
): Promise<string | undefined> {
  const right = await player.keyOf('admin-keys', {});
  return { right, none: undefined, agent: player.agent(agent).key }[which];
}

/** POST. `bps`: by name, since the numbers depend on the bounds. */
export const subsidy = request(
  'subsidy',
  {
    agent: place,
    unknown: mostly(false, true),
    feeType: weighted<string>('sigil', 3, [
      'heartbeat',
      'heartbeat',
      'heartbeat',
      'reissuance',
      'reissuance',
      'reissuance',
      'spawn',
    ]),
    bps: mostly('half', 'almost', ...namesOf(discounts(protocol))),
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
    const more = {
      fee_type: action.feeType,
      discount_bps: { ...discounts(player.target.protocol), half, almost }[action.bps],
      floor_lamports: action.floor,
      valid_until: action.until === 'never' ? undefined : until,
      ...(action.omit !== 'nothing' && { [action.omit]: undefined }),
    };
    const body = terms({ hash: action.unknown ? nearHash(hash) : hash }, more);
    return { ...grant(await adminKey(player, action), body), address: player.address() };
  },
);

export const subsidyDelete = request('subsidy-delete', { agent: place, feeType, key }, async (player, action) => {
  if (!player.calls.has('admin-keys')) return undefined;
  return endSubsidy(await adminKey(player, action), player.agent(action.agent), action.feeType);
});

/** PUT, GET and DELETE /partner/webhook, one after the other. Nothing listens, so no deliveries are made. */
export const partnerWebhook = sequence(
  'partner-webhook',
  { fault: mostly<string>('nothing', ...namesOf(webhookFaults)) },
  async (player, { fault }) => {
    if (!player.calls.has('partners')) return;
    const key = await player.keyOf('partners', { name: player.draws.word() });
    const events = partnerEventsOf(player.target.protocol);
    const isRight = !(fault in webhookFaults);
    const change: object = isRight ? {} : webhookFaults[fault as keyof typeof webhookFaults];
    await player.send(putWebhook(key, { events, ...change }));
    await player.send(getWebhook(key));
    if (isRight) await player.send(deleteWebhook(key));
  },
);
