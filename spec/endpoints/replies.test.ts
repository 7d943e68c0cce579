import { describe, expect, it } from 'vitest';
import { dialects } from '../dialect.js';
import { protocol } from '../protocol.js';
import { endpoints } from './index.js';

const HASH = `0x${'a1'.repeat(32)}`;
const CHAIN = 'b2'.repeat(32);
const HEX = 'c3'.repeat(32);
const SIGNATURE = 'd4'.repeat(64);
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const TIME = '2026-01-01T00:00:00.000Z';
const NOW = 1_767_225_600_000;
const BASE64 = `${'Ab+/'.repeat(21)}Ab==`;

const passport = {
  format_version: 1,
  agent_hash: HASH,
  agent_public_key: SOLANA,
  authority_key_id: 'pvn-ed25519-0123456789abcdef',
  identity_class: 'narrow_task',
  registered_at_beat: 1,
  sigil_issued_at_beat: 2,
  last_heartbeat_beat: 0,
  lineage_chain_hash: HASH,
  issued_at: NOW,
  valid_until: NOW + 86_400_000,
  service_signature: SIGNATURE,
};
const { service_signature, ...signedFields } = passport;
const sigil = {
  sigil: 'auto-0a1b2c3d*acme*org',
  sigil_name: 'auto-0a1b2c3d',
  principal: 'acme',
  tier: 'org',
  identity_class: 'narrow_task',
  issued_at_beat: 2,
  birth_tx: 'tx',
  explorer_url: 'https://explorer.solana.com/tx/tx?cluster=devnet',
};
const fee = { amount_sol: 0.05, amount_lamports: 50_000_000, payment_tx: 'tx' };
const agent = {
  hash: HASH,
  api_key: 'pvn_e30.00ff',
  secret: HEX,
  type: 'root',
  parent: null,
  depth: 0,
  name: 'scout',
  wallet_model: 'self-custody',
  wallet_chain: null,
};
const beatState = {
  beat_count: 0,
  lifetime_beats: 0,
  available_beats: 0,
  latest_beat: 0,
  last_checkin_beat: null,
  last_global_sync: 3,
  total_heartbeats: 0,
  difficulty: 1000,
  status: 'active',
};
const unlinked = { wallet: null, wallet_model: 'self-custody', wallet_chain: null };
const verified = {
  verified: true,
  standing: 'active',
  agent: {
    hash: HASH,
    name: 'scout',
    type: 'root',
    depth: 0,
    parent: null,
    metadata: null,
    ...unlinked,
    registered: TIME,
  },
  sigil: { ...sigil, generation: 1 },
  passport: null,
  beat_state: beatState,
  network: { current_anchor_index: 3, anchor_degraded: false },
  lineage: [{ hash: HASH, type: 'root', depth: 0, name: 'scout', registered: TIME }],
  root: { hash: HASH, registered: TIME },
};
const notVerified = { verified: false, hash: HASH, error: 'no agent has this hash' };
const sponsorship = {
  parent_hash: HASH,
  child_hash: HASH,
  status: 'active',
  max_heartbeats_epoch: 100,
  heartbeats_used_epoch: 0,
  expires_at: TIME,
};
const anchor = {
  anchor: {
    type: 'anchor',
    beat_index: 7,
    hash: CHAIN,
    prev_hash: CHAIN,
    utc: NOW,
    difficulty: 1000,
    epoch: 0,
    tx_signature: 'tx',
    solana_entropy: SOLANA,
  },
  on_chain: { tx_signature: 'tx', explorer_url: 'https://explorer.solana.com/tx/tx?cluster=devnet', anchored: true },
  receipt: { signature: BASE64, public_key: SOLANA },
  anchor_interval_sec: 60,
  next_anchor_at: TIME,
};
const allocation = {
  operations_lamports: 3,
  contributors_lamports: 3,
  development_lamports: 1,
  treasury_lamports: 2,
  referral_lamports: 1,
};
const key = { public_key_base58: SOLANA, public_key_hex: HEX };
const webhook = { webhook_url: 'https://example.com/hook', events: ['agent.frozen'] };
const receipt = {
  type: 'work_proof',
  beats_verified: 1000,
  difficulty: 1000,
  anchor_index: 7,
  anchor_hash: CHAIN,
  from_hash: CHAIN,
  to_hash: CHAIN,
  utc: TIME,
  signature: BASE64,
};

