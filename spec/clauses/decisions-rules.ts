/**
 * Clauses of level decision about states, money and limits: D-24 on. Those about names and forms on the wire are
 * in decisions-wire.ts.
 */

import type { Clause } from '../clause.js';
import { dialectFacts } from '../dialect-facts.js';
import { decisionRows, says } from './rows.js';

const heartbeats = [
  ...decisionRows('D-24', '3.1', {
    'dms.count.init': 'Before the first heartbeat or resync, missed anchors are counted from the anchor at init.',
    'dms.count.heartbeat': 'Missed anchors are counted from the last heartbeat.',
    'dms.count.resync': 'Missed anchors are counted from the last resync where that is the latest sign of life.',
    'dms.when': 'An agent 60 anchors behind is active, and frozen after the anchor that makes it 61.',
    'dms.unstarted': 'An agent whose chain has not started is never frozen.',
    'dms.stalled': 'Nobody misses an anchor while the anchor chain stands still.',
  }),
  ...decisionRows('D-25', '7', {
    'heartbeat.error.agent-frozen': 'A heartbeat of a frozen agent gets 403 AGENT_FROZEN.',
    'heartbeat.error.agent-not-initialized':
      'A heartbeat of an agent whose chain has not started gets 409 AGENT_NOT_INITIALIZED.',
    'heartbeat.error.heartbeat-refused':
      'A heartbeat of an agent under a sustained complaint gets 403 HEARTBEAT_REFUSED.',
    'sigil.error.payment-already-used': 'A SIGIL purchase with a used payment gets 409 PAYMENT_ALREADY_USED.',
    'reissue-proof.error.payment-already-used': 'A reissue with a used payment gets 409 PAYMENT_ALREADY_USED.',
    'fee.payment.once': 'One transaction pays one fee, of whatever type, once.',
  }),
  ...decisionRows('D-26', '7', {
    'error.order': [
      'Of several faults the reply reports the first in this order: auth, rate limit, body, state, SIGIL, wallet, missing payment, interval, cap, unknown or wrong payment, used payment, sender.',
      'a target may order them otherwise, so no request with two faults is sent',
    ],
  }),
  ...decisionRows('D-27', '4.5', {
    'fee.payment.confirmed': 'A payment counts only once its transaction is confirmed.',
    'fee.payment.exact': 'A payment is exactly the fee in lamports, neither less nor more.',
    'fee.payment.recipient': 'A payment goes to payment_address.',
    'fee.payment.one-sender': [
      'A payment names one sender.',
      'the control API makes only transfers that have one sender',
    ],
    'fee.payment.kept': 'A refused request leaves its transaction unused.',
    'fee.payment.ledger-unavailable': [
      says('A paid request whose payment cannot be looked up gets 503 LEDGER_UNAVAILABLE and changes nothing.', {
        code: 'LEDGER_UNAVAILABLE',
      }),
      'a suite cannot cut a target off from its ledger',
    ],
  }),
  ...decisionRows('D-28', '4.5', {
    'heartbeat.child.sponsored':
      'A heartbeat of a wallet-less child with an active sponsorship is judged by the sender rule.',
    'heartbeat.child.sponsor-frozen':
      "A heartbeat of a wallet-less child whose sponsorship its parent's freeze revoked is judged by the sender rule while that parent is frozen.",
    'heartbeat.child.unsponsored': says(
      'A heartbeat of a wallet-less child without a sponsorship gets 403 WALLET_REQUIRED.',
      { status: 403, code: 'WALLET_REQUIRED' },
    ),
    'wallet.policy.on': 'The BYO-wallet policy is on unless the server is configured otherwise.',
  }),
  ...decisionRows('D-29', '7', {
    'heartbeat.sponsor.frozen': says(
      'A payment from the wallet of a sponsor who is still frozen, and whose freeze ended the sponsorship, gets SPONSOR_PARENT_FROZEN.',
      { code: 'SPONSOR_PARENT_FROZEN' },
    ),
  }),
  ...decisionRows('D-50', '4.5', {
    'heartbeat.cap.child': 'A child without a SIGIL has the heartbeat cap of narrow_task.',
    'heartbeat.interval.from-last': 'The interval counts from the last heartbeat of the agent.',
    'heartbeat.interval.first': 'The interval does not apply to the first heartbeat of an agent.',
    'sponsor.nearest':
      'Where one wallet sponsors a child through several ancestors, the nearest with room under its cap pays.',
  }),
  ...decisionRows('D-50', '7', {
    'heartbeat.error.validation':
      'A heartbeat whose global_anchor is no non-negative integer gets 400 with the code VALIDATION.',
    'sigil.error.payment-required': 'A SIGIL purchase without payment_tx gets 400 PAYMENT_REQUIRED.',
    'reissue-proof.error.payment-required': 'A reissue without payment_tx gets 400 PAYMENT_REQUIRED.',
    'sigil.error.payment-sender-mismatch':
      "A SIGIL purchase paid from another wallet than the agent's own gets 400 PAYMENT_SENDER_MISMATCH.",
    'reissue-proof.error.payment-sender-mismatch':
      "A reissue paid from another wallet than the agent's own gets 400 PAYMENT_SENDER_MISMATCH.",
    'reissue-proof.error.sigil-required': 'A reissue by a root without a SIGIL gets 403 SIGIL_REQUIRED.',
  }),
];

