/** The forms of replies by the text of the specification: each field with its test and clauses. Forms by decisions are in decision-forms.ts. */
import type { Facts } from '../../spec/endpoint.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { registrationMode } from '../../spec/endpoints/register.js';
import { isObject as isJsonObject } from '../../spec/formats.js';
import { classesOf, sigilTiersOf } from '../../spec/parts.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { is } from './compare.js';
import {
  type FieldTest,
  isAbsent,
  isAgentHash,
  isBoolean,
  isFilled,
  isHex,
  isHttps,
  isInstant,
  isList,
  isMoment,
  isNumber,
  isObject,
  isString,
  isStrings,
  isTrue,
  isUnixMs,
  isUuid,
  isZeros,
  matches,
  oneOf,
  orAbsent,
  orNull,
  whereGiven,
  within,
} from './field-tests.js';
import { perObject, perText } from './memo.js';
import { at } from './values.js';

/** A field, its test, and the clauses for which the field is evidence. */
type FieldRow = readonly [path: string, test: FieldTest, ...clauses: readonly string[]];

/** The form of an accepted reply: the clauses of its acceptance, and its fields. */
export interface Form {
  /** Clauses for which a success is evidence. */
  readonly accepted: readonly string[];
  readonly fields: readonly FieldRow[];
}

/** 2.6: the passport in the field `at`. */
function passport(at: string, { dialect, protocol }: Facts): readonly FieldRow[] {
  return [
    [`${at}.format_version`, is(protocol.passport.formatVersion), 'passport.field.format-version'],
    [`${at}.agent_hash`, isString, 'passport.field.agent-hash'],
    [`${at}.agent_hash`, whereGiven(isAgentHash), 'convention.agent-hash'],
    [`${at}.agent_public_key`, orNull(isString), 'passport.field.agent-public-key'],
    [`${at}.authority_key_id`, isString, 'passport.field.authority-key-id'],
    [`${at}.identity_class`, oneOf([...classesOf(protocol), null]), 'passport.field.identity-class'],
    [`${at}.registered_at_beat`, isNumber, 'passport.field.registered-at-beat'],
    [`${at}.sigil_issued_at_beat`, orNull(isNumber), 'passport.field.sigil-issued-at-beat'],
    [`${at}.last_heartbeat_beat`, isNumber, 'passport.field.last-heartbeat-beat'],
    [`${at}.lineage_chain_hash`, isString, 'passport.field.lineage-chain-hash'],
    [`${at}.issued_at`, isNumber, 'passport.field.issued-at'],
    [`${at}.issued_at`, whereGiven(isUnixMs), 'convention.time.issued-at'],
    [`${at}.valid_until`, whereGiven(isUnixMs), 'convention.time.valid-until'],
    [`${at}.${dialect.passportSignatureField}`, isHex(64), 'passport.field.service-signature'],
  ];
}

/** 2.9: the fee. Only heartbeats have a tier. */
function fee(tier: FieldRow): readonly FieldRow[] {
  return [
    ['fee.amount_sol', isNumber, 'fee.field.amount-sol'],
    ['fee.amount_lamports', isNumber, 'fee.field.amount-lamports'],
    ['fee.payment_tx', isString, 'fee.field.payment-tx'],
    tier,
  ];
}

/** 2.7: the SIGIL in the field `at`. */
function sigil(at: string, { protocol }: Facts): readonly FieldRow[] {
  return [
    [`${at}.sigil`, matches(/^[^*]+\*[^*]+\*[^*]+$/, '<sigil_name>*<principal>*<tier>'), 'sigil.field.sigil'],
    [`${at}.sigil_name`, isString, 'sigil.field.sigil-name'],
    [`${at}.principal`, isString, 'sigil.field.principal'],
    [`${at}.tier`, oneOf(sigilTiersOf(protocol)), 'sigil.field.tier'],
    [`${at}.identity_class`, oneOf(classesOf(protocol)), 'sigil.field.identity-class'],
    [`${at}.issued_at_beat`, isNumber, 'sigil.field.issued-at-beat'],
    [`${at}.issued_at_beat`, whereGiven(isNumber), 'convention.indexes'],
    [`${at}.birth_tx`, isString, 'sigil.field.birth-tx'],
    [`${at}.explorer_url`, isString, 'sigil.field.explorer-url'],
  ];
}

