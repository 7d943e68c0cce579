import { describe, expect, it } from 'vitest';
import { dialects } from '../dialect.js';
import type { Facts } from '../endpoint.js';
import { protocol } from '../protocol.js';
import { endpoints } from './index.js';

const facts: Facts = { protocol, dialect: dialects.service };
const HASH = `0x${'a1'.repeat(32)}`;
const CHAIN = 'b2'.repeat(32);
const KEY = 'C3'.repeat(32);
const SIGNATURE = 'd4'.repeat(64);
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const ETHEREUM = `0x${'Ab'.repeat(20)}`;

const beatProof = {
  from_beat: 0,
  to_beat: 3,
  from_hash: CHAIN,
  to_hash: CHAIN,
  beats_computed: 3,
  global_anchor: 7,
  anchor_hash: CHAIN,
  spot_checks: [{ index: 3, hash: CHAIN, prev: CHAIN }],
};
const workProof = {
  from_hash: CHAIN,
  to_hash: CHAIN,
  beats_computed: 3,
  difficulty: 1000,
  anchor_hash: CHAIN,
  anchor_index: 7,
  spot_checks: [{ index: 3, hash: CHAIN, prev: CHAIN, nonce: 'n' }],
};
const beat = { index: 1, hash: CHAIN, prev: CHAIN };
const wallet = { name: 'a', wallet_nonce: CHAIN, wallet_signature: SIGNATURE };
const sigil = { identity_class: 'autonomous', principal: 'acme-1', tier: 'org' };
const flag = { target_hash: HASH, asserted_class: 'orchestrator', reason: 'r' };
const subsidy = { agent_hash: HASH, fee_type: 'heartbeat', discount_bps: 5000, reason: 'pilot' };
const text = (chars: number): string => 'x'.repeat(chars);
const names = (count: number): string[] => Array.from({ length: count }, () => 'x');

type Bodies = readonly (readonly [what: string, body: unknown])[];

function schemaOf(id: string, given: Facts = facts) {
  const body = endpoints.find((endpoint) => endpoint.id === id)?.body;
  if (!body) throw new RangeError(`${id} takes no body`);
  return body(given);
}

