import { describe, expect, it } from 'vitest';
import { clauseById } from './index.js';

/** Section 7, row by row: status, code, and the ids of its clauses. */
const errors: readonly (readonly [status: number, code: string, ids: string])[] = [
  [400, 'PAYMENT_REQUIRED', 'heartbeat.error.payment-required'],
  [400, 'PAYMENT_INVALID', 'heartbeat.error.payment-invalid heartbeat.error.payment-invalid.amount'],
  [400, 'PAYMENT_INVALID', 'sigil.error.payment-invalid sigil.error.payment-invalid.amount'],
  [400, 'PAYMENT_INVALID', 'reissue-proof.error.payment-invalid reissue-proof.error.payment-invalid.amount'],
  [400, 'PAYMENT_SENDER_MISMATCH', 'heartbeat.error.payment-sender-mismatch'],
  [403, 'SIGIL_REQUIRED', 'heartbeat.error.sigil-required'],
  [403, 'WALLET_REQUIRED', 'heartbeat.error.wallet-required'],
  [403, 'WALLET_REQUIRED', 'sigil.error.wallet-required'],
  [403, 'SPONSOR_PARENT_FROZEN', 'heartbeat.error.sponsor-parent-frozen'],
  [409, 'PAYMENT_ALREADY_USED', 'heartbeat.error.payment-already-used'],
  [429, 'HEARTBEAT_TOO_SOON', 'heartbeat.error.heartbeat-too-soon'],
  [429, 'VOLUME_CAP_REACHED', 'heartbeat.error.volume-cap-reached'],
  [429, 'SPONSOR_CAP_REACHED', 'heartbeat.error.sponsor-cap-reached'],
  [400, 'VALIDATION', 'sigil.error.validation sigil.error.validation.tier sigil.error.validation.parameters'],
  [409, 'SIGIL_ALREADY_EXISTS', 'sigil.error.sigil-already-exists'],
  [402, 'RECEIPT_REQUIRED', 'spawn.error.receipt-required'],
  [400, 'INSUFFICIENT_BEATS', 'spawn.error.insufficient-beats'],
  [400, 'VALIDATION', 'spawn.error.validation'],
  [409, 'SPAWN_CONFLICT', 'spawn.error.spawn-conflict spawn.error.spawn-conflict.expired'],
  [409, 'AGENT_WRONG_STATE', 'resync.error.agent-wrong-state'],
  [402, 'RECEIPT_REQUIRED', 'resync.error.receipt-required'],
  [402, 'INVALID_RECEIPT', 'resync.error.invalid-receipt'],
  [403, 'SPONSOR_NOT_ANCESTOR', 'sponsor.error.sponsor-not-ancestor'],
  [400, 'SPONSOR_INVALID', 'sponsor.error.sponsor-invalid'],
  [400, 'VALIDATION', 'sponsor.error.validation sponsor.error.validation.parameters'],
  [403, 'WALLET_REQUIRED', 'sponsor.error.wallet-required'],
  [403, 'SPONSOR_PARENT_FROZEN', 'sponsor.error.sponsor-parent-frozen'],
  [404, 'AGENT_NOT_FOUND', 'sponsor.error.agent-not-found sponsor.error.agent-not-found.parent'],
  [404, 'SPONSOR_NOT_FOUND', 'sponsor.error.sponsor-not-found'],
  [400, 'VALIDATION', 'flag.error.validation flag.error.validation.reason'],
  [400, 'FLAG_SELF', 'flag.error.flag-self'],
  [403, 'FLAG_REPORTER_INELIGIBLE', 'flag.error.flag-reporter-ineligible flag.error.flag-reporter-ineligible.sandbox'],
  [404, 'FLAG_TARGET_NOT_FOUND', 'flag.error.flag-target-not-found'],
  [409, 'FLAG_DUPLICATE', 'flag.error.flag-duplicate'],
  [400, 'INVALID_INPUT', 'verify-batch.error.invalid-input'],
  [400, 'BATCH_TOO_LARGE', 'verify-batch.error.batch-too-large'],
  [400, 'INVALID_HASH', 'verify-batch.error.invalid-hash'],
  [400, 'SUBSIDY_INVALID', 'subsidy.error.subsidy-invalid subsidy.error.subsidy-invalid.discount-bps'],
  [401, 'AUTH_MISSING', 'subsidy.error.auth-missing'],
  [401, 'AUTH_INVALID', 'subsidy.error.auth-invalid subsidy.error.auth-invalid.expired'],
  [404, 'AGENT_NOT_FOUND', 'subsidy.error.agent-not-found'],
  [404, 'SUBSIDY_NOT_FOUND', 'subsidy.error.subsidy-not-found'],
  [400, 'WEBHOOK_INVALID', 'partner-webhook.error.webhook-invalid partner-webhook.error.webhook-invalid.events'],
  [401, 'AUTH_MISSING', 'partner-webhook.error.auth-missing'],
  [403, 'AUTH_FORBIDDEN', 'partner-webhook.error.auth-forbidden partner-webhook.error.auth-forbidden.suspended'],
  [415, 'CONTENT_TYPE_REQUIRED', 'register-token.error.content-type-required'],
  [400, '', 'wallet.error.nonce-invalid wallet.error.signature-invalid'],
  [401, '', 'wallet.error.auth-missing'],
  [404, '', 'wallet.error.agent-not-found'],
  [409, '', 'wallet.error.wallet-already-linked'],
  [400, '', 'metadata.error.validation metadata.error.validation.no-field metadata.error.validation.immutable'],
  [401, '', 'metadata.error.auth-missing'],
  [403, '', 'metadata.error.sigil-required'],
  [404, '', 'metadata.error.agent-not-found'],
  [401, 'AUTH_MISSING', 'auth.error.auth-missing auth.error.auth-missing.invalid'],
  [429, 'RATE_LIMITED', 'limit.error.rate-limited'],
  [410, '', 'checkin.error.gone'],
];

