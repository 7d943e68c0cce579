/** POST and DELETE /admin/agent/subsidy (4.17). */

import { groups } from '../../spec/clauses/groups.js';
import type { JsonObject } from '../../spec/formats.js';
import { feeTypes } from '../../spec/vocabulary.js';
import type { Case, Operation, Refusal } from '../case.js';
import { unlessUnknown } from '../facts/earlier.js';
import { isPast } from '../facts/rules.js';
import type { State, Subsidy } from '../facts/state.js';
import { instantMs, isInstant, isNear } from '../reading/field-tests.js';
import { at, hashAt } from '../reading/values.js';

interface Grant {
  readonly hash: string | undefined;
  readonly feeType: unknown;
  readonly known: Subsidy | undefined;
  readonly admin: { readonly expired: boolean } | undefined;
}

const factsOf = ({ state, call }: Case): Grant => {
  const hash = hashAt(call.body, 'agent_hash');
  const feeType = call.body?.['fee_type'];
  return {
    hash,
    feeType,
    // Asked on demand: a subsidy and an admin key from before the traffic are unknown.
    get known() {
      const known = state.subsidies.get(`${hash} ${String(feeType)}`);
      return known?.bps === 0 ? undefined : known;
    },
    get admin() {
      return state.admins.get(call.bearer ?? '');
    },
  };
};

const common: readonly Refusal<Grant>[] = [
  {
    row: 'subsidy/AUTH_MISSING',
    also: ['subsidy.auth'],
    when: (_, { call }) => !call.hasAuthorization,
  },
  {
    row: 'subsidy/AUTH_INVALID',
    also: ['subsidy.auth'],
    when: ({ admin }, { call: { bearer, hasAuthorization }, state }) =>
      hasAuthorization && admin === undefined && (![undefined, state.settings.adminKey].includes(bearer) || undefined),
  },
  {
    row: 'subsidy/AUTH_INVALID',
    cause: 'expired',
    when: ({ admin }) => admin?.expired ?? false,
  },
  {
    row: 'subsidy/SUBSIDY_INVALID',
    clauses: (_, { call }) => (call.endpoint.id === 'subsidy.post' ? ['subsidy.post.body.agent-hash'] : []),
    when: ({ hash }) => hash === undefined,
  },
  {
    row: 'subsidy/SUBSIDY_INVALID',
    also: ['subsidy.post.body.fee-type'],
    when: ({ feeType }) => !(feeTypes as readonly unknown[]).includes(feeType),
  },
];

/** The clauses that allow special values in a grant; refusing such a valid grant breaks them. */
function specialValueClauses(body: JsonObject, { settings }: State): readonly string[] {
  const { discountBpsMin, discountBpsMax } = settings.protocol.subsidy;
  if ([discountBpsMin, discountBpsMax].includes(Number(body['discount_bps'])))
    return ['subsidy.post.body.discount-bps'];
  return 'floor_lamports' in body ? [] : ['subsidy.post.body.floor-lamports'];
}

