/**
 * The numbers of the protocol as rows: the check of the suite that notices another value, the clauses that state the number, and
 * values to try. The numbers are in protocol.ts, how far an overlay may move them in number-bounds.ts.
 */

import { groups } from './clauses/groups.js';
import { clauseById } from './clauses/index.js';
import { DAY_SEC, HOUR_SEC, MINUTE_SEC } from './time.js';

/** The check that notices that a target has another value; the clauses that state the number, of which the first gives it; and mistakes. */
type Row = readonly [check: string, clauses: string | readonly string[], wrong?: readonly Wrong[]];

/** A value that a target has by mistake, with the clause that it breaks where that is not the first. */
type Wrong = number | readonly [value: number, clause: string];

/** Every number by its path; both numbers of a rate limit have one row, since one check fills its bucket and waits for its window. */
const rows: Readonly<Record<string, Row>> = {
  'agent.hashBytes': ['register/root', 'convention.agent-hash'],
  'agent.nameCharsMin': ['register/name-missing', 'name.length'],
  'agent.nameCharsMax': ['register/name-missing', 'name.length'],
  'agent.rootDepth': ['register/root', 'agent.field.depth lineage.root'],
  'agent.depthMax': ['spawn/lineage-of-six', 'lineage.depth-unlimited'],
  'agent.secretBytes': ['register/root', 'key.secret.form'],

  // The text does not define a kilobyte.
  'registration.metadataBytesMax': [
    'register/metadata-size',
    [...groups.metadataSize, 'register.metadata.bytes'],
    [3_990, 4_097],
  ],
  'registration.nonceBytes': ['register/self-custody', 'register.nonce.form'],
  'registration.nonceTtlSec': ['register/nonce-ttl', 'register.nonce.ttl'],
  'registration.tokenBytes': ['register-token/reply', groups.tokenForm],
  'registration.tokenTtlSec': ['register-token/reply', ['register-token.reply.expires-in-sec', ...groups.tokenTtl]],

  'wallet.nonceBytes': ['wallet/self-custody', 'wallet.nonce.form'],
  'wallet.nonceTtlSec': ['wallet/self-custody', ['wallet.challenge.reply.expires-in', ...groups.linkNonceTtl]],
  'wallet.publicKeyBytes': ['register/self-custody', 'wallet.self-custody.body'],

  // Mutants run with beats of difficulty 4.
  'beat.difficulty': ['init/first', [...groups.difficulty, 'anchor.difficulty'], [3, 5]],
  'beat.genesisIndex': ['init/first', 'init.reply.genesis.index'],

  'proof.spotChecksMin': ['work-proof/spot-checks-few', 'proof.spot-checks.min'],
  'proof.spotChecksMax': ['work-proof/spot-checks-many', 'proof.spot-checks.max'],
  'proof.submitBeatsMax': ['beats-submit/beats-max', 'beats-submit.beats-max'],
  'proof.challengeChecks': ['work-proof/valid', 'work-proof.reply proof.spot-checks.recomputed', []],

  'anchor.intervalSec': ['beat-anchor/links', 'clock.anchor-interval beat-anchor.reply.anchor-interval-sec'],
  'anchor.beatsPerAnchor': [
    'versioning/agent-age',
    'clock.current-beat clock.interval clock.billing-epoch clock.issued-at-beat clock.registered-at-beat',
  ],
  'anchor.graceAnchors': ['work-proof/anchor-grace', 'proof.anchor.grace'],
  'anchor.anchorsPerEpoch': ['beat-anchor/epoch', 'anchor.epoch'],
  'anchor.degradedIntervals': ['dms/stalled', 'verify.reply.anchor-degraded'],

  'work.difficultyMin': ['work-proof/difficulty-low', 'work-proof.difficulty.min'],
  'work.difficultyMax': ['work-proof/difficulty-high', 'work-proof.difficulty.max'],
  'work.receiptDifficultyMin': ['resync/penalty', 'receipt.difficulty-min', [[5, 'resync.transition.active']]],
  'work.receiptAnchorsMax': ['resync/receipt-window', 'receipt.window'],

  'passport.formatVersion': ['sigil/classes', 'passport.field.format-version versioning.passport.format'],
  'passport.validityHours': ['sigil/classes', [...groups.passportValidity, 'service.heartbeat.passport']],
  'passport.lineageProofUntilMs': [
    'versioning/lineage-proof',
    'passport.alias.until heartbeat.reply.lineage-proof versioning.lineage-proof',
    [
      [1_788_134_399_999, 'versioning.lineage-proof'],
      [1_788_479_999_999, 'versioning.lineage-proof'],
    ],
  ],

  // A server may configure a longer one.
  'heartbeat.intervalBeatsMin': [
    'heartbeat/too-soon',
    [...groups.heartbeatInterval, 'heartbeat.interval.reply', 'heartbeat.error.heartbeat-too-soon'],
    [9],
  ],
  'heartbeat.epochBeats': [
    'heartbeat/epoch',
    [...groups.epoch, 'heartbeat.cap.next-epoch', 'clock.billing-epoch', 'sponsor.use.reset'],
  ],
  'heartbeat.tier1HeartbeatsMax': [
    'heartbeat/tiers-and-caps',
    'fee.heartbeat.tier-1 fee.heartbeat.tier-2 fee.field.tier',
    [99, [101, 'fee.heartbeat.tier-2']],
  ],
  'heartbeat.tier2HeartbeatsMax': [
    'heartbeat/tiers-and-caps',
    'fee.heartbeat.tier-2 fee.heartbeat.tier-3 fee.field.tier',
    [999, [1_001, 'fee.heartbeat.tier-3']],
  ],
  'heartbeat.tier1FeeLamports': [
    'heartbeat/own-wallet',
    'fee.heartbeat.tier-1 heartbeat.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'heartbeat.tier2FeeLamports': [
    'heartbeat/tiers-and-caps',
    'fee.heartbeat.tier-2 heartbeat.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'heartbeat.tier3FeeLamports': [
    'heartbeat/tiers-and-caps',
    'fee.heartbeat.tier-3 heartbeat.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'heartbeat.epochFeeLamports': [
    'heartbeat/own-wallet',
    'fee.heartbeat.tier-1 heartbeat.error.payment-invalid.amount fees-summary.reply.schedule',
    [],
  ],
  'heartbeat.narrowTaskCap': [
    'heartbeat/tiers-and-caps',
    'heartbeat.cap.narrow-task heartbeat.cap.child service.class.cap heartbeat.cap.reached heartbeat.error.volume-cap-reached sigil.caps',
  ],
  'heartbeat.autonomousCap': [
    'beat-status/cap-autonomous',
    'heartbeat.cap.autonomous service.class.cap heartbeat.cap.reached heartbeat.error.volume-cap-reached sigil.caps',
  ],
  'heartbeat.orchestratorCap': [
    'beat-status/cap-orchestrator',
    'heartbeat.cap.orchestrator service.class.cap heartbeat.cap.reached heartbeat.error.volume-cap-reached sigil.caps',
  ],

  'sigil.narrowTaskFeeLamports': [
    'sigil/classes',
    'fee.sigil.narrow-task sigil.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'sigil.autonomousFeeLamports': [
    'sigil/classes',
    'fee.sigil.autonomous sigil.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'sigil.orchestratorFeeLamports': [
    'sigil/classes',
    'fee.sigil.orchestrator sigil.error.payment-invalid.amount fees-summary.reply.schedule',
  ],
  'sigil.principalCharsMax': ['sigil/principal-length', 'sigil.body.principal'],
  'sigil.nameCharsMax': ['sigil/name', 'name.sigil.custom'],
  'sigil.autoNameBytes': ['sigil/name-auto', 'name.sigil.auto'],

  'reissue.feeLamports': [
    'reissue-proof/reprint',
    'fee.reissuance reissue-proof.body.payment-tx reissue-proof.reply.fee reissue-proof.error.payment-invalid.amount',
  ],

  'feeSplit.operationsBps': ['fees-summary/split', 'split.operations fees-summary.reply.fee-split-bps', [2_900, 3_100]],
  'feeSplit.contributorsBps': [
    'fees-summary/split',
    'split.contributors fees-summary.reply.fee-split-bps',
    [2_900, 3_100],
  ],
  'feeSplit.referralBps': ['fees-summary/split', 'split.referral fees-summary.reply.fee-split-bps', [900, 1_100]],
  'feeSplit.developmentStartBps': [
    'fees-summary/split',
    'split.development.start fees-summary.reply.fee-split-bps',
    [1_400, 1_600],
  ],
  'feeSplit.developmentFallBpsPerYear': [
    'fees-summary/split-years',
    'split.development.fall split.treasury.released',
    [90, 110],
  ],
  'feeSplit.developmentFloorBps': [
    'fees-summary/split-years',
    'split.development.floor fees-summary.reply.fee-split-bps',
    [400, 600],
  ],
  'feeSplit.treasuryStartBps': [
    'fees-summary/split',
    'split.treasury.start fees-summary.reply.fee-split-bps',
    [1_400, 1_600],
  ],
  'feeSplit.burntBps': [
    'subsidy/resolution',
    'split.operations split.contributors split.referral split.treasury.start fees-summary.reply.allocation fees-summary.reply.fee-split-bps',
    [],
  ],
  'feeSplit.yearDays': ['fees-summary/split-years', 'split.development.days'],

  'dms.missedAnchorsMax': ['dms/after-heartbeat', [...groups.freeze, 'beat-status.reply.whitelist.deadline-anchors']],
  'dms.warningAnchors': ['dms/standings', 'status.reply.status.warning'],

  'dms.graceAnchors': ['dms/after-heartbeat', 'dms.freeze.heartbeats resync.reactivates', []],

  'resync.beatsPerMissedAnchor': ['resync/penalty', groups.penalty],
  'resync.beatsMax': ['resync/insufficient-cap', groups.penaltyCap],
  'resync.feeLamports': ['resync/penalty', 'resync.transition.active resync.receipt.body resync.receipt.reply', []],
  'deposit.lamports': [
    'sigil/classes',
    'sigil.error.payment-invalid.amount resync.transition.active fees-summary.purpose',
    [],
  ],
  'resync.nonceBytes': ['resync/challenge', 'resync.nonce.form resync.challenge.reply'],
  'resync.nonceTtlSec': ['resync/challenge', groups.resyncNonceTtl],

  'spawn.baseBeats': [
    'beat-status/reply',
    'spawn.cost.check.0-0 spawn.cost.depth spawn.cost.check.1-1 spawn.cost.check.2-3 spawn.error.insufficient-beats',
  ],
  'spawn.depthFactorNumerator': [
    'spawn/cost-depth',
    'spawn.cost.depth spawn.cost.check.1-0 spawn.cost.check.2-0 spawn.cost.exact spawn.cost.check.1-1 spawn.cost.check.2-3 spawn.error.insufficient-beats',
  ],
  'spawn.depthFactorDenominator': [
    'spawn/cost-depth',
    'spawn.cost.depth spawn.cost.check.1-0 spawn.cost.check.2-0 spawn.cost.exact spawn.cost.check.1-1 spawn.cost.check.2-3 spawn.error.insufficient-beats',
  ],
  'spawn.siblingFactorNumerator': [
    'spawn/cost-siblings',
    'spawn.cost.siblings spawn.cost.check.0-1 spawn.cost.exact spawn.cost.exact.0-3 spawn.cost.check.1-1 spawn.cost.check.2-3 spawn.error.insufficient-beats',
  ],
  'spawn.siblingFactorDenominator': [
    'spawn/cost-siblings',
    'spawn.cost.siblings spawn.cost.check.0-1 spawn.cost.exact spawn.cost.exact.0-3 spawn.cost.check.1-1 spawn.cost.check.2-3 spawn.error.insufficient-beats',
  ],
  'spawn.authorizationTtlSec': [
    'spawn/authorization-ttl',
    'spawn.authorization.ttl spawn.error.spawn-conflict.expired',
  ],

  'sponsor.heartbeatsEpochMin': [
    'sponsor/bounds',
    'sponsor.post.body.max-heartbeats-epoch sponsor.error.validation.parameters',
  ],
  'sponsor.heartbeatsEpochMax': [
    'sponsor/bounds',
    'sponsor.post.body.max-heartbeats-epoch sponsor.error.validation.parameters',
  ],
  'sponsor.heartbeatsEpochDefault': [
    'sponsor/create',
    'sponsor.post.body.max-heartbeats-epoch.default heartbeat.error.sponsor-cap-reached',
  ],
  'sponsor.expiresHoursMin': [
    'sponsor/bounds',
    'sponsor.post.body.expires-in-hours sponsor.error.validation.parameters',
  ],

  'verifyBatch.hashesMin': ['verify-batch/empty', [...groups.batchMin, 'verify-batch.error.invalid-input']],
  'verifyBatch.hashesMax': ['verify-batch/size', [...groups.batchMax, 'verify-batch.error.batch-too-large']],

  'flag.reasonCharsMin': ['flag/reasons', 'flag.body.reason constant.flag-reason-min flag.error.validation.reason'],
  'flag.reasonCharsMax': ['flag/reasons', 'flag.body.reason constant.flag-reason-max flag.error.validation.reason'],
  'flag.breakerPendingMax': ['flag/breaker', 'limit.flag.breaker limit.flag.breaker.code'],
  'flag.breakerWindowSec': ['flag/breaker', 'limit.flag.breaker limit.flag.breaker.code', [HOUR_SEC, 2 * DAY_SEC]],

  'subsidy.discountBpsMin': [
    'subsidy/discount-bounds',
    'subsidy.post.body.discount-bps subsidy.error.subsidy-invalid.discount-bps',
  ],
  'subsidy.discountBpsMax': [
    'subsidy/discount-bounds',
    'subsidy.post.body.discount-bps subsidy.error.subsidy-invalid.discount-bps',
  ],
  'subsidy.floorLamportsDefault': ['subsidy/floor', [...groups.subsidyFloor, 'subsidy.post.body.floor-lamports']],

  'webhook.secretBytes': ['partner-webhook/set', 'partner-webhook.field.webhook-secret delivery.secret.generated'],
  'webhook.timeoutSec': ['partner-webhook/delivery-timeout', groups.webhookTimeout, [1, 10]],
  'webhook.retry1Sec': ['partner-webhook/delivery-retry', 'delivery.retry'],
  'webhook.retry2Sec': ['partner-webhook/delivery-retry', 'delivery.retry'],
  'webhook.retry3Sec': ['partner-webhook/delivery-retry', 'delivery.retry'],
  'webhook.retry4Sec': ['partner-webhook/delivery-retry', 'delivery.retry'],
  'webhook.retry5Sec': ['partner-webhook/delivery-retry', 'delivery.retry'],

  'metadata.textCharsMin': [
    'metadata/texts',
    'metadata.free-text.min metadata.field.substrate-model metadata.field.capability-scope',
  ],
  'metadata.textCharsMax': [
    'metadata/texts',
    'metadata.field.substrate-model metadata.field.capability-scope metadata.free-text.min',
  ],
  'metadata.toolsMax': ['metadata/lists', 'metadata.field.tools'],
  'metadata.toolCharsMax': ['metadata/lists', 'metadata.field.tools.item'],
  'metadata.modalityWordsMax': ['metadata/lists', 'metadata.modality.count'],
  'metadata.modalityCharsMax': ['metadata/lists', 'metadata.modality.word'],
  'metadata.generationStart': ['verify/sigil', 'metadata.generation.start'],

  'body.bytesMax': ['body/size', 'error.body-too-large'],
  'body.proofBytesMax': ['body/size-work-proof', 'error.body-too-large.proofs'],

  'beatVerify.chainBeatsMax': ['beat-verify/chain-length-registry', 'beat-verify.mode.chain'],

  'limits.register': ['register/limit', 'limit.register'],
  'limits.registerWalletFlow': ['register/limit-wallet-flow', 'limit.register.wallet-flow'],
  'limits.registerToken': ['register-token/limit', 'limit.register-token.ip'],
  'limits.registerTokenGlobal': ['register-token/limit-global', 'limit.register-token.global'],
  'limits.wallet': ['wallet/limit', 'limit.wallet'],
  'limits.init': ['init/limit', 'limit.init'],
  'limits.heartbeat': ['heartbeat/limit', 'limit.heartbeat'],
  'limits.sigil': ['sigil/limit', 'limit.sigil'],
  'limits.reissueProof': ['reissue-proof/limit', 'limit.reissue-proof'],
  'limits.spawn': ['spawn/limit', 'limit.spawn'],
  'limits.beatsSubmit': ['beats-submit/limit', 'limit.beats-submit'],
  'limits.resyncChallenge': ['resync/challenge-limit', 'limit.resync.challenge'],
  'limits.resyncReceipt': ['resync/limit', 'limit.resync.receipt'],
  'limits.metadata': ['metadata/limit', 'limit.metadata'],
  'limits.sponsorPost': ['sponsor/limit-post', 'limit.sponsor.post'],
  'limits.sponsorDelete': ['sponsor/limit-delete', 'limit.sponsor.delete'],
  'limits.sponsorGet': ['sponsor/limit-get', 'limit.sponsor.get'],
  'limits.flag': ['flag/limit', 'limit.flag.ip'],
  'limits.flagReporter': ['flag/limit-reporter', 'limit.flag.reporter'],
  'limits.flagTarget': ['flag/limit-target', 'limit.flag.target'],
  'limits.verifyBatch': ['verify-batch/limit', 'limit.verify-batch'],
  'limits.subsidy': ['subsidy/limit', 'limit.subsidy'],
  'limits.partnerWebhook': ['partner-webhook/limit', 'limit.partner-webhook'],
  'limits.passport': ['passport/limit', 'limit.passport'],
  'limits.beatVerify': ['beat-verify/limit-registry', 'limit.beat-verify limit.beat-verify.beats'],
  'limits.workProof': ['work-proof/limit', 'limit.work-proof'],
  'limits.beatTimestamp': ['beat-timestamp/limit', 'limit.beat-timestamp'],
  'limits.lookup': [
    'status/limit',
    'limit.status limit.verify limit.beat-status limit.beat-anchor limit.authority-key limit.fees-summary limit.beat-key limit.beat-anchor.beats limit.work-proof.get limit.health',
  ],
};

