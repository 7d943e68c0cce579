/** Subsidies of administrators (4.17), and the webhooks of partners as far as they are configured (4.18). */

import * as fc from 'fast-check';
import { partnerEventsOf } from '../../../spec/parts.js';
import { equals, type Fault, isHex, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request, sequence } from '../operation.js';
import type { Player } from '../player.js';
import type { AgentState } from '../state.js';

/** The keys that a run has asked the control API for. */
const keys = new WeakMap<Player, Map<string, Promise<string>>>();

function keyOf(player: Player, path: string, body: unknown): Promise<string> {
  const mine = keys.get(player) ?? new Map<string, Promise<string>>();
  keys.set(player, mine);
  const made = mine.get(path) ?? player.control('POST', path, body).then(({ key }) => String(key));
  mine.set(path, made);
  return made;
}

type KeyKind = 'right' | 'none' | 'agent';
const FEE_TYPES = ['sigil', 'heartbeat', 'reissuance'] as const;
/** And half a second: whether a subsidy holds in its last moment is open, and clocks are moved to whole ones. */
const HALF_HOUR_MS = 1_800_500;

interface Granting {
  readonly agent: number;
  readonly unknown: boolean;
  readonly feeType: string;
  /** In words: under changed bounds they are other numbers. */
  readonly bps: 'half' | 'least' | 'most' | 'almost' | 'too-low' | 'too-high';
  readonly floor: number | undefined;
  readonly until: 'never' | 'half-hour';
  readonly key: KeyKind;
  readonly omit: 'nothing' | 'reason' | 'discount_bps' | 'fee_type' | 'agent_hash';
}

const keyFaults = (kind: KeyKind): Fault[] => {
  if (kind === 'none') return [{ why: 'there is no key', status: 401, code: 'AUTH_MISSING' }];
  return kind === 'agent' ? [{ why: "it is an agent's key", status: 401, code: 'AUTH_INVALID' }] : [];
};

/** POST /admin/agent/subsidy */
export const subsidy: Operation = request<Granting>(
  'subsidy',
  {
    agent: place,
    unknown: mostly(false, true),
    feeType: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom<string[]>(...FEE_TYPES) },
      { weight: 1, arbitrary: fc.constant('spawn') },
    ),
    bps: mostly('half', 'least', 'most', 'almost', 'too-low', 'too-high'),
    floor: fc.constantFrom(undefined, undefined, 0, 5000, 100_000),
    until: mostly('never', 'half-hour'),
    key: mostly('right', 'none', 'agent'),
    omit: mostly('nothing', 'reason', 'discount_bps', 'fee_type', 'agent_hash'),
  },
  async (player, action) => {
    if (!player.calls.has('admin-keys')) return undefined;
    const index = action.agent % player.state.agents.length;
    const agent = player.agent(index);
    const key = { right: await keyOf(player, 'admin-keys', {}), none: undefined, agent: agent.key }[action.key];
    const untilMs = action.until === 'half-hour' ? player.state.nowMs + HALF_HOUR_MS : null;
    const { discountBpsMin: least, discountBpsMax: most, floorLamportsDefault } = player.state.protocol.subsidy;
    const half = Math.min(Math.max(5000, least), most);
    const almost = Math.max(least, most - 1);
    const bps = { half, least, most, almost, 'too-low': least - 1, 'too-high': most + 1 }[action.bps];
    const floor = action.floor ?? floorLamportsDefault;
    const whole = {
      agent_hash: action.unknown ? player.unknownHash() : agent.hash,
      fee_type: action.feeType,
      discount_bps: bps,
      reason: 'a model test',
      floor_lamports: action.floor,
      ...(untilMs === null ? {} : { valid_until: new Date(untilMs).toISOString() }),
    };
    const body = action.omit === 'nothing' ? whole : { ...whole, [action.omit]: undefined };
    const address = player.address();
    return {
      request: { method: 'POST', path: '/admin/agent/subsidy', key, address, body },
      judge: (state, answer) => {
        const faults = keyFaults(action.key);
        const invalid = action.feeType === 'spawn' || bps < least || bps > most;
        if (invalid) faults.push({ why: 'fee_type or discount_bps is invalid', status: 400, code: 'SUBSIDY_INVALID' });
        if (action.omit !== 'nothing') faults.push({ why: `${action.omit} is missing` });
        if (action.unknown) faults.push({ why: 'there is no such agent', status: 404, code: 'AGENT_NOT_FOUND' });
        const counted = [[`subsidy ${address}`, state.protocol.limits.subsidy]] as const;
        if (!settle(state, answer, { faults, counted })) return;
        equals(answer, 'ok', true);
        equals(answer, 'subsidy.agent_hash', agent.hash);
        equals(answer, 'subsidy.fee_type', action.feeType);
        equals(answer, 'subsidy.discount_bps', bps);
        equals(answer, 'subsidy.floor_lamports', floor);
        equals(answer, 'subsidy.reason', 'a model test');
        if (untilMs !== null) {
          that(
            answer,
            'subsidy.valid_until',
            new Date(untilMs).toISOString(),
            (value) => Date.parse(String(value)) === untilMs,
          );
        }
        const others = state.subsidies.filter((each) => each.agent !== index || each.feeType !== action.feeType);
        state.subsidies = [...others, { agent: index, feeType: action.feeType, bps, floor, untilMs }];
      },
    };
  },
);