interface Example {
  readonly id: string;
  readonly what: string;
  readonly reply: object;
  readonly status?: number;
  readonly dialect?: 'service' | 'provenonce';
  /** Keys that a reply may leave out, by dotted path. */
  readonly optional?: readonly string[];
  /** Keys that may hold any value, by dotted path. */
  readonly free?: readonly string[];
  /** Objects that may hold unknown keys, by dotted path; the reply itself is the empty path. */
  readonly open?: readonly string[];
}

/** A reply of every kind, from the fields that sections 2 to 4 and the decisions list. */
const examples: readonly Example[] = [
  { id: 'register', what: '2.1', reply: { ok: true, ...agent, metadata: {}, birth_tx: 'rec_00' }, open: ['metadata'] },
  {
    id: 'register',
    what: 'a child',
    reply: { ok: true, ...agent, type: 'agent', parent: HASH, depth: 1, metadata: {}, birth_tx: 'rec_00' },
    open: ['metadata'],
  },
  { id: 'register', what: 'the older two-phase form', reply: { ...agent, signature: 'tx', explorer_url: 'https://x' } },
  { id: 'register', what: 'a nonce', reply: { nonce: HEX } },
  { id: 'register', what: 'a challenge', reply: { nonce: HEX, expires_in: 300 }, optional: ['expires_in'] },
  { id: 'register-token', what: '4.3', reply: { ok: true, token: HEX, expires_in_sec: 300, _info: 'once' } },
  {
    id: 'init',
    what: 'the first call',
    reply: {
      agent_hash: HASH,
      genesis: { index: 0, hash: CHAIN, prev: '0'.repeat(64), timestamp: NOW },
      difficulty: 1000,
      status: 'active',
      _next_steps: { purchase_sigil: 'a', heartbeat: 'b', spawn_children: 'c', check_status: 'd' },
    },
  },
  {
    id: 'init',
    what: 'a later call',
    reply: {
      ok: true,
      already_initialized: true,
      agent_hash: HASH,
      genesis_hash: CHAIN,
      total_beats: 0,
      latest_hash: CHAIN,
      latest_beat: 0,
      status: 'active',
      difficulty: 1000,
      last_heartbeat_beat: 4,
    },
    optional: ['difficulty', 'last_heartbeat_beat'],
  },
  {
    id: 'heartbeat',
    what: '4.5',
    reply: {
      ok: true,
      agent_hash: HASH,
      passport,
      lineage_proof: passport,
      total_heartbeats: 1,
      heartbeat_count_epoch: 1,
      billing_epoch: 0,
      current_beat: 11,
      fee: { ...fee, tier: 1 },
    },
    optional: ['lineage_proof'],
  },
  {
    id: 'heartbeat',
    what: 'too soon',
    status: 429,
    reply: { error: 'wait', code: 'HEARTBEAT_TOO_SOON', next_eligible_beat: 21 },
  },
  { id: 'heartbeat', what: 'the cap', status: 429, reply: { error: 'cap', code: 'VOLUME_CAP_REACHED' } },
  {
    id: 'heartbeat',
    what: 'the rate',
    status: 429,
    reply: { error: 'rate', code: 'RATE_LIMITED', retry_after_ms: 1 },
    optional: ['retry_after_ms'],
  },
  { id: 'sigil', what: '4.6', reply: { ok: true, sigil, passport, fee } },
  {
    id: 'reissue-proof',
    what: '4.7',
    reply: { ok: true, reissued: true, passport, lineage_proof: passport, fee },
    optional: ['lineage_proof'],
  },
  {
    id: 'spawn',
    what: 'an authorization',
    reply: { ok: true, eligible: true, spawn_authorization: 't', receipt_based: true, required_beats: 1000 },
  },
  { id: 'spawn', what: 'a link', reply: { ok: true, eligible: true, child_hash: HASH } },
  {
    id: 'spawn',
    what: 'a probe',
    status: 402,
    reply: {
      error: 'receipt',
      code: 'RECEIPT_REQUIRED',
      required_beats: 1000,
      depth: 0,
      siblings: 0,
      eligible: false,
      progress_pct: 0,
      deficit: 1000,
    },
    optional: ['eligible', 'progress_pct', 'deficit'],
  },
  {
    id: 'beats-submit',
    what: '4.9',
    reply: {
      ok: true,
      agent_hash: HASH,
      beats_accepted: 3,
      total_beats: 3,
      latest_beat_index: 3,
      global_anchor: 7,
      spot_checks_verified: 3,
    },
  },
  {
    id: 'resync',
    what: 'a challenge',
    reply: {
      challenge: {
        nonce: HEX,
        required_beats: 6100,
        start_from_hash: CHAIN,
        start_from_beat: 0,
        difficulty: 1000,
        sync_to_global: 61,
      },
      gap_beats: 61,
    },
  },
  { id: 'resync', what: 'a proof', reply: { ok: true, status: 'active', total_beats: 6100 } },
  {
    id: 'resync',
    what: 'a receipt',
    reply: {
      ok: true,
      agent_hash: HASH,
      status: 'active',
      last_global_sync: 61,
      gap_anchors: 61,
      required_beats: 6100,
      beats_proven: 6100,
      receipt_based: true,
    },
  },
  {
    id: 'resync',
    what: 'no receipt',
    status: 402,
    reply: { error: 'receipt', code: 'RECEIPT_REQUIRED', required_beats: 6100, gap_anchors: 61 },
    optional: ['required_beats', 'gap_anchors'],
  },
  { id: 'resync', what: 'a bad receipt', status: 402, reply: { error: 'receipt', code: 'INVALID_RECEIPT' } },
  {
    id: 'metadata',
    what: '4.11',
    reply: { ok: true, sigil: 'a*b*org', generation: 2, updated_fields: ['generation_trigger'] },
  },
  { id: 'wallet', what: 'a challenge', reply: { ok: true, action: 'challenge', nonce: HEX, expires_in: 300 } },
  {
    id: 'wallet',
    what: 'a link',
    reply: { ok: true, agent_hash: HASH, wallet: SOLANA, wallet_model: 'operator', wallet_chain: 'solana' },
  },
  {
    id: 'passport',
    what: 'D-12',
    reply: {
      passport,
      passport_vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'ServicePassport'],
        issuer: { id: 'https://registry.example', authority_key_id: passport.authority_key_id },
        issuanceDate: TIME,
        expirationDate: TIME,
        credentialSubject: {
          id: `service:agent:${HASH}`,
          agent_hash: HASH,
          agent_public_key: SOLANA,
          identity_class: 'narrow_task',
          registered_at_beat: 1,
          sigil_issued_at_beat: 2,
          last_heartbeat_beat: 0,
          lineage_chain_hash: HASH,
        },
        proof: {
          type: 'Ed25519Signature2020',
          created: TIME,
          verificationMethod: 'https://registry.example/key',
          proofPurpose: 'assertionMethod',
          cryptosuite: 'eddsa-service-2026',
          proofValue: SIGNATURE,
        },
        format_version: 1,
      },
      lineage_proof: passport,
      authority_public_key_hex: HEX,
    },
    optional: ['lineage_proof'],
  },
  { id: 'sponsor.post', what: '4.13', reply: { ok: true, sponsorship } },
  { id: 'sponsor.post', what: 'no end', reply: { ok: true, sponsorship: { ...sponsorship, expires_at: null } } },
  { id: 'sponsor.delete', what: '4.13', reply: { ok: true, revoked: true } },
  {
    id: 'sponsor.get',
    what: '4.13',
    reply: { ok: true, sponsorships: [{ ...sponsorship, status: 'revoked', created_at: TIME }] },
  },
  {
    id: 'flag',
    what: '4.16',
    reply: { flagged: true, flag_id: '01234567-89ab-4def-8123-456789abcdef', status: 'pending' },
  },
  {
    id: 'checkin',
    what: '4.15',
    status: 410,
    reply: { error: 'gone', code: 'GONE', deprecated: true },
    optional: ['code'],
  },
  {
    id: 'verify-batch',
    what: '4.14',
    reply: { results: [verified, notVerified], summary: { total: 2, verified: 1, not_found: 1 } },
  },
  {
    id: 'status',
    what: 'D-19',
    reply: {
      exists: true,
      status: 'active',
      hash: HASH,
      type: 'root',
      depth: 0,
      name: 'scout',
      metadata: { team: 'a' },
      ...unlinked,
      identity_class: 'narrow_task',
      sigil: 'a*b*org',
      sigil_issued_at: 2,
      tier: 'org',
      principal: 'b',
      registered: TIME,
      registered_by: null,
      tx_signature: null,
      heartbeat_refused: false,
      heartbeat_refused_reason: null,
      beat_state: beatState,
    },
    free: ['metadata.team'],
    open: ['metadata'],
    optional: ['metadata.team'],
  },
  {
    id: 'status',
    what: 'no agent',
    status: 404,
    reply: { error: 'none', code: 'AGENT_NOT_FOUND', exists: false, status: 'not_found', hash: HASH },
    optional: ['error', 'code'],
  },
  { id: 'verify', what: 'D-20', reply: { ...verified, lineage_depth: 1 } },
  {
    id: 'verify',
    what: 'no agent',
    status: 404,
    reply: { ...notVerified, code: 'AGENT_NOT_FOUND' },
    optional: ['code'],
  },
  {
    id: 'beat-status',
    what: 'D-21',
    reply: {
      agent_hash: HASH,
      beat_initialized: true,
      sigil: 'a*b*org',
      heartbeat: {
        status: 'active',
        genesis_hash: CHAIN,
        latest_beat: 0,
        latest_hash: CHAIN,
        total_beats: 0,
        available_beats: 0,
        difficulty: 1000,
        frozen_since: null,
        refused: false,
      },
      heartbeat_epoch: {
        billing_epoch: 0,
        count_in_epoch: 1,
        volume_cap: 1000,
        remaining: 999,
        lineage_chain_hash: HASH,
      },
      whitelist: {
        standing: 'active',
        last_global_sync: 3,
        current_global_beat: 7,
        beats_behind: 4,
        beats_until_freeze: 57,
        deadline_anchors: 60,
      },
      gestation: {
        depth: 0,
        children_spawned: 0,
        next_child_cost: 1000,
        beats_accumulated: 0,
        progress_pct: 0,
        can_spawn: false,
        deficit: 1000,
      },
    },
  },
  { id: 'beat-anchor', what: 'D-05', reply: anchor },
  {
    id: 'beat-anchor',
    what: 'before the first',
    reply: {
      ...anchor,
      anchor: null,
      on_chain: { tx_signature: null, explorer_url: null, anchored: false },
      receipt: null,
    },
  },
  {
    id: 'beat-verify',
    what: 'that holds',
    reply: { ok: true, mode: 'beat', valid: true, beats_checked: 1 },
    optional: ['beats_checked'],
  },
  {
    id: 'beat-verify',
    what: 'that does not',
    reply: { ok: false, mode: 'chain', valid: false, beats_checked: 2, reason: 'broken' },
    optional: ['beats_checked', 'reason'],
  },
  {
    id: 'authority-key',
    what: 'D-13',
    reply: {
      schema_version: 1,
      algorithm: 'Ed25519',
      key_id: passport.authority_key_id,
      authority_public_key_hex: HEX,
      verification: { proof_signature_field: 'service_signature', verify_function: 'verifyPassport' },
    },
  },
  {
    id: 'fees-summary',
    what: 'D-22',
    reply: {
      ok: true,
      payment_address: SOLANA,
      payment_chain: 'solana',
      total_lamports: 10,
      total_sol: 0.00000001,
      by_type: [{ fee_type: 'sigil', count: 1, total_lamports: 10, total_sol: 0.00000001, allocation }],
      overall_allocation: allocation,
      fee_split_bps: { operations: 3000, contributors: 3000, development: 1500, treasury: 1500, referral: 1000 },
      schedule: {
        sigil_tiers: [{ identity_class: 'narrow_task', label: 'Narrow task', sol: 0.05, lamports: 50_000_000 }],
        heartbeat_tiers: [{ range: '1-100', sol: 0.0005, lamports: 500_000 }],
        proof_reissuance_sol: 0.0002,
      },
    },
  },
  {
    id: 'subsidy.post',
    what: '4.17',
    reply: {
      ok: true,
      subsidy: {
        agent_hash: HASH,
        fee_type: 'heartbeat',
        discount_bps: 5000,
        floor_lamports: 5000,
        reason: 'pilot',
        valid_until: TIME,
      },
    },
    optional: ['subsidy.valid_until'],
  },
  { id: 'subsidy.delete', what: '4.17', reply: { ok: true, deleted: true, agent_hash: HASH, fee_type: 'sigil' } },
  { id: 'partner-webhook.put', what: '4.18', reply: { ...webhook, webhook_secret: HEX } },
  { id: 'partner-webhook.get', what: '4.18', reply: { ...webhook, configured: true } },
  {
    id: 'partner-webhook.get',
    what: 'nothing configured',
    reply: { webhook_url: null, events: [], configured: false },
  },
  { id: 'partner-webhook.delete', what: '4.18', reply: { ok: true } },
  {
    id: 'work-proof.post',
    what: 'a receipt as text',
    reply: { ok: true, valid: true, receipt: 'eyJ0eXBlIjoid29ya19wcm9vZiJ9' },
    optional: ['valid'],
  },
  {
    id: 'work-proof.post',
    what: 'a receipt as an object',
    dialect: 'provenonce',
    reply: { valid: true, receipt },
  },
  { id: 'work-proof.post', what: 'no receipt', reply: { ok: false, valid: false, reason: 'stale_anchor' } },
  {
    id: 'work-proof.get',
    what: 'D-08',
    reply: {
      ok: true,
      service: 'beats',
      difficulty_min: 100,
      difficulty_max: 5000,
      spot_checks_min: 3,
      spot_checks_max: 25,
      grace_anchors: 5,
    },
  },
  {
    id: 'beat-key',
    what: 'D-08',
    reply: {
      ...key,
      algorithm: 'Ed25519',
      keys: {
        timestamp: { ...key, signing_context: 'c', purpose: 'p' },
        work_proof: { ...key, signing_context: 'c', purpose: 'p' },
      },
    },
  },
  { id: 'beats.beat-anchor', what: 'D-05', reply: anchor },
  { id: 'beats.beat-verify', what: 'D-10', reply: { ok: true, mode: 'proof', valid: true } },
  {
    id: 'beat-timestamp',
    what: 'D-08',
    reply: {
      timestamp: { type: 'timestamp', hash: CHAIN, anchor_index: 7, anchor_hash: CHAIN, utc: NOW, tx_signature: 'tx' },
      on_chain: { tx_signature: 'tx', explorer_url: 'https://x' },
      receipt: { signature: BASE64, public_key: SOLANA },
    },
  },
  { id: 'health', what: 'D-08', reply: { status: 'ok' }, open: [''] },
];

