/** The clauses of section 2: resources and their fields. */

import type { Clause } from '../clause.js';
import { fieldRow, isA, musts } from './rows.js';

const conventions = musts('2', 'paragraph “Conventions”', {
  'convention.agent-hash': 'An agent hash is written as a string of 0x and 64 hex characters wherever it appears.',
  'convention.time.issued-at': 'A timestamp named issued_at is a number of Unix milliseconds.',
  'convention.time.valid-until':
    'A timestamp named valid_until is a number of Unix milliseconds (except that of a subsidy, 2.11).',
  'convention.time.expires-at': 'A timestamp named expires_at is an ISO 8601 string.',
  'convention.time.created-at': 'A timestamp named created_at is an ISO 8601 string.',
  'convention.indexes': 'Indexes of beats and anchors are numbers.',
});

const agent = [
  ...musts('2.1', fieldRow, {
    'agent.field.ok': 'ok of a registered agent is true.',
    'agent.field.hash': 'hash of a registered agent is its agent hash.',
    'agent.field.api-key': 'api_key of a registered agent has the form pvn_<payload>.<signature>.',
    'agent.field.secret': isA('secret of a registered agent', 'string'),
    'agent.field.type': 'type of a registered root agent is root.',
    'agent.field.parent': "parent of a registered agent is its parent's hash, and null for a root.",
    'agent.field.depth': 'depth of a registered agent is a number, and 0 for a root.',
    'agent.field.name': 'name of a registered agent is the name that it was given.',
    'agent.field.metadata': 'metadata of a registered agent is a free-form object.',
    'agent.field.wallet-model': 'wallet_model of an agent registered without a wallet is self-custody.',
    'agent.field.wallet-model.operator': 'wallet_model of an agent registered with an operator wallet is operator.',
    'agent.field.wallet-chain': 'wallet_chain of an agent with a wallet is solana or ethereum.',
    'agent.field.wallet-chain.none': 'wallet_chain of an agent without a wallet is null.',
    'agent.field.birth-tx': 'birth_tx of a registered agent is a string that refers to its birth record.',
    'agent.field.birth-tx.on-chain': [
      'The birth record that birth_tx refers to is on a chain.',
      "section 1 keeps registrations in the service's own records: the text says both, and D-45 settles it",
    ],
  }),
  ...musts('2.1', 'paragraph “Older two-phase wallet registration responses”', {
    'agent.older.signature': 'The older two-phase wallet registration answers with signature, a string.',
    'agent.older.explorer-url': 'The older two-phase wallet registration answers with explorer_url, a string.',
    'agent.older.no-ok': 'The older two-phase wallet registration answers without ok.',
  }),
];

const registrationMetadata = [
  ...musts('2.2', 'table of rules, row Format', {
    'register.metadata.object': 'Registration metadata is a JSON object, neither an array nor a primitive.',
  }),
  ...musts('2.2', 'table of rules, row Size limit', {
    'register.metadata.size': 'Registration metadata is at most 4 KB when serialized.',
  }),
  ...musts('2.2', 'table of rules, row Validation', {
    'register.metadata.free': 'Keys and values of registration metadata are free and are not validated.',
  }),
  ...musts('2.2', 'table of rules, row Required', {
    'register.metadata.optional': 'Registration metadata may be left out.',
  }),
  ...musts('2.2', 'table of rules, row Mutability', {
    'register.metadata.set-once': 'Registration metadata is set at registration and never changes.',
    'register.metadata.returned.verify': 'The verify lookup returns the registration metadata.',
    'register.metadata.returned.status': 'The status lookup returns the registration metadata.',
  }),
  ...musts('2.2', 'paragraph “Structured fields are changed afterwards”', {
    'metadata.only-way': 'After registration, structured fields change only through PATCH /agent/metadata.',
  }),
];