/** 2.10: the sponsorship in the field `at`. A new one is active; only listings show created_at. */
function sponsorship(at: string, shown: 'created' | 'listed'): readonly FieldRow[] {
  const listed = shown === 'listed';
  return [
    [`${at}.parent_hash`, isString, 'sponsor.field.parent-hash'],
    [`${at}.child_hash`, isString, 'sponsor.field.child-hash'],
    [`${at}.status`, listed ? isString : is('active'), 'sponsor.field.status'],
    [`${at}.max_heartbeats_epoch`, isNumber, 'sponsor.field.max-heartbeats-epoch'],
    [`${at}.heartbeats_used_epoch`, isNumber, 'sponsor.field.heartbeats-used-epoch'],
    // Without expires_in_hours there is no expiry. The text does not say how that is shown.
    [`${at}.expires_at`, orAbsent(orNull(isInstant)), 'sponsor.field.expires-at'],
    [`${at}.expires_at`, whereGiven(orNull(isInstant)), 'convention.time.expires-at'],
    ...(listed
      ? ([
          [`${at}.created_at`, isFilled, 'sponsor.field.created-at'],
          [`${at}.created_at`, whereGiven(isInstant), 'convention.time.created-at'],
        ] as const)
      : []),
  ];
}

/** 2.1: the credentials in every reply that registers an agent. */
const credentials: readonly FieldRow[] = [
  ['hash', isAgentHash, 'agent.field.hash'],
  ['hash', whereGiven(isAgentHash), 'convention.agent-hash'],
  ['api_key', matches(/^pvn_[^.]+\..+$/, 'pvn_<payload>.<signature>'), 'agent.field.api-key', 'key.agent.form'],
  ['secret', isFilled, 'agent.field.secret'],
];

const root: readonly FieldRow[] = [
  ['type', is('root'), 'agent.field.type'],
  ['parent', is(null), 'agent.field.parent', 'lineage.root'],
  ['depth', is(0), 'agent.field.depth', 'lineage.root'],
];

/** The agent object of 2.1 for a root, in the replies of modes 1 to 3 of 4.2. */
const agent: readonly FieldRow[] = [
  ['ok', isTrue, 'agent.field.ok'],
  ...credentials,
  ...root,
  ['name', isString, 'agent.field.name'],
  ['metadata', orAbsent(orNull(isObject)), 'agent.field.metadata'],
  ['birth_tx', isFilled, 'agent.field.birth-tx'],
];

const registrations: Readonly<Record<ReturnType<typeof registrationMode>, Form>> = {
  root: {
    accepted: ['register.no-wallet.reply'],
    fields: [
      ...agent,
      ['hash', isAgentHash, 'register.no-wallet.reply', 'register.no-wallet.default'],
      ['wallet_model', is('self-custody'), 'agent.field.wallet-model'],
      ['wallet_chain', orAbsent(is(null)), 'agent.field.wallet-chain.none'],
    ],
  },
  // The text does not show this reply. The later steps of 3.6 need hash and key.
  child: { accepted: ['register.child.single-phase', 'spawn.flow.register'], fields: [] },
  'self-custody-challenge': {
    accepted: ['register.self-custody.challenge'],
    fields: [['nonce', isFilled, 'register.self-custody.challenge.reply']],
  },
  'self-custody': {
    accepted: ['register.self-custody.finalize'],
    fields: [
      ['hash', isAgentHash, 'agent.field.hash'],
      ['hash', whereGiven(isAgentHash), 'convention.agent-hash'],
      ['api_key', matches(/^pvn_[^.]+\..+$/, 'pvn_<payload>.<signature>'), 'agent.field.api-key', 'key.agent.form'],
      ['signature', isString, 'register.self-custody.reply', 'agent.older.signature'],
      ['explorer_url', isString, 'register.self-custody.reply', 'agent.older.explorer-url'],
      ['ok', isAbsent, 'agent.older.no-ok'],
    ],
  },
  'operator-challenge': {
    accepted: ['register.operator.challenge'],
    fields: [['nonce', isFilled, 'register.operator.challenge']],
  },
  operator: {
    accepted: ['register.operator.finalize'],
    fields: [
      ...agent,
      ['wallet_model', is('operator'), 'agent.field.wallet-model.operator'],
      ['wallet_chain', is('solana'), 'agent.field.wallet-chain'],
    ],
  },
  'ethereum-challenge': {
    accepted: ['register.ethereum.challenge'],
    fields: [],
  },
  ethereum: {
    accepted: ['register.ethereum.finalize'],
    fields: [...agent, ['wallet_chain', is('ethereum'), 'agent.field.wallet-chain']],
  },
};