const families = [
  ...decisionRows('D-30', '3.4', {
    'sponsor.expired.status': 'The status of a sponsorship past expires_at reads expired.',
    'sponsor.expired.unused': 'A sponsorship past expires_at pays for no heartbeat.',
    'sponsor.update.terms': 'Sponsoring the same child again replaces cap and expiry.',
    'sponsor.update.use': 'Sponsoring the same child again keeps the number of heartbeats used in the epoch.',
    'sponsor.update.created-at': 'Sponsoring the same child again keeps created_at.',
    'sponsor.use.reset': 'heartbeats_used_epoch starts from 0 in each billing epoch.',
  }),
  ...decisionRows('D-30', '4.13', {
    'sponsor.get.all': 'Listing sponsorships shows all of the parent, whatever their status.',
    'sponsor.expires-at.none': 'expires_at of a sponsorship made without expires_in_hours is null.',
    'sponsor.cap.whole': 'max_heartbeats_epoch is a whole number: heartbeats are not divided.',
  }),
  ...decisionRows('D-31', '4.8', {
    'spawn.credited.eligible':
      "When the parent's credited beats, less those committed, cover the cost, child_name alone is answered as a receipt would be, with receipt_based false.",
    'spawn.credited.reserved': 'Credited beats are reserved for the authorization that they paid for.',
    'spawn.credited.spent': 'Reserved beats are spent when the child registers.',
    'spawn.credited.freed': 'Reserved beats are free again when the authorization expires.',
    'spawn.probe.progress': says('The 402 of a probe also carries eligible (false), progress_pct and deficit.', {
      status: 402,
    }),
    'spawn.cost.exact':
      'Costs are exact integer arithmetic: d = floor(1000·3^depth / 2^depth), cost = floor(d·12^siblings / 10^siblings).',
    'spawn.cost.exact.0-3': 'A child at depth 0 with 3 siblings costs 1,728 beats.',
    'spawn.cost.depth-of': 'depth of the spawn cost is the depth of the parent.',
    'spawn.cost.siblings-of': 'siblings of the spawn cost are the children registered so far.',
    'spawn.child-name.taken': says(
      'A spawn preflight for the name of a child that its parent has already gets 409 SPAWN_CONFLICT.',
      { status: 409, code: 'SPAWN_CONFLICT' },
    ),
    'spawn.authorization.ttl': 'A spawn authorization is valid for 300 seconds.',
    'spawn.authorization.once': 'A spawn authorization makes one child.',
    'spawn.authorization.parent': 'A spawn authorization is bound to its parent.',
    'spawn.authorization.name': 'A spawn authorization is bound to its child_name.',
    'spawn.finalize.without-name': 'A finalize call may leave child_name out.',
    'spawn.finalize.link': 'Before the finalize call a child is no descendant for sponsorship.',
  }),
  ...decisionRows('D-31', '7', {
    'spawn.error.validation.receipt': 'A spawn preflight with a bad receipt gets 400 VALIDATION.',
    'spawn.error.spawn-conflict.receipt': 'A spawn preflight with a used receipt gets 409 SPAWN_CONFLICT.',
  }),
  ...decisionRows('D-32', '7', {
    'register.error.validation': 'A registration with a bad name gets 400 VALIDATION.',
    'register.error.validation.metadata': 'A registration with bad metadata gets 400 VALIDATION.',
    'register.error.validation.form': 'A registration whose fields fit no mode gets 400 VALIDATION.',
    'register.error.auth-missing': 'A registration that needs secret or token and has neither gets 401 AUTH_MISSING.',
    'register.error.auth-missing.parent':
      'A child registration whose parent key is missing or invalid gets 401 AUTH_MISSING.',
    'register.error.auth-invalid': 'A registration with a wrong secret gets 401 AUTH_INVALID.',
    'register.error.auth-invalid.token':
      'A registration with a wrong, used or expired token gets 401 with the code AUTH_INVALID.',
    'register.error.agent-not-found':
      'A child registration under a parent that does not exist gets 404 AGENT_NOT_FOUND.',
    'register.error.spawn-conflict':
      "A child registration whose authorization is used, expired or another's gets 409 SPAWN_CONFLICT.",
    'register.error.wallet-chain-unsupported': says(
      'The code for an Ethereum wallet on mainnet is WALLET_CHAIN_UNSUPPORTED.',
      { code: 'WALLET_CHAIN_UNSUPPORTED' },
    ),
  }),
  ...decisionRows('D-49', '7', {
    'spawn.error.agent-frozen': 'A spawn call of a frozen parent gets 403 AGENT_FROZEN.',
  }),
  ...decisionRows('D-49', '3.1', {
    'agent.frozen.open':
      'A frozen agent is refused heartbeat, beats/submit, spawn and sponsor POST; no other call is refused because of the freeze.',
    'agent.beat-state.status': 'status of beat_state is active or frozen and nothing else.',
  }),
];

