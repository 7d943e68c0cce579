/**
 * Clauses of level decision about names, hashes, keys and forms on the wire. Those about states, money and limits are
 * in decisions-rules.ts.
 */

import type { Clause } from '../clause.js';
import { decisionRows, isA, says } from './rows.js';

const names = [
  ...decisionRows('D-01', '4.2', {
    'dialect.message-prefix':
      'Signed messages begin with the prefix of the dialect: service, or provenonce in the dialect provenonce.',
  }),
  ...decisionRows('D-01', '2.6', {
    'dialect.passport-signature-field':
      'The signature field of a passport is service_signature, or provenonce_signature in the dialect provenonce.',
  }),
  ...decisionRows('D-01', '6', {
    'dialect.webhook-signature-header':
      'The signature header of a delivery is x-service-signature, or x-provenonce-signature in the dialect provenonce.',
  }),
  ...decisionRows('D-01', '4.1', {
    'dialect.anchor-prefix':
      "The domain prefix of an anchor's preimage is SERVICE_BEATS_V1, or PROVENONCE_BEATS_V1 in the dialect provenonce.",
    'dialect.credential-names':
      'The credential around a passport is of type ServicePassport and cryptosuite eddsa-service-2026, or ProvenoncePassport and eddsa-provenonce-2026 in the dialect provenonce.',
  }),
  ...decisionRows('D-01', '2.5', {
    'dialect.receipt-form': 'A receipt is returned as a string, or as an object in the dialect provenonce.',
  }),
  ...decisionRows('D-01', '2.8', {
    'dialect.vendors':
      'The eight vendors are vendor_1 to vendor_8, or anthropic, openai, google, meta, mistral, xai, cohere and deepseek in the dialect provenonce.',
  }),
];

const beats = [
  ...decisionRows('D-02', '2.4', {
    'beat.seed': 'A beat starts from the UTF-8 text <prev>:<index>:<nonce>.',
    'beat.seed.nonce': 'A beat without a nonce has the empty string in its place.',
    'beat.seed.anchor': 'A beat that weaves in an anchor has :<anchor_hash> at the end of its seed text.',
    'beat.hash':
      'A beat hashes its seed with SHA-256 and then, difficulty times, the 64 ASCII characters of the hash before, in lower-case hex.',
    'beat.hash.form': 'A chain hash is 64 hex characters without 0x.',
  }),
  ...decisionRows('D-03', '2.3', {
    'genesis.hash': 'The hash of a genesis beat is the hex SHA-256 of beats:genesis:v1:<agent_hash>.',
    'genesis.prev': 'The prev of a genesis beat has 64 zeros.',
  }),
  ...decisionRows('D-04', '4.1', {
    'clock.anchor-interval': 'A global anchor is issued every 60 seconds.',
  }),
  ...decisionRows('D-04', '4.5', {
    'clock.current-beat': 'current_beat is the index of the latest anchor.',
    'clock.interval': 'The interval of 10 beats between heartbeats counts global anchors.',
    'clock.billing-epoch': 'billing_epoch is floor(current_beat / 100000).',
  }),
  ...decisionRows('D-04', '2.6', {
    'clock.registered-at-beat': 'registered_at_beat is the anchor index at registration.',
    'clock.last-heartbeat-beat': 'last_heartbeat_beat is the anchor index at the last heartbeat.',
  }),
  ...decisionRows('D-04', '2.7', {
    'clock.issued-at-beat': 'issued_at_beat is the anchor index at the SIGIL purchase.',
  }),
  ...decisionRows('D-05', '4.1', {
    'beat-anchor.route.beats': 'GET /api/v1/beat/anchor exists on the beats service too and gives the same anchor.',
    'beat-anchor.reply': 'An anchor reply holds anchor, on_chain, receipt, anchor_interval_sec and next_anchor_at.',
    'beat-anchor.reply.anchor':
      'anchor has type (anchor), beat_index, hash, prev_hash, utc (ms), difficulty, epoch, tx_signature and solana_entropy.',
    'beat-anchor.reply.on-chain': 'on_chain of an anchor reply is {tx_signature, explorer_url, anchored}.',
    'beat-anchor.reply.anchor-interval-sec': 'anchor_interval_sec of an anchor reply is 60.',
    'beat-anchor.reply.next-anchor-at': isA('next_anchor_at of an anchor reply', 'instant'),
    'beat-anchor.reply.receipt':
      "receipt of an anchor reply is {signature, public_key}, with the signature in base64, Ed25519 over the anchor's canonical JSON (keys sorted, no spaces).",
    'beat-anchor.reply.before-first': [
      'A service before its first anchor gives anchor null and on_chain.anchored false.',
      'a service that issues anchor 0 when it starts is never seen without one',
    ],
    'anchor.hash':
      'The hash of an anchor is the hex SHA-256 of the domain prefix, prev_hash (32 bytes), beat_index (u64, big-endian) and the 32 bytes of solana_entropy, decoded from base58.',
    'anchor.prev-hash.first': 'prev_hash of anchor 0 is the hex SHA-256 of beats:genesis:v1: with nothing after it.',
    'anchor.epoch': 'epoch of an anchor is floor(beat_index / 100).',
    'anchor.difficulty': 'difficulty of an anchor stays 1000.',
    'anchor.first': 'Anchor 0 is issued when the service starts.',
  }),
];

