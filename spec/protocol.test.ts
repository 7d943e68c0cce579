import { describe, expect, it } from 'vitest';
import { type LimitName, protocol, protocolNumbers } from './protocol.js';

const HOUR = 3_600;
const MINUTE = 60;

/** Every number with the clause that gives it, apart from the limits of section 8. */
const numbers: readonly (readonly [clause: string, path: string, value: number])[] = [
  ['2', 'agent.hashBytes', 32],
  ['D-16', 'agent.nameCharsMin', 1],
  ['D-16', 'agent.nameCharsMax', 64],
  ['1', 'agent.rootDepth', 0],
  ['D-16', 'agent.depthMax', 0],
  ['D-15', 'agent.secretBytes', 32],
  ['2.2', 'registration.metadataBytesMax', 4_096],
  ['D-18', 'registration.nonceBytes', 32],
  ['D-18', 'registration.nonceTtlSec', 300],
  ['4.3', 'registration.tokenBytes', 32],
  ['4.3', 'registration.tokenTtlSec', 300],
  ['D-18', 'wallet.nonceBytes', 32],
  ['4.12', 'wallet.nonceTtlSec', 300],
  ['4.12', 'wallet.publicKeyBytes', 32],
  ['2.3', 'beat.difficulty', 1_000],
  ['2.3', 'beat.genesisIndex', 0],
  ['D-07', 'proof.spotChecksMin', 3],
  ['D-07', 'proof.spotChecksMax', 25],
  ['D-07', 'proof.submitBeatsMax', 10_000],
  ['D-07', 'proof.challengeChecks', 0],
  ['D-04', 'anchor.intervalSec', 60],
  ['D-04', 'anchor.beatsPerAnchor', 1],
  ['D-06', 'anchor.graceAnchors', 5],
  ['D-05', 'anchor.anchorsPerEpoch', 100],
  ['D-20', 'anchor.degradedIntervals', 3],
  ['D-08', 'work.difficultyMin', 100],
  ['D-08', 'work.difficultyMax', 5_000],
  ['D-08', 'work.receiptDifficultyMin', 100],
  ['D-09', 'work.receiptAnchorsMax', 60],
  ['2.6', 'passport.formatVersion', 1],
  ['2.6', 'passport.validityHours', 24],
  ['D-11', 'passport.lineageProofUntilMs', Date.parse('2026-09-01T23:59:59.999Z')],
  ['4.5', 'heartbeat.intervalBeatsMin', 10],
  ['4.5', 'heartbeat.epochBeats', 100_000],
  ['4.5', 'heartbeat.tier1HeartbeatsMax', 100],
  ['4.5', 'heartbeat.tier2HeartbeatsMax', 1_000],
  ['4.5', 'heartbeat.tier1FeeLamports', 500_000],
  ['4.5', 'heartbeat.tier2FeeLamports', 300_000],
  ['4.5', 'heartbeat.tier3FeeLamports', 200_000],
  ['4.5', 'heartbeat.epochFeeLamports', 0],
  ['4.5', 'heartbeat.narrowTaskCap', 1_000],
  ['4.5', 'heartbeat.autonomousCap', 5_000],
  ['4.5', 'heartbeat.orchestratorCap', 20_000],
  ['4.6', 'sigil.narrowTaskFeeLamports', 50_000_000],
  ['4.6', 'sigil.autonomousFeeLamports', 150_000_000],
  ['4.6', 'sigil.orchestratorFeeLamports', 350_000_000],
  ['4.6', 'sigil.principalCharsMax', 24],
  ['D-17', 'sigil.nameCharsMax', 48],
  ['D-17', 'sigil.autoNameBytes', 4],
  ['4.7', 'reissue.feeLamports', 200_000],
  ['4.5', 'feeSplit.operationsBps', 3_000],
  ['4.5', 'feeSplit.contributorsBps', 3_000],
  ['4.5', 'feeSplit.referralBps', 1_000],
  ['4.5', 'feeSplit.developmentStartBps', 1_500],
  ['4.5', 'feeSplit.developmentFallBpsPerYear', 100],
  ['4.5', 'feeSplit.developmentFloorBps', 500],
  ['4.5', 'feeSplit.treasuryStartBps', 1_500],
  ['4.5', 'feeSplit.burntBps', 0],
  ['D-38', 'feeSplit.yearDays', 365],
  ['3.1', 'dms.missedAnchorsMax', 60],
  ['D-19', 'dms.warningAnchors', 48],
  ['3.1', 'dms.graceAnchors', 0],
  ['4.10', 'resync.beatsPerMissedAnchor', 100],
  ['4.10', 'resync.beatsMax', 10_000],
  ['4.10', 'resync.feeLamports', 0],
  ['D-18', 'resync.nonceBytes', 32],
  ['4.10', 'resync.nonceTtlSec', 300],
  ['4.6', 'deposit.lamports', 0],
  ['4.8', 'spawn.baseBeats', 1_000],
  ['4.8', 'spawn.depthFactorNumerator', 3],
  ['4.8', 'spawn.depthFactorDenominator', 2],
  ['4.8', 'spawn.siblingFactorNumerator', 12],
  ['4.8', 'spawn.siblingFactorDenominator', 10],
  ['D-31', 'spawn.authorizationTtlSec', 300],
  ['4.13', 'sponsor.heartbeatsEpochMin', 1],
  ['4.13', 'sponsor.heartbeatsEpochMax', 10_000],
  ['4.13', 'sponsor.heartbeatsEpochDefault', 100],
  ['4.13', 'sponsor.expiresHoursMin', 1],
  ['4.14', 'verifyBatch.hashesMin', 1],
  ['4.14', 'verifyBatch.hashesMax', 50],
  ['4.16', 'flag.reasonCharsMin', 1],
  ['4.16', 'flag.reasonCharsMax', 2_000],
  ['8', 'flag.breakerPendingMax', 20],
  ['8', 'flag.breakerWindowSec', 24 * HOUR],
  ['4.17', 'subsidy.discountBpsMin', 1],
  ['4.17', 'subsidy.discountBpsMax', 10_000],
  ['4.17', 'subsidy.floorLamportsDefault', 5_000],
  ['2.13', 'webhook.secretBytes', 32],
  ['6', 'webhook.timeoutSec', 3],
  ['D-37', 'webhook.retry1Sec', MINUTE],
  ['D-37', 'webhook.retry2Sec', 5 * MINUTE],
  ['D-37', 'webhook.retry3Sec', 30 * MINUTE],
  ['D-37', 'webhook.retry4Sec', 2 * HOUR],
  ['D-37', 'webhook.retry5Sec', 12 * HOUR],
  ['D-47', 'metadata.textCharsMin', 1],
  ['2.8', 'metadata.textCharsMax', 256],
  ['2.8', 'metadata.toolsMax', 32],
  ['2.8', 'metadata.toolCharsMax', 64],
  ['D-17', 'metadata.modalityWordsMax', 16],
  ['D-17', 'metadata.modalityCharsMax', 32],
  ['D-47', 'metadata.generationStart', 1],
  ['D-33', 'body.bytesMax', 65_536],
  ['D-33', 'body.proofBytesMax', 262_144],
  ['D-10', 'beatVerify.chainBeatsMax', 1_000],
];