const requests = [
  ...decisionRows('D-33', '4', {
    'convention.no-byte-order-mark': 'A JSON reply has no byte order mark before its text.',
  }),
  ...decisionRows('D-33', '7', {
    'error.content-type-required': says(
      'A call with a body but without a JSON content type gets 415 CONTENT_TYPE_REQUIRED, on every route.',
      { status: 415, code: 'CONTENT_TYPE_REQUIRED' },
    ),
    'error.invalid-json': says('A body that is not JSON gets 400 INVALID_JSON.', { status: 400, code: 'INVALID_JSON' }),
    'error.body-too-large': says('A body over 64 KB gets 413 BODY_TOO_LARGE.', { status: 413, code: 'BODY_TOO_LARGE' }),
    'error.body-too-large.proofs': says(
      'A body of beat/verify or work-proof may have up to 256 KB, and more gets 413.',
      { status: 413 },
    ),
    'error.not-found': says('An unknown path gets 404 NOT_FOUND.', { status: 404, code: 'NOT_FOUND' }),
    'error.method-not-allowed': says('A known path with another method gets 405 METHOD_NOT_ALLOWED with Allow.', {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    }),
    'beats-submit.error.validation': 'A malformed beat submission gets 400 VALIDATION.',
    'beats-submit.error.proof-invalid': 'A beat submission whose proof does not hold gets 400 PROOF_INVALID.',
    'beats-submit.error.agent-not-initialized':
      'A beat submission before the chain starts gets 409 AGENT_NOT_INITIALIZED.',
    'beats-submit.error.chain-mismatch':
      "A beat submission that does not start from the agent's latest beat gets 409 CHAIN_MISMATCH.",
    'beats-submit.error.agent-frozen': 'A beat submission of a frozen agent gets 403 AGENT_FROZEN.',
    'metadata.error.validation.code': says('The 400 of a metadata change has the code VALIDATION.', {
      status: 400,
      code: 'VALIDATION',
    }),
    'metadata.error.sigil-required.code': says('The 403 of a metadata change has the code SIGIL_REQUIRED.', {
      status: 403,
      code: 'SIGIL_REQUIRED',
    }),
  }),
  ...decisionRows('D-34', '8', {
    'limit.window': "A rate window is fixed and runs from the bucket's first request.",
    'limit.refused-count': 'Requests that are refused count against the rate limit too.',
    'limit.no-identity':
      'Requests without a valid identity share a bucket by path and IP, of the same size as that of an agent.',
    'limit.per-ip.path': 'A limit per IP is keyed by path and IP even where the caller is authenticated.',
    'limit.retry-after': says('A 429 RATE_LIMITED carries the header Retry-After, in seconds.', {
      status: 429,
      code: 'RATE_LIMITED',
    }),
    'limit.retry-after-ms': says('A 429 RATE_LIMITED carries retry_after_ms in its body.', {
      status: 429,
      code: 'RATE_LIMITED',
    }),
    'limit.flag.breaker.code': says(
      'The circuit breaker of flags counts service-wide, and the 22nd flag gets 429 RATE_LIMITED.',
      { status: 429, code: 'RATE_LIMITED' },
    ),
    'limit.client-ip.forwarded':
      "The client IP is the first of X-Forwarded-For only where the server is configured to trust it, and the socket's otherwise.",
  }),
  ...decisionRows('D-40', '4', {
    'body.unknown-fields': 'Unknown fields of a body are ignored.',
    'body.empty': 'With a JSON content type, an absent body means {}.',
  }),
  ...decisionRows('D-40', '4.2', {
    'register.child.parent-optional': 'A child registration may leave parent out, since the authorization names it.',
    'register.error.validation.parent':
      'A child registration whose parent is not the one of the authorization gets 400 VALIDATION.',
  }),
  ...decisionRows('D-46', '4.2', {
    'register.message.as-sent': 'A signed registration message holds name and address exactly as phase 2 sends them.',
    'register.secret.both-phases': 'The secret or token is checked in both phases of a registration.',
    'register.token.spent': 'Only the call that makes the agent uses the token up.',
    'register.secret.ignored': 'A secret sent to a server that has none configured is ignored.',
  }),
  ...decisionRows('D-47', '2.8', {
    'body.text.code-points': 'Text lengths are counted in Unicode code points.',
    'metadata.free-text.min': 'Free-text metadata has at least 1 character.',
    'metadata.null': 'A metadata change to null is refused.',
    'metadata.empty-array': 'A metadata change to an empty array is allowed.',
    'metadata.endpoint.absolute': 'endpoint is an absolute URL with a host, of any scheme.',
    'metadata.generation.start': 'generation of a fresh SIGIL is 1.',
  }),
  ...decisionRows('D-47', '2.2', {
    'register.metadata.bytes': 'The size of registration metadata is counted in bytes.',
    'register.metadata.kilobyte': 'A KB of registration metadata has 1,024 bytes.',
  }),
];

