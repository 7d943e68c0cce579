/** Sponsorships, flags, subsidies, and what the service publishes. */

import { anchorOf } from '../../conformance/assertions/anchor.js';
import { addressesIn, publicKeysIn } from '../../conformance/assertions/places.js';
import { at } from '../../conformance/assertions/reply.js';
import { instantMs } from '../../conformance/assertions/field-tests.js';
import { feeTypes } from '../../spec/vocabulary.js';
import type { Case, Operation } from '../settle.js';
import { epochOf } from '../state.js';

const taken = (id: string, accepted: (given: Case) => void): Operation<object> => ({
  ids: [id],
  facts: () => ({}),
  refusals: [],
  open: () => 'taken down and not judged',
  accepts: () => [],
  accepted: (_, given) => accepted(given),
});

const childKey = ({ agent, call }: Case): string => `${agent?.hash} ${String(call.body?.['child_hash']).toLowerCase()}`;

export const sponsorPost = taken('sponsor.post', (given) => {
  const { state, call, agent } = given;
  if (agent === undefined) return;
  const key = childKey(given);
  const known = state.sponsorships.get(key);
  const used = at(call.json, 'sponsorship.heartbeats_used_epoch');
  const expires = at(call.json, 'sponsorship.expires_at');
  state.sponsorships.set(key, {
    parent: agent.hash,
    child: String(call.body?.['child_hash']).toLowerCase(),
    max: Number(at(call.json, 'sponsorship.max_heartbeats_epoch')),
    used: typeof used === 'number' ? used : undefined,
    epoch: epochOf(state),
    expiresMs: expires == null ? null : instantMs(expires),
    status: 'active',
    byFreeze: false,
    shown: known?.shown ?? {},
  });
});

export const sponsorDelete = taken('sponsor.delete', (given) => {
  const known = given.state.sponsorships.get(childKey(given));
  if (known !== undefined) known.status = 'revoked';
});

export const flag = taken('flag', ({ state, call, agent }) => {
  const id = at(call.json, 'flag_id');
  if (typeof id !== 'string' || agent === undefined) return;
  const target = String(call.body?.['target_hash']).toLowerCase();
  state.flags.set(id, { id, reporter: agent.hash, target, atMs: state.nowMs, status: 'pending' });
});

const subsidyKey = ({ call }: Case): string =>
  `${String(call.body?.['agent_hash']).toLowerCase()} ${String(call.body?.['fee_type'])}`;

export const subsidyPost = taken('subsidy.post', (given) => {
  const { state, call } = given;
  const { body = {} } = call;
  const until = body['valid_until'];
  state.subsidies.set(subsidyKey(given), {
    bps: Number(body['discount_bps']),
    floor: Number(body['floor_lamports'] ?? state.settings.protocol.subsidy.floorLamportsDefault),
    untilMs: until === undefined ? null : instantMs(until),
  });
});

export const subsidyDelete = taken('subsidy.delete', (given) => {
  // A discount of nothing: the entry cannot be taken back.
  given.state.subsidies.set(subsidyKey(given), { bps: 0, floor: 0, untilMs: null });
});

export const feesSummary = taken('fees-summary', ({ state, call }) => {
  const address = at(call.json, 'payment_address') ?? addressesIn(call.json)[0];
  if (typeof address === 'string') state.paymentAddress ??= address;
});

export const authorityKey = taken('authority-key', ({ state, call }) => {
  const hex = at(call.json, 'authority_public_key_hex') ?? publicKeysIn(call.json)[0];
  if (typeof hex === 'string') state.authority.keyHex ??= hex;
});

export const beatAnchor = taken('beat-anchor', ({ state, call }) => {
  const { index } = anchorOf({ json: call.json });
  if (index !== undefined) state.anchor ??= index;
});

export { feeTypes };
