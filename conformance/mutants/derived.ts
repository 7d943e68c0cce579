/** The mutants that follow from tables of spec/: forms of replies, refusals, numbers. */
import { errorMutants } from './from-errors.js';
import { formMutants } from './from-forms.js';
import { numberMutants } from './from-numbers.js';
import type { Mutant } from './mutant.js';

export const derivedMutants: readonly Mutant[] = [...formMutants, ...errorMutants, ...numberMutants];