function schemaOf({ id, status = 200, dialect = 'service' }: Example) {
  const endpoint = endpoints.find((candidate) => candidate.id === id);
  const schema = endpoint?.replies({ protocol, dialect: dialects[dialect] })[status];
  if (schema === undefined) throw new RangeError(`${id} documents no reply of status ${status}`);
  return schema;
}

type Json = Record<string, unknown>;

/** A copy of a reply in which `change` has been done to the object that holds the last key of `path`. */
function changed(reply: object, path: readonly string[], change: (holder: Json, key: string) => void): Json {
  const copy = structuredClone(reply) as Json;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Json;
  change(holder, path.at(-1) as string);
  return copy;
}

/** The path of every value of a reply, objects and lists included. */
function pathsOf(node: unknown, prefix: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [[...prefix, key], ...pathsOf(value, [...prefix, key])]);
}

/** The path of every object of a reply, lists left out. */
function objectsOf(reply: object): string[][] {
  const at = (path: readonly string[]): unknown => path.reduce<unknown>((node, key) => (node as Json)[key], reply);
  return [[], ...pathsOf(reply)].filter((path) => {
    const node = at(path);
    return typeof node === 'object' && node !== null && !Array.isArray(node);
  });
}

const named = examples.map((example) => [`${example.id}, ${example.what}`, example] as const);