const work = [
  ...decisionRows('D-35', '4.10', {
    'resync.beats-required.default': 'BEATS_REQUIRED is true unless the server is configured otherwise.',
    'resync.receipt.required.reply': says(
      'The 402 RECEIPT_REQUIRED of resync also carries required_beats and gap_anchors.',
      { status: 402, code: 'RECEIPT_REQUIRED' },
    ),
    'resync.challenge.either': 'The challenge form of resync is served whatever BEATS_REQUIRED says.',
    'resync.free': 'While BEATS_REQUIRED is false, an empty resync body reactivates the agent without proof.',
    'resync.gap.receipt': 'The gap of the receipt form is counted when the receipt arrives.',
    'resync.gap.challenge': 'The gap of the challenge form is counted when the challenge is made.',
  }),
  ...decisionRows('D-35', '7', {
    'resync.error.validation': 'A prove with a bad or used nonce gets 400 VALIDATION.',
    'resync.error.validation.proof': 'A prove with a bad proof gets 400 VALIDATION.',
  }),
  ...decisionRows('D-41', '2.3', {
    'init.reply.again.difficulty': 'A repeated init also carries difficulty.',
    'init.reply.again.last-heartbeat-beat': 'A repeated init also carries last_heartbeat_beat.',
  }),
  ...decisionRows('D-42', '4.10', {
    'resync.prove.chain': "A prove extends the agent's chain: latest beat and total_beats grow by its beats.",
    'resync.prove.available-beats': 'A prove does not change the beats that can be spent on spawning.',
    'resync.gap-beats': 'gap_beats is the gap in global beats.',
    'resync.receipt.chain': 'A resync by receipt changes neither the chain nor the beats that can be spent.',
  }),
];