/** Section 8, limits: the clause, and the words that its row fixes. */
const limits: readonly (readonly [id: string, amount: string, subject: string])[] = [
  ['limit.register', '10 an hour', 'per IP'],
  ['limit.register', '5 a minute', 'older page'],
  ['limit.register.wallet-flow', '30 an hour', 'per IP'],
  ['limit.register-token.ip', '3 an hour', 'per IP'],
  ['limit.register-token.global', '50 an hour', 'all callers'],
  ['limit.wallet', '30 an hour', 'per IP'],
  ['limit.init', '30 an hour', 'endpoint subject'],
  ['limit.heartbeat', '60 a minute', 'endpoint subject'],
  ['limit.sigil', '5 an hour', 'endpoint subject'],
  ['limit.reissue-proof', '10 an hour', 'endpoint subject'],
  ['limit.spawn', '5 an hour', 'endpoint subject'],
  ['limit.spawn', '5 a minute', 'older page'],
  ['limit.beats-submit', '30 a minute', 'endpoint subject'],
  ['limit.resync.challenge', '5 a minute', 'per IP'],
  ['limit.resync.receipt', '10 an hour', 'per IP'],
  ['limit.metadata', '30 a minute', 'endpoint subject'],
  ['limit.sponsor.post', '10 an hour', 'per agent'],
  ['limit.sponsor.delete', '60 a minute', 'per agent'],
  ['limit.sponsor.get', '60 a minute', 'per agent'],
  ['limit.flag.ip', '10 a minute', 'per IP'],
  ['limit.flag.reporter', '3 times an hour', 'reporter'],
  ['limit.flag.target', '10 times an hour', 'target'],
  ['limit.flag.breaker', 'more than 20', '24 hours'],
  ['limit.verify-batch', '10 a minute', 'per IP'],
  ['limit.subsidy', '30 a minute', 'per IP'],
  ['limit.partner-webhook', '10 a minute', 'per partner'],
];

/** Section 8, other constants. */
const constants: readonly (readonly [id: string, value: string])[] = [
  ['constant.billing-epoch', '100,000 beats'],
  ['constant.passport-validity', '24 hours'],
  ['constant.heartbeat-interval', '10 beats'],
  ['constant.dms-threshold', 'more than 60'],
  ['constant.resync-penalty', '100 beats'],
  ['constant.resync-penalty-cap', '10,000 beats'],
  ['constant.nonce-ttl.wallet', '300 seconds'],
  ['constant.nonce-ttl.resync', '300 seconds'],
  ['constant.nonce-single-use.wallet', 'single use'],
  ['constant.nonce-single-use.resync', 'single use'],
  ['constant.registration-token-ttl', '300 seconds'],
  ['constant.registration-token-form', '64 hex'],
  ['constant.registration-metadata', '4 KB'],
  ['constant.verify-batch-min', '1 '],
  ['constant.verify-batch-max', '50 '],
  ['constant.flag-reason-min', '1 character'],
  ['constant.flag-reason-max', '2000 characters'],
  ['constant.webhook-timeout', '3 seconds'],
  ['constant.beats-difficulty', '1000'],
  ['constant.subsidy-floor', '5000 lamports'],
];

