/** The clauses of section 7: error bodies, and the error table row by row. */

import type { Clause, Demand } from '../clause.js';
import { musts, says } from './rows.js';

/** The endpoint column of the error table, where it differs from the first word of an id. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  auth: 'any',
  limit: 'any',
  'heartbeat.wallet-required': 'heartbeat, sigil',
  'heartbeat.payment-invalid': 'heartbeat, sigil, reissue-proof',
  'sigil.wallet-required': 'heartbeat, sigil',
  'sigil.payment-invalid': 'heartbeat, sigil, reissue-proof',
  'reissue-proof.payment-invalid': 'heartbeat, sigil, reissue-proof',
  'verify-batch': 'verify/batch',
  subsidy: 'admin subsidy',
  'partner-webhook': 'partner webhook',
  'register-token': 'register/token',
  wallet: 'wallet link',
};

/** Endpoints whose rows in the error table name no code. */
const CODELESS: ReadonlySet<string> = new Set(['wallet', 'metadata', 'checkin']);

/** The row of the error table that `heartbeat.error.too-soon` and the like rest on: endpoint, status and code. */
function errorRow(id: string, demand: Demand | undefined): string {
  const [stem = '', , cause = ''] = id.split('.');
  const endpoint = ENDPOINTS[`${stem}.${cause}`] ?? ENDPOINTS[stem] ?? stem;
  const code = CODELESS.has(stem) ? '' : ` ${cause.replaceAll('-', '_').toUpperCase()}`;
  return `table of errors, row ${endpoint} ${demand?.status ?? ''}${code}`;
}

const keyNamesAgent = 'a valid agent key names an existing agent, and no call of the interface removes one';

