/**
 * Forms that omit, rename or nest fields of replies whose shape the specification does not show, or not wholly. They are applied in this
 * order, so a form that nests a whole reply comes after those that look for its fields.
 */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import type { JsonObject as Json } from '../../spec/formats.js';
import { eachResult, type FormTable, inner, isChild, objectOf, only, without } from './form.js';

const ANCHORS: readonly EndpointId[] = ['beat-anchor', 'beats.beat-anchor'];

/** An Ed25519 key in the form of most libraries. */
const pemOf = (hex: string): string => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(hex, 'hex')]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
};

export const shapeForms: FormTable = {
  'child-reply-short': {
    group: 'child-reply',
    open: '4.2: response of child registration is not shown',
    reply: (json, at) =>
      isChild(at) && at.ok ? { hash: json['hash'], api_key: json['api_key'], secret: json['secret'] } : json,
    lost: 6,
  },
  'root-as-text': {
    open: '4.14: shape of root',
    reply: only(['verify'], (json) => ({ ...json, root: (json['root'] as Json | undefined)?.['hash'] ?? null })),
    lost: 2,
  },
  'root-as-text-in-batches': {
    open: '4.14: shape of root',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('root' in one ? { ...one, root: (one['root'] as Json)['hash'] } : one)),
    ),
    lost: 2,
  },
  'status-sigil-object': {
    group: 'status',
    open: '4.1: shape of status',
    reply: only(['status'], (json) =>
      typeof json['sigil'] === 'string' ? { ...json, sigil: { sigil: json['sigil'] } } : json,
    ),
    lost: 4,
  },
  'beat-state-other': {
    open: '4.14: shape of beat_state',
    reply: only(['verify', 'verify-batch'], (json) =>
      Array.isArray(json['results'])
        ? eachResult(json, (one) => ('beat_state' in one ? { ...one, beat_state: { state: 'running' } } : one))
        : { ...json, beat_state: { state: 'running' } },
    ),
    lost: 6,
  },
  'beat-status-other': {
    open: '4.1: shape of beat-status',
    reply: only(['beat-status'], (json) => ({ chain: json['heartbeat'], agent: json['agent_hash'] })),
    lost: 30,
  },
  'anchor-flat': {
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) => ({ ...(json['anchor'] as Json | null) })),
    lost: 12,
  },
  'anchor-renamed': {
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) =>
      inner(json, 'anchor', (anchor) => ({ index: anchor['beat_index'], anchor_hash: anchor['hash'] })),
    ),
    lost: 12,
  },
  'authority-key-renamed': {
    group: 'authority-key',
    open: '4.1: shape of authority-key',
    reply: only(['authority-key'], (json) => ({ public_key: json['authority_public_key_hex'], kid: json['key_id'] })),
  },
  'fees-short': {
    group: 'fees',
    open: '4.1: shape of fees/summary',
    reply: only(['fees-summary'], (json) => ({ payment_address: json['payment_address'] })),
    lost: 30,
  },
  'revoked-left-out': {
    open: '4.13: whether listings show revoked sponsorships',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships'])
        ? { ...json, sponsorships: json['sponsorships'].filter((one) => (one as Json)['status'] !== 'revoked') }
        : json,
    ),
  },
  'expired-left-out': {
    open: '3.4: status after expires_at is not shown',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships'])
        ? { ...json, sponsorships: json['sponsorships'].filter((one) => (one as Json)['status'] !== 'expired') }
        : json,
    ),
  },
  'expires-at-left-out': {
    open: '4.13: expires_at without expiry',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => (one['expires_at'] === null ? without(one, 'expires_at') : one)),
    ),
  },
  'created-at-in-post': {
    open: '2.10: created_at outside of listings',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => ({ ...one, created_at: '2026-01-01T00:00:00Z' })),
    ),
  },
  'wallet-finalize-other': {
    group: 'wallet-finalize',
    open: '4.12: response of finalize is not shown',
    reply: only(['wallet'], (json, at) => (at.sent['action'] === 'challenge' ? json : { linked: true })),
    lost: 2,
  },
  'work-proof-bare': {
    open: '4.8: fields other than ok and receipt',
    reply: only(['work-proof.post'], (json) => without(json, 'valid')),
  },
  'init-again-short': {
    open: '2.3: which fields a repeated init shows',
    reply: only(['init'], (json) =>
      json['already_initialized'] === true ? without(json, 'difficulty', 'last_heartbeat_beat') : json,
    ),
  },
  'resync-402-short': {
    open: '4.10: the 402 of resync',
    reply: (json, at) =>
      at.endpoint === 'resync' && at.status === 402 ? without(json, 'required_beats', 'gap_anchors') : json,
  },
  'spawn-402-short': {
    open: '4.8: which fields the 402 of spawn shows',
    reply: (json, at) =>
      at.endpoint === 'spawn' && at.status === 402 ? without(json, 'eligible', 'progress_pct', 'deficit', 'ok') : json,
  },
  'challenges-short': {
    open: '4.2: whether a challenge has fields other than the nonce',
    reply: only(['register'], (json) => without(json, 'expires_in')),
  },
  'valid-until-left-out': {
    open: '2.11: valid_until of a subsidy without end',
    reply: only(['subsidy.post'], (json) =>
      inner(json, 'subsidy', (one) => (one['valid_until'] === null ? without(one, 'valid_until') : one)),
    ),
  },
  'batch-extra': {
    open: '4.14: further fields',
    reply: only(['verify-batch'], (json) => eachResult(json, (one) => ({ ...one, checked_at: 1 }))),
  },
  'batch-leaves-out-what-is-not-there': {
    open: '4.14: whether a result shows a SIGIL, or a chain, that the agent does not have',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => without(one, ...['sigil', 'beat_state'].filter((name) => one[name] === null))),
    ),
  },
  'batch-errors-texts': {
    open: '4.14: shape of error',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('error' in one ? { ...one, error: 'nobody' } : one)),
    ),
  },
  'lineage-of-texts': {
    open: '4.14: items of lineage',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) =>
        Array.isArray(one['lineage']) ? { ...one, lineage: one['lineage'].map((each: Json) => each['hash']) } : one,
      ),
    ),
    lost: 4,
  },
  'batch-agent-short': {
    open: '4.14: which fields agent has',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => inner(one, 'agent', (agent) => ({ hash: agent['hash'], name: agent['name'] }))),
    ),
    lost: 8,
  },
  'batch-sigil-as-text': {
    open: '4.14: shape of sigil',
    reply: only(['verify-batch'], (json) => eachResult(json, (one) => inner(one, 'sigil', (sigil) => sigil['sigil']))),
    lost: 8,
  },
  'flag-long': {
    open: '2.12: the fields of a flag',
    reply: only(['flag'], (json, { sent }) => ({
      ...json,
      ...{ target_hash: sent['target_hash'], asserted_class: sent['asserted_class'], reason: sent['reason'] },
    })),
  },
  'older-reply-short': {
    group: 'older-reply',
    open: '2.1: which fields the older reply has',
    reply: only(['register'], (json) =>
      'signature' in json
        ? {
            ...{ hash: json['hash'], api_key: json['api_key'], secret: json['secret'] },
            ...{ signature: json['signature'], explorer_url: json['explorer_url'] },
          }
        : json,
    ),
    lost: 6,
  },
  'beat-verify-other': {
    open: '4.1: shape of beat/verify',
    reply: only(['beat-verify'], (json) => ({ result: json['valid'] === true ? 'sound' : 'broken' })),
    lost: 12,
  },
  'authority-key-jwk': {
    group: 'authority-key',
    open: '4.1: shape of authority-key',
    reply: only(['authority-key'], (json) => ({
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', kid: json['key_id'] },
          x: Buffer.from(String(json['authority_public_key_hex']), 'hex').toString('base64url'),
        },
      ],
    })),
  },
  'authority-key-pem': {
    group: 'authority-key',
    open: '4.1: shape of authority-key',
    reply: only(['authority-key'], (json) => ({ pem: pemOf(String(json['authority_public_key_hex'])) })),
  },
  'authority-key-pem-alone': {
    group: 'authority-key',
    open: '4.1: shape of authority-key, which may be other than JSON',
    answer: (reply, { endpoint, ok }) =>
      endpoint === 'authority-key' && ok
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'application/x-pem-file' },
            body: pemOf(String(objectOf(reply.body)['authority_public_key_hex'])),
          }
        : reply,
  },
  'anchor-in-attributes': {
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) => {
      const { beat_index: index, hash } = json['anchor'] as Json;
      return { data: [{ type: 'anchors', attributes: { index, hash } }] };
    }),
  },
  'anchor-of-a-block': {
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) =>
      inner(json, 'anchor', (anchor) => ({ height: anchor['beat_index'], digest: anchor['hash'], at: anchor['utc'] })),
    ),
  },
  'older-reply-of-all-modes': {
    group: 'older-reply',
    open: '2.1: which registrations are the older ones',
    reply: only(['register'], (json, at) =>
      'api_key' in json && at.sent['wallet_signature'] !== undefined
        ? { ...without(json, 'ok', 'birth_tx', 'secret'), signature: 'abc', explorer_url: 'https://x.example/abc' }
        : json,
    ),
  },
  'operator-nonce-nested': {
    open: '4.2: the place of the nonce of modes 2 and 3',
    reply: only(['register'], (json, at) =>
      'nonce' in json && (at.sent['wallet_model'] === 'operator' || at.sent['wallet_chain'] === 'ethereum')
        ? { challenge: json }
        : json,
    ),
  },
  'child-reply-of-its-own': {
    group: 'child-reply',
    open: '4.2: response of child registration is not shown',
    reply: (json, at) =>
      isChild(at) && at.ok ? { child: { agent_hash: json['hash'], api_key: json['api_key'], type: 'spawned' } } : json,
  },
  'wallet-finalize-nothing': {
    group: 'wallet-finalize',
    open: '4.12: response of finalize is not shown',
    answer: (reply, at) =>
      at.endpoint === 'wallet' && at.ok && at.sent['action'] !== 'challenge'
        ? { ...reply, status: 204, body: '' }
        : reply,
  },
  'child-reply-nested': {
    group: 'child-reply',
    open: '4.2: response of child registration is not shown',
    reply: (json, at) => (isChild(at) && at.ok ? { child: json } : json),
  },
  'anchor-unreadable': {
    group: 'anchor',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) => ({ t: Object.values((json['anchor'] as Json | null) ?? {}) })),
    lost: 150,
  },
  'fees-other': {
    group: 'fees',
    open: '4.1: shape of fees/summary',
    reply: only(['fees-summary'], (json) => ({ prices: json['schedule'], pay_to: [json['payment_address']] })),
    lost: 7,
  },
  'status-short': {
    group: 'status',
    open: '4.1: shape of status',
    reply: only(['status'], (json) => ({ hash: json['hash'], metadata: json['metadata'] })),
    lost: 60,
  },
  'status-nested': {
    group: 'status',
    open: '4.1: shape of status',
    reply: only(['status'], (json) => ({ agent: json })),
    lost: 60,
  },
  'verify-short': {
    group: 'verify',
    open: '4.1: shape of verify',
    reply: only(['verify'], (json) => ({ ok: true, agent: json['agent'] })),
    lost: 40,
  },
  'verify-nested': {
    group: 'verify',
    open: '4.1: shape of verify',
    reply: only(['verify'], (json) => ({ verification: json })),
    lost: 40,
  },
  'passport-nested': {
    group: 'passport',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => ({ data: { passport: json['passport'] } })),
  },
  'passport-bare': {
    group: 'passport',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => json['passport']),
  },
  'passport-short': {
    group: 'passport',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => ({ passport: json['passport'] })),
    lost: 2,
  },
};
