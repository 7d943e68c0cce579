/**
 * Every check of the suite, in order. Checks that must run before time moves come first. The long march and the longest chain of beats follow:
 * the other checks sleep and send requests at the same time. Exclusive checks run last, in the order of this list: the last day of the alias (9),
 * then the checks that move the clock by an epoch (two months) or by years.
 */
import { withFacts } from '../../spec/dialect-clauses.js';
import { afterChecks } from '../derived/after.js';
import { laterChecks } from '../derived/later.js';
import { paymentChecks } from '../derived/payments.js';
import { ticketChecks } from '../derived/tickets.js';
import type { Check, WrittenCheck } from '../trial/check.js';
import { planned } from '../trial/planned.js';
import { atOnceChecks } from './at-once.js';
import { authChecks } from './auth.js';
import { authOfAnotherChecks } from './auth-of-another.js';
import { authorityKeyChecks } from './authority-key.js';
import { beatAnchorChecks, beatAnchorFirstChecks } from './beat-anchor.js';
import { beatKeyChecks } from './beat-key.js';
import { beatStatusChecks } from './beat-status.js';
import { beatTimestampChecks } from './beat-timestamp.js';
import { beatVerifyChecks } from './beat-verify.js';
import { beatsSubmitChecks, beatsSubmitLongestChecks } from './beats-submit.js';
import { bodyChecks } from './body.js';
import { checkinChecks } from './checkin.js';
import { dialectAnchorsChecks, dialectAnchorsLateChecks } from './dialect-anchors.js';
import { dialectBeatsChecks } from './dialect-beats.js';
import { dialectRegistryChecks } from './dialect-registry.js';
import { dmsChecks } from './dms.js';
import { feesSummaryChecks } from './fees-summary.js';
import { feesSummaryYearsChecks } from './fees-summary-years.js';
import { flagChecks } from './flag.js';
import { flagLimitChecks } from './flag-limits.js';
import { healthChecks } from './health.js';
import { heartbeatChecks } from './heartbeat.js';
import { heartbeatEpochChecks, heartbeatMarchChecks } from './heartbeat-march.js';
import { initChecks } from './init.js';
import { limitsChecks } from './limits.js';
import { metadataChecks } from './metadata.js';
import { partnerWebhookChecks } from './partner-webhook.js';
import { partnerWebhookDeliveryChecks } from './partner-webhook-delivery.js';
import { partnerWebhookEpochChecks, partnerWebhookEventChecks } from './partner-webhook-events.js';
import { partnerWebhookKindChecks } from './partner-webhook-kinds.js';
import { passportChecks } from './passport.js';
import { registerChecks } from './register.js';
import { registerChildChecks } from './register-child.js';
import { registerLimitChecks } from './register-limits.js';
import { registerMetadataChecks } from './register-metadata.js';
import { registerSecretChecks } from './register-secret.js';
import { registerTokenChecks } from './register-token.js';
import { registerWalletChecks } from './register-wallet.js';
import { reissueProofChecks } from './reissue-proof.js';
import { resyncChecks } from './resync.js';
import { resyncChallengeChecks } from './resync-challenge.js';
import { resyncFreeChecks } from './resync-free.js';
import { resyncReceiptChecks } from './resync-receipt.js';
import { secretsChecks } from './secrets.js';
import { sigilChecks } from './sigil.js';
import { sigilFieldChecks } from './sigil-fields.js';
import { spawnChecks } from './spawn.js';
import { spawnStateChecks } from './spawn-state.js';
import { sponsorChecks } from './sponsor.js';
import { sponsorHeartbeatChecks } from './sponsor-heartbeat.js';
import { sponsorLimitChecks } from './sponsor-limits.js';
import { sponsorTreeChecks } from './sponsor-tree.js';
import { sponsorEpochChecks, sponsorWalletChecks } from './sponsor-wallets.js';
import { statusChecks } from './status.js';
import { subsidyChecks } from './subsidy.js';
import { subsidyFeeChecks } from './subsidy-fees.js';
import { verifyChecks } from './verify.js';
import { verifyBatchChecks } from './verify-batch.js';
import { versioningChecks } from './versioning.js';
import { walletChecks } from './wallet.js';
import { workProofChecks } from './work-proof.js';
import { workProofReasonChecks } from './work-proof-reasons.js';

const suite: readonly WrittenCheck[] = [
  ...beatAnchorFirstChecks,
  ...heartbeatMarchChecks,
  ...beatsSubmitLongestChecks,
  ...registerChecks,
  ...registerMetadataChecks,
  ...registerLimitChecks,
  ...registerWalletChecks,
  ...registerChildChecks,
  ...registerTokenChecks,
  ...registerSecretChecks,
  ...initChecks,
  ...sigilChecks,
  ...sigilFieldChecks,
  ...heartbeatChecks,
  ...reissueProofChecks,
  ...passportChecks,
  ...metadataChecks,
  ...flagChecks,
  ...flagLimitChecks,
  ...subsidyChecks,
  ...subsidyFeeChecks,
  ...partnerWebhookChecks,
  ...partnerWebhookEventChecks,
  ...partnerWebhookKindChecks,
  ...partnerWebhookDeliveryChecks,
  ...dmsChecks,
  ...resyncChecks,
  ...resyncReceiptChecks,
  ...resyncFreeChecks,
  ...resyncChallengeChecks,
  ...spawnChecks,
  ...spawnStateChecks,
  ...beatsSubmitChecks,
  ...sponsorChecks,
  ...sponsorTreeChecks,
  ...sponsorHeartbeatChecks,
  ...sponsorLimitChecks,
  ...sponsorWalletChecks,
  ...walletChecks,
  ...ticketChecks,
  ...paymentChecks,
  ...afterChecks,
  ...statusChecks,
  ...verifyChecks,
  ...verifyBatchChecks,
  ...checkinChecks,
  ...beatStatusChecks,
  ...authorityKeyChecks,
  ...beatAnchorChecks,
  ...feesSummaryChecks,
  ...workProofChecks,
  ...workProofReasonChecks,
  ...beatKeyChecks,
  ...beatVerifyChecks,
  ...beatTimestampChecks,
  ...healthChecks,
  ...dialectBeatsChecks,
  ...dialectAnchorsChecks,
  ...dialectRegistryChecks,
  ...authChecks,
  ...authOfAnotherChecks,
  ...secretsChecks,
  ...atOnceChecks,
  ...limitsChecks,
  ...bodyChecks,
  ...versioningChecks,
  ...heartbeatEpochChecks,
  ...laterChecks,
  ...sponsorEpochChecks,
  ...partnerWebhookEpochChecks,
  ...dialectAnchorsLateChecks,
  ...feesSummaryYearsChecks,
];

/** Every check of the suite, with the facts of dialects that it also judges. */
export const allChecks: readonly Check[] = suite
  .map(planned)
  .map((check) => ({ ...check, clauses: withFacts(check.clauses) }));
