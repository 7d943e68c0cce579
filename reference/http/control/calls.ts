/** The list of all control calls, in the order of the OpenAPI document. It holds no call of its own. */

import type { ControlCall } from './call.js';
import { credentialCalls } from './credentials.js';
import { feeCalls } from './fees.js';
import { flagCalls } from './flags.js';
import { ledgerCalls } from './ledger.js';
import { stateCalls } from './state.js';
import { timeCalls } from './time.js';
import { webhookCalls } from './webhooks.js';

/** Every call of the control API. */
export const controlCalls: readonly ControlCall[] = [
  ...timeCalls,
  ...ledgerCalls,
  ...credentialCalls,
  ...flagCalls,
  ...feeCalls,
  ...webhookCalls,
  ...stateCalls,
];
