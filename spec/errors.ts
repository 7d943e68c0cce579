/**
 * The error table: every refusal of every endpoint, in the order in which the reference checks. A rule names a row and
 * adds nothing to it.
 */

import { deepFreeze } from './freeze.js';

/** Where an error row comes from: a row of section 7, or a decision that fills a gap. */
export type ErrorSource = 'spec' | `D-${number}`;

/** One way in which an endpoint refuses a request. */
export interface ErrorRow {
  /** The stem of the endpoint, or `any`. */
  readonly endpoint: string;
  readonly status: number;
  readonly code: string;
  readonly cause: string;
  /** `spec` where section 7 has the row; otherwise the decision that gives status or code. */
  readonly source: ErrorSource;
  /** False where section 7 has the row but names no code, so that a target may send any. */
  readonly codeBinds: boolean;
}

type Row = readonly [status: number, cause: string, source?: ErrorSource, codeFrom?: 'decision'];

/**
 * Every refusal, by endpoint and code. The order of the rows of an endpoint is the order in which the reference checks
 * them (D-26). The rows of `any` come before them in their own order, unless a rule places them elsewhere.
 */
const table = {
  any: {
    NOT_FOUND: [404, 'no endpoint has this path', 'D-33'],
    METHOD_NOT_ALLOWED: [405, 'the path is known, the method is not; Allow names those that are', 'D-33'],
    BAD_REQUEST: [400, 'the request is not HTTP that can be read, or has no Host header', 'D-33'],
    REQUEST_TIMEOUT: [408, 'the request did not come to its end in time', 'D-33'],
    EXPECTATION_FAILED: [417, 'Expect asks for something else than 100-continue', 'D-33'],
    HEADERS_TOO_LARGE: [431, 'the headers are larger than 16 KB', 'D-33'],
    AUTH_MISSING: [401, 'agent key missing, malformed, forged or revoked'],
    RATE_LIMITED: [429, 'more requests than the bucket holds; Retry-After says when to come back'],
    BODY_TOO_LARGE: [413, 'the body is larger than the endpoint takes', 'D-33'],
    CONTENT_TYPE_REQUIRED: [415, 'Content-Type is not application/json', 'D-33'],
    INVALID_JSON: [400, 'the body is not JSON, or not a JSON object', 'D-33'],
    LEDGER_UNAVAILABLE: [
      503,
      'the ledger on which fees are paid does not answer; nothing was used up, and the same request may be sent again',
      'D-27',
    ],
    STORE_UNAVAILABLE: [
      503,
      'the server cannot keep what it accepts, and answers nothing else until it is restarted; whether this request counts is open until then',
      'D-33',
    ],
  },
  register: {
    AUTH_MISSING: [
      401,
      'secret and token missing where one is required, or the parent key is missing or invalid',
      'D-32',
    ],
    AUTH_INVALID: [401, 'wrong secret, or a token that is wrong, used or expired', 'D-32'],
    VALIDATION: [400, 'name, metadata or the form of the request is invalid', 'D-32'],
    WALLET_CHAIN_UNSUPPORTED: [400, 'an Ethereum wallet on mainnet', 'D-32'],
    NONCE_INVALID: [400, 'the nonce is unknown, used, expired or of another flow', 'D-55'],
    SIGNATURE_INVALID: [400, 'the wallet signature does not verify', 'D-55'],
    AGENT_NOT_FOUND: [404, 'the parent does not exist', 'D-32'],
    SPAWN_CONFLICT: [409, 'the spawn authorization is used, expired or of another parent', 'D-32'],
  },
  'register-token': {
    CONTENT_TYPE_REQUIRED: [415, 'Content-Type is not application/json'],
  },
  init: {},
  heartbeat: {
    VALIDATION: [400, 'global_anchor or payment_tx has the wrong type', 'D-50'],
    AGENT_NOT_INITIALIZED: [409, 'the beat chain has not been started', 'D-25'],
    AGENT_FROZEN: [403, 'the agent is frozen', 'D-25'],
    HEARTBEAT_REFUSED: [403, 'a complaint against the agent has been sustained', 'D-25'],
    SIGIL_REQUIRED: [403, 'a root agent without a SIGIL'],
    WALLET_REQUIRED: [403, 'the agent has no linked wallet'],
    PAYMENT_REQUIRED: [400, 'payment_tx is missing'],
    HEARTBEAT_TOO_SOON: [429, 'fewer beats than the minimum interval since the last heartbeat'],
    VOLUME_CAP_REACHED: [429, "the epoch's cap of the identity class is reached"],
    PAYMENT_INVALID: [400, 'transaction not found, not confirmed, to another recipient or of another amount'],
    PAYMENT_ALREADY_USED: [409, 'the transaction has paid a fee before'],
    SPONSOR_PARENT_FROZEN: [403, 'the paying sponsor is frozen'],
    SPONSOR_CAP_REACHED: [429, "the sponsorship's cap for the epoch is reached"],
    PAYMENT_SENDER_MISMATCH: [400, "the sender is neither the agent's wallet nor a sponsor's"],
  },
  sigil: {
    VALIDATION: [400, 'invalid identity_class, principal, tier, name or parameters'],
    SIGIL_ALREADY_EXISTS: [409, 'the agent has a SIGIL'],
    WALLET_REQUIRED: [403, 'the agent has no linked wallet'],
    PAYMENT_REQUIRED: [400, 'payment_tx is missing', 'D-50'],
    SIGIL_NAME_TAKEN: [409, 'the name is taken under this principal', 'D-17'],
    PAYMENT_INVALID: [400, 'transaction not found, not confirmed, to another recipient or of another amount'],
    PAYMENT_ALREADY_USED: [409, 'the transaction has paid a fee before', 'D-25'],
    PAYMENT_SENDER_MISMATCH: [400, "the sender is not the agent's wallet", 'D-50'],
  },
  'reissue-proof': {
    VALIDATION: [400, 'payment_tx is not a string', 'D-50'],
    SIGIL_REQUIRED: [403, 'a root agent without a SIGIL', 'D-50'],
    WALLET_REQUIRED: [403, 'the agent has no linked wallet', 'D-50'],
    PAYMENT_REQUIRED: [400, 'payment_tx is missing', 'D-50'],
    PAYMENT_INVALID: [400, 'transaction not found, not confirmed, to another recipient or of another amount'],
    PAYMENT_ALREADY_USED: [409, 'the transaction has paid a fee before', 'D-25'],
    PAYMENT_SENDER_MISMATCH: [400, "the sender is not the agent's wallet", 'D-50'],
  },
  spawn: {
    VALIDATION: [400, 'missing or invalid fields, or a receipt that does not verify'],
    AGENT_FROZEN: [403, 'the parent is frozen', 'D-49'],
    SPAWN_CONFLICT: [409, 'child already registered, authorization expired or receipt used'],
    INSUFFICIENT_BEATS: [400, 'the receipt proves fewer beats than the child costs'],
    RECEIPT_REQUIRED: [402, 'a receipt is needed; the body says for how many beats'],
  },
  'beats-submit': {
    VALIDATION: [400, 'the proof is missing a field or has one of the wrong type', 'D-33'],
    AGENT_NOT_INITIALIZED: [409, 'the beat chain has not been started', 'D-33'],
    AGENT_FROZEN: [403, 'the agent is frozen', 'D-33'],
    CHAIN_MISMATCH: [409, "from_beat or from_hash is not the agent's latest", 'D-33'],
    PROOF_INVALID: [400, 'the proof does not verify', 'D-33'],
  },
  resync: {
    VALIDATION: [400, 'a field has the wrong type, or the nonce or the proof does not hold', 'D-35'],
    AGENT_WRONG_STATE: [409, 'the agent is not frozen'],
    RECEIPT_REQUIRED: [402, 'no beats_receipt while BEATS_REQUIRED is true'],
    INVALID_RECEIPT: [402, 'the receipt does not verify, is old, used, or proves too few beats'],
  },
  metadata: {
    VALIDATION: [400, 'no mutable field, an immutable field, or a value outside its vocabulary', 'spec', 'decision'],
    AGENT_NOT_FOUND: [404, 'the agent does not exist', 'spec', 'decision'],
    SIGIL_REQUIRED: [403, 'the agent has no SIGIL', 'spec', 'decision'],
  },
  wallet: {
    AGENT_NOT_FOUND: [404, 'the agent does not exist', 'spec', 'decision'],
    WALLET_ALREADY_LINKED: [409, 'the agent has a linked wallet', 'spec', 'decision'],
    VALIDATION: [400, 'the body is neither a challenge nor a finalize call', 'D-55'],
    NONCE_INVALID: [400, 'the nonce is unknown, used or expired', 'spec', 'decision'],
    SIGNATURE_INVALID: [400, 'the wallet signature does not verify', 'spec', 'decision'],
  },
  passport: {
    SIGIL_REQUIRED: [403, 'a root agent without a SIGIL', 'D-12'],
  },
  sponsor: {
    VALIDATION: [400, 'invalid child_hash or parameters'],
    AGENT_NOT_FOUND: [404, 'parent or child does not exist'],
    SPONSOR_NOT_FOUND: [404, 'no active sponsorship to revoke'],
    SPONSOR_PARENT_FROZEN: [403, 'the parent is frozen'],
    SPONSOR_INVALID: [400, 'an agent sponsors itself'],
    SPONSOR_NOT_ANCESTOR: [403, 'the sponsor is not an ancestor of the child'],
    WALLET_REQUIRED: [403, 'the parent has no linked Solana wallet'],
  },
  flag: {
    VALIDATION: [400, 'invalid target_hash, asserted_class or reason'],
    FLAG_REPORTER_INELIGIBLE: [403, 'the reporter has no SIGIL or a sandbox one'],
    FLAG_SELF: [400, 'an agent flags itself'],
    FLAG_TARGET_NOT_FOUND: [404, 'the target does not exist'],
    FLAG_DUPLICATE: [409, 'the reporter has a pending flag against this target'],
  },
  checkin: {
    GONE: [410, 'the endpoint is retired; heartbeat replaces it', 'spec', 'decision'],
  },
  'verify-batch': {
    INVALID_INPUT: [400, 'hashes is missing, empty or not a list'],
    BATCH_TOO_LARGE: [400, 'more hashes than one call takes'],
    INVALID_HASH: [400, 'an item is not an agent hash'],
  },
  status: {
    INVALID_HASH: [400, 'the path does not hold an agent hash', 'D-19'],
    AGENT_NOT_FOUND: [404, 'no agent has this hash', 'D-19'],
  },
  verify: {
    INVALID_HASH: [400, 'the path does not hold an agent hash', 'D-20'],
    AGENT_NOT_FOUND: [404, 'no agent has this hash', 'D-20'],
  },
  'beat-status': {
    INVALID_HASH: [400, 'the path does not hold an agent hash', 'D-21'],
    AGENT_NOT_FOUND: [404, 'no agent has this hash', 'D-21'],
  },
  'beat-anchor': {},
  'beat-verify': {
    VALIDATION: [400, 'the body is not one of the three modes', 'D-10'],
  },
  'authority-key': {},
  'fees-summary': {},
  subsidy: {
    AUTH_MISSING: [401, 'admin key missing'],
    AUTH_INVALID: [401, 'admin key invalid or expired'],
    SUBSIDY_INVALID: [400, 'invalid fee_type, discount_bps, reason, floor or validity'],
    AGENT_NOT_FOUND: [404, 'the agent does not exist'],
    SUBSIDY_NOT_FOUND: [404, 'no subsidy to delete'],
  },
  'partner-webhook': {
    AUTH_MISSING: [401, 'no Authorization header'],
    AUTH_FORBIDDEN: [403, 'partner unknown, expired or suspended'],
    WEBHOOK_INVALID: [400, 'missing or invalid url or events'],
  },
  'work-proof': {
    VALIDATION: [400, 'the body is not a work proof', 'D-08'],
  },
  'beat-timestamp': {
    VALIDATION: [400, 'hash is missing or not a hash', 'D-08'],
  },
} satisfies Record<string, Record<string, Row>>;

type Table = typeof table;

/** The key of an error row: `heartbeat/PAYMENT_REQUIRED`. */
export type ErrorKey = { [E in keyof Table]: `${E}/${Extract<keyof Table[E], string>}` }[keyof Table];

/** Every error row by key, in order of endpoints and of checks. */
export const errors: Readonly<Record<ErrorKey, ErrorRow>> = deepFreeze(
  Object.fromEntries(
    Object.entries(table).flatMap(([endpoint, rows]) =>
      Object.entries(rows as Record<string, Row>).map(([code, row]): [string, ErrorRow] => {
        const [status, cause, source = 'spec', codeFrom] = row;
        const codeBinds = source === 'spec' && codeFrom === undefined;
        return [`${endpoint}/${code}`, { endpoint, status, code, cause, source, codeBinds }];
      }),
    ),
  ) as Record<ErrorKey, ErrorRow>,
);
