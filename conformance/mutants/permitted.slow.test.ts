// A fifth of the servers that differ only where the specification is silent.
import { describePermitted } from '../../test/fixtures/permitted.js';
import { permittedForms } from './permitted.js';

describePermitted(permittedForms.filter((_, place) => place % 5 === 3));
