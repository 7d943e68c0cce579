/** The check that notices that a number of the target differs from the specification's. */
export interface Pin {
  /** The check that notices. */
  readonly check: string;
  /** The number is a decision's, so a difference does not fail the run. */
  readonly advisory?: true;
}

const must = (check: string): Pin => ({ check });
const decision = (check: string): Pin => ({ check, advisory: true });

/** The pin of every number of spec/protocol, by its path. A test fails if one is missing. */
export const pins: Readonly<Record<string, Pin>> = {
  'agent.hashBytes': must('register/root'),
  'agent.nameCharsMin': decision('register/name-shortest'),
  'agent.nameCharsMax': decision('register/name-length'),
  'agent.rootDepth': must('register/root'),
  'agent.depthMax': decision('spawn/depth-unlimited'),
  'agent.secretBytes': decision('register/root'),

  'registration.metadataBytesMax': must('register/metadata-size'),
  'registration.nonceBytes': decision('register/self-custody'),
  'registration.nonceTtlSec': decision('register/nonce-ttl'),
  'registration.tokenBytes': must('register-token/reply'),
  'registration.tokenTtlSec': must('register-token/reply'),

  'wallet.nonceBytes': decision('wallet/self-custody'),
  'wallet.nonceTtlSec': must('wallet/self-custody'),
  'wallet.publicKeyBytes': must('register/self-custody'),

  'beat.difficulty': must('init/first'),
  'beat.genesisIndex': must('init/first'),

  'proof.spotChecksMin': decision('work-proof/spot-checks-few'),
  'proof.spotChecksMax': decision('work-proof/spot-checks-many'),
  'proof.submitBeatsMax': decision('beats-submit/beats-max'),
  'proof.challengeChecks': must('work-proof/valid'),

  'anchor.intervalSec': decision('beat-anchor/links'),
  'anchor.beatsPerAnchor': decision('versioning/agent-age'),
  'anchor.graceAnchors': decision('work-proof/anchor-grace'),
  'anchor.anchorsPerEpoch': decision('beat-anchor/epoch'),
  'anchor.degradedIntervals': decision('dms/stalled'),

  'work.difficultyMin': decision('work-proof/difficulty-low'),
  'work.difficultyMax': decision('work-proof/difficulty-high'),
  'work.receiptDifficultyMin': decision('resync/penalty'),
  'work.receiptAnchorsMax': decision('resync/receipt-window'),

  'passport.formatVersion': must('sigil/buy-narrow-task'),
  'passport.validityHours': must('sigil/buy-narrow-task'),
  'passport.lineageProofUntilMs': decision('versioning/lineage-proof'),

  'heartbeat.intervalBeatsMin': must('heartbeat/too-soon'),
  'heartbeat.epochBeats': must('heartbeat/epoch'),
  'heartbeat.tier1HeartbeatsMax': must('heartbeat/tiers-and-caps'),
  'heartbeat.tier2HeartbeatsMax': must('heartbeat/tiers-and-caps'),
  'heartbeat.tier1FeeLamports': must('heartbeat/own-wallet'),
  'heartbeat.tier2FeeLamports': must('heartbeat/tiers-and-caps'),
  'heartbeat.tier3FeeLamports': must('heartbeat/tiers-and-caps'),
  'heartbeat.narrowTaskCap': must('heartbeat/tiers-and-caps'),
  'heartbeat.autonomousCap': must('beat-status/cap-autonomous'),
  'heartbeat.orchestratorCap': must('beat-status/cap-orchestrator'),

  'sigil.narrowTaskFeeLamports': must('sigil/buy-narrow-task'),
  'sigil.autonomousFeeLamports': must('sigil/buy-autonomous'),
  'sigil.orchestratorFeeLamports': must('sigil/buy-orchestrator'),
  'sigil.principalCharsMax': must('sigil/principal-length'),
  'sigil.nameCharsMax': decision('sigil/name-length'),
  'sigil.autoNameBytes': decision('sigil/name-auto'),

  'reissue.feeLamports': must('reissue-proof/reprint'),

  'feeSplit.operationsBps': must('fees-summary/split'),
  'feeSplit.contributorsBps': must('fees-summary/split'),
  'feeSplit.referralBps': must('fees-summary/split'),
  'feeSplit.developmentStartBps': must('fees-summary/split'),
  'feeSplit.developmentFallBpsPerYear': must('fees-summary/split-years'),
  'feeSplit.developmentFloorBps': must('fees-summary/split-years'),
  'feeSplit.treasuryStartBps': must('fees-summary/split'),
  'feeSplit.yearDays': decision('fees-summary/split-years'),

  'dms.missedAnchorsMax': must('dms/after-heartbeat'),
  'dms.warningAnchors': decision('dms/standings'),

  'resync.beatsPerMissedAnchor': must('resync/penalty'),
  'resync.beatsMax': must('resync/penalty-cap'),
  'resync.nonceBytes': decision('resync/challenge'),
  'resync.nonceTtlSec': must('resync/challenge-nonce-ttl'),

  'spawn.baseBeats': must('beat-status/reply'),
  'spawn.depthFactorNumerator': must('spawn/cost-depth'),
  'spawn.depthFactorDenominator': must('spawn/cost-depth'),
  'spawn.siblingFactorNumerator': must('spawn/cost-siblings'),
  'spawn.siblingFactorDenominator': must('spawn/cost-siblings'),
  'spawn.authorizationTtlSec': decision('spawn/authorization-ttl'),

  'sponsor.heartbeatsEpochMin': must('sponsor/cap-least'),
  'sponsor.heartbeatsEpochMax': must('sponsor/cap-most'),
  'sponsor.heartbeatsEpochDefault': must('sponsor/create'),
  'sponsor.expiresHoursMin': must('sponsor/hours-least'),

  'verifyBatch.hashesMin': must('verify-batch/empty'),
  'verifyBatch.hashesMax': must('verify-batch/size'),

  'flag.reasonCharsMin': must('flag/reason-shortest'),
  'flag.reasonCharsMax': must('flag/reason-length'),
  'flag.breakerPendingMax': must('flag/breaker'),
  'flag.breakerWindowSec': must('flag/breaker'),

  'subsidy.discountBpsMin': must('subsidy/discount-bounds'),
  'subsidy.discountBpsMax': must('subsidy/discount-bounds'),
  'subsidy.floorLamportsDefault': must('subsidy/floor'),

  'webhook.secretBytes': must('partner-webhook/set'),
  'webhook.timeoutSec': must('partner-webhook/delivery-timeout'),
  'webhook.retry1Sec': decision('partner-webhook/delivery-retry'),
  'webhook.retry2Sec': decision('partner-webhook/delivery-retry'),
  'webhook.retry3Sec': decision('partner-webhook/delivery-retry'),
  'webhook.retry4Sec': decision('partner-webhook/delivery-retry'),
  'webhook.retry5Sec': decision('partner-webhook/delivery-retry'),

  'metadata.textCharsMin': decision('metadata/text-shortest'),
  'metadata.textCharsMax': must('metadata/text-substrate-model'),
  'metadata.toolsMax': must('metadata/tools'),
  'metadata.toolCharsMax': must('metadata/tools-item'),
  'metadata.modalityWordsMax': decision('metadata/modality-count'),
  'metadata.modalityCharsMax': decision('metadata/modality-word'),
  'metadata.generationStart': decision('verify/sigil'),

  'body.bytesMax': decision('body/size'),
  'body.proofBytesMax': decision('body/size-work-proof'),

  'beatVerify.chainBeatsMax': decision('beat-verify/chain-length-registry'),

  ...limits({
    register: must('register/limit'),
    registerWalletFlow: must('register/limit-wallet-flow'),
    registerToken: must('register-token/limit'),
    registerTokenGlobal: must('register-token/limit-global'),
    wallet: must('wallet/limit'),
    init: must('init/limit'),
    heartbeat: must('heartbeat/limit'),
    sigil: must('sigil/limit'),
    reissueProof: must('reissue-proof/limit'),
    spawn: must('spawn/limit'),
    beatsSubmit: must('beats-submit/limit'),
    resyncChallenge: must('resync/challenge-limit'),
    resyncReceipt: must('resync/limit'),
    metadata: must('metadata/limit'),
    sponsorPost: must('sponsor/limit-post'),
    sponsorDelete: must('sponsor/limit-delete'),
    sponsorGet: must('sponsor/limit-get'),
    flag: must('flag/limit'),
    flagReporter: must('flag/limit-reporter'),
    flagTarget: must('flag/limit-target'),
    verifyBatch: must('verify-batch/limit'),
    subsidy: must('subsidy/limit'),
    partnerWebhook: must('partner-webhook/limit'),
    passport: decision('passport/limit'),
    beatVerify: decision('beat-verify/limit-registry'),
    workProof: decision('work-proof/limit'),
    beatTimestamp: decision('beat-timestamp/limit'),
    lookup: decision('status/limit'),
  }),
};

/** Both numbers of each limit: the check of a limit fills its bucket and waits for its window. */
function limits(byName: Readonly<Record<string, Pin>>): Record<string, Pin> {
  return Object.fromEntries(
    Object.entries(byName).flatMap(([name, pin]) => [
      [`limits.${name}.count`, pin],
      [`limits.${name}.windowSec`, pin],
    ]),
  );
}