/** Section 7: error bodies, and the error table row by row (a further cause of one code has a suffix). */
export const section7: readonly Clause[] = [
  ...musts('7', 'paragraph “Error bodies have the shape”', {
    'error.body.error': 'An error body carries error, a string.',
    'error.body.code': 'An error body carries code, a string, for every row of the error table that names a code.',
  }),
  ...musts('7', errorRow, {
    'heartbeat.error.payment-required': 'A heartbeat whose payment_tx is missing gets 400 PAYMENT_REQUIRED.',
    'heartbeat.error.payment-invalid': 'A heartbeat that names a transaction nobody can find gets 400 PAYMENT_INVALID.',
    'heartbeat.error.payment-invalid.amount':
      'A heartbeat whose transaction pays another amount than the fee gets 400 PAYMENT_INVALID.',
    'sigil.error.payment-invalid':
      'A SIGIL purchase that names a transaction nobody can find gets 400 PAYMENT_INVALID.',
    'sigil.error.payment-invalid.amount':
      'A SIGIL purchase whose transaction pays another amount than the class costs gets 400 PAYMENT_INVALID.',
    'reissue-proof.error.payment-invalid':
      'A reissue that names a transaction nobody can find gets 400 PAYMENT_INVALID.',
    'reissue-proof.error.payment-invalid.amount':
      'A reissue whose transaction pays another amount than the reissue fee gets 400 PAYMENT_INVALID.',
    'heartbeat.error.payment-sender-mismatch':
      'A heartbeat paid from a wallet that neither the agent nor a sponsor owns gets 400 PAYMENT_SENDER_MISMATCH.',
    'heartbeat.error.sigil-required': 'A heartbeat of a root agent that holds no SIGIL gets 403 SIGIL_REQUIRED.',
    'heartbeat.error.wallet-required': 'A heartbeat of an agent that is still api-sponsored gets 403 WALLET_REQUIRED.',
    'sigil.error.wallet-required': 'A SIGIL purchase by an agent that is still api-sponsored gets 403 WALLET_REQUIRED.',
    'heartbeat.error.sponsor-parent-frozen':
      'A heartbeat paid by a sponsoring parent who is frozen gets 403 SPONSOR_PARENT_FROZEN.',
    'heartbeat.error.payment-already-used':
      'A heartbeat whose payment has already served a heartbeat gets 409 PAYMENT_ALREADY_USED.',
    'heartbeat.error.heartbeat-too-soon':
      'A heartbeat fewer than 10 beats after the previous one gets 429 HEARTBEAT_TOO_SOON.',
    'heartbeat.error.volume-cap-reached':
      'A heartbeat beyond the class cap of the current epoch gets 429 VOLUME_CAP_REACHED.',
    'heartbeat.error.sponsor-cap-reached':
      'A sponsored heartbeat beyond the epoch cap of its sponsorship gets 429 SPONSOR_CAP_REACHED.',

    'sigil.error.validation': 'A SIGIL purchase with an unknown identity_class gets 400 VALIDATION.',
    'sigil.error.validation.tier': 'A SIGIL purchase with an unknown tier gets 400 VALIDATION.',
    'sigil.error.validation.parameters':
      'A SIGIL purchase with any other bad parameter, such as a malformed principal, gets 400 VALIDATION.',
    'sigil.error.sigil-already-exists':
      'A second SIGIL purchase by the same agent gets 409 with the code SIGIL_ALREADY_EXISTS.',

    'spawn.error.receipt-required': 'A spawn probe that needs a receipt and has none gets 402 RECEIPT_REQUIRED.',
    'spawn.error.insufficient-beats':
      'A spawn preflight whose receipt proves fewer beats than required gets 400 INSUFFICIENT_BEATS.',
    'spawn.error.validation': 'A spawn call with missing or invalid fields gets 400 VALIDATION.',
    'spawn.error.spawn-conflict': 'A spawn call for a child that is registered already gets 409 SPAWN_CONFLICT.',
    'spawn.error.spawn-conflict.expired': 'A spawn whose authorization has expired ends in 409 SPAWN_CONFLICT.',

    'resync.error.agent-wrong-state': 'A resync of an agent that is not frozen gets 409 AGENT_WRONG_STATE.',
    'resync.error.receipt-required':
      'A resync without beats_receipt gets 402 RECEIPT_REQUIRED while BEATS_REQUIRED is true.',
    'resync.error.invalid-receipt': 'A resync whose receipt does not pass validation gets 402 INVALID_RECEIPT.',

    'sponsor.error.sponsor-not-ancestor':
      'Sponsoring an agent that does not descend from the sponsor gets 403 SPONSOR_NOT_ANCESTOR.',
    'sponsor.error.sponsor-invalid': 'Sponsoring oneself gets 400 SPONSOR_INVALID.',
    'sponsor.error.validation': 'A sponsor call with an invalid child_hash gets 400 VALIDATION.',
    'sponsor.error.validation.parameters':
      'A sponsor call whose cap or expiry is out of its bounds or of another type gets 400 VALIDATION.',
    'sponsor.error.wallet-required': 'Sponsoring by a parent without a linked wallet gets 403 WALLET_REQUIRED.',
    'sponsor.error.sponsor-parent-frozen': 'Sponsoring by a frozen parent gets 403 SPONSOR_PARENT_FROZEN.',
    'sponsor.error.agent-not-found': 'Sponsoring a child that does not exist gets 404 AGENT_NOT_FOUND.',
    'sponsor.error.agent-not-found.parent': [
      'Sponsoring by a parent that does not exist gets 404 AGENT_NOT_FOUND.',
      keyNamesAgent,
    ],
    'sponsor.error.sponsor-not-found': 'Revoking where no sponsorship is active gets 404 SPONSOR_NOT_FOUND.',

    'flag.error.validation': 'A flag with an unknown asserted_class gets 400 VALIDATION.',
    'flag.error.validation.reason': 'A flag with a missing, empty or overlong reason gets 400 VALIDATION.',
    'flag.error.flag-self': 'A flag against its own reporter gets 400 FLAG_SELF.',
    'flag.error.flag-reporter-ineligible': 'A flag by a reporter without a SIGIL gets 403 FLAG_REPORTER_INELIGIBLE.',
    'flag.error.flag-reporter-ineligible.sandbox':
      'A flag by a reporter whose SIGIL is of the sandbox tier gets 403 FLAG_REPORTER_INELIGIBLE.',
    'flag.error.flag-target-not-found': 'A flag against an agent that does not exist gets 404 FLAG_TARGET_NOT_FOUND.',
    'flag.error.flag-duplicate':
      'A second flag of the same reporter against the same target gets 409 FLAG_DUPLICATE while the first is pending.',

    'verify-batch.error.invalid-input': 'A batch without hashes, or with an empty list, gets 400 INVALID_INPUT.',
    'verify-batch.error.batch-too-large': 'A batch of more than 50 hashes gets 400 BATCH_TOO_LARGE.',
    'verify-batch.error.invalid-hash': 'A batch that holds a malformed hash gets 400 INVALID_HASH.',

    'subsidy.error.subsidy-invalid': 'A subsidy with an unknown fee_type gets 400 SUBSIDY_INVALID.',
    'subsidy.error.subsidy-invalid.discount-bps':
      'A subsidy with an invalid discount_bps gets 400 with the code SUBSIDY_INVALID.',
    'subsidy.error.auth-missing': 'A subsidy call without an admin key gets 401 AUTH_MISSING.',
    'subsidy.error.auth-invalid': 'A subsidy call with an unknown admin key gets 401 AUTH_INVALID.',
    'subsidy.error.auth-invalid.expired': 'A subsidy call with an expired admin key gets 401 AUTH_INVALID.',
    'subsidy.error.agent-not-found': 'A subsidy for an agent that does not exist gets 404 AGENT_NOT_FOUND.',
    'subsidy.error.subsidy-not-found': 'Deleting a subsidy that does not exist gets 404 SUBSIDY_NOT_FOUND.',

    'partner-webhook.error.webhook-invalid': 'A webhook whose url is missing or invalid gets 400 WEBHOOK_INVALID.',
    'partner-webhook.error.webhook-invalid.events':
      'A webhook whose events are missing or invalid gets 400 WEBHOOK_INVALID.',
    'partner-webhook.error.auth-missing':
      'A partner webhook call without an Authorization header gets 401 AUTH_MISSING.',
    'partner-webhook.error.auth-forbidden': 'A partner webhook call of an unknown partner gets 403 AUTH_FORBIDDEN.',
    'partner-webhook.error.auth-forbidden.suspended':
      'A partner webhook call of a suspended partner gets 403 AUTH_FORBIDDEN.',

    'register-token.error.content-type-required':
      'A token request whose Content-Type is not application/json gets 415 CONTENT_TYPE_REQUIRED.',

    'wallet.error.nonce-invalid': 'A wallet link with an invalid or expired nonce gets 400 and an error string.',
    'wallet.error.signature-invalid': 'A wallet link with an invalid signature gets 400 and an error string.',
    'wallet.error.auth-missing': says('A wallet link with an invalid API key gets 401 and an error string.', {
      status: 401,
    }),
    'wallet.error.agent-not-found': ['A wallet link for an agent that does not exist gets 404.', keyNamesAgent],
    'wallet.error.wallet-already-linked':
      'A wallet link for an agent that has a linked wallet already gets 409 and an error string.',

    'metadata.error.validation': 'A metadata change that breaks the vocabulary of a field gets 400.',
    'metadata.error.validation.no-field': 'A metadata change that names no valid mutable field gets 400.',
    'metadata.error.validation.immutable': 'A metadata change that touches an immutable field gets 400.',
    'metadata.error.auth-missing': says('A metadata change with a bad key gets 401.', { status: 401 }),
    'metadata.error.sigil-required': 'A metadata change by an agent without a SIGIL gets 403.',
    'metadata.error.agent-not-found': ['A metadata change for an agent that does not exist gets 404.', keyNamesAgent],

    'auth.error.auth-missing': 'Any route that takes an agent key answers 401 AUTH_MISSING when the key is missing.',
    'auth.error.auth-missing.invalid':
      'Any route that takes an agent key answers 401 AUTH_MISSING when the key is invalid.',
    'limit.error.rate-limited': 'Any route whose rate limit is exceeded answers 429 RATE_LIMITED.',
    'checkin.error.gone': 'The retired check-in answers 410.',
  }),
];