const flagsAndEvents = [
  ...decisionRows('D-36', '3.5', {
    'flag.review.sustain': 'A review can sustain a pending flag.',
    'flag.review.dismiss': 'A review can dismiss a pending flag.',
    'flag.review.resolve': 'A review can resolve a sustained flag.',
    'flag.refused.any': 'Heartbeats are refused while any flag against the agent is sustained.',
  }),
  ...decisionRows('D-37', '6', {
    'delivery.body': 'The body of a delivery is {id (UUID), event, agent_hash, occurred_at (ISO 8601), data}.',
    'delivery.success': 'Any 2xx answer makes a delivery a success.',
    'delivery.retry': 'The retries of a failed delivery follow after 1 min, 5 min, 30 min, 2 h and 12 h.',
    'delivery.dead': [
      'A delivery whose retries all failed is kept as dead.',
      'a dead delivery is kept inside the server and makes no further request',
    ],
    'event.ref': 'The ref of a partner, 16 hex characters, sent at registration puts the agent under that partner.',
    'event.ref.descendants': 'The descendants of an agent under a partner are under it too.',
    'event.sigil-purchased.data': 'data of sigil.purchased is {sigil, identity_class, tier, payment_tx, fee_lamports}.',
    'event.heartbeat-recorded.data':
      'data of heartbeat.recorded is {beat, billing_epoch, heartbeat_count_epoch, payment_tx, fee_lamports, sponsor}.',
    'event.agent-frozen.data': 'data of agent.frozen is {missed_anchors, last_global_sync, frozen_at_beat}.',
    'event.agent-unfrozen.data': 'data of agent.unfrozen is {gap_anchors, beats_proven}.',
  }),
  ...decisionRows('D-37', '7', {
    'partner-webhook.error.webhook-invalid.private':
      'A webhook url on a private, loopback or link-local address gets 400 WEBHOOK_INVALID unless the server allows it.',
    'partner-webhook.error.webhook-invalid.user': 'A webhook url with a user or password gets 400 WEBHOOK_INVALID.',
    'partner-webhook.error.webhook-invalid.events-empty': 'A webhook for no event at all gets 400 WEBHOOK_INVALID.',
  }),
  ...decisionRows('D-54', '5', {
    'key.partner.prefix': 'Partner keys begin with pvt_ on devnet and with pvp_ on mainnet.',
  }),
  ...decisionRows('D-54', '7', {
    'partner-webhook.error.auth-forbidden.expired':
      'A partner webhook call with an expired key gets 403 AUTH_FORBIDDEN.',
  }),
  ...decisionRows('D-54', '4.18', {
    'partner-webhook.put.new-secret': 'Each PUT makes a new webhook_secret.',
    'partner-webhook.get.unconfigured':
      'Reading a webhook where none is configured answers {configured false, webhook_url null, events []}.',
    'partner-webhook.delete.unconfigured': 'Deleting a webhook where none is configured answers ok.',
  }),
];