/** Section 8, in its order, then the rows that decisions add. */
const limits: readonly (readonly [clause: string, name: LimitName, count: number, windowSec: number])[] = [
  ['8', 'register', 10, HOUR],
  ['8', 'registerWalletFlow', 30, HOUR],
  ['8', 'registerToken', 3, HOUR],
  ['8', 'registerTokenGlobal', 50, HOUR],
  ['8', 'wallet', 30, HOUR],
  ['8', 'init', 30, HOUR],
  ['8', 'heartbeat', 60, MINUTE],
  ['8', 'sigil', 5, HOUR],
  ['8', 'reissueProof', 10, HOUR],
  ['8', 'spawn', 5, HOUR],
  ['8', 'beatsSubmit', 30, MINUTE],
  ['8', 'resyncChallenge', 5, MINUTE],
  ['8', 'resyncReceipt', 10, HOUR],
  ['8', 'metadata', 30, MINUTE],
  ['8', 'sponsorPost', 10, HOUR],
  ['8', 'sponsorDelete', 60, MINUTE],
  ['8', 'sponsorGet', 60, MINUTE],
  ['8', 'flag', 10, MINUTE],
  ['8', 'flagReporter', 3, HOUR],
  ['8', 'flagTarget', 10, HOUR],
  ['8', 'verifyBatch', 10, MINUTE],
  ['8', 'subsidy', 30, MINUTE],
  ['8', 'partnerWebhook', 10, MINUTE],
  ['D-12', 'passport', 10, HOUR],
  ['D-10', 'beatVerify', 10, MINUTE],
  ['D-08', 'workProof', 10, MINUTE],
  ['D-08', 'beatTimestamp', 5, MINUTE],
  ['D-23', 'lookup', 60, MINUTE],
];

describe('protocol', () => {
  const found = new Map(protocolNumbers().map(({ path, value }) => [path, value]));

  it.each(numbers)('%s gives %s as %d', (_, path, value) => {
    expect(found.get(path)).toBe(value);
  });

  it.each(limits)('%s limits %s to %d in %d s', (_, name, count, windowSec) => {
    expect(protocol.limits[name]).toEqual({ count, windowSec });
  });

  it('holds no number but these', () => {
    const named = numbers.map(([, path]) => path);
    const limited = limits.flatMap(([, name]) => [`limits.${name}.count`, `limits.${name}.windowSec`]);
    expect([...found.keys()]).toEqual([...named, ...limited]);
  });

  it('cannot be changed, at any depth', () => {
    expect(() => Object.assign(protocol, { dms: { missedAnchorsMax: 61 } })).toThrow(TypeError);
    expect(() => Object.assign(protocol.dms, { missedAnchorsMax: 61 })).toThrow(TypeError);
    expect(() => Object.assign(protocol.limits.register, { count: 11 })).toThrow(TypeError);
    expect(protocol.dms.missedAnchorsMax).toBe(60);
  });

  it('gives the fees in lamports that 4.5 to 4.7 name in SOL', () => {
    const sol = (lamports: number): number => lamports / 1e9;
    const { heartbeat, sigil, reissue } = protocol;
    expect([heartbeat.tier1FeeLamports, heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports].map(sol)).toEqual([
      0.0005, 0.0003, 0.0002,
    ]);
    expect([sigil.narrowTaskFeeLamports, sigil.autonomousFeeLamports, sigil.orchestratorFeeLamports].map(sol)).toEqual([
      0.05, 0.15, 0.35,
    ]);
    expect(sol(reissue.feeLamports)).toBe(0.0002);
  });
});
