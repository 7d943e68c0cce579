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
import { sponsorDelete, sponsorPost } from './sponsor.js';
import { sponsorGet } from './sponsor-get.js';
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
    sponsorPost,
    sponsorDelete,
    sponsorGet,
    ...Object.values(subsidy),
    ...Object.values(partnerWebhook),
    ...Object.values(published),
  ].flatMap((operation) => operation.ids.map((id) => [id, operation] as const)),
);

/** Endpoints without an operation, and why: their accepted replies are judged by form alone. */
export const judgedByForm: Readonly<Record<string, string>> = {
  health: 'The text does not name it, and D-08 does not give its reply.',
  'beat-key': 'The text does not name it. Checks verify what its keys sign, in the forms of decisions.',
  'beat-timestamp': 'The text does not name it. Its receipt is for a memo on a ledger that the model does not see.',
  'work-proof.get': 'The text does not name it. Its reply follows from settings, and no other reply depends on it.',
};