/** Numbers that the text does not have, to try other rules: each is 0, which switches it off. */
export const addedNumbers: ReadonlySet<string> = new Set([
  'heartbeat.epochFeeLamports',
  'feeSplit.burntBps',
  'dms.graceAnchors',
  'resync.feeLamports',
  'deposit.lamports',
]);

/** A value that a target may have by mistake, and the must clause that it breaks. */
interface WrongValue {
  readonly value: number;
  readonly clause: string;
}

function rowOf(path: string): Row {
  const row = rows[path.replace(/^(limits\.\w+)\.\w+$/, '$1')];
  if (row === undefined) throw new RangeError(`${path} has no row in spec/numbers.ts`);
  return row;
}

/**
 * The numbers that the text lets an operator of a server configure: the clause that allows it, and the clauses that are about the value alone. A
 * reply that shows another value breaks none of these.
 */
export const configurable = {
  'heartbeat.intervalBeatsMin': { by: 'heartbeat.interval.configurable', clauses: groups.heartbeatInterval },
} as const;

export type ConfigurableNumber = keyof typeof configurable;

/** Ids of the clauses that state the number of a path. */
export function clausesOfNumber(path: string): readonly string[] {
  const clauses = rowOf(path)[1];
  return typeof clauses === 'string' ? clauses.split(' ') : clauses;
}

/** The check that notices that a target has another value, and whether only a decision gives the number. */
export function pinOf(path: string): { readonly check: string; readonly advisory: boolean } {
  return { check: rowOf(path)[0], advisory: levelOf(givenBy(path)) !== 'must' };
}

/** The values of a number that break a must clause, by its path and value. */
export function wrongValues(path: string, value: number): readonly WrongValue[] {
  const given = givenBy(path);
  const [, , wrong] = rowOf(path);
  const values =
    wrong ?? (path.endsWith('.windowSec') ? [value === MINUTE_SEC ? HOUR_SEC : MINUTE_SEC] : beside(value));
  return values
    .map(
      (each): WrongValue =>
        typeof each === 'number' ? { value: each, clause: given } : { value: each[0], clause: each[1] },
    )
    .filter(({ clause }) => levelOf(clause) === 'must');
}

/** One below, where that is a number of the protocol, and one above. */
export const beside = (value: number): readonly number[] => (value === 0 ? [1] : [value - 1, value + 1]);

const givenBy = (path: string): string => clausesOfNumber(path)[0] as string;
const levelOf = (clause: string): string => clauseById(clause).level;