const started = ({ protocol }: Facts): Form => ({
  accepted: ['init.reply', 'init.transition.active'],
  fields: [
    ['agent_hash', isString, 'init.reply', 'init.reply.agent-hash'],
    ['genesis', isObject, 'init.reply', 'init.reply.genesis', 'init.transition.genesis'],
    ['genesis.index', is(protocol.beat.genesisIndex), 'init.reply.genesis.index'],
    ['genesis.index', whereGiven(isNumber), 'convention.indexes'],
    ['genesis.hash', isString, 'init.reply.genesis.hash'],
    ['genesis.prev', isZeros, 'init.reply.genesis.prev'],
    ['genesis.timestamp', isUnixMs, 'init.reply.genesis.timestamp'],
    ['difficulty', is(protocol.beat.difficulty), 'init.reply.difficulty'],
    ['status', is('active'), 'init.reply.status'],
    ['_next_steps.purchase_sigil', isString, 'init.reply.next-steps'],
    ['_next_steps.heartbeat', isString, 'init.reply.next-steps'],
    ['_next_steps.spawn_children', isString, 'init.reply.next-steps'],
    ['_next_steps.check_status', isString, 'init.reply.next-steps'],
  ],
});

const startedAgain: Form = {
  accepted: ['init.reply.again', 'init.transition.repeat'],
  fields: [
    ['ok', isTrue, 'init.reply.again'],
    ['already_initialized', isTrue, 'init.reply.already-initialized'],
    ['agent_hash', isString, 'init.reply.again'],
    ['genesis_hash', isString, 'init.reply.again'],
    ['total_beats', isNumber, 'init.reply.again'],
    ['latest_hash', isString, 'init.reply.again'],
    ['latest_beat', isNumber, 'init.reply.again'],
    ['latest_beat', whereGiven(isNumber), 'convention.indexes'],
    ['status', isString, 'init.reply.again'],
  ],
};

const preflight: Form = {
  accepted: ['spawn.preflight.reply'],
  fields: [
    ['ok', isTrue, 'spawn.preflight.reply'],
    ['eligible', isTrue, 'spawn.preflight.reply.eligible'],
    ['spawn_authorization', isFilled, 'spawn.preflight.reply.spawn-authorization'],
    ['receipt_based', isTrue, 'spawn.preflight.reply.receipt-based'],
    ['required_beats', isNumber, 'spawn.preflight.reply'],
  ],
};

const finalized: Form = {
  accepted: ['spawn.finalize.reply'],
  fields: [
    ['ok', isTrue, 'spawn.finalize.reply'],
    ['eligible', isTrue, 'spawn.finalize.reply.eligible'],
    ['child_hash', isString, 'spawn.finalize.reply'],
  ],
};

const challenged: Form = {
  accepted: ['resync.challenge.body'],
  fields: [
    ['challenge.nonce', isFilled, 'resync.challenge.reply'],
    ['challenge.required_beats', isNumber, 'resync.challenge.reply'],
    ['challenge.start_from_hash', isString, 'resync.challenge.reply'],
    ['challenge.start_from_beat', isNumber, 'resync.challenge.reply'],
    ['challenge.start_from_beat', whereGiven(isNumber), 'convention.indexes'],
    ['challenge.difficulty', isNumber, 'resync.challenge.reply'],
    ['challenge.sync_to_global', isNumber, 'resync.challenge.reply'],
    ['gap_beats', isNumber, 'resync.challenge.reply.gap-beats'],
  ],
};