export const subsidyPost: Operation<Grant> = {
  ids: ['subsidy.post'],
  facts: factsOf,
  refusals: [
    ...common,
    {
      row: 'subsidy/SUBSIDY_INVALID',
      cause: 'discount-bps',
      also: ['subsidy.post.body.discount-bps'],
      when: (_, { call, state }) => {
        const bps = call.body?.['discount_bps'];
        const { discountBpsMin, discountBpsMax } = state.settings.protocol.subsidy;
        if (typeof bps !== 'number' || bps < discountBpsMin || bps > discountBpsMax) return true;
        return Number.isInteger(bps) ? false : undefined;
      },
    },
    {
      row: 'subsidy/SUBSIDY_INVALID',
      cause: 'reason',
      also: ['subsidy.post.body.reason'],
      when: (_, { call }) =>
        typeof call.body?.['reason'] !== 'string' ? true : call.body['reason'].trim() === '' ? undefined : false,
    },
    {
      row: 'subsidy/SUBSIDY_INVALID',
      clauses: ['subsidy.post.body.floor-lamports'],
      when: (_, { call }) => {
        const floor = call.body?.['floor_lamports'];
        if (floor === undefined) return false;
        // The text does not say which numbers a floor may be.
        return typeof floor !== 'number' || (floor > 0 && Number.isInteger(floor) ? false : undefined);
      },
    },
    {
      row: 'subsidy/SUBSIDY_INVALID',
      cause: 'valid-until',
      when: (_, { call, state }) => {
        const until = call.body?.['valid_until'];
        const untilMs = until === undefined ? undefined : instantMs(until);
        if (until === undefined || untilMs === undefined || state.nowMs === undefined)
          return until !== undefined && undefined;
        // A server may refuse a time that is not in UTC.
        return isPast(state, untilMs) !== false
          ? isPast(state, untilMs)
          : String(until).endsWith('Z')
            ? false
            : undefined;
      },
    },
    {
      row: 'subsidy/AGENT_NOT_FOUND',
      when: ({ hash }, { state }) => hash !== undefined && !state.agents.has(hash),
    },
  ],
  accepts: (_, { call: { body = {}, status }, state }) => [
    ...(status === 400 ? specialValueClauses(body, state) : []),
    'subsidy.post.reply',
    'subsidy.auth',
    'key.admin',
    'service.subsidy',
    'subsidy.post.body.agent-hash',
    'subsidy.post.body.fee-type',
    'subsidy.post.body.floor-lamports',
    'subsidy.post.body.valid-until',
  ],
  accepted: (facts, { state, call, judgement }) => {
    const { hash, feeType } = facts;
    const { json, body = {} } = call;
    const floor = Number(body['floor_lamports'] ?? state.settings.protocol.subsidy.floorLamportsDefault);
    const field = (name: string): string => `subsidy.${name}`;
    judgement.equals(field('agent_hash'), hash, 'subsidy.field.agent-hash');
    judgement.equals(field('fee_type'), feeType, 'subsidy.field.fee-type');
    judgement.equals(field('discount_bps'), body['discount_bps'], 'subsidy.field.discount-bps', 'subsidy.post.reply');
    judgement.equals(
      field('floor_lamports'),
      floor,
      'subsidy.field.floor-lamports',
      'subsidy.post.reply',
      'subsidy.post.body.floor-lamports',
      ...(body['floor_lamports'] === undefined ? groups.subsidyFloor : []),
    );
    judgement.equals(field('reason'), body['reason'], 'subsidy.field.reason', 'subsidy.post.reply');
    const until = body['valid_until'];
    const shown = at(json, field('valid_until'));
    const sentMs = instantMs(until);
    if (typeof until === 'string')
      judgement.equals(
        field('valid_until'),
        // The time may be cut to whole seconds.
        sentMs !== undefined && isNear(instantMs(shown), sentMs) ? shown : until,
        'subsidy.field.valid-until',
        'subsidy.post.reply',
        'subsidy.post.body.valid-until',
      );
    if (typeof until === 'string')
      judgement.that(field('valid_until'), isInstant.holds(shown), isInstant.words, shown, 'subsidy.valid-until.iso');
    if (hash !== undefined)
      state.subsidies.set(`${hash} ${String(feeType)}`, {
        bps: Number(body['discount_bps']),
        floor,
        untilMs: until === undefined ? null : instantMs(until),
        floorClauses:
          body['floor_lamports'] === undefined ? ['fee.floor.default'] : ['subsidy.post.body.floor-lamports'],
        replaces: unlessUnknown(() => facts.known) !== undefined,
      });
  },
};

export const subsidyDelete: Operation<Grant> = {
  ids: ['subsidy.delete'],
  facts: factsOf,
  refusals: [
    ...common,
    {
      row: 'subsidy/AGENT_NOT_FOUND',
      when: ({ hash }, { state }) => hash !== undefined && (state.agents.has(hash) ? false : undefined),
    },
    {
      row: 'subsidy/SUBSIDY_NOT_FOUND',
      also: ['subsidy.delete.body'],
      when: ({ known, hash }, { state }) =>
        hash !== undefined && known === undefined && (state.agents.has(hash) || undefined),
    },
  ],
  open: ({ known }, { state }) =>
    known?.untilMs != null && state.nowMs !== undefined && isPast(state, known.untilMs) !== false
      ? 'the text does not say whether an expired subsidy can be deleted'
      : undefined,
  accepts: () => ['subsidy.delete.body', 'subsidy.delete.reply', 'subsidy.auth', 'key.admin'],
  accepted: ({ hash, feeType, known }, { judgement }) => {
    judgement.equals('agent_hash', hash, 'subsidy.delete.reply');
    judgement.equals('fee_type', feeType, 'subsidy.delete.reply');
    // A discount of 0 means no subsidy.
    if (known !== undefined) Object.assign(known, { bps: 0, deletedBps: known.bps });
  },
};
