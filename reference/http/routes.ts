import { authorityKeyRoute } from './authority-key.js';
import { beatAnchorRoute, beatsBeatAnchorRoute } from './beat-anchor.js';
import { beatKeyRoute } from './beat-key.js';
import { beatStatusRoute } from './beat-status.js';
import { beatTimestampRoute } from './beat-timestamp.js';
import { beatsBeatVerifyRoute, beatVerifyRoute } from './beat-verify.js';
import { beatsSubmitRoute } from './beats-submit.js';
import { checkinRoute } from './checkin.js';
import { feesSummaryRoute } from './fees-summary.js';
import { flagRoute } from './flag.js';
import { healthRoute } from './health.js';
import { heartbeatRoute } from './heartbeat.js';
import { initRoute } from './init.js';
import { metadataRoute } from './metadata.js';
import { partnerWebhookDeleteRoute, partnerWebhookGetRoute, partnerWebhookPutRoute } from './partner-webhook.js';
import { passportRoute } from './passport.js';
import { registerRoute } from './register.js';
import { registerTokenRoute } from './register-token.js';
import { reissueProofRoute } from './reissue-proof.js';
import { resyncRoute } from './resync.js';
import type { Route } from './route.js';
import { sigilRoute } from './sigil.js';
import { spawnRoute } from './spawn.js';
import { sponsorDeleteRoute, sponsorGetRoute, sponsorPostRoute } from './sponsor.js';
import { statusRoute } from './status.js';
import { subsidyDeleteRoute, subsidyPostRoute } from './subsidy.js';
import { verifyRoute } from './verify.js';
import { verifyBatchRoute } from './verify-batch.js';
import { walletRoute } from './wallet.js';
import { workProofGetRoute, workProofPostRoute } from './work-proof.js';

/** What the registry serves. */
export const registryRoutes: readonly Route[] = [
  registerRoute,
  registerTokenRoute,
  initRoute,
  heartbeatRoute,
  sigilRoute,
  reissueProofRoute,
  spawnRoute,
  beatsSubmitRoute,
  resyncRoute,
  metadataRoute,
  walletRoute,
  passportRoute,
  sponsorPostRoute,
  sponsorDeleteRoute,
  sponsorGetRoute,
  flagRoute,
  checkinRoute,
  verifyBatchRoute,
  statusRoute,
  verifyRoute,
  beatStatusRoute,
  beatAnchorRoute,
  beatVerifyRoute,
  authorityKeyRoute,
  feesSummaryRoute,
  subsidyPostRoute,
  subsidyDeleteRoute,
  partnerWebhookPutRoute,
  partnerWebhookGetRoute,
  partnerWebhookDeleteRoute,
];

/** What the beats service serves. */
export const beatsRoutes: readonly Route[] = [
  workProofPostRoute,
  workProofGetRoute,
  beatKeyRoute,
  beatsBeatAnchorRoute,
  beatsBeatVerifyRoute,
  beatTimestampRoute,
  healthRoute,
];