const money = [
  ...decisionRows('D-38', '4.5', {
    'split.floor': 'Shares of a fee are floored to the lamport.',
    'split.rest': 'Treasury gets what rounding down leaves, so the shares sum to the fee.',
    'split.development.days':
      "Development's share falls by 100 bps for each full 365 days since the service's genesis, down to 500 bps.",
  }),
  ...decisionRows('D-38', '4.17', {
    'fee.subsidy.formula':
      'A subsidised fee is min(base, max(1, floor_lamports, floor(base × (10000 − bps) / 10000))).',
    'fee.subsidy.tier': 'The tier of a subsidised heartbeat stays that of its count.',
    'fee.subsidy.expired': 'A subsidy past valid_until does not count.',
  }),
  ...decisionRows('D-44', '2.9', {
    'fee.amount-sol.decimal': 'amount_sol is lamports / 10^9 as the shortest decimal.',
    'fee.amount-lamports.integer': 'Lamports are integers below 2^53.',
  }),
  ...decisionRows('D-48', '2.11', {
    'subsidy.valid-until.iso': 'valid_until of a subsidy is ISO 8601 although that of a passport is a number.',
  }),
  ...decisionRows('D-48', '2.10', {
    'sponsor.created-at.listing': 'created_at of a sponsorship appears in listings and nowhere else.',
  }),
  ...decisionRows('D-51', '4.12', {
    'wallet.finalize.reply':
      'A finished wallet link answers with ok, agent_hash, wallet, wallet_model and wallet_chain.',
  }),
  ...decisionRows('D-51', '4.13', {
    'sponsor.wallet.solana': 'The linked wallet of a sponsor must be a Solana one.',
    'sponsor.wallet.post-only': 'Only POST of the sponsor endpoint asks for a linked wallet.',
  }),
  ...decisionRows('D-51', '4.5', {
    'fee.payment.ethereum':
      'An Ethereum wallet cannot pay lamports, so an agent with one is never the sender of a payment.',
  }),
  ...decisionRows('D-53', '4.17', {
    'fee.table.control': 'The fee configuration table is set by PUT fees of the control API.',
    'fee.environment': [
      'The environment overrides are AIPS_FEE_SIGIL_NARROW_TASK, AIPS_FEE_SIGIL_AUTONOMOUS, AIPS_FEE_SIGIL_ORCHESTRATOR, AIPS_FEE_HEARTBEAT_TIER1 to AIPS_FEE_HEARTBEAT_TIER3 and AIPS_FEE_REISSUANCE, in lamports.',
      "they belong to the reference's command line",
    ],
  }),
  ...decisionRows('D-53', '7', {
    'subsidy.error.subsidy-invalid.reason': 'A subsidy without reason gets 400 SUBSIDY_INVALID.',
    'subsidy.error.subsidy-invalid.valid-until':
      'A subsidy whose valid_until lies in the past gets 400 SUBSIDY_INVALID.',
  }),
];

