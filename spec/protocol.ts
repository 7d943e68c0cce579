/**
 * Every number of the protocol, each written once. Rules, replies and checks read them here; an overlay can replace
 * any.
 */

import { deepFreeze } from './freeze.js';
import type { Parts } from './parts.js';
import { HOUR_SEC, MINUTE_SEC } from './time.js';

/** At most `count` requests in a window of `windowSec` seconds that starts with a bucket's first request (D-34). */
export interface RateLimit {
  readonly count: number;
  readonly windowSec: number;
}

const perHour = (count: number): RateLimit => ({ count, windowSec: HOUR_SEC });
const perMinute = (count: number): RateLimit => ({ count, windowSec: MINUTE_SEC });

/**
 * Every number of the protocol, each written once, in the unit that the specification uses. The unit ends the name.
 * An overlay file (spec/overlay.ts) can replace any of them; every rule, reply and check reads the numbers from here.
 */
const numbers = {
  /** 2 and 2.1: agent hashes; names, D-16. depthMax 0 means that depth has no limit. */
  agent: { hashBytes: 32, nameCharsMin: 1, nameCharsMax: 64, rootDepth: 0, depthMax: 0, secretBytes: 32 },
  /** 2.2, 4.2 and 4.3. */
  registration: { metadataBytesMax: 4_096, nonceBytes: 32, nonceTtlSec: 300, tokenBytes: 32, tokenTtlSec: 300 },
  /** 4.12 and section 8. */
  wallet: { nonceBytes: 32, nonceTtlSec: 300, publicKeyBytes: 32 },
  /** 2.3, 2.4 and section 8; the bounds of a proof are D-07's. */
  beat: { difficulty: 1_000, genesisIndex: 0 },
  proof: { spotChecksMin: 3, spotChecksMax: 25, submitBeatsMax: 10_000, challengeChecks: 0 },
  /** D-04 to D-06 and D-20. */
  anchor: { intervalSec: 60, beatsPerAnchor: 1, graceAnchors: 5, anchorsPerEpoch: 100, degradedIntervals: 3 },
  /** D-08 and D-09: the work for which the beats service issues receipts, and the receipts that the registry accepts. */
  work: { difficultyMin: 100, difficultyMax: 5_000, receiptDifficultyMin: 100, receiptAnchorsMax: 60 },
  /** 2.6 and 9. `lineageProofUntilMs`: 2026-09-01T23:59:59.999Z, the last moment of the alias (D-11). */
  passport: { formatVersion: 1, validityHours: 24, lineageProofUntilMs: 1_788_307_199_999 },
  /**
   * 4.5. A tier's fee holds up to the named count of heartbeats in the epoch; tier 3 has no end. `epochFeeLamports`: what the first heartbeat of
   * an epoch costs in addition, which is nothing in the text.
   */
  heartbeat: {
    intervalBeatsMin: 10,
    epochBeats: 100_000,
    tier1HeartbeatsMax: 100,
    tier2HeartbeatsMax: 1_000,
    tier1FeeLamports: 500_000,
    tier2FeeLamports: 300_000,
    tier3FeeLamports: 200_000,
    epochFeeLamports: 0,
    narrowTaskCap: 1_000,
    autonomousCap: 5_000,
    orchestratorCap: 20_000,
  },
  /** 4.6; names, D-17. */
  sigil: {
    narrowTaskFeeLamports: 50_000_000,
    autonomousFeeLamports: 150_000_000,
    orchestratorFeeLamports: 350_000_000,
    principalCharsMax: 24,
    nameCharsMax: 48,
    autoNameBytes: 4,
  },
  /** 4.7. */
  reissue: { feeLamports: 200_000 },
  /**
   * 4.5, D-38; basis points of the fee. Treasury takes what development releases, and the remainder of the division. `burntBps` of a fee go to
   * nobody, and the shares are of the rest; the text burns nothing.
   */
  feeSplit: {
    operationsBps: 3_000,
    contributorsBps: 3_000,
    referralBps: 1_000,
    developmentStartBps: 1_500,
    developmentFallBpsPerYear: 100,
    developmentFloorBps: 500,
    treasuryStartBps: 1_500,
    burntBps: 0,
    yearDays: 365,
  },
  /**
   * 3.1 and section 8; the warning is D-19's. `graceAnchors`: missed anchors beyond the maximum with which a heartbeat still brings a frozen agent
   * back, without a resync; the text has none.
   */
  dms: { missedAnchorsMax: 60, warningAnchors: 48, graceAnchors: 0 },
  /** 4.10 and section 8. `feeLamports`: the fee of a resync, which the text does not have. */
  resync: { beatsPerMissedAnchor: 100, beatsMax: 10_000, feeLamports: 0, nonceBytes: 32, nonceTtlSec: 300 },
  /** The deposit of an agent with a SIGIL, which a freeze forfeits; the text has none. */
  deposit: { lamports: 0 },
  /** 4.8: 1000 × 1.5^depth, then × 1.2^siblings, as exact fractions (D-31). */
  spawn: {
    baseBeats: 1_000,
    depthFactorNumerator: 3,
    depthFactorDenominator: 2,
    siblingFactorNumerator: 12,
    siblingFactorDenominator: 10,
    authorizationTtlSec: 300,
  },
  /** 4.13. */
  sponsor: { heartbeatsEpochMin: 1, heartbeatsEpochMax: 10_000, heartbeatsEpochDefault: 100, expiresHoursMin: 1 },
  /** 4.14. */
  verifyBatch: { hashesMin: 1, hashesMax: 50 },
  /** 4.16 and section 8. */
  flag: { reasonCharsMin: 1, reasonCharsMax: 2_000, breakerPendingMax: 20, breakerWindowSec: 86_400 },
  /** 4.17 and section 8. */
  subsidy: { discountBpsMin: 1, discountBpsMax: 10_000, floorLamportsDefault: 5_000 },
  /** 2.13, 6 and D-37. */
  webhook: {
    secretBytes: 32,
    timeoutSec: 3,
    retry1Sec: 60,
    retry2Sec: 300,
    retry3Sec: 1_800,
    retry4Sec: 7_200,
    retry5Sec: 43_200,
  },
  /** 2.8; modalities, D-17; text, D-47. */
  metadata: {
    textCharsMin: 1,
    textCharsMax: 256,
    toolsMax: 32,
    toolCharsMax: 64,
    modalityWordsMax: 16,
    modalityCharsMax: 32,
    generationStart: 1,
  },
  /** D-33. */
  body: { bytesMax: 65_536, proofBytesMax: 262_144 },
  /** D-10. */
  beatVerify: { chainBeatsMax: 1_000 },
  /** Section 8, in its order; then D-08, D-10, D-12 and D-23. */
  limits: {
    register: perHour(10),
    registerWalletFlow: perHour(30),
    registerToken: perHour(3),
    registerTokenGlobal: perHour(50),
    wallet: perHour(30),
    init: perHour(30),
    heartbeat: perMinute(60),
    sigil: perHour(5),
    reissueProof: perHour(10),
    spawn: perHour(5),
    beatsSubmit: perMinute(30),
    resyncChallenge: perMinute(5),
    resyncReceipt: perHour(10),
    metadata: perMinute(30),
    sponsorPost: perHour(10),
    sponsorDelete: perMinute(60),
    sponsorGet: perMinute(60),
    flag: perMinute(10),
    flagReporter: perHour(3),
    flagTarget: perHour(10),
    verifyBatch: perMinute(10),
    subsidy: perMinute(30),
    partnerWebhook: perMinute(10),
    passport: perHour(10),
    beatVerify: perMinute(10),
    workProof: perMinute(10),
    beatTimestamp: perMinute(5),
    lookup: perMinute(60),
  },
};

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] };

/** The numbers of one deployment of the protocol; `parts`: its other changes; absent if there are none. */
export type Protocol = DeepReadonly<typeof numbers> & { readonly parts?: Parts };

/** The specification's own numbers. */
export const protocol: Protocol = deepFreeze(numbers);

/** The name of a row of `protocol.limits`. */
export type LimitName = keyof Protocol['limits'];

/** One number of the protocol by its dotted path, for example `heartbeat.intervalBeatsMin`. */
interface ProtocolNumber {
  readonly path: string;
  readonly value: number;
}

/** Lists every number of a protocol, in the order in which they are written. */
export function protocolNumbers(from: Protocol = protocol): readonly ProtocolNumber[] {
  const found: ProtocolNumber[] = [];
  const walk = (node: object, prefix: string): void => {
    for (const [key, value] of Object.entries(node)) {
      if (prefix === '' && key === 'parts') continue;
      if (typeof value === 'number') found.push({ path: prefix + key, value });
      else walk(value, `${prefix}${key}.`);
    }
  };
  walk(from, '');
  return found;
}