const proofs = [
  ...decisionRows('D-06', '2.4', {
    'proof.anchor.grace': 'A proof may weave any of the latest 5 anchors and no older one.',
  }),
  ...decisionRows('D-07', '2.4', {
    'proof.spot-checks.min': 'A proof has at least min(3, beats_computed) spot checks.',
    'proof.spot-checks.max': 'A proof has at most 25 spot checks.',
    'proof.spot-checks.range': 'Every spot check has an index above from_beat and not above to_beat.',
    'proof.spot-checks.unique': 'No index is spot-checked twice.',
    'proof.spot-checks.recomputed':
      'Every spot check is recomputed, and one that does not hold makes the proof invalid.',
    'proof.spot-checks.first': 'A spot check at from_beat + 1 has from_hash as its prev.',
    'proof.spot-checks.neighbours':
      "Of two spot checks at neighbouring indexes, the later one's prev is the hash of the earlier.",
    'proof.spot-checks.last': 'The spot check at to_beat has to_hash as its hash.',
    'proof.anchor.every-beat': 'Every beat of a proof weaves in the one anchor_hash of the proof.',
  }),
  ...decisionRows('D-07', '4.9', {
    'beats-submit.continues': "A submission starts from the agent's latest beat and latest hash.",
    'beats-submit.beats-max': 'A submission credits at most 10,000 beats a call.',
    'beats-submit.body.wrapped': 'A submission may carry its proof as the body or as {proof}.',
  }),
  ...decisionRows('D-08', '4.8', {
    'work-proof.route.get': 'GET {beats_url}/api/v1/beat/work-proof exists and describes the service.',
    'beat-key.route': 'GET {beats_url}/api/v1/beat/key exists and needs no credential.',
    'beat-key.reply':
      'A beat key reply holds public_key_base58, public_key_hex, algorithm and keys {timestamp, work_proof}.',
    'beat-verify.route.beats': 'POST {beats_url}/api/v1/beat/verify exists on the beats service too.',
    'beat-timestamp.route': 'POST {beats_url}/api/v1/beat/timestamp exists and takes {hash}.',
    'beat-timestamp.reply.receipt': 'A timestamp call answers with a signed receipt for a memo on the ledger.',
    'health.route': 'GET {beats_url}/api/health exists, the only path outside /api/v1.',
    'work-proof.difficulty.min': 'A public work proof of a difficulty below 100 is not accepted.',
    'work-proof.difficulty.max': 'A public work proof of a difficulty above 5,000 is not accepted.',
    'receipt.difficulty-min': 'The registry takes receipts of work from difficulty 100 on.',
    'work-proof.body.flat': 'A work-proof call may carry the proof as its body in place of {work_proof}.',
    'work-proof.malformed': says('A malformed work-proof body gets 400.', { status: 400 }),
    'work-proof.refused': 'A well-formed work proof that fails gets 200 with ok false, valid false and reason.',
    'work-proof.reason.insufficient-difficulty':
      'The reason for too low a difficulty of a work proof is insufficient_difficulty.',
    'work-proof.reason.insufficient-spot-checks':
      'The reason for too few spot checks of a work proof is insufficient_spot_checks.',
    'work-proof.reason.insufficient-spot-checks.others':
      'The reason for too many spot checks of a work proof, or for a beat that is shown twice, is insufficient_spot_checks.',
    'work-proof.reason.count-mismatch':
      'The reason for a work proof whose count does not fit its spot checks is count_mismatch.',
    'work-proof.reason.stale-anchor': 'The reason for a work proof over too old an anchor is stale_anchor.',
    'work-proof.reason.spot-check-failed':
      'The reason for a work proof with a spot check that does not hold is spot_check_failed.',
    'work-proof.reply.valid': 'valid of an accepted work-proof reply is true.',
    'work-proof.chain-start': 'The chain of a work proof may start at any index.',
    'work-proof.span': "The span of a work proof's spot checks fits into beats_computed.",
    'work-proof.end': 'The spot check of a work proof with the highest index has to_hash as its hash.',
  }),
  ...decisionRows('D-08', '8', {
    'limit.work-proof': 'Work proofs are limited to 10 a minute per IP.',
    'limit.beat-verify.beats': 'beat/verify calls on the beats service are limited to 10 a minute per IP.',
    'limit.beat-timestamp': 'Timestamps are limited to 5 a minute per IP.',
    'limit.beat-key': 'Beat key lookups are limited to 60 a minute per IP.',
    'limit.beat-anchor.beats': 'Anchor lookups on the beats service are limited to 60 a minute per IP.',
    'limit.work-proof.get': 'Descriptions of the work-proof service are limited to 60 a minute per IP.',
    'limit.health': 'Health lookups are limited to 60 a minute per IP.',
  }),
  ...decisionRows('D-09', '2.5', {
    'receipt.payload':
      'A receipt holds type (work_proof), beats_verified, difficulty, anchor_index, anchor_hash, from_hash, to_hash, utc (ISO 8601) and signature.',
    'receipt.signature':
      "The signature of a receipt is base64 Ed25519 by the beats service's work-proof key over the canonical JSON of all its other fields.",
    'receipt.string': 'A receipt as a string is the base64url of its payload as JSON.',
    'receipt.both-forms': 'The registry takes a receipt as a string and as an object, wherever it takes one.',
    'receipt.once': 'A receipt can be used once; its pair of from_hash and to_hash identifies it.',
    'receipt.window': 'A receipt is valid for 60 anchors.',
  }),
  ...decisionRows('D-10', '4.1', {
    'beat-verify.mode.beat': 'beat/verify without a mode judges a single beat, as with mode beat.',
    'beat-verify.mode.chain': 'beat/verify with mode chain judges a chain of at most 1000 beats.',
    'beat-verify.mode.proof': 'beat/verify with mode proof judges a proof with spot checks.',
    'beat-verify.reply': 'A beat/verify reply holds ok, mode and valid.',
  }),
  ...decisionRows('D-10', '8', {
    'limit.beat-verify': 'beat/verify calls on the registry are limited to 10 a minute per IP.',
  }),
];

