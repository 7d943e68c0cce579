/** Mutants of numbers: the reference has a higher or a lower value than the text gives, if a client can see it. */
import { pinOf, wrongValues } from '../../spec/numbers.js';
import { protocolNumbers } from '../../spec/protocol.js';
import type { Mutant } from './mutant.js';

/** The stem of the endpoint whose check notices the number. */
const stemOfNumber = (path: string): string => pinOf(path).check.replace(/\/.*/, '');

export const numberMutants: readonly Mutant[] = protocolNumbers().flatMap(({ path, value: specified }) =>
  wrongValues(path, specified).map(({ value, clause }) => ({
    id: `${stemOfNumber(path)}/${path.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}-of-${value}`,
    title: `${path} is ${value}`,
    clause,
    patch: { number: path, value },
  })),
);
