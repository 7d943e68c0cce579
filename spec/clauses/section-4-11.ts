/** The clauses of sections 4.11 to 4.18: metadata, wallet, sponsorship, lookup, flags, subsidies, webhooks. */

import type { Clause } from '../clause.js';
import { isA, musts, says } from './rows.js';

const metadata = musts('4.11', 'paragraph “Requires a SIGIL”', {
  'metadata.sigil-needed': 'Only an agent that holds a SIGIL can change metadata.',
  'metadata.body': 'A metadata change carries any of the mutable fields of 2.8.',
  'metadata.reply': 'A metadata change answers with ok, sigil, generation and updated_fields.',
  'metadata.reply.sigil': isA('sigil of a metadata reply', 'string'),
  'metadata.reply.generation': isA('generation of a metadata reply', 'number'),
  'metadata.reply.updated-fields': 'updated_fields of a metadata reply is an array of strings.',
  'metadata.immutable.sigil': says('A metadata change that names sigil gets 400.', { status: 400 }),
  'metadata.immutable.sigil-name': says('A metadata change that names sigil_name gets 400.', { status: 400 }),
  'metadata.immutable.principal': says('A metadata change that names principal gets 400.', { status: 400 }),
  'metadata.immutable.tier': says('A metadata change that names tier gets 400.', { status: 400 }),
  'metadata.immutable.identity-class': says('A metadata change that names identity_class gets 400.', { status: 400 }),
});

const wallet = [
  ...musts('4.12', 'paragraph “Links a wallet to an agent”', {
    'wallet.purpose': 'The wallet endpoint links a wallet to an agent that was registered without one.',
  }),
  ...musts('4.12', 'item 1, challenge', {
    'wallet.challenge.body': 'A wallet link starts with action challenge.',
    'wallet.challenge.reply': 'A wallet challenge answers with ok, action, nonce and expires_in.',
    'wallet.challenge.reply.expires-in': 'expires_in of a wallet challenge is 300, in seconds.',
  }),
  ...musts('4.12', 'item 2, finalize, self-custody', {
    'wallet.self-custody.message':
      'A self-custody link is signed with Ed25519 over service-link-wallet:<nonce>:<wallet_public_key_hex>:<agent_hash>.',
    'wallet.self-custody.body':
      'A self-custody link sends wallet_nonce, wallet_public_key (64 hex characters) and wallet_signature (hex).',
  }),
  ...musts('4.12', 'item 3, finalize, operator', {
    'wallet.operator.message':
      'An operator link is signed over service-link-wallet-operator:<nonce>:<operator_wallet_address>:<agent_hash>.',
    'wallet.operator.body':
      'An operator link sends wallet_nonce, wallet_model operator, operator_wallet_address (base58) and wallet_signature (hex).',
  }),
];

const sponsor = [
  ...musts('4.13', "paragraph “Auth: parent's key”", {
    'sponsor.auth': "A sponsor call is made with the parent's key.",
    'sponsor.pays': 'A sponsorship lets an ancestor pay the heartbeat fees of a descendant.',
  }),
  ...musts('4.13', 'bullet “POST body”', {
    'sponsor.post.body.child-hash': 'Sponsoring needs child_hash, a string.',
    'sponsor.post.body.max-heartbeats-epoch': 'Sponsoring may carry max_heartbeats_epoch, a number from 1 to 10,000.',
    'sponsor.post.body.max-heartbeats-epoch.default': 'A sponsorship without max_heartbeats_epoch has a cap of 100.',
    'sponsor.post.body.expires-in-hours': 'Sponsoring may carry expires_in_hours, a number of at least 1.',
    'sponsor.post.reply': 'Sponsoring answers with ok and sponsorship, the object of 2.10.',
  }),
  ...musts('4.13', 'bullet “DELETE body”', {
    'sponsor.delete.body': 'Revoking a sponsorship carries child_hash.',
    'sponsor.delete.reply': 'Revoking a sponsorship answers with ok and revoked, which is true.',
  }),
  ...musts('4.13', 'bullet “GET”', {
    'sponsor.get.body': 'Listing sponsorships takes no body.',
    'sponsor.get.reply': 'Listing sponsorships answers with ok and sponsorships, an array of objects of 2.10.',
  }),
  ...musts('4.13', 'paragraph “Requirements”', {
    'sponsor.rule.wallet': 'A sponsor must have a linked wallet rather than be api-sponsored.',
    'sponsor.rule.not-frozen': 'A sponsor must not be frozen.',
    'sponsor.rule.descendant': 'The sponsored agent must descend from the sponsor, at whatever depth.',
    'sponsor.rule.not-self': 'The sponsor must be another agent than the child.',
  }),
];

const batch = musts('4.14', 'paragraph “No auth. Body: hashes”', {
  'verify-batch.body.hashes': 'A batch verification carries hashes, an array of 1 to 50 agent hashes.',
  'verify-batch.reply.results': 'A batch verification answers with results, an array.',
  'verify-batch.reply.order': 'results stand in the order of the hashes that were asked for.',
  'verify-batch.reply.summary': 'A batch verification answers with summary {total, verified, not_found}.',
  'verify-batch.reply.found':
    'The result of a found agent has verified true, standing, agent, sigil, passport, beat_state, network, lineage and root.',
  'verify-batch.reply.passport': 'passport of a found agent is a passport or null.',
  'verify-batch.reply.network': 'network of a found agent is {current_anchor_index, anchor_degraded}.',
  'verify-batch.reply.lineage': 'lineage of a found agent is an array.',
  'verify-batch.reply.missing': 'The result of a missing agent is {verified false, hash, error}.',
});