const proved: Form = {
  accepted: ['resync.prove.body', 'resync.transition.active'],
  fields: [
    ['ok', isTrue, 'resync.prove.reply'],
    ['status', isString, 'resync.prove.reply'],
    ['total_beats', isNumber, 'resync.prove.reply'],
  ],
};

const resynced: Form = {
  accepted: ['resync.receipt.body', 'resync.transition.active'],
  fields: [
    ['ok', isTrue, 'resync.receipt.reply'],
    ['agent_hash', isString, 'resync.receipt.reply'],
    ['status', is('active'), 'resync.receipt.reply.status'],
    // The text does not show its type.
    ['last_global_sync', isMoment, 'resync.receipt.reply'],
    ['gap_anchors', isNumber, 'resync.receipt.reply'],
    ['required_beats', isNumber, 'resync.receipt.reply'],
    ['beats_proven', isNumber, 'resync.receipt.reply'],
    ['receipt_based', isBoolean, 'resync.receipt.reply.receipt-based'],
  ],
};

const walletChallenge = ({ protocol }: Facts): Form => ({
  accepted: ['wallet.challenge.body'],
  fields: [
    ['ok', isTrue, 'wallet.challenge.reply'],
    ['action', isString, 'wallet.challenge.reply'],
    ['nonce', isFilled, 'wallet.challenge.reply'],
    ['expires_in', is(protocol.wallet.nonceTtlSec), 'wallet.challenge.reply.expires-in'],
  ],
});

const subsidised = ['agent_hash', 'reason'] as const;

