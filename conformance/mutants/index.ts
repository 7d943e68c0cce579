import { authMutants } from './auth.js';
import { bodyMutants } from './body.js';
import { errorMutants } from './from-errors.js';
import { formMutants } from './from-forms.js';
import { numberMutants } from './from-numbers.js';
import { heartbeatMutants } from './heartbeat.js';
import { initMutants } from './init.js';
import type { Mutant } from './mutant.js';
import { passportMutants } from './passport.js';
import { registerMutants } from './register.js';
import { registerTokenMutants } from './register-token.js';
import { reissueProofMutants } from './reissue-proof.js';
import { sigilMutants } from './sigil.js';

/** Every mutant: those that follow from tables, and those written by hand, one file an endpoint. */
export const allMutants: readonly Mutant[] = [
  ...formMutants,
  ...errorMutants,
  ...numberMutants,
  ...authMutants,
  ...bodyMutants,
  ...heartbeatMutants,
  ...initMutants,
  ...passportMutants,
  ...registerMutants,
  ...registerTokenMutants,
  ...reissueProofMutants,
  ...sigilMutants,
];