/** Bodies by endpoint: those that the schema accepts, and those that the row of the body's validation answers. */
const table: Readonly<Record<string, { readonly accepted: Bodies; readonly refused: Bodies }>> = {
  register: {
    accepted: [
      ['a name', { name: 'scout' }],
      ['a name of 64 characters in space', { name: ` ${text(64)} ` }],
      ['a name of 64 characters outside the basic plane', { name: '😀'.repeat(64) }],
      ['empty metadata', { name: 'a', metadata: {} }],
      ['metadata of 4096 bytes', { name: 'a', metadata: { k: text(4096 - '{"k":""}'.length) } }],
      ['an unknown field', { name: 'a', colour: 'red' }],
      ['an operator challenge', { name: 'a', wallet_model: 'operator' }],
      ['an operator registration', { ...wallet, wallet_model: 'operator', operator_wallet_address: SOLANA }],
      ['an operator registration that leaves its model out', { ...wallet, operator_wallet_address: SOLANA }],
      ['an Ethereum challenge without a name', { action: 'challenge', wallet_chain: 'ethereum' }],
      ['an Ethereum registration', { ...wallet, wallet_chain: 'ethereum', wallet_address: ETHEREUM }],
      ['a self-custody challenge', { name: 'a', action: 'challenge' }],
      ['a self-custody registration', { ...wallet, wallet_public_key: KEY }],
      ['a child', { name: 'a', parent: HASH, spawn_authorization: 't' }],
      ['a child that leaves its parent out', { name: 'a', spawn_authorization: 't' }],
    ],
    refused: [
      ['nothing', {}],
      ['no object', []],
      ['a name that is no text', { name: 7 }],
      ['an empty name', { name: '' }],
      ['a name of space', { name: ' \t ' }],
      ['a name of 65 characters', { name: text(65) }],
      ['metadata that is a list', { name: 'a', metadata: [] }],
      ['metadata that is null', { name: 'a', metadata: null }],
      ['metadata that is text', { name: 'a', metadata: 'm' }],
      ['metadata of 4097 bytes', { name: 'a', metadata: { k: text(4097 - '{"k":""}'.length) } }],
      ['metadata of 4098 bytes in 4097 characters', { name: 'a', metadata: { k: `${text(4087)}é` } }],
      ['another action', { name: 'a', action: 'enlist' }],
      ['another chain', { name: 'a', action: 'challenge', wallet_chain: 'bitcoin' }],
      ['another model', { name: 'a', wallet_model: 'shared' }],
      ['a self-custody challenge without a name', { action: 'challenge' }],
      ['a short public key', { ...wallet, wallet_public_key: 'ab' }],
      ['a self-custody registration without its key', wallet],
      ['a self-custody registration without its nonce', { ...wallet, wallet_public_key: KEY, wallet_nonce: undefined }],
      ['an operator registration without an address', { ...wallet, wallet_model: 'operator' }],
      ['an operator address that is no base58', { ...wallet, operator_wallet_address: '0OIl' }],
      ['an Ethereum registration without an address', { ...wallet, wallet_chain: 'ethereum' }],
      ['an Ethereum registration without its chain', { ...wallet, wallet_address: ETHEREUM }],
      ['an Ethereum address without 0x', { ...wallet, wallet_chain: 'ethereum', wallet_address: ETHEREUM.slice(2) }],
      ['a child without its authorization', { name: 'a', parent: HASH }],
      ['a parent that is no hash', { name: 'a', parent: 'p', spawn_authorization: 't' }],
    ],
  },
  'register-token': { accepted: [['nothing', {}]], refused: [['a list', []]] },
  init: { accepted: [['nothing', {}]], refused: [['text', 'init']] },
  heartbeat: {
    accepted: [
      ['a payment', { payment_tx: 'tx', global_anchor: 0 }],
      ['no payment, which is PAYMENT_REQUIRED', {}],
    ],
    refused: [
      ['a payment that is no text', { payment_tx: 7 }],
      ['a payment that is null', { payment_tx: null }],
      ['a negative anchor', { payment_tx: 'tx', global_anchor: -1 }],
      ['a fraction of an anchor', { payment_tx: 'tx', global_anchor: 0.5 }],
      ['an anchor as text', { payment_tx: 'tx', global_anchor: '1' }],
    ],
  },
  sigil: {
    accepted: [
      ['what is required, but for the payment', sigil],
      ['a payment', { ...sigil, payment_tx: 'tx' }],
      ['the name auto', { ...sigil, name: 'auto' }],
      ['a name of 48 characters', { ...sigil, name: text(48) }],
      ['a principal of 24 characters', { ...sigil, principal: text(24) }],
    ],
    refused: [
      ['no class', { ...sigil, identity_class: undefined }],
      ['another class', { ...sigil, identity_class: 'general' }],
      ['no principal', { ...sigil, principal: undefined }],
      ['an empty principal', { ...sigil, principal: '' }],
      ['a principal of 25 characters', { ...sigil, principal: text(25) }],
      ['a principal that starts with a hyphen', { ...sigil, principal: '-acme' }],
      ['a principal in capitals', { ...sigil, principal: 'Acme' }],
      ['a principal with a line break after it', { ...sigil, principal: 'acme\n' }],
      ['no tier', { ...sigil, tier: undefined }],
      ['another tier', { ...sigil, tier: 'gov' }],
      ['a name of 49 characters', { ...sigil, name: text(49) }],
      ['a name with an asterisk', { ...sigil, name: 'a*b' }],
      ['a payment that is no text', { ...sigil, payment_tx: 7 }],
    ],
  },
  'reissue-proof': {
    accepted: [
      ['nothing', {}],
      ['a payment', { payment_tx: 'tx' }],
    ],
    refused: [['a payment that is no text', { payment_tx: 7 }]],
  },
  spawn: {
    accepted: [
      ['a name', { child_name: 'c' }],
      ['a name and a receipt as text', { child_name: 'c', beats_receipt: 'r' }],
      ['a name and a receipt as an object', { child_name: 'c', beats_receipt: { type: 'work_proof' } }],
      ['a name and a hash', { child_name: 'c', child_hash: HASH }],
      ['a hash alone', { child_hash: HASH }],
    ],
    refused: [
      ['nothing', {}],
      ['a receipt alone', { beats_receipt: 'r' }],
      ['an empty name', { child_name: '' }],
      ['a name of 65 characters', { child_name: text(65) }],
      ['a receipt that is a number', { child_name: 'c', beats_receipt: 7 }],
      ['a receipt that is a list', { child_name: 'c', beats_receipt: [] }],
      ['an invalid hash', { child_name: 'c', child_hash: CHAIN }],
    ],
  },
  'beats-submit': {
    accepted: [
      ['a proof', beatProof],
      ['a wrapped proof', { proof: beatProof }],
    ],
    refused: [
      ['nothing', {}],
      ['an empty proof', { proof: {} }],
      ...Object.keys(beatProof).map((field) => [`no ${field}`, { ...beatProof, [field]: undefined }] as const),
      ['a hash with 0x', { ...beatProof, to_hash: HASH }],
      ['a negative index', { ...beatProof, from_beat: -1 }],
      ['a spot check without prev', { ...beatProof, spot_checks: [{ index: 3, hash: CHAIN }] }],
    ],
  },
  resync: {
    accepted: [
      ['nothing', {}],
      ['a receipt as text', { beats_receipt: '' }],
      ['a receipt as an object', { beats_receipt: {} }],
      ['a challenge', { action: 'challenge' }],
      ['a proof', { action: 'prove', challenge_nonce: CHAIN, proof: beatProof }],
    ],
    refused: [
      ['another action', { action: 'thaw' }],
      ['a proof without its nonce', { action: 'prove', proof: beatProof }],
      ['a nonce without its proof', { action: 'prove', challenge_nonce: CHAIN }],
      ['a receipt that is a number', { beats_receipt: 7 }],
    ],
  },
  metadata: {
    accepted: [
      ...['substrate_model', 'capability_scope', 'generation_trigger'].map(
        (field) => [`${field} of 256 characters`, { [field]: text(256) }] as const,
      ),
      ['endpoint of 256 characters', { endpoint: `https://a.example/${text(238)}` }],
      ['text of 256 characters outside the basic plane', { substrate_model: '😀'.repeat(256) }],
      ['32 tools', { tools: names(32) }],
      ['a tool of 64 characters', { tools: [text(64)] }],
      ['no tools', { tools: [] }],
      ['16 modalities', { modality_input: names(16), modality_output: ['text-2', 'a_b'] }],
      ['a modality of 32 characters', { modality_output: [text(32)] }],
      ['a mutable field beside an unknown one', { substrate: 'open', colour: 'red' }],
    ],
    refused: [
      ['nothing', {}],
      ['an unknown field alone', { colour: 'red' }],
      ...['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'].map(
        (field) => [`${field} beside a mutable field`, { substrate: 'open', [field]: 'ind' }] as const,
      ),
      ['an immutable field as null', { substrate: 'open', tier: null }],
      ['another substrate', { substrate: 'quantum' }],
      ['a vendor of another dialect', { substrate_provider: 'anthropic' }],
      ['another capability', { capability: 'Analyst' }],
      ['another protocol', { protocol: 'ftp' }],
      ['another regime', { compliance_regime: 'ccpa' }],
      ...['substrate_model', 'capability_scope', 'endpoint', 'generation_trigger'].flatMap((field) => [
        [`${field} of 257 characters`, { [field]: text(257) }] as const,
        [`empty ${field}`, { [field]: '' }] as const,
        [`${field} that is null`, { [field]: null }] as const,
      ]),
      ['an endpoint of 257 characters', { endpoint: `https://a.example/${text(239)}` }],
      ['an endpoint that is no URL', { endpoint: 'not url' }],
      ['33 tools', { tools: names(33) }],
      ['a tool of 65 characters', { tools: [text(65)] }],
      ['a tool that is no text', { tools: [7] }],
      ['17 modalities', { modality_input: names(17) }],
      ['a modality of 33 characters', { modality_output: [text(33)] }],
      ['a modality in capitals', { modality_input: ['Text'] }],
    ],
  },
  wallet: {
    accepted: [
      ['a challenge', { action: 'challenge' }],
      ['self-custody', { wallet_nonce: 'n', wallet_public_key: KEY, wallet_signature: SIGNATURE }],
      [
        'an operator',
        {
          wallet_nonce: 'n',
          wallet_model: 'operator',
          operator_wallet_address: SOLANA,
          wallet_signature: SIGNATURE,
        },
      ],
    ],
    refused: [
      ['nothing', {}],
      ['another action', { action: 'link' }],
      [
        'a public key of 63 characters',
        { wallet_nonce: 'n', wallet_public_key: KEY.slice(1), wallet_signature: SIGNATURE },
      ],
      ['no signature', { wallet_nonce: 'n', wallet_public_key: KEY }],
      ['an operator without an address', { wallet_nonce: 'n', wallet_model: 'operator', wallet_signature: SIGNATURE }],
    ],
  },
  'sponsor.post': {
    accepted: [
      ['a child', { child_hash: HASH }],
      ['the lowest cap', { child_hash: HASH, max_heartbeats_epoch: 1 }],
      ['the highest cap', { child_hash: HASH, max_heartbeats_epoch: 10_000 }],
      ['an hour', { child_hash: HASH, expires_in_hours: 1 }],
      ['an hour and a half', { child_hash: HASH, expires_in_hours: 1.5 }],
    ],
    refused: [
      ['no child', {}],
      ['a child that is no hash', { child_hash: CHAIN }],
      ['a cap of 0', { child_hash: HASH, max_heartbeats_epoch: 0 }],
      ['a cap of 10001', { child_hash: HASH, max_heartbeats_epoch: 10_001 }],
      ['a cap and a half', { child_hash: HASH, max_heartbeats_epoch: 1.5 }],
      ['less than an hour', { child_hash: HASH, expires_in_hours: 0.9 }],
      ['more hours than a date can hold', { child_hash: HASH, expires_in_hours: 1e12 }],
    ],
  },
  'sponsor.delete': { accepted: [['a child', { child_hash: HASH }]], refused: [['no child', {}]] },
  flag: {
    accepted: [
      ...['narrow_task', 'autonomous', 'orchestrator'].map(
        (name) => [name, { ...flag, asserted_class: name }] as const,
      ),
      ['a reason of 2000 characters', { ...flag, reason: text(2000) }],
      ['a reason of 2000 characters outside the basic plane', { ...flag, reason: '😀'.repeat(2000) }],
    ],
    refused: [
      ['no target', { ...flag, target_hash: undefined }],
      ['another class', { ...flag, asserted_class: 'general' }],
      ['no reason', { ...flag, reason: undefined }],
      ['an empty reason', { ...flag, reason: '' }],
      ['a reason of 2001 characters', { ...flag, reason: text(2001) }],
    ],
  },
  'verify-batch': {
    accepted: [
      ['a list', { hashes: [HASH] }],
      ['no list, which the rule refuses', { hashes: 7 }],
    ],
    refused: [['nothing', {}]],
  },
  'beat-verify': {
    accepted: [
      ['a beat', { beat }],
      ['a beat by its mode', { mode: 'beat', beat: { ...beat, nonce: 'n', anchor_hash: CHAIN }, difficulty: 1 }],
      ['a chain of 1000 beats', { mode: 'chain', beats: Array.from({ length: 1000 }, () => beat) }],
      ['a beat proof', { mode: 'proof', proof: beatProof }],
      ['a work proof', { mode: 'proof', proof: workProof, difficulty: 5000 }],
    ],
    refused: [
      ['nothing', {}],
      ['another mode', { mode: 'anchor', beat }],
      ['an empty chain', { mode: 'chain', beats: [] }],
      ['a chain of 1001 beats', { mode: 'chain', beats: Array.from({ length: 1001 }, () => beat) }],
      ['a beat without prev', { beat: { index: 1, hash: CHAIN } }],
      ['a difficulty of 5001', { beat, difficulty: 5001 }],
    ],
  },
  'subsidy.post': {
    accepted: [
      ...['sigil', 'heartbeat', 'reissuance'].map((type) => [type, { ...subsidy, fee_type: type }] as const),
      ['the lowest discount', { ...subsidy, discount_bps: 1 }],
      ['the highest discount', { ...subsidy, discount_bps: 10_000 }],
      ['a floor of nothing', { ...subsidy, floor_lamports: 0 }],
      ['an end in UTC', { ...subsidy, valid_until: '2026-03-01T00:00:00Z' }],
      ['an end in another zone', { ...subsidy, valid_until: '2026-03-01T00:00:00.500+02:00' }],
      ['a date as the end', { ...subsidy, valid_until: '2026-03-01' }],
    ],
    refused: [
      ['no hash', { ...subsidy, agent_hash: undefined }],
      ['another type', { ...subsidy, fee_type: 'spawn' }],
      ['a discount of 0', { ...subsidy, discount_bps: 0 }],
      ['a discount of 10001', { ...subsidy, discount_bps: 10_001 }],
      ['a discount and a half', { ...subsidy, discount_bps: 1.5 }],
      ['no reason', { ...subsidy, reason: undefined }],
      ['an empty reason', { ...subsidy, reason: '' }],
      ['a negative floor', { ...subsidy, floor_lamports: -1 }],
      ['an end that is a number', { ...subsidy, valid_until: 1_767_225_600_000 }],
      ['an end in month 13', { ...subsidy, valid_until: '2026-13-01T00:00:00Z' }],
    ],
  },
  'subsidy.delete': {
    accepted: [['a hash and a type', { agent_hash: HASH, fee_type: 'sigil' }]],
    refused: [
      ['no type', { agent_hash: HASH }],
      ['no hash', { fee_type: 'sigil' }],
    ],
  },
  'partner-webhook.put': {
    accepted: [
      ...['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'].map(
        (event) => [event, { url: 'https://example.com/hook', events: [event] }] as const,
      ),
    ],
    refused: [
      ['no url', { events: ['agent.frozen'] }],
      ['a url over http', { url: 'http://example.com/', events: ['agent.frozen'] }],
      ['an invalid url', { url: 'example', events: ['agent.frozen'] }],
      ['no events', { url: 'https://example.com/' }],
      ['another event', { url: 'https://example.com/', events: ['agent.thawed'] }],
      ['events that are no list', { url: 'https://example.com/', events: 'agent.frozen' }],
    ],
  },
  'work-proof.post': {
    accepted: [
      ['a wrapped proof', { work_proof: workProof }],
      ['a flat proof', workProof],
    ],
    refused: [
      ['nothing', {}],
      ...Object.keys(workProof).map(
        (field) => [`no ${field}`, { work_proof: { ...workProof, [field]: undefined } }] as const,
      ),
      ['an invalid hash', { work_proof: { ...workProof, to_hash: 'h' } }],
    ],
  },
  'beat-timestamp': {
    accepted: [['a hash', { hash: CHAIN }]],
    refused: [
      ['nothing', {}],
      ['a short hash', { hash: 'ab' }],
      ['a number', { hash: 7 }],
    ],
  },
};
// The beats service's POST /beat/verify shares the schema of the registry's.
const shared = ['beats.beat-verify'];
const rows = (kind: 'accepted' | 'refused') =>
  Object.entries(table).flatMap(([id, bodies]) => bodies[kind].map(([what, body]) => [id, what, body] as const));