const passports = [
  ...decisionRows('D-11', '2.6', {
    'passport.bytes':
      'The signed text of a passport is JSON without spaces of format_version, agent_hash, agent_public_key, authority_key_id, identity_class, registered_at_beat, sigil_issued_at_beat, last_heartbeat_beat, lineage_chain_hash, issued_at and valid_until, in this order.',
    'passport.key-id': 'authority_key_id is pvn-ed25519- and the first 16 hex characters of the public key.',
    'passport.identity-class.none': 'identity_class of the passport of a child without a SIGIL is null.',
    'passport.public-key.solana': 'agent_public_key of an agent with a Solana wallet is its address in base58.',
    'passport.public-key.ethereum': [
      'agent_public_key of an agent with an Ethereum wallet is its address with 0x.',
      'an agent with an Ethereum wallet cannot pay for a SIGIL, so no passport of one is ever issued',
    ],
    'passport.public-key.none': 'agent_public_key of an agent without a wallet is null.',
  }),
  ...decisionRows('D-11', '9', {
    'passport.alias.until':
      "Replies carry lineage_proof up to and including 2026-09-01 (UTC) by the service's clock, and not after that day.",
  }),
  ...decisionRows('D-12', '4.1', {
    'passport.reply':
      'GET /agent/passport answers with passport, passport_vc, lineage_proof and authority_public_key_hex.',
    'passport.reply.passport-vc':
      'passport_vc is a W3C Verifiable Credential envelope around the fields of the passport.',
    'passport.free': 'GET /agent/passport needs no payment.',
    'passport.error.sigil-required': 'GET /agent/passport by a root without a SIGIL gets 403 SIGIL_REQUIRED.',
  }),
  ...decisionRows('D-12', '8', {
    'limit.passport': 'GET /agent/passport is limited to 10 an hour per endpoint subject.',
  }),
  ...decisionRows('D-13', '4.1', {
    'authority-key.reply':
      'An authority-key reply holds schema_version, algorithm, key_id, authority_public_key_hex and verification.',
    'authority-key.reply.schema-version': 'schema_version of an authority-key reply is 1.',
    'authority-key.reply.algorithm': 'algorithm of an authority-key reply is Ed25519.',
    'authority-key.reply.verification':
      "verification of an authority-key reply is {proof_signature_field, verify_function}: the name of the passport's signature field, and verifyPassport.",
  }),
  ...decisionRows('D-14', '2.6', {
    'lineage.hash.form': 'lineage_chain_hash is 0x and 64 hex characters.',
    'lineage.hash.fold': [
      'lineage_chain_hash folds each event into the hex SHA-256 of the hash before it and the canonical JSON of the event, from 64 zeros.',
      'the events are not published in full, so nobody outside can fold them',
    ],
    'lineage.hash.heartbeat': 'A heartbeat changes lineage_chain_hash.',
    'lineage.hash.sigil': 'A SIGIL purchase changes lineage_chain_hash.',
    'lineage.hash.wallet-linked': 'Linking a wallet changes lineage_chain_hash.',
    'lineage.hash.spawned': "Spawning a child changes the parent's lineage_chain_hash.",
    'lineage.hash.frozen': 'A freeze and the resync after it change lineage_chain_hash.',
    'lineage.hash.reissue': 'A reissue leaves lineage_chain_hash as it is.',
  }),
];

