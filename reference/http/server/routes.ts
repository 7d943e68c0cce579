/** The routes of registry and beats service. An endpoint that is missing here is not served. */

import type { Dialect } from '../../../spec/dialect.js';
import { agentLineageRoute } from '../endpoints/agent-lineage.js';
import { authorityKeyFileRoute, authorityKeyRoute } from '../endpoints/authority-key.js';
import { beatAnchorRoute, beatsBeatAnchorRoute } from '../endpoints/beat-anchor.js';
import { beatKeyRoute } from '../endpoints/beat-key.js';
import { beatStatusRoute } from '../endpoints/beat-status.js';
import { beatTimestampRoute } from '../endpoints/beat-timestamp.js';
import { beatsBeatVerifyRoute, beatVerifyRoute } from '../endpoints/beat-verify.js';
import { beatsSubmitRoute } from '../endpoints/beats-submit.js';
import { checkinRoute } from '../endpoints/checkin.js';
import { feesSummaryRoute } from '../endpoints/fees-summary.js';
import { flagRoute } from '../endpoints/flag.js';
import { healthRoute } from '../endpoints/health.js';
import { heartbeatRoute } from '../endpoints/heartbeat.js';
import { heartbeatBatchRoute } from '../endpoints/heartbeat-batch.js';
import { initRoute } from '../endpoints/init.js';
import { metadataRoute } from '../endpoints/metadata.js';
import {
  partnerWebhookDeleteRoute,
  partnerWebhookGetRoute,
  partnerWebhookPutRoute,
} from '../endpoints/partner-webhook.js';
import { passportRoute } from '../endpoints/passport.js';
import { registerRoute } from '../endpoints/register.js';
import { registerTokenRoute } from '../endpoints/register-token.js';
import { reissueProofRoute } from '../endpoints/reissue-proof.js';
import { resyncRoute } from '../endpoints/resync.js';
import { sigilRoute } from '../endpoints/sigil.js';
import { sigilCheckRoute } from '../endpoints/sigil-check.js';
import { skillBootstrapGetRoute, skillBootstrapPostRoute } from '../endpoints/skill-bootstrap.js';
import { spawnRoute } from '../endpoints/spawn.js';
import { sponsorDeleteRoute, sponsorGetRoute, sponsorPostRoute } from '../endpoints/sponsor.js';
import { statusRoute } from '../endpoints/status.js';
import { subsidyDeleteRoute, subsidyPostRoute } from '../endpoints/subsidy.js';
import { verifyRoute } from '../endpoints/verify.js';
import { verifyBatchRoute } from '../endpoints/verify-batch.js';
import { walletRoute } from '../endpoints/wallet.js';
import { workProofGetRoute, workProofPostRoute } from '../endpoints/work-proof.js';
import type { Route } from '../request/route.js';

/** The routes of the registry. */
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

/** The routes of the registry that published clients call beyond the specification. */
export const clientRoutes: readonly Route[] = [
  skillBootstrapPostRoute,
  skillBootstrapGetRoute,
  agentLineageRoute,
  heartbeatBatchRoute,
  sigilCheckRoute,
];

/** The routes of the registry in a dialect (D-57). */
export function registryRoutesOf({ clientCalls, authorityKeyPath }: Dialect): readonly Route[] {
  return [
    ...registryRoutes,
    ...(clientCalls === 'served' ? clientRoutes : []),
    ...(authorityKeyPath === undefined ? [] : [authorityKeyFileRoute(authorityKeyPath)]),
  ];
}

/** The routes of the beats service. */
export const beatsRoutes: readonly Route[] = [
  workProofPostRoute,
  workProofGetRoute,
  beatKeyRoute,
  beatsBeatAnchorRoute,
  beatsBeatVerifyRoute,
  beatTimestampRoute,
  healthRoute,
];