describe('replies', () => {
  it.each(named)('of %s: the example holds', (_, example) => {
    expect(schemaOf(example).safeParse(example.reply).error).toBeUndefined();
  });

  it.each(named)('of %s: no value may be of another type', (_, example) => {
    const schema = schemaOf(example);
    const taken = pathsOf(example.reply).filter((path) => {
      const wrong = changed(example.reply, path, (holder, key) => {
        holder[key] = typeof holder[key] === 'object' ? true : { wrong: true };
      });
      return schema.safeParse(wrong).success;
    });
    expect(taken.map((path) => path.join('.'))).toEqual(example.free ?? []);
  });

  it.each(named)('of %s: no key may be missing that is not optional', (_, example) => {
    const schema = schemaOf(example);
    const inList = (path: readonly string[]): boolean => /^\d+$/.test(path.at(-1) as string);
    const droppable = pathsOf(example.reply).filter((path) => {
      if (inList(path)) return false;
      const without = changed(example.reply, path, (holder, key) => {
        delete holder[key];
      });
      return schema.safeParse(without).success;
    });
    expect(droppable.map((path) => path.join('.')).sort()).toEqual([...(example.optional ?? [])].sort());
  });

  it.each(named)('of %s: no object may hold an unknown key', (_, example) => {
    const schema = schemaOf(example);
    const open = objectsOf(example.reply).filter((path) => {
      const more = changed(example.reply, [...path, 'undocumented'], (holder, key) => {
        holder[key] = 1;
      });
      return schema.safeParse(more).success;
    });
    expect(open.map((path) => path.join('.'))).toEqual(example.open ?? []);
  });

  it('have an example for every documented status of every endpoint', () => {
    const facts = { protocol, dialect: dialects.service };
    const documented = endpoints.flatMap(({ id, replies }) =>
      Object.keys(replies(facts)).map((status) => `${id} ${status}`),
    );
    const shown = new Set(examples.map(({ id, status = 200 }) => `${id} ${status}`));
    expect([...shown].sort()).toEqual(documented.sort());
  });
});

