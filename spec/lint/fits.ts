/**
 * Pairs of numbers that must fit each other, each with the lint rule or the relation that ensures it; and why other pairs of numbers of the same
 * dimension need none. lint.test.ts tests that every pair of one dimension is here. This file derives nothing from them.
 */

import { deepFreeze } from '../freeze.js';
import { unitOf } from '../number-bounds.js';

/** Two numbers, or two groups of them, by their paths: the id of a finding, the text of a relation, or why they fit whatever they are. */
export type Fit = { readonly one: RegExp; readonly other: RegExp } & (
  | { readonly finding: string }
  | { readonly relation: string }
  | { readonly none: string }
);

/** The kind of thing that a number measures; a pair of one dimension can be too large or too small for each other. */
export function dimensionOf(path: string): string {
  const unit = unitOf(path);
  const clock = /^heartbeat\.\w*(interval|epoch)Beats|^anchor\.(beatsPerAnchor|degradedIntervals)$/;
  if (clock.test(path) || ['s', 'ms', 'hours', 'days', 'anchors'].includes(unit)) return 'time';
  if (['bytes', 'characters'].includes(unit) || path === 'body.bytesMax') return 'size';
  return unit === '' ? 'count' : unit;
}

const finding = (id: string, one: RegExp, other: RegExp): Fit => ({ one, other, finding: id });
const relation = (text: string, one: RegExp, other: RegExp): Fit => ({ one, other, relation: text });
const none = (reason: string, one: RegExp, other: RegExp = /./): Fit => ({ one, other, none: reason });

const DEADLINE = /^(dms\.missedAnchorsMax|anchor\.intervalSec)$/;
const CAPS = /^heartbeat\.\w+Cap$/;
const WINDOWS = /^limits\.\w+\.windowSec$/;
const NONCES = /^(registration|wallet|resync)\.(nonce|token)TtlSec$|^spawn\.authorizationTtlSec$/;