const details = [
  ...decisionRows('D-39', '4.14', {
    'verify-batch.repeat': 'A hash that a batch names twice gets the same result twice.',
    'verify-batch.case': 'A batch compares hashes in lower case.',
  }),
  ...decisionRows('D-39', '2', {
    'agent.hash.case': 'A call that names an agent takes its hash in either case.',
  }),
  ...decisionRows('D-58', '6', {
    'delivery.signature.key':
      'The HMAC of a delivery is keyed with the text of webhook_secret, not with the bytes that its hex stands for.',
  }),
  ...decisionRows('D-59', '2', {
    'error.unused': 'A refused request uses up no nonce, authorization or receipt.',
  }),
  ...decisionRows('D-43', '4.14', {
    'agent.unstarted.beat-state': 'beat_state of an agent whose chain has not started is null.',
    'agent.unstarted.standing': 'standing of an agent whose chain has not started is registered.',
    'agent.standing.values': 'standing is registered, active, warning, frozen or refused.',
    'agent.standing.refused': 'standing of an agent that is both refused and frozen is refused.',
  }),
  ...decisionRows('D-45', '2.1', {
    'agent.wallet-model.none':
      'wallet_model of an agent without a wallet reads self-custody in lookups too, never api-sponsored.',
    'agent.metadata.absent': 'metadata that was not given reads {} at registration.',
    'agent.metadata.absent.lookup': 'metadata that was not given reads null in lookups.',
    'agent.birth-tx.form': 'birth_tx of a registration is rec_ and 32 hex characters.',
  }),
  ...decisionRows('D-45', '2.7', {
    'sigil.birth-tx.form': 'birth_tx of a SIGIL is a ledger signature, that of a memo by the service.',
    'sigil.explorer-url.form': 'explorer_url of a SIGIL is https://explorer.solana.com/tx/<signature>?cluster=devnet.',
  }),
  ...decisionRows('D-45', '4.2', {
    'register.self-custody.reply.fields':
      'A finished self-custody registration answers with hash, api_key, secret, type, parent, depth, name, wallet_model, wallet_chain, signature and explorer_url, without ok and birth_tx.',
    'register.self-custody.challenge.reply.only': 'Phase 1 of a self-custody registration answers with nonce alone.',
    'register.operator.challenge.reply': 'Phase 1 of an operator registration answers with nonce and expires_in 300.',
    'register.ethereum.challenge.reply': 'Phase 1 of an Ethereum registration answers with nonce and expires_in 300.',
  }),
  ...decisionRows('D-52', '4.15', {
    'checkin.no-key': says('The check-in answers 410 with a key and without one.', { status: 410 }),
  }),
  ...decisionRows('D-55', '7', {
    'register.error.nonce-invalid': 'A registration with a bad nonce gets 400 NONCE_INVALID.',
    'register.error.signature-invalid': 'A registration with a bad wallet signature gets 400 SIGNATURE_INVALID.',
    'wallet.error.nonce-invalid.code': says(
      'The code for a bad nonce of a wallet link, if the reply has a code, is NONCE_INVALID.',
      { code: 'NONCE_INVALID', ifThere: true },
    ),
    'wallet.error.signature-invalid.code': says(
      'The code for a bad signature of a wallet link, if the reply has a code, is SIGNATURE_INVALID.',
      { code: 'SIGNATURE_INVALID', ifThere: true },
    ),
    'wallet.error.auth-missing.code': says(
      'The code for a bad key of a wallet link, if the reply has a code, is AUTH_MISSING.',
      { code: 'AUTH_MISSING', ifThere: true },
    ),
    'wallet.error.wallet-already-linked.code': says(
      'The code for a second wallet link, if the reply has a code, is WALLET_ALREADY_LINKED.',
      { code: 'WALLET_ALREADY_LINKED', ifThere: true },
    ),
  }),
  ...decisionRows('D-56', '4.1', {
    'clock.manual.start': [
      'A manual clock starts at 2026-01-01T00:00:00Z unless the server is given another start.',
      'an operator may choose another start',
    ],
  }),
  ...decisionRows('D-57', '4.1', {
    'dialect.settings': [
      'A service of the dialect provenonce does what the published service does.',
      'what it does otherwise is judged fact by fact, by the clauses after this one',
    ],
  }),
  ...dialectFacts.flatMap(({ section, clauses }) => decisionRows('D-57', section, clauses)),
];

/** D-24 on: what the rules do. Grouped by subject. */
export const ruleDecisionClauses: readonly Clause[] = [
  ...heartbeats,
  ...families,
  ...requests,
  ...work,
  ...flagsAndEvents,
  ...money,
  ...details,
];