const init = [
  ...musts('2.3', 'table of fields, row agent_hash', {
    'init.reply.agent-hash': isA('agent_hash of an init reply', 'string'),
  }),
  ...musts('2.3', 'table of fields, row genesis', {
    'init.reply.genesis': 'genesis of an init reply is an object of index, hash, prev and timestamp.',
    'init.reply.genesis.index': 'index of the genesis beat is 0.',
    'init.reply.genesis.hash': isA('hash of the genesis beat', 'string'),
    'init.reply.genesis.prev': 'prev of the genesis beat is a string of zeros.',
    'init.reply.genesis.timestamp': 'timestamp of the genesis beat is a number of milliseconds.',
  }),
  ...musts('2.3', 'table of fields, row difficulty', {
    'init.reply.difficulty': 'difficulty of an init reply is 1000.',
  }),
  ...musts('2.3', 'table of fields, row status', {
    'init.reply.status': 'status of an init reply is active.',
  }),
  ...musts('2.3', 'table of fields, row _next_steps', {
    'init.reply.next-steps':
      '_next_steps of an init reply is an object of hint strings: purchase_sigil, heartbeat, spawn_children and check_status.',
  }),
  ...musts('2.3', 'paragraph “When already initialized”', {
    'init.reply.again':
      'A repeated init answers with ok, already_initialized, agent_hash, genesis_hash, total_beats, latest_hash, latest_beat and status.',
    'init.reply.already-initialized': 'already_initialized of a repeated init is true.',
  }),
];

const proof = [
  ...musts('2.4', fieldRow, {
    'proof.field.from-beat': 'from_beat of a beat proof is a number, the index where it starts.',
    'proof.field.to-beat': 'to_beat of a beat proof is a number, the index where it ends.',
    'proof.field.from-hash': 'from_hash of a beat proof is the hash at from_beat.',
    'proof.field.to-hash': 'to_hash of a beat proof is the hash at to_beat.',
    'proof.field.beats-computed': 'beats_computed of a beat proof equals to_beat - from_beat.',
    'proof.field.global-anchor': 'global_anchor of a beat proof is a number, the index of a global anchor.',
    'proof.field.anchor-hash':
      'anchor_hash of a beat proof is the hash of the anchor that ties the chain to global time.',
    'proof.field.spot-checks': 'spot_checks of a beat proof is an array of items with index, hash and prev.',
    'proof.field.spot-checks.end': 'spot_checks of a beat proof holds the entry for to_beat.',
  }),
  ...musts('2.4', 'paragraph “The older check-in form”', {
    'proof.older.spot-checks': [
      'The older check-in form of the proof needed 5 spot checks or more.',
      'the check-in that took this form is retired and answers 410 to everything',
    ],
  }),
];

const workProof = musts('2.5', 'paragraph “Object work_proof”', {
  'work-proof.field.from-hash': isA('from_hash of a work proof', 'string'),
  'work-proof.field.to-hash': isA('to_hash of a work proof', 'string'),
  'work-proof.field.beats-computed': isA('beats_computed of a work proof', 'number'),
  'work-proof.field.difficulty': isA('difficulty of a work proof', 'number'),
  'work-proof.field.anchor-hash': isA('anchor_hash of a work proof', 'string'),
  'work-proof.field.anchor-index': isA('anchor_index of a work proof', 'number'),
  'work-proof.field.spot-checks': 'spot_checks of a work proof is an array of index, hash and prev.',
  'work-proof.reply.receipt': 'The beats service answers a good work proof with receipt, a signed string.',
});

