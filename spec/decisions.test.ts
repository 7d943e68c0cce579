import { describe, expect, it } from 'vitest';
import { decisions } from './decisions.js';

/** Facts that the project would lose with a careless edit: numbers, names, formats and codes. */
const facts: readonly (readonly [id: string, ...facts: string[]])[] = [
  ['D-01', 'SERVICE_BEATS_V1', 'PROVENONCE_BEATS_V1', 'x-provenonce-signature', 'eddsa-service-2026', 'deepseek'],
  ['D-02', '<prev>:<index>:<nonce>', ':<anchor_hash>', 'difficulty + 1'],
  ['D-03', 'beats:genesis:v1:<agent_hash>', '64 zeros'],
  ['D-04', '60 s', 'floor(current_beat / 100000)', 'beatsPerAnchor'],
  ['D-05', 'u64 big-endian', 'beats:genesis:v1:', 'floor(beat_index / 100)', 'anchor_interval_sec: 60'],
  ['D-06', 'newest 5'],
  ['D-07', 'min(3, beats_computed)', '25', '10,000', 'proof.challengeChecks', '2 ms'],
  ['D-08', '/api/health', '100 to 5,000', 'work.difficultyMin', '5/min', 'insufficient_spot_checks', 'stale_anchor'],
  ['D-09', 'base64url', '60 anchors', 'beats_verified'],
  ['D-10', '1000', '10/min'],
  ['D-11', 'pvn-ed25519-', '16 hex', '2026-09-01'],
  ['D-12', 'passport_vc', '10/hour', '403 SIGIL_REQUIRED'],
  ['D-13', 'schema_version: 1', 'verifyPassport'],
  ['D-14', '64 zeros', 'wallet_linked', 'unfrozen'],
  ['D-15', '{h, k, iat}', '401 AUTH_MISSING', '64 hex'],
  ['D-16', '1 to 64', 'depthMax'],
  ['D-17', '^[a-z0-9][a-z0-9-]{0,47}$', '409 SIGIL_NAME_TAKEN', '^[a-z][a-z0-9_-]{0,31}$', '16 words'],
  ['D-18', 'wallet_nonce', '300 s', '65 bytes', 'EIP-2098'],
  ['D-19', 'more than 48', '404', '400 INVALID_HASH', 'heartbeat_refused_reason'],
  ['D-20', 'lineage_depth', '3 intervals'],
  ['D-21', 'deadline_anchors: 60', 'next_child_cost'],
  ['D-22', 'fee_split_bps', 'proof_reissuance_sol'],
  ['D-23', '60/min'],
  ['D-24', 'more than 60'],
  ['D-25', '403 AGENT_FROZEN', '409 AGENT_NOT_INITIALIZED', '403 HEARTBEAT_REFUSED', '409 PAYMENT_ALREADY_USED'],
  ['D-26', 'interval', 'epoch cap', 'sender'],
  ['D-27', 'confirmed', 'exactly', 'one sender', '503 LEDGER_UNAVAILABLE'],
  ['D-28', '403', 'BYO-wallet'],
  ['D-29', 'still frozen'],
  ['D-30', 'expired', 'created_at', 'null'],
  [
    'D-31',
    '1000·3^depth / 2^depth',
    '12^siblings / 10^siblings',
    '1,727',
    '2,591',
    '3,887',
    '5,831',
    '300 s',
    '409 SPAWN_CONFLICT',
  ],
  ['D-32', '400 WALLET_CHAIN_UNSUPPORTED', '401 AUTH_INVALID', '404 AGENT_NOT_FOUND'],
  ['D-33', '64 KB', '256 KB', '413 BODY_TOO_LARGE', '405 METHOD_NOT_ALLOWED', 'CHAIN_MISMATCH', '400 INVALID_JSON'],
  ['D-34', 'Retry-After', 'retry_after_ms', 'the 22nd', 'X-Forwarded-For'],
  ['D-35', 'gap_anchors', '400 VALIDATION'],
  ['D-36', 'sustain', 'dismiss', 'resolve'],
  ['D-37', '1 min, 5 min, 30 min, 2 h and 12 h', '16 hex', 'missed_anchors', 'WEBHOOK_INVALID'],
  ['D-38', '365 days', '100 bps', '500', 'floor(base × (10000 − bps) / 10000)'],
  ['D-39', 'lower case'],
  ['D-40', '{}', '400 VALIDATION'],
  ['D-41', 'last_heartbeat_beat'],
  ['D-42', 'available_beats', 'gap_beats'],
  ['D-43', 'registered, active, warning, frozen and refused'],
  ['D-44', '10^9', '2^53'],
  ['D-45', 'rec_', 'https://explorer.solana.com/tx/<signature>?cluster=devnet', 'expires_in: 300'],
  ['D-46', 'phase 2'],
  ['D-47', 'code points', '1 to 256', 'starts at 1', 'IEEE 754', '2^53 - 1'],
  ['D-48', 'ISO 8601'],
  ['D-49', '403 AGENT_FROZEN', '403 SPONSOR_PARENT_FROZEN'],
  ['D-50', 'narrow_task', '400 PAYMENT_SENDER_MISMATCH', '403 SIGIL_REQUIRED'],
  ['D-51', '{ok, agent_hash, wallet, wallet_model, wallet_chain}', 'Solana'],
  ['D-52', '410'],
  ['D-53', 'AIPS_FEE_SIGIL_NARROW_TASK', 'AIPS_FEE_HEARTBEAT_TIER3', 'AIPS_FEE_REISSUANCE', '400 SUBSIDY_INVALID'],
  ['D-54', 'pvt_', 'pvp_', '403 AUTH_FORBIDDEN', 'configured: false'],
  ['D-55', '400 NONCE_INVALID', '400 SIGNATURE_INVALID', '409 WALLET_ALREADY_LINKED'],
  ['D-56', '2026-01-01T00:00:00Z', '--start'],
  [
    'D-57',
    '{valid: true, receipt}',
    'age 0 to 5',
    'More than 25 checks, none, or 0 beats are 400',
    'within 100 to 1,000,000',
    '10 a day per IP',
    '256 bytes (413)',
    'provenonce:beats:work-proof:v1',
    'last entry of X-Forwarded-For',
    '/.well-known/provenonce-authority.json',
    'up to 63 characters',
    '5/hour without a wallet, 10/hour with',
    'agent:type:beat:prev',
    '1,727, 2,591, 3,887 and 5,831',
    'POST /sigil/check',
  ],
];

