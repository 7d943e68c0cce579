/** Forms with other numbers than a decision has, where the specification gives no bound, or a unit with two readings. */

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
  'names-of-32-characters': {
    open: '2.1 and 4.6: how long names may be',
    numbers: { agent: { nameCharsMax: 32 }, sigil: { nameCharsMax: 24 } },
  },
  'submissions-of-5000-beats': {
    open: '4.9: how many beats one call credits',
    numbers: { proof: { submitBeatsMax: 5_000 } },
  },
  'proofs-of-6-spot-checks': {
    open: '2.4: how many spot checks a proof has at most',
    numbers: { proof: { spotChecksMax: 6 } },
  },
  'proofs-over-two-anchors': {
    open: '2.4: how old the anchor of a proof may be',
    numbers: { anchor: { graceAnchors: 2 } },
    lost: 2,
  },
  'registration-nonce-of-a-minute': {
    open: '4.2: how long the nonce of a registration lives',
    numbers: { registration: { nonceTtlSec: MINUTE_SEC } },
  },
};