/** A reply, the place in it, and a value that the specification rules out there. */
const ruledOut: readonly (readonly [id: string, path: string, value: unknown, why: string])[] = [
  ['register', 'hash', CHAIN, 'an agent hash has 0x'],
  ['register', 'api_key', 'pvx_e30.00ff', 'a key starts with pvn_'],
  ['register', 'api_key', 'pvn_e30', 'a key is signed'],
  ['register', 'wallet_chain', 'bitcoin', 'there are two chains'],
  ['register', 'depth', -1, 'depth starts at 0'],
  ['register-token', 'token', 'ab', 'a token has 64 characters'],
  ['register-token', 'expires_in_sec', 299, 'a token lives 300 s'],
  ['init', 'genesis.index', 1, 'the first beat has index 0'],
  ['init', 'genesis.prev', CHAIN, 'nothing precedes the first beat'],
  ['init', 'difficulty', 999, 'difficulty is 1000'],
  ['heartbeat', 'ok', false, 'ok is true'],
  ['heartbeat', 'fee.tier', 4, 'there are three tiers'],
  ['heartbeat', 'fee.tier', 0, 'tiers start at 1'],
  ['heartbeat', 'passport.format_version', 2, 'the format is 1'],
  ['heartbeat', 'passport.identity_class', 'general', 'there are three classes'],
  ['heartbeat', 'passport.issued_at', TIME, 'issued_at is in milliseconds'],
  ['heartbeat', 'passport.service_signature', BASE64, 'the signature is hex'],
  ['sigil', 'sigil.tier', 'gov', 'there are five tiers'],
  ['sigil', 'sigil.sigil', 'name-acme-org', 'a SIGIL is name*principal*tier'],
  ['sigil', 'fee.tier', 1, 'the fee of a SIGIL has no tier'],
  ['metadata', 'updated_fields', ['tier'], 'the tier is immutable'],
  ['metadata', 'generation', 0, 'generations start at 1'],
  ['sponsor.post', 'sponsorship.status', 'revoked', 'a new sponsorship is active'],
  ['sponsor.post', 'sponsorship.max_heartbeats_epoch', 10_001, 'a cap is at most 10,000'],
  ['sponsor.post', 'sponsorship.expires_at', NOW, 'expires_at is ISO 8601'],
  ['sponsor.post', 'sponsorship.created_at', TIME, 'created_at is for listings'],
  ['flag', 'flag_id', '42', 'an id has the shape of a UUID'],
  ['flag', 'status', 'sustained', 'a new flag is pending'],
  ['subsidy.post', 'subsidy.discount_bps', 0, 'a discount is at least 1'],
  ['subsidy.post', 'subsidy.fee_type', 'spawn', 'there are three types of fee'],
  ['partner-webhook.put', 'webhook_secret', 'ab', 'the secret has 32 bytes'],
  ['partner-webhook.put', 'webhook_url', 'http://example.com/', 'the url is HTTPS'],
  ['partner-webhook.put', 'events', ['agent.thawed'], 'there are four events'],
  ['beat-anchor', 'anchor.hash', HASH, 'a chain hash has no 0x'],
  ['beat-anchor', 'anchor_interval_sec', 61, 'anchors are a minute apart'],
  ['beat-status', 'whitelist.deadline_anchors', 61, 'the deadline is 60 anchors'],
];