/** The forms of endpoints that have only one. */
const single: Partial<Record<EndpointId, (facts: Facts) => Form>> = {
  'register-token': ({ protocol }) => ({
    accepted: ['register-token.reply'],
    fields: [
      ['ok', isTrue, 'register-token.reply', 'register-token.reply.ok'],
      ['token', isFilled, 'register-token.reply'],
      ['token', isHex(protocol.registration.tokenBytes), 'register-token.reply.token'],
      ['expires_in_sec', is(protocol.registration.tokenTtlSec), 'register-token.reply.expires-in-sec'],
      ['_info', isString, 'register-token.reply', 'register-token.reply.info'],
    ],
  }),
  heartbeat: (facts) => ({
    accepted: ['heartbeat.reply'],
    fields: [
      ['ok', isTrue, 'heartbeat.reply'],
      ['agent_hash', isString, 'heartbeat.reply'],
      ['passport', isObject, 'heartbeat.reply.passport', 'passport.returned-by'],
      ...passport('passport', facts),
      ['total_heartbeats', isNumber, 'heartbeat.reply.total-heartbeats'],
      ['heartbeat_count_epoch', isNumber, 'heartbeat.reply.heartbeat-count-epoch'],
      ['billing_epoch', isNumber, 'heartbeat.reply.billing-epoch'],
      ['current_beat', isNumber, 'heartbeat.reply.current-beat'],
      ['current_beat', whereGiven(isNumber), 'convention.indexes'],
      ['fee', isObject, 'heartbeat.reply.fee'],
      ...fee(['fee.tier', within(1, 3), 'fee.field.tier']),
    ],
  }),
  sigil: (facts) => ({
    accepted: ['sigil.reply', 'sigil.transition.issued'],
    fields: [
      ['ok', isTrue, 'sigil.reply'],
      ['sigil', isObject, 'sigil.reply.sigil'],
      ...sigil('sigil', facts),
      ['passport', isObject, 'sigil.reply.passport', 'passport.returned-by', 'sigil.transition.passport'],
      ...passport('passport', facts),
      ['fee', isObject, 'sigil.reply.fee'],
      ...fee(['fee.tier', isAbsent, 'fee.field.no-tier.sigil']),
    ],
  }),
  'reissue-proof': (facts) => ({
    accepted: ['reissue-proof.reply', 'reissue-proof.reprint'],
    fields: [
      ['ok', isTrue, 'reissue-proof.reply'],
      ['reissued', isTrue, 'reissue-proof.reply.reissued'],
      ['passport', isObject, 'reissue-proof.reply.passport', 'passport.returned-by'],
      ...passport('passport', facts),
      ['fee', isObject, 'reissue-proof.reply.fee'],
      ...fee(['fee.tier', isAbsent, 'fee.field.no-tier.reissue-proof']),
    ],
  }),
  'beats-submit': () => ({
    accepted: ['beats-submit.reply'],
    fields: [
      ['ok', isTrue, 'beats-submit.reply'],
      ['agent_hash', isString, 'beats-submit.reply'],
      ...(['beats_accepted', 'total_beats', 'latest_beat_index', 'global_anchor', 'spot_checks_verified'] as const).map(
        (field) => [field, isNumber, 'beats-submit.reply', 'beats-submit.reply.numbers'] as const,
      ),
    ],
  }),
  metadata: () => ({
    accepted: ['metadata.reply'],
    fields: [
      ['ok', isTrue, 'metadata.reply'],
      ['sigil', isString, 'metadata.reply.sigil'],
      ['generation', isNumber, 'metadata.reply.generation'],
      ['updated_fields', isStrings, 'metadata.reply.updated-fields'],
    ],
  }),
  passport: () => ({ accepted: ['passport.purpose'], fields: [] }),
  'sponsor.post': () => ({
    accepted: ['sponsor.post.reply', 'sponsor.transition.create'],
    fields: [
      ['ok', isTrue, 'sponsor.post.reply'],
      ['sponsorship', isObject, 'sponsor.post.reply'],
      ...sponsorship('sponsorship', 'created'),
    ],
  }),
  'sponsor.delete': () => ({
    accepted: ['sponsor.delete.reply', 'sponsor.transition.revoke'],
    fields: [
      ['ok', isTrue, 'sponsor.delete.reply'],
      ['revoked', isTrue, 'sponsor.delete.reply'],
    ],
  }),
  'sponsor.get': () => ({
    accepted: ['sponsor.get.reply'],
    fields: [
      ['ok', isTrue, 'sponsor.get.reply'],
      ['sponsorships', isList, 'sponsor.get.reply'],
      ...sponsorship('sponsorships.*', 'listed'),
    ],
  }),
  flag: () => ({
    accepted: ['flag.reply', 'flag.transition.pending'],
    fields: [
      ['flagged', isTrue, 'flag.reply', 'flag.reply.flagged'],
      ['flag_id', isUuid, 'flag.field.flag-id'],
      ['status', is('pending'), 'flag.reply.status', 'flag.field.status'],
    ],
  }),
  'verify-batch': () => ({
    accepted: ['verify-batch.reply.results'],
    fields: [
      ['results', isList, 'verify-batch.reply.results'],
      ['results.*.verified', isBoolean, 'verify-batch.reply.found'],
      ['summary.total', isNumber, 'verify-batch.reply.summary'],
      ['summary.verified', isNumber, 'verify-batch.reply.summary'],
      ['summary.not_found', isNumber, 'verify-batch.reply.summary'],
    ],
  }),
  status: () => ({ accepted: ['status.purpose'], fields: [] }),
  verify: () => ({ accepted: ['verify.purpose'], fields: [] }),
  'beat-status': () => ({ accepted: ['beat-status.purpose'], fields: [] }),
  'beat-anchor': () => ({ accepted: ['beat-anchor.purpose'], fields: [] }),
  'authority-key': () => ({ accepted: ['authority-key.purpose'], fields: [] }),
  'fees-summary': () => ({ accepted: ['fees-summary.purpose'], fields: [] }),
  'subsidy.post': () => ({
    accepted: ['subsidy.post.reply'],
    fields: [
      ['ok', isTrue, 'subsidy.post.reply'],
      ['subsidy', isObject, 'subsidy.post.reply'],
      ...subsidised.map((field) => [`subsidy.${field}`, isString, `subsidy.field.${field.replace('_', '-')}`] as const),
      ['subsidy.fee_type', oneOf(feeTypes), 'subsidy.field.fee-type'],
      ['subsidy.discount_bps', isNumber, 'subsidy.field.discount-bps'],
      ['subsidy.floor_lamports', isNumber, 'subsidy.field.floor-lamports'],
      ['subsidy.created_at', isAbsent, 'subsidy.post.reply.no-created'],
      ['subsidy.valid_until', orAbsent(orNull(isInstant)), 'subsidy.field.valid-until'],
    ],
  }),
  'subsidy.delete': () => ({
    accepted: ['subsidy.delete.reply'],
    fields: [
      ['ok', isTrue, 'subsidy.delete.reply'],
      ['deleted', isTrue, 'subsidy.delete.reply'],
      ['agent_hash', isString, 'subsidy.delete.reply'],
      ['fee_type', oneOf(feeTypes), 'subsidy.delete.reply'],
    ],
  }),
  'partner-webhook.put': ({ protocol }) => ({
    accepted: ['partner-webhook.put.reply'],
    fields: [
      ['webhook_url', isHttps, 'partner-webhook.put.reply', 'partner-webhook.field.webhook-url'],
      [
        'webhook_secret',
        isHex(protocol.webhook.secretBytes),
        'partner-webhook.field.webhook-secret',
        'delivery.secret.generated',
      ],
      ['events', isStrings, 'partner-webhook.put.reply', 'partner-webhook.field.events'],
    ],
  }),
  'partner-webhook.get': () => ({
    accepted: [],
    fields: [['configured', isBoolean, 'partner-webhook.field.configured']],
  }),
  'partner-webhook.delete': () => ({
    accepted: ['partner-webhook.delete.reply'],
    fields: [['ok', isTrue, 'partner-webhook.delete.reply']],
  }),
};

