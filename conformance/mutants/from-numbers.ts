/** Mutants of numbers: the reference has another value than the text gives, on either side where both can be seen. */
import { protocol } from '../../spec/protocol.js';
import { DAY_MS, HOUR_SEC } from '../../spec/time.js';
import { pins } from '../judge/pins.js';
import type { Mutant } from './mutant.js';

/** One below and one above. */
const beside = (path: string, step = 1): readonly number[] => [numberAt(path) - step, numberAt(path) + step];

/** A number's path, the clause that gives it, and the wrong values; one below and one above where none are named. */
const rows: readonly (readonly [path: string, clause: string, ...values: number[]])[] = [
  ['agent.hashBytes', 'convention.agent-hash'],
  ['agent.rootDepth', 'agent.field.depth', 1],
  // What a kilobyte is the text does not say.
  ['registration.metadataBytesMax', 'register.metadata.size', 3_990, 4_097],
  ['registration.tokenBytes', 'register-token.reply.token'],
  ['registration.tokenTtlSec', 'register-token.reply.expires-in-sec'],
  ['wallet.nonceTtlSec', 'wallet.challenge.reply.expires-in'],
  ['wallet.publicKeyBytes', 'wallet.self-custody.body'],
  // Mutants run with beats of difficulty 4.
  ['beat.difficulty', 'init.reply.difficulty', 3, 5],
  ['beat.genesisIndex', 'init.reply.genesis.index', 1],
  ['work.receiptDifficultyMin', 'resync.transition.active', 5],
  ['passport.formatVersion', 'passport.field.format-version'],
  ['passport.validityHours', 'passport.validity'],
  ['passport.lineageProofUntilMs', 'versioning.lineage-proof', ...beside('passport.lineageProofUntilMs', 2 * DAY_MS)],
  ['heartbeat.intervalBeatsMin', 'heartbeat.interval.min'],
  ['heartbeat.epochBeats', 'constant.billing-epoch'],
  ['heartbeat.tier1HeartbeatsMax', 'fee.heartbeat.tier-1', 99],
  ['heartbeat.tier1HeartbeatsMax', 'fee.heartbeat.tier-2', 101],
  ['heartbeat.tier2HeartbeatsMax', 'fee.heartbeat.tier-2', 999],
  ['heartbeat.tier2HeartbeatsMax', 'fee.heartbeat.tier-3', 1_001],
  ['heartbeat.tier1FeeLamports', 'fee.heartbeat.tier-1'],
  ['heartbeat.tier2FeeLamports', 'fee.heartbeat.tier-2'],
  ['heartbeat.tier3FeeLamports', 'fee.heartbeat.tier-3'],
  ['heartbeat.narrowTaskCap', 'heartbeat.cap.narrow-task'],
  ['heartbeat.autonomousCap', 'heartbeat.cap.autonomous'],
  ['heartbeat.orchestratorCap', 'heartbeat.cap.orchestrator'],
  ['sigil.narrowTaskFeeLamports', 'fee.sigil.narrow-task'],
  ['sigil.autonomousFeeLamports', 'fee.sigil.autonomous'],
  ['sigil.orchestratorFeeLamports', 'fee.sigil.orchestrator'],
  ['sigil.principalCharsMax', 'sigil.body.principal'],
  ['reissue.feeLamports', 'fee.reissuance'],
  ['feeSplit.operationsBps', 'split.operations', ...beside('feeSplit.operationsBps', 100)],
  ['feeSplit.contributorsBps', 'split.contributors', ...beside('feeSplit.contributorsBps', 100)],
  ['feeSplit.referralBps', 'split.referral', ...beside('feeSplit.referralBps', 100)],
  ['feeSplit.developmentStartBps', 'split.development.start', ...beside('feeSplit.developmentStartBps', 100)],
  ['feeSplit.treasuryStartBps', 'split.treasury.start', ...beside('feeSplit.treasuryStartBps', 100)],
  ['feeSplit.developmentFallBpsPerYear', 'split.development.fall', 90, 110],
  ['feeSplit.developmentFloorBps', 'split.development.floor', 400, 600],
  ['dms.missedAnchorsMax', 'dms.freeze'],
  ['resync.beatsPerMissedAnchor', 'resync.penalty'],
  ['resync.beatsMax', 'resync.penalty.cap'],
  ['resync.nonceTtlSec', 'resync.nonce.ttl'],
  ['spawn.baseBeats', 'spawn.cost.check.0-0'],
  ['spawn.depthFactorNumerator', 'spawn.cost.depth'],
  ['spawn.depthFactorDenominator', 'spawn.cost.depth'],
  ['spawn.siblingFactorNumerator', 'spawn.cost.siblings'],
  ['spawn.siblingFactorDenominator', 'spawn.cost.siblings'],
  ['sponsor.heartbeatsEpochMin', 'sponsor.post.body.max-heartbeats-epoch'],
  ['sponsor.heartbeatsEpochMax', 'sponsor.post.body.max-heartbeats-epoch'],
  ['sponsor.heartbeatsEpochDefault', 'sponsor.post.body.max-heartbeats-epoch.default'],
  ['sponsor.expiresHoursMin', 'sponsor.post.body.expires-in-hours'],
  ['verifyBatch.hashesMin', 'verify-batch.body.hashes'],
  ['verifyBatch.hashesMax', 'verify-batch.body.hashes'],
  ['flag.reasonCharsMin', 'flag.body.reason'],
  ['flag.reasonCharsMax', 'flag.body.reason'],
  ['flag.breakerPendingMax', 'limit.flag.breaker'],
  ['flag.breakerWindowSec', 'limit.flag.breaker', HOUR_SEC, 172_800],
  ['subsidy.discountBpsMin', 'subsidy.post.body.discount-bps'],
  ['subsidy.discountBpsMax', 'subsidy.post.body.discount-bps'],
  ['subsidy.floorLamportsDefault', 'fee.floor.default'],
  ['webhook.secretBytes', 'partner-webhook.field.webhook-secret'],
  ['webhook.timeoutSec', 'delivery.timeout', 1, 10],
  ['metadata.textCharsMax', 'metadata.field.substrate-model'],
  ['metadata.toolsMax', 'metadata.field.tools'],
  ['metadata.toolCharsMax', 'metadata.field.tools.item'],
  ...limit('register', 'limit.register'),
  ...limit('registerWalletFlow', 'limit.register.wallet-flow'),
  ...limit('registerToken', 'limit.register-token.ip'),
  ...limit('registerTokenGlobal', 'limit.register-token.global'),
  ...limit('wallet', 'limit.wallet'),
  ...limit('init', 'limit.init'),
  ...limit('heartbeat', 'limit.heartbeat'),
  ...limit('sigil', 'limit.sigil'),
  ...limit('reissueProof', 'limit.reissue-proof'),
  ...limit('spawn', 'limit.spawn'),
  ...limit('beatsSubmit', 'limit.beats-submit'),
  ...limit('resyncChallenge', 'limit.resync.challenge'),
  ...limit('resyncReceipt', 'limit.resync.receipt'),
  ...limit('metadata', 'limit.metadata'),
  ...limit('sponsorPost', 'limit.sponsor.post'),
  ...limit('sponsorDelete', 'limit.sponsor.delete'),
  ...limit('sponsorGet', 'limit.sponsor.get'),
  ...limit('flag', 'limit.flag.ip'),
  ...limit('flagReporter', 'limit.flag.reporter'),
  ...limit('flagTarget', 'limit.flag.target'),
  ...limit('verifyBatch', 'limit.verify-batch'),
  ...limit('subsidy', 'limit.subsidy'),
  ...limit('partnerWebhook', 'limit.partner-webhook'),
];

/** A limit of one fewer and one more, and one whose window is a minute instead of an hour, or the other way round. */
function limit(name: string, clause: string): [path: string, clause: string, ...values: number[]][] {
  const window = `limits.${name}.windowSec`;
  return [
    [`limits.${name}.count`, clause],
    [window, clause, numberAt(window) === 60 ? HOUR_SEC : 60],
  ];
}

function numberAt(path: string): number {
  const value = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], protocol);
  if (typeof value !== 'number') throw new RangeError(`the protocol has no number ${path}`);
  return value;
}

/** The stem of the endpoint whose check notices the number. */
function stemOfNumber(path: string): string {
  const pin = pins[path];
  if (pin === undefined) throw new RangeError(`no check notices ${path}`);
  return pin.check.slice(0, pin.check.indexOf('/'));
}

export const numberMutants: readonly Mutant[] = rows.flatMap(([path, clause, ...named]) =>
  (named.length > 0 ? named : beside(path)).map((value) => ({
    id: `${stemOfNumber(path)}/${path.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}-of-${value}`,
    title: `${path} is ${value}`,
    clause,
    patch: { number: path, value },
  })),
);
