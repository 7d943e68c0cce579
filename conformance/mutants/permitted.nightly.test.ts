// All servers that differ only where the specification is silent.
import { describePermitted } from '../../test/fixtures/permitted.js';
import { permittedForms } from './permitted.js';

describePermitted(permittedForms);