describe('a reply', () => {
  it.each(ruledOut)('of %s is refused with another %s: %j, since %s', (id, path, value) => {
    const example = examples.find((candidate) => candidate.id === id) as Example;
    const mutated = changed(example.reply, path.split('.'), (holder, key) => {
      holder[key] = value;
    });
    expect(schemaOf(example).safeParse(example.reply).success).toBe(true);
    expect(schemaOf(example).safeParse(mutated).success).toBe(false);
  });

  it('carries the signature under the name of the dialect', () => {
    const named = { ...signedFields, provenonce_signature: service_signature };
    const reply = { ok: true, reissued: true, passport: named, fee };
    const example = { id: 'reissue-proof', what: 'D-01', reply };
    expect(schemaOf({ ...example, dialect: 'provenonce' }).safeParse(reply).success).toBe(true);
    expect(schemaOf(example).safeParse(reply).success).toBe(false);
  });

  it('carries the receipt in the form of the dialect', () => {
    const reply = { ok: true, valid: true, receipt };
    const published = { valid: true, receipt };
    const example = { id: 'work-proof.post', what: 'D-09', reply };
    expect(schemaOf({ ...example, dialect: 'provenonce' }).safeParse(published).success).toBe(true);
    expect(schemaOf(example).safeParse(reply).success).toBe(false);
  });
});