const identities = [
  ...decisionRows('D-15', '5', {
    'key.agent.payload': 'The payload of an agent key is the base64url of an object {h, k, iat}.',
    'key.agent.mac': [
      'The signature of an agent key is a hex HMAC-SHA256 under a secret of the server.',
      'computing it needs the secret of the server',
    ],
    'key.agent.constant-time': [
      'Agent keys are compared in constant time.',
      'times over a network do not show it reliably',
    ],
    'key.agent.revoked': says('A revoked agent key gets 401 AUTH_MISSING.', { status: 401, code: 'AUTH_MISSING' }),
  }),
  ...decisionRows('D-15', '2.1', {
    'key.secret.form': 'secret of a registered agent is 64 hex characters.',
    'key.secret.kept': 'Keys, secrets and tokens stand in no reply but the one that issues them.',
  }),
  ...decisionRows('D-16', '2.1', {
    'agent.child.type': 'type of a registered child is agent.',
    'name.length': 'The name of an agent has 1 to 64 characters after trimming.',
    'name.text': 'The name of an agent may hold any characters and comes back as it was given, but for trimming.',
    'lineage.depth-unlimited': 'Lineages have no depth limit unless the server is given one.',
  }),
  ...decisionRows('D-16', '4.2', {
    'register.child.reply': 'A child registration answers with the agent object of 2.1.',
  }),
  ...decisionRows('D-17', '4.6', {
    'name.sigil.auto': 'A SIGIL bought with name auto, or without name, is named auto- and 8 hex characters.',
    'name.sigil.custom': 'A custom SIGIL name matches ^[a-z0-9][a-z0-9-]{0,47}$.',
    'sigil.error.sigil-name-taken': 'A SIGIL name that is taken under its principal gets 409 SIGIL_NAME_TAKEN.',
  }),
  ...decisionRows('D-17', '2.8', {
    'metadata.modality.count': 'A list of modalities has at most 16 words.',
    'metadata.modality.word': 'A modality matches ^[a-z][a-z0-9_-]{0,31}$.',
  }),
  ...decisionRows('D-18', '4.2', {
    'register.nonce.field': 'Phase 2 of every two-phase registration carries its nonce as wallet_nonce.',
    'register.nonce.form': 'A registration nonce is 64 hex characters.',
    'register.nonce.ttl': 'A registration nonce is refused once 300 seconds have passed.',
    'register.nonce.once': 'A registration nonce is valid for a single use.',
    'register.nonce.bound': 'A registration nonce is refused by any other flow than the one that it was issued for.',
    'register.ethereum.address-case': 'Case makes no difference between two Ethereum addresses.',
    'wallet.shared': 'One wallet may belong to any number of agents.',
  }),
  ...decisionRows('D-18', '4.12', {
    'wallet.nonce.form': 'A wallet-link nonce is 64 hex characters.',
    'wallet.nonce.bound': 'A wallet-link nonce is refused by any other flow.',
  }),
  ...decisionRows('D-18', '4.10', {
    'resync.nonce.form': 'A resync nonce is 64 hex characters.',
  }),
];