/** DELETE /admin/agent/subsidy */
export const subsidyDelete: Operation = request<Pick<Granting, 'agent' | 'feeType' | 'key'>>(
  'subsidy-delete',
  { agent: place, feeType: fc.constantFrom<string[]>(...FEE_TYPES), key: mostly('right', 'none', 'agent') },
  async (player, action) => {
    if (!player.calls.has('admin-keys')) return undefined;
    const index = action.agent % player.state.agents.length;
    const agent = player.agent(index);
    const key = { right: await keyOf(player, 'admin-keys', {}), none: undefined, agent: agent.key }[action.key];
    return {
      request: {
        method: 'DELETE',
        path: '/admin/agent/subsidy',
        key,
        body: { agent_hash: agent.hash, fee_type: action.feeType },
      },
      judge: (state, answer) => {
        const mine = state.subsidies.find((each) => each.agent === index && each.feeType === action.feeType);
        const faults = keyFaults(action.key);
        if (mine === undefined) faults.push({ why: 'there is no subsidy', status: 404, code: 'SUBSIDY_NOT_FOUND' });
        const over = mine?.untilMs != null && mine.untilMs <= state.nowMs;
        if (!settle(state, answer, { faults, open: over ? ['it is over'] : [] })) return;
        equals(answer, 'ok', true);
        equals(answer, 'deleted', true);
        equals(answer, 'agent_hash', (state.agents[index] as AgentState).hash);
        equals(answer, 'fee_type', action.feeType);
        state.subsidies = state.subsidies.filter((each) => each !== mine);
      },
    };
  },
);

interface Configuring {
  readonly url: 'right' | 'plain' | 'none';
  readonly events: 'all' | 'unknown' | 'none';
}

/** PUT, GET and DELETE /partner/webhook, one after the other. Deliveries need somebody who listens: they are not judged. */
export const partnerWebhook: Operation = sequence<Configuring>(
  'partner-webhook',
  { url: mostly('right', 'plain', 'none'), events: mostly('all', 'unknown', 'none') },
  async (player, { url, events }) => {
    if (!player.calls.has('partners')) return;
    const key = await keyOf(player, 'partners', { name: player.draws.word() });
    const path = '/partner/webhook';
    const all = partnerEventsOf(player.state.protocol);
    const sent = {
      url: { right: 'https://partner.example/hook', plain: 'ftp://partner.example/hook', none: undefined }[url],
      events: { all, unknown: ['agent.born'], none: undefined }[events],
    };
    const wrong = url !== 'right' || events !== 'all';
    const limit = [['partner-webhook', player.state.protocol.limits.partnerWebhook]] as const;
    const put = await player.call({ method: 'PUT', path, key, body: sent });
    const invalid: Fault = { why: 'url or events is invalid', status: 400, code: 'WEBHOOK_INVALID' };
    if (!settle(player.state, put, { faults: wrong ? [invalid] : [], counted: limit })) return;
    equals(put, 'webhook_url', sent.url);
    equals(put, 'events', all);
    that(put, 'webhook_secret', 'hex digits', isHex(2 * player.state.protocol.webhook.secretBytes));
    const shown = await player.call({ method: 'GET', path, key });
    if (!settle(player.state, shown, { faults: [], counted: limit })) return;
    equals(shown, 'webhook_url', sent.url);
    equals(shown, 'events', all);
    equals(shown, 'configured', true);
    that(shown, 'webhook_secret', 'not shown', (value) => value === undefined);
    const gone = await player.call({ method: 'DELETE', path, key });
    if (settle(player.state, gone, { faults: [], counted: limit })) equals(gone, 'ok', true);
  },
);
