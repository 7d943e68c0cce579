/** Every mutant: those that follow from tables, and those written by hand, one file an endpoint. */
import { authMutants } from './auth.js';
import { beatsSubmitMutants } from './beats-submit.js';
import { bodyMutants } from './body.js';
import { checkinMutants } from './checkin.js';
import { dmsMutants } from './dms.js';
import { feesSummaryMutants } from './fees-summary.js';
import { flagMutants } from './flag.js';
import { errorMutants } from './from-errors.js';
import { formMutants } from './from-forms.js';
import { numberMutants } from './from-numbers.js';
import { heartbeatMutants } from './heartbeat.js';
import { initMutants } from './init.js';
import { limitsMutants } from './limits.js';
import { lookupsMutants } from './lookups.js';
import { metadataMutants } from './metadata.js';
import type { Mutant } from './mutant.js';
import { ownershipMutants } from './ownership.js';
import { partnerWebhookMutants } from './partner-webhook.js';
import { passportMutants } from './passport.js';
import { registerMutants } from './register.js';
import { registerTokenMutants } from './register-token.js';
import { reissueProofMutants } from './reissue-proof.js';
import { resyncMutants } from './resync.js';
import { routesMutants } from './routes.js';
import { sigilMutants } from './sigil.js';
import { spawnMutants } from './spawn.js';
import { sponsorMutants } from './sponsor.js';
import { subsidyMutants } from './subsidy.js';
import { verifyBatchMutants } from './verify-batch.js';
import { walletMutants } from './wallet.js';
import { workProofMutants } from './work-proof.js';

export const allMutants: readonly Mutant[] = [
  ...formMutants,
  ...errorMutants,
  ...numberMutants,
  ...authMutants,
  ...beatsSubmitMutants,
  ...bodyMutants,
  ...checkinMutants,
  ...dmsMutants,
  ...feesSummaryMutants,
  ...flagMutants,
  ...heartbeatMutants,
  ...initMutants,
  ...limitsMutants,
  ...lookupsMutants,
  ...metadataMutants,
  ...ownershipMutants,
  ...partnerWebhookMutants,
  ...passportMutants,
  ...registerMutants,
  ...registerTokenMutants,
  ...reissueProofMutants,
  ...resyncMutants,
  ...routesMutants,
  ...sigilMutants,
  ...spawnMutants,
  ...sponsorMutants,
  ...subsidyMutants,
  ...verifyBatchMutants,
  ...walletMutants,
  ...workProofMutants,
];