const lookups = [
  ...decisionRows('D-19', '4.1', {
    'status.reply':
      'A status reply holds exists (true), status, hash, type, depth, name, metadata, wallet, wallet_model, wallet_chain, identity_class, sigil, sigil_issued_at, tier, principal, registered, registered_by, tx_signature, heartbeat_refused, heartbeat_refused_reason and beat_state.',
    'status.reply.beat-state':
      'beat_state of a started chain holds beat_count, lifetime_beats, available_beats, latest_beat, last_checkin_beat, last_global_sync, total_heartbeats, difficulty and status.',
    'status.reply.status': 'status of a status reply is registered, active, warning, frozen or refused.',
    'status.reply.status.warning': 'status reads warning once an agent is more than 48 anchors behind.',
    'status.reply.status.refused':
      'status reads refused while heartbeats are refused because of a sustained complaint.',
    'status.error.not-found': says(
      'The status of an unknown agent gets 404 with exists false, status not_found and hash.',
      { status: 404 },
    ),
    'status.error.invalid-hash': 'A status lookup by a malformed hash gets 400 INVALID_HASH.',
  }),
  ...decisionRows('D-20', '4.1', {
    'verify.reply': 'A verify reply is one result of 4.14 with lineage_depth beside it.',
    'verify.reply.passport': 'passport of a verify reply is null.',
    'verify.reply.agent':
      'agent of a verify reply has hash, name, type, depth, parent, metadata, wallet, wallet_model, wallet_chain and registered.',
    'verify.reply.sigil':
      'sigil of a verify reply has the fields of 2.7 and 2.8 and generation, or is null without a SIGIL.',
    'verify.reply.beat-state':
      'beat_state of a verify reply is that of the status lookup, or null before the chain starts.',
    'verify.reply.lineage':
      'lineage of a verify reply goes from the agent up to its root, each with hash, type, depth, name and registered.',
    'verify.reply.root': 'root of a verify reply is {hash, registered}.',
    'verify.reply.anchor-degraded':
      'anchor_degraded is true while the latest anchor is older than 3 intervals, and false otherwise.',
    'verify.error.not-found': says('Verifying an unknown agent gets 404 with verified false, hash and error.', {
      status: 404,
    }),
  }),
  ...decisionRows('D-21', '4.1', {
    'beat-status.reply':
      'A beat-status reply holds agent_hash, beat_initialized, sigil, heartbeat, heartbeat_epoch, whitelist and gestation.',
    'beat-status.reply.heartbeat':
      'heartbeat of a beat-status reply has status, genesis_hash, latest_beat, latest_hash, total_beats, available_beats, difficulty, frozen_since and refused.',
    'beat-status.reply.heartbeat-epoch':
      'heartbeat_epoch of a beat-status reply has billing_epoch, count_in_epoch, volume_cap, remaining and lineage_chain_hash.',
    'beat-status.reply.whitelist':
      'whitelist of a beat-status reply has standing, last_global_sync, current_global_beat, beats_behind, beats_until_freeze and deadline_anchors.',
    'beat-status.reply.whitelist.deadline-anchors': 'deadline_anchors of a beat-status reply is 60.',
    'beat-status.reply.gestation':
      'gestation of a beat-status reply has depth, children_spawned, next_child_cost, beats_accumulated, progress_pct, can_spawn and deficit.',
  }),
  ...decisionRows('D-22', '4.1', {
    'fees-summary.reply':
      'A fees summary holds ok, payment_address, payment_chain, total_lamports, total_sol, by_type, overall_allocation, fee_split_bps and schedule.',
    'fees-summary.reply.payment-chain': 'payment_chain of a fees summary is solana.',
    'fees-summary.reply.by-type':
      'by_type of a fees summary lists fee_type, count, total_lamports, total_sol and allocation.',
    'fees-summary.reply.allocation':
      'An allocation has operations_lamports, contributors_lamports, development_lamports, treasury_lamports and referral_lamports.',
    'fees-summary.reply.fee-split-bps':
      'fee_split_bps of a fees summary has operations, contributors, development, treasury and referral.',
    'fees-summary.reply.schedule':
      'schedule of a fees summary has sigil_tiers {identity_class, label, sol, lamports}, heartbeat_tiers {range, sol, lamports} and proof_reissuance_sol.',
  }),
  ...decisionRows('D-23', '8', {
    'limit.status': 'Status lookups are limited to 60 a minute per IP.',
    'limit.verify': 'Verify lookups are limited to 60 a minute per IP.',
    'limit.beat-status': 'Beat-status lookups are limited to 60 a minute per IP.',
    'limit.beat-anchor': 'Anchor lookups on the registry are limited to 60 a minute per IP.',
    'limit.authority-key': 'Authority-key lookups are limited to 60 a minute per IP.',
    'limit.fees-summary': 'Fees summaries are limited to 60 a minute per IP.',
  }),
];

/** D-01 to D-23: names on the wire, beats and receipts, identities and passports, lookups. */
export const wireDecisionClauses: readonly Clause[] = [
  ...names,
  ...beats,
  ...proofs,
  ...passports,
  ...identities,
  ...lookups,
];
