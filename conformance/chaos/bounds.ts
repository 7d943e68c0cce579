/** Forms whose numbers are other than those of a decision, where the specification gives no bound, or a unit with two readings. */

import { MINUTE_SEC } from '../../spec/time.js';
import type { FormTable } from './form.js';

const FIVE_A_MINUTE = { count: 5, windowSec: MINUTE_SEC };

export const boundForms: FormTable = {
  'authorization-of-a-minute': {
    open: '4.8: how long a spawn authorization lives',
    numbers: { spawn: { authorizationTtlSec: MINUTE_SEC } },
  },
  'metadata-of-4000-bytes': {
    open: '2.2: how many bytes a KB has',
    numbers: { registration: { metadataBytesMax: 4_000 } },
  },
  'registrations-5-a-minute': {
    open: '8: the older page limits registrations to 5 a minute',
    numbers: { limits: { register: FIVE_A_MINUTE, registerWalletFlow: FIVE_A_MINUTE } },
  },
  'registration-nonce-of-a-minute': {
    open: '4.2: how long the nonce of a registration lives',
    numbers: { registration: { nonceTtlSec: MINUTE_SEC } },
  },
};
