/** The operations of the model, by the ids of their endpoints. */

import type { Operation } from '../case.js';
import { beatsSubmit } from './beats-submit.js';
import { feesSummary } from './fees-summary.js';
import { flag } from './flag.js';
import { heartbeat } from './heartbeat.js';
import { init } from './init.js';
import * as lookups from './lookups.js';
import { metadata } from './metadata.js';
import * as partnerWebhook from './partner-webhook.js';
import { passport } from './passport.js';
import * as published from './published.js';
import { register } from './register.js';
import { registerToken } from './register-token.js';
import { reissueProof } from './reissue-proof.js';
import { resync } from './resync.js';
import { sigil } from './sigil.js';
import { spawn } from './spawn.js';
import * as sponsor from './sponsor.js';
import * as subsidy from './subsidy.js';
import { wallet } from './wallet.js';

/** By endpoint id. */
export const operations = new Map<string, Operation<unknown>>(
  [
    heartbeat,
    sigil,
    reissueProof,
    passport,
    register,
    registerToken,
    init,
    beatsSubmit,
    resync,
    metadata,
    wallet,
    spawn,
    flag,
    feesSummary,
    ...Object.values(lookups),
    ...Object.values(sponsor),
    ...Object.values(subsidy),
    ...Object.values(partnerWebhook),
    ...Object.values(published),
  ].flatMap((operation) => operation.ids.map((id) => [id, operation] as const)),
);
