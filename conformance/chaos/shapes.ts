/** Replies whose shape the specification does not show, or not wholly. Those that put a reply into another stand last. */

import type { EndpointId } from '../protocol/endpoints.js';
import { eachResult, inner, isChild, type Json, only, type PermittedForm, without } from './form.js';

const ANCHORS: readonly EndpointId[] = ['beat-anchor', 'beats.beat-anchor'];

export const shapeForms: readonly PermittedForm[] = [
  {
    id: 'child-reply-short',
    open: '4.2: response of child registration is not shown',
    reply: (json, at) =>
      isChild(at) && at.ok ? { hash: json['hash'], api_key: json['api_key'], secret: json['secret'] } : json,
    lost: 6,
  },
  {
    id: 'root-as-text',
    open: '4.14: root',
    reply: only(['verify'], (json) => ({ ...json, root: (json['root'] as Json | undefined)?.['hash'] ?? null })),
    lost: 2,
  },
  {
    id: 'root-as-text-in-batches',
    open: '4.14: root',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('root' in one ? { ...one, root: (one['root'] as Json)['hash'] } : one)),
    ),
    lost: 2,
  },
  {
    id: 'status-sigil-object',
    group: 'status',
    open: '4.1: shape of status',
    reply: only(['status'], (json) =>
      typeof json['sigil'] === 'string' ? { ...json, sigil: { sigil: json['sigil'] } } : json,
    ),
    lost: 4,
  },
  {
    id: 'beat-state-other',
    open: '4.14: beat_state',
    reply: only(['verify', 'verify-batch'], (json) =>
      Array.isArray(json['results'])
        ? eachResult(json, (one) => ('beat_state' in one ? { ...one, beat_state: { state: 'running' } } : one))
        : { ...json, beat_state: { state: 'running' } },
    ),
    lost: 6,
  },
  {
    id: 'beat-status-other',
    open: '4.1: shape of beat-status',
    reply: only(['beat-status'], (json) => ({ chain: json['heartbeat'], agent: json['agent_hash'] })),
    lost: 30,
  },
  {
    id: 'anchor-flat',
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) => ({ ...(json['anchor'] as Json | null) })),
    lost: 12,
  },
  {
    id: 'anchor-renamed',
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) =>
      inner(json, 'anchor', (anchor) => ({ index: anchor['beat_index'], anchor_hash: anchor['hash'] })),
    ),
    lost: 12,
  },
  {
    id: 'authority-key-renamed',
    open: '4.1: shape of authority-key',
    reply: only(['authority-key'], (json) => ({ public_key: json['authority_public_key_hex'], kid: json['key_id'] })),
    lost: 12,
  },
  {
    id: 'fees-short',
    open: '4.1: shape of fees/summary',
    reply: only(['fees-summary'], (json) => ({ payment_address: json['payment_address'] })),
    lost: 30,
  },
  {
    id: 'revoked-left-out',
    open: '4.13: whether listings show what is revoked',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships'])
        ? { ...json, sponsorships: json['sponsorships'].filter((one) => (one as Json)['status'] !== 'revoked') }
        : json,
    ),
    lost: 0,
  },
  {
    id: 'expires-at-left-out',
    open: '4.13: expires_at without expiry',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => (one['expires_at'] === null ? without(one, 'expires_at') : one)),
    ),
    lost: 0,
  },
  {
    id: 'created-at-in-post',
    open: '2.10: created_at beside listings',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => ({ ...one, created_at: '2026-01-01T00:00:00Z' })),
    ),
    lost: 0,
  },
  {
    id: 'wallet-finalize-other',
    open: '4.12: response of finalize is not shown',
    reply: only(['wallet'], (json, at) => (at.sent['action'] === 'challenge' ? json : { linked: true })),
    lost: 2,
  },
  {
    id: 'work-proof-bare',
    open: '4.8: fields beside ok and receipt',
    reply: only(['work-proof.post'], (json) => without(json, 'valid')),
    lost: 0,
  },
  {
    id: 'init-again-short',
    open: '2.3',
    reply: only(['init'], (json) =>
      json['already_initialized'] === true ? without(json, 'difficulty', 'last_heartbeat_beat') : json,
    ),
    lost: 0,
  },
  {
    id: 'resync-402-short',
    open: '4.10: the 402 of resync',
    reply: (json, at) =>
      at.endpoint === 'resync' && at.status === 402 ? without(json, 'required_beats', 'gap_anchors') : json,
    lost: 0,
  },
  {
    id: 'spawn-402-short',
    open: '4.8',
    reply: (json, at) =>
      at.endpoint === 'spawn' && at.status === 402 ? without(json, 'eligible', 'progress_pct', 'deficit', 'ok') : json,
    lost: 0,
  },
  {
    id: 'challenges-short',
    open: '4.2: the nonce alone',
    reply: only(['register'], (json) => without(json, 'expires_in')),
    lost: 0,
  },
  {
    id: 'valid-until-left-out',
    open: '2.11: a subsidy without end',
    reply: only(['subsidy.post'], (json) =>
      inner(json, 'subsidy', (one) => (one['valid_until'] === null ? without(one, 'valid_until') : one)),
    ),
    lost: 0,
  },
  {
    id: 'batch-extra',
    open: '4.14: further fields',
    reply: only(['verify-batch'], (json) => eachResult(json, (one) => ({ ...one, checked_at: 1 }))),
    lost: 0,
  },
  {
    id: 'batch-errors-texts',
    open: '4.14: error',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('error' in one ? { ...one, error: 'nobody' } : one)),
    ),
    lost: 0,
  },
  {
    id: 'lineage-of-texts',
    open: '4.14: items of lineage',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) =>
        Array.isArray(one['lineage']) ? { ...one, lineage: one['lineage'].map((each: Json) => each['hash']) } : one,
      ),
    ),
    lost: 4,
  },
  {
    id: 'batch-agent-short',
    open: '4.14: agent',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => inner(one, 'agent', (agent) => ({ hash: agent['hash'], name: agent['name'] }))),
    ),
    lost: 8,
  },
  {
    id: 'batch-sigil-as-text',
    open: '4.14: sigil',
    reply: only(['verify-batch'], (json) => eachResult(json, (one) => inner(one, 'sigil', (sigil) => sigil['sigil']))),
    lost: 8,
  },
  {
    id: 'status-nested',
    group: 'status',
    open: '4.1: shape of status',
    reply: only(['status'], (json) => ({ agent: json })),
    lost: 60,
  },
  {
    id: 'verify-nested',
    open: '4.1: shape of verify',
    reply: only(['verify'], (json) => ({ verification: json })),
    lost: 40,
  },
  {
    id: 'passport-bare',
    group: 'passport',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => json['passport']),
    lost: 12,
  },
  {
    id: 'passport-short',
    group: 'passport',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => ({ passport: json['passport'] })),
    lost: 2,
  },
];
