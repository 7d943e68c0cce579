import { errorMutants } from './from-errors.js';
import { formMutants } from './from-forms.js';
import { numberMutants } from './from-numbers.js';
import type { Mutant } from './mutant.js';

/** Every mutant: those that follow from tables, and those written by hand, one file an endpoint. */
export const allMutants: readonly Mutant[] = [...formMutants, ...errorMutants, ...numberMutants];