/** Section 4.1, one row per method. */
const endpoints: readonly (readonly [method: string, path: string, id: string, auth: string])[] = [
  ['POST', '/api/v1/register', 'register.route', 'parent key'],
  ['POST', '/api/v1/register/token', 'register-token.route', 'no credential'],
  ['POST', '/api/v1/agent/init', 'init.route', 'agent key'],
  ['POST', '/api/v1/agent/heartbeat', 'heartbeat.route', 'agent key'],
  ['POST', '/api/v1/sigil', 'sigil.route', 'agent key'],
  ['POST', '/api/v1/agent/reissue-proof', 'reissue-proof.route', 'agent key'],
  ['POST', '/api/v1/agent/spawn', 'spawn.route', 'parent key'],
  ['POST', '/api/v1/agent/beats/submit', 'beats-submit.route', 'agent key'],
  ['POST', '/api/v1/agent/resync', 'resync.route', 'agent key'],
  ['PATCH', '/api/v1/agent/metadata', 'metadata.route', 'agent key'],
  ['POST', '/api/v1/agent/wallet', 'wallet.route', 'agent key'],
  ['GET', '/api/v1/agent/passport', 'passport.route', 'agent key'],
  ['POST', '/api/v1/agent/sponsor', 'sponsor.route.post', 'parent key'],
  ['DELETE', '/api/v1/agent/sponsor', 'sponsor.route.delete', 'parent key'],
  ['GET', '/api/v1/agent/sponsor', 'sponsor.route.get', 'parent key'],
  ['POST', '/api/v1/agent/flag', 'flag.route', 'agent key'],
  ['POST', '/api/v1/agent/checkin', 'checkin.route', 'agent key'],
  ['POST', '/api/v1/verify/batch', 'verify-batch.route', 'no credential'],
  ['GET', '/api/v1/status/:hash', 'status.route', 'no credential'],
  ['GET', '/api/v1/verify/:hash', 'verify.route', 'no credential'],
  ['GET', '/api/v1/agent/beat-status/:hash', 'beat-status.route', 'no credential'],
  ['GET', '/api/v1/beat/anchor', 'beat-anchor.route', 'no credential'],
  ['POST', '/api/v1/beat/verify', 'beat-verify.route', 'no credential'],
  ['GET', '/api/v1/.well-known/authority-key', 'authority-key.route', 'no credential'],
  ['GET', '/api/v1/fees/summary', 'fees-summary.route', 'no credential'],
  ['POST', '/api/v1/admin/agent/subsidy', 'subsidy.route.post', 'admin key'],
  ['DELETE', '/api/v1/admin/agent/subsidy', 'subsidy.route.delete', 'admin key'],
  ['PUT', '/api/v1/partner/webhook', 'partner-webhook.route.put', 'partner key'],
  ['GET', '/api/v1/partner/webhook', 'partner-webhook.route.get', 'partner key'],
  ['DELETE', '/api/v1/partner/webhook', 'partner-webhook.route.delete', 'partner key'],
];

/** Sections 2.1 to 2.13: the prefix of the ids, and the fields of the table. */
const fields: readonly (readonly [section: string, prefix: string, names: string])[] = [
  ['2.1', 'agent.field', 'ok hash api_key secret type parent depth name metadata wallet_model wallet_chain birth_tx'],
  ['2.3', 'init.reply', 'agent_hash genesis difficulty status'],
  ['2.4', 'proof.field', 'from_beat to_beat from_hash to_hash beats_computed global_anchor anchor_hash spot_checks'],
  ['2.5', 'work-proof.field', 'from_hash to_hash beats_computed difficulty anchor_hash anchor_index spot_checks'],
  [
    '2.6',
    'passport.field',
    `format_version agent_hash agent_public_key authority_key_id identity_class registered_at_beat sigil_issued_at_beat
     last_heartbeat_beat lineage_chain_hash issued_at valid_until service_signature`,
  ],
  ['2.7', 'sigil.field', 'sigil sigil_name principal tier identity_class issued_at_beat birth_tx explorer_url'],
  [
    '2.8',
    'metadata.field',
    `substrate substrate_provider substrate_model capability capability_scope tools modality_input modality_output
     protocol endpoint compliance_regime generation_trigger`,
  ],
  ['2.9', 'fee.field', 'amount_sol amount_lamports tier payment_tx'],
  [
    '2.10',
    'sponsor.field',
    'parent_hash child_hash status max_heartbeats_epoch heartbeats_used_epoch expires_at created_at',
  ],
  ['2.11', 'subsidy.field', 'agent_hash fee_type discount_bps floor_lamports reason valid_until'],
  ['2.12', 'flag.field', 'flag_id status target_hash asserted_class reason'],
  ['2.13', 'partner-webhook.field', 'webhook_url events webhook_secret configured'],
];