/** A pair belongs to the first row that matches it. */
export const fits: readonly Fit[] = deepFreeze([
  // Rules that the text does not have.
  none('a grace is counted from the freeze on, and any length of it is possible', /^dms\.graceAnchors$/),
  none('a fee of the epoch is added to that of its first heartbeat', /^heartbeat\.epochFeeLamports$/),
  none(
    'a resync costs work and, by a change, lamports; dominated-price/heartbeat weighs both',
    /^resync\.feeLamports$/,
  ),
  none(
    'a deposit is apart from fees; dominated-price/heartbeat weighs it like a fee of a resync',
    /^deposit\.lamports$/,
  ),
  none('what is burnt is taken off a fee before the rest is shared out', /^feeSplit\.burntBps$/),
  // Rate limits against the Dead Man's Switch, lives and each other.
  finding('tight-limit/heartbeat', /^limits\.heartbeat\.(count|windowSec)$/, DEADLINE),
  finding(
    'tight-limit/heartbeat-interval',
    /^limits\.heartbeat\.(count|windowSec)$/,
    /^(heartbeat\.intervalBeatsMin|anchor\.beatsPerAnchor)$/,
  ),
  finding('tight-limit/cap-narrow-task', /^limits\.heartbeat\.(count|windowSec)$/, /^heartbeat\.(epochBeats|\w+Cap)$/),
  finding(
    'tight-limit/resync',
    /^limits\.(resync(Receipt|Challenge)|workProof)\.(count|windowSec)$/,
    /^(dms\.missedAnchorsMax|anchor\.intervalSec|limits\.(resync(Receipt|Challenge)|workProof)\.(count|windowSec))$/,
  ),
  finding('tight-limit/passport', /^limits\.passport\.(count|windowSec)$/, /^passport\.validityHours$/),
  finding(
    'tight-limit/register-token',
    /^limits\.registerToken\.(count|windowSec)$/,
    /^limits\.registerTokenGlobal\.(count|windowSec)$/,
  ),
  finding('tight-limit/flag-address', /^limits\.flagReporter\.(count|windowSec)$/, /^limits\.flag\.(count|windowSec)$/),
  finding('tight-limit/flag-target', /^limits\.flagReporter\.(count|windowSec)$/, /^limits\.flagTarget\.windowSec$/),
  finding(
    'cheap-identity/flag-shield',
    /^limits\.(flagReporter|flagTarget|register)\.count$/,
    /^limits\.(flagReporter|flagTarget|register)\.count$/,
  ),
  finding(
    'cheap-identity/flag-breaker',
    /^flag\.breaker(PendingMax|WindowSec)$/,
    /^(limits\.flagReporter\.(count|windowSec)|flag\.breaker(PendingMax|WindowSec))$/,
  ),
  finding(
    'unreachable/register-by-token',
    /^limits\.register\.(count|windowSec)$/,
    /^limits\.registerToken\.(count|windowSec)$/,
  ),
  finding('stopped-flow/spawn', /^limits\.spawn\.(count|windowSec)$/, /^spawn\.authorizationTtlSec$/),
  // Caps and counts of heartbeats in an epoch.
  finding(
    'dominated-price/class-orchestrator',
    /^(heartbeat\.\w+Cap|sigil\.\w+FeeLamports)$/,
    /^(heartbeat\.\w+Cap|sigil\.\w+FeeLamports)$/,
  ),
  finding('class-cap/narrow-task', CAPS, /^(dms\.missedAnchorsMax|heartbeat\.epochBeats)$/),
  finding('class-cap/interval', /^heartbeat\.intervalBeatsMin$/, /^(dms\.missedAnchorsMax|anchor\.beatsPerAnchor)$/),
  finding('unreachable/cap-orchestrator', CAPS, /^heartbeat\.(intervalBeatsMin|epochBeats)$/),
  finding(
    'unreachable/sponsor-cap',
    /^sponsor\.heartbeatsEpochMax$/,
    /^heartbeat\.(intervalBeatsMin|epochBeats|\w+Cap)$/,
  ),
  finding('unreachable/tier-3-narrow-task', /^heartbeat\.tier2HeartbeatsMax$/, CAPS),
  finding('unreachable/tier-2-narrow-task', /^heartbeat\.tier1HeartbeatsMax$/, CAPS),
  finding(
    'early-default/sponsorship',
    /^sponsor\.heartbeatsEpoch(Default|Max)$/,
    /^(dms\.missedAnchorsMax|heartbeat\.epochBeats)$/,
  ),
  relation(
    'heartbeat.tier1HeartbeatsMax < heartbeat.tier2HeartbeatsMax',
    /^heartbeat\.tier1HeartbeatsMax$/,
    /^heartbeat\.tier2HeartbeatsMax$/,
  ),
  relation(
    'sponsor.heartbeatsEpochMin <= sponsor.heartbeatsEpochDefault <= sponsor.heartbeatsEpochMax',
    /^sponsor\.heartbeatsEpoch/,
    /^sponsor\.heartbeatsEpoch/,
  ),
  none(
    'agents of one lineage pay the fees and have the caps of their own classes; a sponsor chooses its own count',
    /^(heartbeat|sponsor)\./,
    /^(heartbeat\.(\w+Cap|tier\dHeartbeatsMax)|sponsor\.heartbeatsEpoch\w+)$/,
  ),
  // Lives.
  finding('outlived-right/passport', /^passport\.validityHours$/, DEADLINE),
  finding(
    'short-life/warning',
    /^dms\.warningAnchors$/,
    /^(dms\.missedAnchorsMax|heartbeat\.intervalBeatsMin|anchor\.beatsPerAnchor)$/,
  ),
  finding(
    'outlived-right/receipt',
    /^(work\.receiptAnchorsMax|anchor\.graceAnchors)$/,
    /^(anchor\.graceAnchors|dms\.missedAnchorsMax)$/,
  ),
  finding('unreachable/epoch', /^heartbeat\.epochBeats$/, /^(heartbeat\.intervalBeatsMin|anchor\.beatsPerAnchor)$/),
  finding('short-life/delivery-retry', /^webhook\.timeoutSec$/, /^webhook\.retry\dSec$/),
  finding('short-life/anchor', /^anchor\.degradedIntervals$/, /^anchor\.intervalSec$/),
  finding(
    'hash-rate/resync-nonce',
    /^resync\.(nonceTtlSec|beatsMax)$/,
    /^(anchor\.(graceAnchors|intervalSec)|beat\.difficulty|resync\.(beatsMax|beatsPerMissedAnchor))$/,
  ),
  finding(
    'hash-rate/resync-receipt',
    /^anchor\.(graceAnchors|intervalSec)$/,
    /^(resync\.beatsMax|work\.receiptDifficultyMin)$/,
  ),
  finding(
    'hash-rate/first-child',
    /^spawn\.baseBeats$/,
    /^(anchor\.(graceAnchors|intervalSec)|work\.receiptDifficultyMin)$/,
  ),
  finding(
    'cheap-identity/siblings',
    /^spawn\.siblingFactor(Numerator|Denominator)$/,
    /^spawn\.siblingFactor(Numerator|Denominator)$/,
  ),
  finding(
    'cheap-identity/depth',
    /^spawn\.depthFactor(Numerator|Denominator)$/,
    /^spawn\.(baseBeats|depthFactor(Numerator|Denominator))$/,
  ),
  finding(
    'hash-rate/siblings',
    /^spawn\.siblingFactor(Numerator|Denominator)$/,
    /^(anchor\.(graceAnchors|intervalSec)|spawn\.baseBeats)$/,
  ),
  // Penalties, prices and proofs.
  finding(
    'saturation/resync-penalty',
    /^resync\.beats(Max|PerMissedAnchor)$/,
    /^(resync\.beats(Max|PerMissedAnchor)|dms\.missedAnchorsMax|heartbeat\.epochBeats)$/,
  ),
  finding('dominated-price/heartbeat', /^resync\.beatsPerMissedAnchor$/, /^heartbeat\.tier\dFeeLamports$/),
  finding('dominated-price/sigil', /^sigil\.narrowTaskFeeLamports$/, /^spawn\.baseBeats$/),
  finding('dominated-price/difficulty', /^beat\.difficulty$/, /^work\.receiptDifficultyMin$/),
  relation(
    'work.difficultyMin <= beat.difficulty <= work.difficultyMax',
    /^work\.difficulty(Min|Max)$/,
    /^(beat\.difficulty|work\.difficulty(Min|Max))$/,
  ),
  none(
    'a receipt states the difficulty of its proof, whatever lowest difficulty the beats service accepts',
    /^work\.receiptDifficultyMin$/,
    /^work\.difficulty/,
  ),
  finding('dominated-price/proof', /^proof\.(spotChecksMin|challengeChecks)$/, /^resync\.beatsMax$/),
  relation('proof.spotChecksMin <= proof.spotChecksMax', /^proof\.spotChecksMin$/, /^proof\.spotChecksMax$/),
  relation('proof.challengeChecks <= proof.spotChecksMax', /^proof\.challengeChecks$/, /^proof\.spotChecksMax$/),
  none('a proof of fewer beats than spotChecksMin shows every beat', /^proof\.spotChecks/, /^proof\./),
  finding(
    'below-cost/floor',
    /^subsidy\.(floorLamportsDefault|discountBpsMax)$/,
    /^(reissue\.feeLamports|heartbeat\.tier\dFeeLamports|subsidy\.(floorLamportsDefault|discountBpsMax))$/,
  ),
  finding('below-cost/fee-sigil', /^subsidy\.floorLamportsDefault$/, /^sigil\.\w+FeeLamports$/),
  finding('dominated-price/passport-without-heartbeat', /^heartbeat\.tier\dFeeLamports$/, /^limits\.passport\.count$/),
  finding('dominated-price/reissue', /^reissue\.feeLamports$/, /^limits\.passport\.count$/),
  none('fees of different things, or of one schedule that may rise or fall', /Lamports$/, /Lamports$/),
  relation(
    'feeSplit: operations, contributors, referral and developmentStart together are at most 10000',
    /^feeSplit\.(operations|contributors|referral|developmentStart)Bps$/,
    /^feeSplit\.(operations|contributors|referral|developmentStart)Bps$/,
  ),
  relation(
    'feeSplit.developmentFloorBps <= feeSplit.developmentStartBps',
    /^feeSplit\.developmentFloorBps$/,
    /^feeSplit\.developmentStartBps$/,
  ),
  relation(
    'subsidy.discountBpsMin <= subsidy.discountBpsMax',
    /^subsidy\.discountBpsMin$/,
    /^subsidy\.discountBpsMax$/,
  ),
  finding('fee-split/whole', /^feeSplit\.\w+(?<!PerYear|Floor|burnt)Bps$/, /^feeSplit\.treasuryStartBps$/),
  none('a fall ends at its floor', /^feeSplit\./, /^feeSplit\./),
  none('a discount is taken off the fee, and a share is taken of what is left', /^subsidy\./, /^feeSplit\./),
  none(
    'works of different operations, each with a limit of its own',
    /^(resync\.|spawn\.|proof\.submitBeatsMax|beatVerify\.)/,
    /^(resync\.|spawn\.|proof\.submitBeatsMax|beatVerify\.)/,
  ),
  // Sizes.
  finding('body-size/verify-batch', /^verifyBatch\.hashesMax$/, /^(body\.bytesMax|agent\.hashBytes)$/),
  finding('body-size/flag', /^flag\.reasonCharsMax$/, /^(body\.bytesMax|agent\.hashBytes)$/),
  finding(
    'body-size/metadata',
    /^metadata\.(textCharsMax|tool(s|Chars)Max|modality(Words|Chars)Max)$/,
    /^(body\.bytesMax|metadata\.(toolsMax|toolCharsMax|modalityWordsMax|modalityCharsMax))$/,
  ),
  finding('body-size/names', /^(agent\.nameCharsMax|sigil\.(name|principal)CharsMax)$/, /^body\.bytesMax$/),
  finding('body-size/spot-checks', /^proof\.spotChecksMax$/, /^body\.proofBytesMax$/),
  finding('body-size/chain', /^beatVerify\.chainBeatsMax$/, /^body\.proofBytesMax$/),
  relation('agent.nameCharsMin <= agent.nameCharsMax', /^agent\.nameCharsMin$/, /^agent\.nameCharsMax$/),
  relation('registration.metadataBytesMax <= body.bytesMax', /^registration\.metadataBytesMax$/, /^body\.bytesMax$/),
  relation('body.bytesMax <= body.proofBytesMax', /^body\.bytesMax$/, /^body\.proofBytesMax$/),
  relation(
    'sigil: the automatic name, auto- and the hex of autoNameBytes, is at most nameCharsMax',
    /^sigil\.autoNameBytes$/,
    /^sigil\.nameCharsMax$/,
  ),
  relation('flag.reasonCharsMin <= flag.reasonCharsMax', /^flag\.reasonCharsMin$/, /^flag\.reasonCharsMax$/),
  relation('metadata.textCharsMin <= metadata.textCharsMax', /^metadata\.textCharsMin$/, /^metadata\.textCharsMax$/),
  relation('verifyBatch.hashesMin <= verifyBatch.hashesMax', /^verifyBatch\.hashesMin$/, /^verifyBatch\.hashesMax$/),
  none(
    'hashes, keys, nonces, secrets, tokens and texts of different fields; the greatest of each are held to the body above',
    /(Bytes|Chars|bytes)(Min|Max)?$/,
    /(Bytes|Chars|bytes)(Min|Max)?$/,
  ),
  // Times that share nothing but their unit.
  none(
    'a life that ends before the next request is a finding of its own (short-life); any other outlasts the request that uses it',
    NONCES,
  ),
  none('each limit counts requests of its own bucket', /^limits\./, /^limits\./),
  none('a window only spaces requests out, and a first one is always free', WINDOWS),
  none('deliveries wait in the queue of a partner, whatever the service does meanwhile', /^webhook\./),
  none('the split of fees follows the calendar of the service, and nothing of an agent', /^feeSplit\.yearDays$/),
  none('a date, not a time that passes', /^passport\.lineageProofUntilMs$/),
  none('the epoch of anchors is a number in replies alone (D-20)', /^anchor\.anchorsPerEpoch$/),
  none(
    'a sponsor chooses the hours, and a sponsorship that ends leaves the agent its own wallet',
    /^sponsor\.expiresHoursMin$/,
  ),
  none('pending flags end by review or with their window, not by the clock of anchors', /^flag\.breakerWindowSec$/),
  none(
    'a registry in use cannot change the clock, and every time in anchors or beats is counted by it',
    /^(anchor|heartbeat|dms|work|passport)\./,
  ),
  // Counts.
  none('counts of different things', /^(agent|beat|proof|passport|spawn|verifyBatch|flag|metadata)\./),
] satisfies Fit[]);