const passport = [
  ...musts('2.6', 'paragraph “Returned by heartbeat”', {
    'passport.returned-by': 'Heartbeat, SIGIL purchase and reissue each return a passport.',
    'passport.signed': 'A passport is signed with Ed25519 by the authority key of the registry.',
    'passport.validity': 'A passport is valid for 24 hours.',
  }),
  ...musts('2.6', fieldRow, {
    'passport.field.format-version':
      'format_version of a passport is always 1 and stands for the canonical field order.',
    'passport.field.agent-hash': 'agent_hash of a passport is a string, the hash of its agent.',
    'passport.field.agent-public-key':
      'agent_public_key of a passport is the wallet key or address of the agent, or null.',
    'passport.field.authority-key-id': 'authority_key_id of a passport names the authority key that signed it.',
    'passport.field.identity-class': 'identity_class of a passport is narrow_task, autonomous or orchestrator.',
    'passport.field.registered-at-beat': isA('registered_at_beat of a passport', 'number'),
    'passport.field.sigil-issued-at-beat': isA('sigil_issued_at_beat of a passport', 'number', 'or null'),
    'passport.field.last-heartbeat-beat':
      'last_heartbeat_beat of a passport is the beat of the last attested heartbeat.',
    'passport.field.last-heartbeat-beat.zero':
      'last_heartbeat_beat is 0 in the passport of a SIGIL purchase before any heartbeat.',
    'passport.field.lineage-chain-hash': 'lineage_chain_hash of a passport is the hash of the lineage event chain.',
    'passport.field.issued-at': 'issued_at of a passport is a number of Unix milliseconds.',
    'passport.field.valid-until': 'valid_until of a passport is issued_at plus 24 hours, in Unix milliseconds.',
    'passport.field.service-signature':
      'service_signature of a passport is the hex Ed25519 signature over its canonical JSON.',
  }),
  ...musts('2.6', 'paragraph “The field lineage_proof”', {
    'passport.alias.identical': 'lineage_proof of a heartbeat or reissue reply is identical to passport.',
  }),
];

const sigil = [
  ...musts('2.7', fieldRow, {
    'sigil.field.sigil': 'sigil of a SIGIL reads <sigil_name>*<principal>*<tier>.',
    'sigil.field.sigil-name': isA('sigil_name of a SIGIL', 'string'),
    'sigil.field.principal': 'principal of a SIGIL is a string, the namespace of its name.',
    'sigil.field.tier': 'tier of a SIGIL is sov, org, ind, eph or sbx.',
    'sigil.field.identity-class': 'identity_class of a SIGIL is narrow_task, autonomous or orchestrator.',
    'sigil.field.issued-at-beat': isA('issued_at_beat of a SIGIL', 'number'),
    'sigil.field.birth-tx': isA('birth_tx of a SIGIL', 'string'),
    'sigil.field.explorer-url': isA('explorer_url of a SIGIL', 'string'),
  }),
  ...musts('2.7', 'paragraph “These fields are immutable”', {
    'sigil.immutable': 'The fields of a SIGIL never change after the purchase.',
  }),
];

const mutable = musts('2.8', fieldRow, {
  'metadata.field.substrate': 'substrate is frontier, open, local, symbolic, hybrid or human.',
  'metadata.field.substrate-provider': 'substrate_provider is one of eight lower-case vendor identifiers or custom.',
  'metadata.field.substrate-model': 'substrate_model is free text of at most 256 characters.',
  'metadata.field.capability':
    'capability is analyst, executor, orchestrator, guardian, retriever, renderer or witness.',
  'metadata.field.capability-scope': 'capability_scope is free text of at most 256 characters.',
  'metadata.field.tools': 'tools is an array of up to 32 strings.',
  'metadata.field.tools.item': 'An item of tools has at most 64 characters.',
  'metadata.field.modality-input': 'modality_input is an array of strings, the input modalities of the agent.',
  'metadata.field.modality-output': 'modality_output is an array of strings, the output modalities of the agent.',
  'metadata.field.protocol': 'protocol is http, grpc, websocket, mcp, a2a or custom.',
  'metadata.field.endpoint': 'endpoint is the URL of the agent, of at most 256 characters.',
  'metadata.field.compliance-regime': 'compliance_regime is gdpr, pdpa, hipaa, sox, aisi, none or custom.',
  'metadata.field.generation-trigger': 'generation_trigger is free text of at most 256 characters.',
  'metadata.field.generation-trigger.counter': 'Setting generation_trigger raises the generation counter by 1.',
  'metadata.field.generation-trigger.reason': 'The text of generation_trigger is kept as the reason of the generation.',
});