/** Statements outside the tables above, by section: each id and the words that it must hold. */
const statements: readonly (readonly [section: string, id: string, ...words: string[]])[] = [
  ['2.2', 'register.metadata.size', '4 KB'],
  ['2.3', 'init.reply.next-steps', '_next_steps', 'purchase_sigil', 'heartbeat', 'spawn_children', 'check_status'],
  ['2.3', 'init.reply.again', 'genesis_hash', 'total_beats', 'latest_hash', 'latest_beat'],
  ['3.1', 'dms.freeze', 'more than 60'],
  ['3.1', 'resync.transition.event', 'agent.unfrozen'],
  ['3.2', 'wallet.transition.again', '409'],
  ['3.3', 'sigil.transition.again', '409 SIGIL_ALREADY_EXISTS'],
  ['3.4', 'sponsor.transition.key-revoked', 'revoked'],
  ['3.5', 'flag.transition.sustained', 'refused'],
  ['3.6', 'spawn.flow.probe', 'Step 1', '402 RECEIPT_REQUIRED'],
  ['3.6', 'spawn.flow.anchor', 'Step 2'],
  ['3.6', 'spawn.flow.compute', 'Step 3'],
  ['3.6', 'spawn.flow.receipt', 'Step 4'],
  ['3.6', 'spawn.flow.preflight', 'Step 5'],
  ['3.6', 'spawn.flow.register', 'Step 6'],
  ['3.6', 'spawn.flow.finalize', 'Step 7'],
  ['4.2', 'register.operator.message', 'service-register-operator:<nonce>:<address>:<name>'],
  ['4.2', 'register.ethereum.message', 'service-register-ethereum:<nonce>:<address>:<name>', 'EIP-191'],
  ['4.2', 'register.self-custody.message', 'service-register:<nonce>:<pubkey_hex>:<name>'],
  ['4.3', 'register-token.reply', 'ok', 'token', 'expires_in_sec', '_info'],
  ['4.5', 'heartbeat.interval.min', '10 beats'],
  ['4.5', 'heartbeat.interval.reply', 'HEARTBEAT_TOO_SOON', 'next_eligible_beat'],
  ['4.5', 'fee.heartbeat.tier-1', '1 to 100', '500000 lamports'],
  ['4.5', 'fee.heartbeat.tier-2', '101 to 1,000', '0.0003 SOL'],
  ['4.5', 'fee.heartbeat.tier-3', '1,001', '0.0002 SOL'],
  ['4.5', 'heartbeat.cap.narrow-task', '1,000'],
  ['4.5', 'heartbeat.cap.autonomous', '5,000'],
  ['4.5', 'heartbeat.cap.orchestrator', '20,000'],
  ['4.5', 'split.operations', '30%'],
  ['4.5', 'split.contributors', '30%'],
  ['4.5', 'split.referral', '10%'],
  ['4.5', 'split.development.start', '15%'],
  ['4.5', 'split.development.fall', '1%'],
  ['4.5', 'split.development.floor', '5%'],
  ['4.5', 'split.treasury.start', '15%'],
  ['4.6', 'sigil.body.principal', '^[a-z0-9][a-z0-9-]{0,23}$'],
  ['4.6', 'fee.sigil.narrow-task', '50000000 lamports'],
  ['4.6', 'fee.sigil.autonomous', '0.15 SOL'],
  ['4.6', 'fee.sigil.orchestrator', '0.35 SOL'],
  ['4.7', 'fee.reissuance', '200000 lamports'],
  ['4.8', 'spawn.cost.check.0-0', '1,000'],
  ['4.8', 'spawn.cost.check.0-1', '1,200'],
  ['4.8', 'spawn.cost.check.1-0', '1,500'],
  ['4.8', 'spawn.cost.check.1-1', '1,800'],
  ['4.8', 'spawn.cost.check.2-0', '2,250'],
  ['4.8', 'spawn.cost.check.2-3', '3,888'],
  ['4.9', 'beats-submit.reply', 'beats_accepted', 'latest_beat_index', 'spot_checks_verified'],
  ['4.10', 'resync.challenge.reply', 'required_beats', 'start_from_hash', 'start_from_beat', 'sync_to_global'],
  ['4.10', 'resync.receipt.reply', 'last_global_sync', 'gap_anchors', 'beats_proven', 'receipt_based'],
  ['4.10', 'resync.penalty', '100 beats'],
  ['4.10', 'resync.penalty.cap', '10,000'],
  ['4.11', 'metadata.reply', 'sigil', 'generation', 'updated_fields'],
  ['4.12', 'wallet.self-custody.message', 'service-link-wallet:<nonce>:<wallet_public_key_hex>:<agent_hash>'],
  ['4.12', 'wallet.operator.message', 'service-link-wallet-operator:<nonce>:<operator_wallet_address>:<agent_hash>'],
  ['4.13', 'sponsor.post.body.max-heartbeats-epoch', '1 to 10,000'],
  ['4.13', 'sponsor.post.body.max-heartbeats-epoch.default', '100'],
  ['4.14', 'verify-batch.body.hashes', '1 to 50'],
  ['4.15', 'checkin.reply.deprecated', 'true'],
  ['4.16', 'flag.body.reason', '1 to 2000'],
  ['4.17', 'subsidy.post.body.discount-bps', '1 to 10000'],
  ['4.17', 'fee.floor.default', '5,000'],
  ['4.18', 'partner-webhook.get.no-secret', 'secret'],
  ['5', 'key.admin', 'pva_'],
  ['5', 'key.partner', 'pvp_', 'pvt_'],
  ['5', 'auth.rate-bucket.agent', 'path', 'agent'],
  ['6', 'event.sigil-purchased', 'sigil.purchased'],
  ['6', 'event.heartbeat-recorded', 'heartbeat.recorded'],
  ['6', 'event.agent-frozen', 'agent.frozen'],
  ['6', 'event.agent-unfrozen', 'agent.unfrozen'],
  ['6', 'delivery.signature.header', 'x-service-signature', 'sha256=<hex_hmac>'],
  ['6', 'delivery.timeout', '3 seconds'],
  ['9', 'versioning.path', '/api/v1'],
  ['9', 'versioning.lineage-proof', '2026-09-01'],
];