const checkin = musts('4.15', 'paragraph “Returns 410 Gone”', {
  'checkin.gone': says('POST /agent/checkin answers 410 Gone with error in its body.', { status: 410 }),
  'checkin.reply.deprecated': 'The body of a check-in reply has deprecated true.',
  'checkin.replacement': 'The heartbeat does what the check-in once did: it keeps an agent from being frozen.',
});

const flag = musts('4.16', 'paragraph “Body: target_hash”', {
  'flag.body.target-hash': 'A flag needs target_hash, a string.',
  'flag.body.asserted-class': 'A flag needs asserted_class: narrow_task, autonomous or orchestrator.',
  'flag.body.reason': 'A flag needs reason, a string of 1 to 2000 characters.',
  'flag.reply': 'A flag answers with flagged, flag_id and status.',
  'flag.reply.flagged': 'flagged of a flag reply is true.',
  'flag.reply.status': 'status of a flag reply is pending.',
  'flag.rule.reporter-sigil': 'Only a reporter that holds a SIGIL can flag.',
  'flag.rule.reporter-tier': 'Only a reporter whose tier is not the sandbox one can flag.',
  'flag.rule.not-self': 'A reporter cannot flag itself.',
  'flag.rule.target-exists': 'Only an agent that exists can be flagged.',
  'flag.rule.one-pending': 'A pair of reporter and target has at most one pending flag.',
});

const subsidy = [
  ...musts('4.17', 'paragraph “Auth: admin key”', {
    'subsidy.auth': 'A subsidy call is made with an admin key, whose prefix is pva_.',
    'subsidy.scope': 'A subsidy lowers one type of fee for one agent and leaves all other fees as they are.',
    'fee.resolution.subsidy': "An agent's own subsidy comes before the fee configuration table.",
    'fee.resolution.table': 'The fee configuration table comes before environment overrides and built-in defaults.',
    'fee.resolution.environment': [
      'An environment override comes before the built-in default.',
      "the environment of the server's process lies outside the interface",
    ],
    'fee.resolution.default': 'The built-in default holds where nothing overrides it.',
    'fee.floor': 'A discount never takes a fee below the cost-of-goods floor.',
    'fee.floor.default': 'The cost-of-goods floor is 5,000 lamports unless the subsidy gives another.',
  }),
  ...musts('4.17', 'bullet “POST body”', {
    'subsidy.post.body.agent-hash': 'A subsidy needs agent_hash, a string.',
    'subsidy.post.body.fee-type': 'A subsidy needs fee_type: sigil, heartbeat or reissuance.',
    'subsidy.post.body.discount-bps': 'A subsidy needs discount_bps, a number from 1 to 10000.',
    'subsidy.post.discount': 'discount_bps counts ten-thousandths: 5000 takes half of the fee off.',
    'subsidy.post.body.reason': 'A subsidy needs reason, a string.',
    'subsidy.post.body.floor-lamports': 'A subsidy may carry floor_lamports, a number; left out, it is 5000.',
    'subsidy.post.body.valid-until': 'A subsidy may carry valid_until, an ISO 8601 string.',
    'subsidy.post.reply': 'Granting a subsidy answers with ok and subsidy, the object of 2.11.',
    'subsidy.post.reply.no-created': 'The subsidy that a grant answers with has no created fields.',
    'subsidy.post.upsert': 'Granting a subsidy for an agent and fee type that has one updates it.',
  }),
  ...musts('4.17', 'bullet “DELETE body”', {
    'subsidy.delete.body': 'Deleting a subsidy carries agent_hash and fee_type.',
    'subsidy.delete.reply': 'Deleting a subsidy answers with ok, deleted (true), agent_hash and fee_type.',
  }),
];

const webhook = [
  ...musts('4.18', 'paragraph “Auth: partner key”', {
    'partner-webhook.auth': 'A partner webhook call is made with a partner key, whose prefix is pvp_ or pvt_.',
  }),
  ...musts('4.18', 'bullet “PUT body”', {
    'partner-webhook.put.body.url': 'Setting a webhook needs url, a string with an HTTPS address.',
    'partner-webhook.put.body.events': 'Setting a webhook needs events, an array of names of section 6.',
    'partner-webhook.put.reply': 'Setting a webhook answers with webhook_url, webhook_secret and events.',
  }),
  ...musts('4.18', 'bullet “GET”', {
    'partner-webhook.get.reply': 'Reading a webhook answers with webhook_url, events and configured, which is true.',
    'partner-webhook.get.no-secret': 'Reading a webhook never returns the secret.',
  }),
  ...musts('4.18', 'bullet “DELETE”', {
    'partner-webhook.delete.reply': 'Deleting a webhook answers with ok, which is true.',
  }),
];

/** Sections 4.11 to 4.18: metadata, wallets, sponsors, batches, flags, subsidies and webhooks. */
export const section4Others: readonly Clause[] = [
  ...metadata,
  ...wallet,
  ...sponsor,
  ...batch,
  ...checkin,
  ...flag,
  ...subsidy,
  ...webhook,
];
