/** Every endpoint in the order of section 4.1, and each by its name. */

import type { Endpoint } from '../endpoint.js';
import { authorityKey } from './authority-key.js';
import { beatAnchor, beatsBeatAnchor } from './beat-anchor.js';
import { beatKey } from './beat-key.js';
import { beatStatus } from './beat-status.js';
import { beatTimestamp } from './beat-timestamp.js';
import { beatsBeatVerify, beatVerify } from './beat-verify.js';
import { beatsSubmit } from './beats-submit.js';
import { checkin } from './checkin.js';
import { feesSummary } from './fees-summary.js';
import { flag } from './flag.js';
import { health } from './health.js';
import { heartbeat } from './heartbeat.js';
import { init } from './init.js';
import { metadata } from './metadata.js';
import { partnerWebhookDelete, partnerWebhookGet, partnerWebhookPut } from './partner-webhook.js';
import { passport } from './passport.js';
import { register } from './register.js';
import { registerToken } from './register-token.js';
import { reissueProof } from './reissue-proof.js';
import { resync } from './resync.js';
import { sigil } from './sigil.js';
import { spawn } from './spawn.js';
import { sponsorDelete, sponsorGet, sponsorPost } from './sponsor.js';
import { status } from './status.js';
import { subsidyDelete, subsidyPost } from './subsidy.js';
import { verify } from './verify.js';
import { verifyBatch } from './verify-batch.js';
import { wallet } from './wallet.js';
import { workProofGet, workProofPost } from './work-proof.js';

export {
  authorityKey,
  beatAnchor,
  beatKey,
  beatStatus,
  beatsBeatAnchor,
  beatsBeatVerify,
  beatsSubmit,
  beatTimestamp,
  beatVerify,
  checkin,
  feesSummary,
  flag,
  health,
  heartbeat,
  init,
  metadata,
  partnerWebhookDelete,
  partnerWebhookGet,
  partnerWebhookPut,
  passport,
  register,
  registerToken,
  reissueProof,
  resync,
  sigil,
  spawn,
  sponsorDelete,
  sponsorGet,
  sponsorPost,
  status,
  subsidyDelete,
  subsidyPost,
  verify,
  verifyBatch,
  wallet,
  workProofGet,
  workProofPost,
};

/** Every endpoint: the registry's in the order of 4.1, then the beats service's. */
export const endpoints: readonly Endpoint[] = Object.freeze([
  register,
  registerToken,
  init,
  heartbeat,
  sigil,
  reissueProof,
  spawn,
  beatsSubmit,
  resync,
  metadata,
  wallet,
  passport,
  sponsorPost,
  sponsorDelete,
  sponsorGet,
  flag,
  checkin,
  verifyBatch,
  status,
  verify,
  beatStatus,
  beatAnchor,
  beatVerify,
  authorityKey,
  feesSummary,
  subsidyPost,
  subsidyDelete,
  partnerWebhookPut,
  partnerWebhookGet,
  partnerWebhookDelete,
  workProofPost,
  workProofGet,
  beatKey,
  beatsBeatAnchor,
  beatsBeatVerify,
  beatTimestamp,
  health,
]);
