import { authorityKeyRoute } from './authority-key.js';
import { beatAnchorRoute, beatsBeatAnchorRoute } from './beat-anchor.js';
import { beatKeyRoute } from './beat-key.js';
import { beatStatusRoute } from './beat-status.js';
import { feesSummaryRoute } from './fees-summary.js';
import { healthRoute } from './health.js';
import { heartbeatRoute } from './heartbeat.js';
import { initRoute } from './init.js';
import { passportRoute } from './passport.js';
import { registerRoute } from './register.js';
import { registerTokenRoute } from './register-token.js';
import { reissueProofRoute } from './reissue-proof.js';
import { resyncRoute } from './resync.js';
import type { Route } from './route.js';
import { sigilRoute } from './sigil.js';
import { statusRoute } from './status.js';
import { verifyRoute } from './verify.js';
import { workProofGetRoute, workProofPostRoute } from './work-proof.js';

/** What the registry serves. */
export const registryRoutes: readonly Route[] = [
  registerRoute,
  registerTokenRoute,
  initRoute,
  heartbeatRoute,
  sigilRoute,
  reissueProofRoute,
  resyncRoute,
  passportRoute,
  statusRoute,
  verifyRoute,
  beatStatusRoute,
  beatAnchorRoute,
  authorityKeyRoute,
  feesSummaryRoute,
];

/** What the beats service serves. */
export const beatsRoutes: readonly Route[] = [
  workProofPostRoute,
  workProofGetRoute,
  beatKeyRoute,
  beatsBeatAnchorRoute,
  healthRoute,
];