const fee = musts('2.9', 'paragraph “Heartbeat: amount_sol”', {
  'fee.field.amount-sol': isA('amount_sol of a fee object', 'number'),
  'fee.field.amount-lamports': isA('amount_lamports of a fee object', 'number'),
  'fee.field.tier': 'tier of a heartbeat fee object is a number from 1 to 3.',
  'fee.field.payment-tx': isA('payment_tx of a fee object', 'string'),
  'fee.field.no-tier.sigil': 'The fee object of a SIGIL purchase has no tier.',
  'fee.field.no-tier.reissue-proof': 'The fee object of a reissue has no tier.',
});

const sponsor = musts('2.10', 'paragraph “parent_hash, child_hash”', {
  'sponsor.field.parent-hash': isA('parent_hash of a sponsorship', 'string'),
  'sponsor.field.child-hash': isA('child_hash of a sponsorship', 'string'),
  'sponsor.field.status': 'status of a sponsorship is active when it is created.',
  'sponsor.field.max-heartbeats-epoch': isA('max_heartbeats_epoch of a sponsorship', 'number'),
  'sponsor.field.heartbeats-used-epoch': isA('heartbeats_used_epoch of a sponsorship', 'number'),
  'sponsor.field.expires-at': isA('expires_at of a sponsorship', 'instant'),
  'sponsor.field.created-at': 'created_at of a sponsorship is an ISO 8601 string that listings return.',
});

const subsidy = musts('2.11', 'paragraph “agent_hash, fee_type”', {
  'subsidy.field.agent-hash': 'agent_hash of a subsidy is the agent that it is for.',
  'subsidy.field.fee-type': 'fee_type of a subsidy is sigil, heartbeat or reissuance.',
  'subsidy.field.discount-bps': isA('discount_bps of a subsidy', 'number'),
  'subsidy.field.floor-lamports': isA('floor_lamports of a subsidy', 'number'),
  'subsidy.field.reason': isA('reason of a subsidy', 'string'),
  'subsidy.field.valid-until': isA('valid_until of a subsidy', 'instant'),
});

/** 4.16 answers with flagged, flag_id and status, and no lookup of flags is documented. */
const unseenFlag = 'no reply of the interface shows this field of a flag';

const flag = musts('2.12', 'paragraph “flag_id”', {
  'flag.field.flag-id': 'flag_id of a flag has the shape of a UUID.',
  'flag.field.status': 'status of a flag is pending when it is created.',
  'flag.field.target-hash': ['target_hash of a flag names the agent that the complaint is about.', unseenFlag],
  'flag.field.asserted-class': ['asserted_class of a flag names the class that the reporter asserts.', unseenFlag],
  'flag.field.reason': ['reason of a flag says why the reporter complains.', unseenFlag],
});

const webhook = musts('2.13', 'paragraph “webhook_url”', {
  'partner-webhook.field.webhook-url': 'webhook_url of a webhook configuration is a string with an HTTPS address.',
  'partner-webhook.field.events': 'events of a webhook configuration is an array of strings.',
  'partner-webhook.field.webhook-secret': 'webhook_secret of a webhook configuration is a string of 32 bytes in hex.',
  'partner-webhook.field.webhook-secret.when':
    'webhook_secret is returned when the configuration is set or updated and at no other time.',
  'partner-webhook.field.configured': 'configured of a webhook configuration is a boolean that GET returns.',
});

export const section2: readonly Clause[] = [
  ...conventions,
  ...agent,
  ...registrationMetadata,
  ...init,
  ...proof,
  ...workProof,
  ...passport,
  ...sigil,
  ...mutable,
  ...fee,
  ...sponsor,
  ...subsidy,
  ...flag,
  ...webhook,
];