/** The reply to a valid work proof. D-08 gives the reply to an invalid one. */
const proven: Form = {
  accepted: ['work-proof.reply'],
  fields: [
    ['ok', isTrue, 'work-proof.reply'],
    ['receipt', isFilled, 'work-proof.reply.receipt'],
  ],
};

/** Whether the dialect shows a field of this reply. Some dialects have `valid` in place of `ok`, or an object as the receipt. */
function showsField(path: string, { dialect }: Facts): boolean {
  if (path === 'ok') return dialect.workProofReply !== 'valid-alone';
  return dialect.receiptForm === 'string';
}

/** The dialect gives the form of the receipt: a string, or an object by D-09. */
const provenIn = (facts: Facts): Form => ({
  ...proven,
  fields: proven.fields.filter(([path]) => showsField(path, facts)),
});

/** The forms of a deployment, each made once. */
const formsOf = perObject((facts: Facts) => perObject((make: (facts: Facts) => Form) => make(facts)));
const formFor = (facts: Facts, make: (facts: Facts) => Form): Form => formsOf(facts)(make);

/** The form of the accepted reply to a request; undefined if the text does not show the reply. */
export function formOf(id: EndpointId, sent: unknown, json: unknown, facts: Facts): Form | undefined {
  const body = asObject(sent);
  const reply = asObject(json);
  switch (id) {
    case 'register':
      return registrationForm(registrationMode(body), reply);
    case 'init':
      return reply['already_initialized'] === true ? startedAgain : formFor(facts, started);
    case 'spawn':
      if (body['child_hash'] !== undefined) return finalized;
      return body['beats_receipt'] === undefined ? undefined : preflight;
    case 'resync':
      if (body['action'] === 'challenge') return challenged;
      if (body['action'] === 'prove') return proved;
      return body['beats_receipt'] === undefined ? undefined : resynced;
    case 'wallet':
      return body['action'] === 'challenge'
        ? formFor(facts, walletChallenge)
        : { accepted: ['wallet.transition.linked'], fields: [] };
    case 'work-proof.post':
      if (reply['ok'] === false || reply['valid'] === false) return undefined;
      return formFor(facts, provenIn);
    default: {
      const form = single[id];
      return form && formFor(facts, form);
    }
  }
}

