// Whether every row of the specification's tables has a clause that says what the row says. The rows are those of spec/, which tests
// hold against the text; the words of a released clause do not change (spec/released).
import { describe, expect, it } from 'vitest';
import { endpoints } from '../endpoints/index.js';
import { errors } from '../errors.js';
import { clausesOfNumber } from '../numbers.js';
import { protocol } from '../protocol.js';
import { clauseById, clauses } from './index.js';

const HOUR_SEC = 3_600;

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

describe('the clauses hold', () => {
  const ofText = Object.values(errors).filter(({ source, endpoint }) => source === 'spec' && endpoint !== 'any');

  it.each(ofText)('the row of section 7: $endpoint $status $code', ({ endpoint, status, code, codeBinds }) => {
    const own = clauses.filter(({ id, section }) => section === '7' && id.startsWith(`${endpoint}.error.`));
    const words = [String(status), ...(codeBinds ? [code] : [])];
    const holding = own.filter(({ text, level }) => level === 'must' && words.every((word) => text.includes(word)));
    expect(holding.map(({ id }) => id)).not.toEqual([]);
  });

  it('the rows of section 7 for any endpoint', () => {
    expect(clauseById('auth.error.auth-missing').text).toContain('401 AUTH_MISSING');
    expect(clauseById('limit.error.rate-limited').text).toContain('429 RATE_LIMITED');
  });

  const ofService = endpoints.filter(({ service }) => service === 'registry');
  const credentials = {
    ...{ agent: 'agent key', admin: 'admin key', partner: 'partner key', none: 'no credential' },
    ...{ registration: 'parent key', spawn: 'parent key', sponsor: 'parent key', checkin: 'agent key' },
  } as const;

  it.each(ofService)('the endpoint $method $path', ({ id, stem, method, path, auth }) => {
    const clause = clauseById(id === stem ? `${stem}.route` : `${stem}.route.${method.toLowerCase()}`);
    expect(clause).toMatchObject({ section: '4.1', level: 'must' });
    expect(clause.text).toContain(`${method} ${path} `);
    expect(clause.text).toContain(credentials[stem as keyof typeof credentials] ?? credentials[auth]);
    // 4.1 gives the retired check-in a key; it is no public endpoint of section 5, rule 1.
    if (auth === 'none' && stem !== 'checkin') {
      expect(clauseById(`auth.public.${stem}`)).toMatchObject({ section: '5', level: 'must' });
    }
  });

  it.each(Object.entries(protocol.limits))('the limit %s', (name, { count, windowSec }) => {
    const texts = clausesOfNumber(`limits.${name}.count`).map((id) => clauseById(id).text);
    const rate = new RegExp(`\\b${count}( times)? an? ${windowSec === HOUR_SEC ? 'hour' : 'minute'}\\b`);
    expect(texts.filter((text) => !rate.test(text))).toEqual([]);
    expect(texts).not.toEqual([]);
  });

  it.each(constants)('%s of %s', (id, value) => {
    const clause = clauseById(id);
    expect(clause).toMatchObject({ section: '8', level: 'must' });
    expect(clause.text).toContain(value);
  });

  it.each(fields)('the fields of %s under %s', (section, prefix, names) => {
    for (const name of names.split(/\s+/)) {
      const clause = clauseById(`${prefix}.${name.replaceAll('_', '-')}`);
      expect(clause).toMatchObject({ section, level: 'must' });
      expect(clause.text).toContain(name);
    }
  });
});