describe('decisions', () => {
  it('run from D-01 to D-57 in order', () => {
    expect(decisions.map(({ id }) => id)).toEqual(
      Array.from({ length: 57 }, (_, index) => `D-${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('say what is open, what is done and why', () => {
    for (const { title, open, does, why } of decisions) {
      expect(title).not.toBe('');
      for (const text of [open, does, why]) expect(text).toMatch(/^\S.{9,}\.$/);
    }
  });

  it('have titles that no two share', () => {
    expect(new Set(decisions.map(({ title }) => title)).size).toBe(57);
  });

  it('are frozen', () => {
    expect(Object.isFrozen(decisions)).toBe(true);
    expect(decisions.filter((decision) => !Object.isFrozen(decision))).toEqual([]);
  });

  it('are all listed with their facts', () => {
    expect(facts.map(([id]) => id)).toEqual(decisions.map(({ id }) => id));
  });

  it('of D-31 name the costs at which floating point differs from exact integers', () => {
    const differing: string[] = [];
    for (let depth = 0; depth < 8; depth++) {
      for (let siblings = 0; siblings < 6; siblings++) {
        const exact =
          (((1_000n * 3n ** BigInt(depth)) / 2n ** BigInt(depth)) * 12n ** BigInt(siblings)) / 10n ** BigInt(siblings);
        const inexact = Math.floor(Math.floor(1_000 * 1.5 ** depth) * 1.2 ** siblings);
        if (BigInt(inexact) !== exact) differing.push(`${depth}/${siblings}: ${inexact}`);
      }
    }
    expect(differing).toEqual(['0/3: 1727', '1/3: 2591', '2/3: 3887', '3/3: 5831']);
  });

  it.each(facts)('%s keeps its facts', (id, ...wanted) => {
    const does = decisions.find((decision) => decision.id === id)?.does;
    for (const fact of wanted) expect(does).toContain(fact);
  });
});