describe('bodies', () => {
  it.each(rows('accepted'))('%s accepts %s', (id, _, body) => {
    expect(schemaOf(id).safeParse(body).success).toBe(true);
  });

  it.each(rows('refused'))('%s refuses %s', (id, _, body) => {
    expect(schemaOf(id).safeParse(body).success).toBe(false);
  });

  it('are all listed above', () => {
    const taking = endpoints.filter(({ body }) => body !== null).map(({ id }) => id);
    expect([...Object.keys(table), ...shared].sort()).toEqual([...taking].sort());
  });

  it('keep names as sent, for the messages that are signed', () => {
    expect(schemaOf('register').parse({ name: ' scout ' })).toEqual({ mode: 'root', name: ' scout ' });
    expect(schemaOf('spawn').parse({ child_name: ' scout ' })).toEqual({ child_name: ' scout ' });
  });

  it('come unwrapped', () => {
    expect(schemaOf('beats-submit').parse({ proof: beatProof })).toEqual(beatProof);
    expect(schemaOf('work-proof.post').parse({ work_proof: workProof })).toEqual(workProof);
  });

  it('take mode and difficulty of beat/verify from the protocol where they are left out', () => {
    expect(schemaOf('beat-verify').parse({ beat })).toEqual({ mode: 'beat', beat, difficulty: 1000 });
  });

  it('take the vendors of the dialect', () => {
    const schema = schemaOf('metadata', { protocol, dialect: dialects.provenonce });
    expect(schema.safeParse({ substrate_provider: 'anthropic' }).success).toBe(true);
    expect(schema.safeParse({ substrate_provider: 'vendor_1' }).success).toBe(false);
  });
});