/** Section 5, rule 1. */
const publicEndpoints =
  'status verify verify-batch beat-status beat-anchor beat-verify authority-key fees-summary register-token'.split(' ');

describe('the clauses hold', () => {
  it.each(errors)('the error row %i %s: %s', (status, code, ids) => {
    for (const clause of ids.split(' ').map(clauseById)) {
      expect(clause).toMatchObject({ section: '7', level: 'must' });
      expect(clause.text).toContain(String(status));
      expect(clause.text).toContain(code);
    }
  });

  it.each(limits)('the limit %s of %s, %s', (id, amount, subject) => {
    const clause = clauseById(id);
    expect(clause).toMatchObject({ section: '8', level: 'must' });
    expect(clause.text).toContain(amount);
    expect(clause.text.toLowerCase()).toContain(subject.toLowerCase());
  });

  it.each(constants)('%s of %s', (id, value) => {
    const clause = clauseById(id);
    expect(clause).toMatchObject({ section: '8', level: 'must' });
    expect(clause.text).toContain(value);
  });

  it.each(endpoints)('the endpoint %s %s', (method, path, id, auth) => {
    const clause = clauseById(id);
    expect(clause).toMatchObject({ section: '4.1', level: 'must' });
    expect(clause.text).toContain(`${method} ${path} `);
    expect(clause.text).toContain(auth);
  });

  it.each(fields)('the fields of %s under %s', (section, prefix, names) => {
    for (const name of names.split(/\s+/)) {
      const clause = clauseById(`${prefix}.${name.replaceAll('_', '-')}`);
      expect(clause).toMatchObject({ section, level: 'must' });
      expect(clause.text).toContain(name);
    }
  });

  it.each(statements)('the statement of %s in %s', (section, id, ...words) => {
    const clause = clauseById(id);
    expect(clause).toMatchObject({ section, level: 'must' });
    for (const word of words) expect(clause.text).toContain(word);
  });

  it.each(publicEndpoints)('that %s needs no credential', (stem) => {
    expect(clauseById(`auth.public.${stem}`)).toMatchObject({ section: '5', level: 'must' });
  });
});