/**
 * 2.1: the older reply of a two-phase registration has signature and explorer_url in place of fields of the agent object, and no ok. The text does
 * not say whether two modes of 4.2 are older ones, so the reply itself decides.
 */
function registrationForm(mode: ReturnType<typeof registrationMode>, reply: Readonly<Record<string, unknown>>): Form {
  const own = registrations[mode];
  const isOlder =
    (mode === 'operator' || mode === 'ethereum') && isString.holds(reply['signature']) && !('ok' in reply);
  if (!isOlder) return own;
  const older = registrations['self-custody'].fields.filter(isOfAgent);
  const kept = own.fields.map(([path, test, ...clauses]): FieldRow => [path, whereGiven(test), ...clauses]);
  return { accepted: own.accepted, fields: [...older, ...kept] };
}

/** Whether a row is about the agent object, and not about a mode of registration. */
const isOfAgent = (row: FieldRow): boolean => row.slice(2).every((clause) => !String(clause).startsWith('register.'));

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** The rows of all forms by endpoint, to make mutants of replies. */
export function formRows(
  facts: Facts,
): readonly { readonly endpoint: EndpointId; readonly form: string; readonly rows: readonly FieldRow[] }[] {
  const named = (endpoint: EndpointId, form: string, { fields }: Form) => ({ endpoint, form, rows: fields });
  return [
    ...Object.entries(registrations).map(([mode, form]) => named('register', `register.${mode}`, form)),
    named('init', 'init', started(facts)),
    named('init', 'init.again', startedAgain),
    named('spawn', 'spawn.preflight', preflight),
    named('spawn', 'spawn.finalize', finalized),
    named('resync', 'resync.challenge', challenged),
    named('resync', 'resync.prove', proved),
    named('resync', 'resync.receipt', resynced),
    named('wallet', 'wallet.challenge', walletChallenge(facts)),
    named('work-proof.post', 'work-proof', proven),
    ...Object.entries(single).map(([id, form]) => named(id as EndpointId, id, form(facts))),
  ];
}

/** The comparison of a field of a reply with its row. */
interface FieldSeen {
  /** The path in the reply, and the path of the row, with `*` for list items. */
  readonly path: string;
  readonly about: string;
  /** Undefined if its object is missing: the object has its own row. */
  readonly ok: boolean | undefined;
  readonly expected: string;
  readonly value: unknown;
  readonly clauses: readonly string[];
}

/** The rows of a form; `isHeld`: the object that holds the field has a row of its own. */
const rowsOf = perObject(({ fields }: Form) => {
  const paths = new Set(fields.map(([path]) => path));
  return fields.map(([about, test, ...clauses]) => ({ about, test, clauses, isHeld: paths.has(holderOf(about)) }));
});

/** Compares a reply with the rows of its form. */
export function fieldsSeen(json: unknown, form: Form): readonly FieldSeen[] {
  const seen: FieldSeen[] = [];
  for (const { about, test, clauses, isHeld } of rowsOf(form))
    for (const path of expanded(json, about)) {
      const value = at(json, path);
      if (test.whereGiven === true && value === undefined) continue;
      const isMissing = isHeld && !isObjectOrList(at(json, holderOf(path)));
      seen.push({ path, about, ok: isMissing ? undefined : test.holds(value), expected: test.words, value, clauses });
    }
  return seen;
}

const isObjectOrList = (value: unknown): boolean => typeof value === 'object' && value !== null;

const holderOf = perText((path) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));

/** Replaces `*` in the path of a row by each index of the list in the reply. */
function expanded(json: unknown, path: string): readonly string[] {
  const star = path.indexOf('.*.');
  if (star < 0) return [path];
  const list = at(json, path.slice(0, star));
  return Array.isArray(list) ? list.map((_, index) => path.replace('.*.', `.${index}.`)) : [];
}
