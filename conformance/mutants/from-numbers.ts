import type { Mutant } from './mutant.js';

/** Mutants of numbers: the reference has another value than the text gives, on either side where both can be seen. */
export const numberMutants: readonly Mutant[] = [];
