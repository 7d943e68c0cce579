// All servers that differ only where the specification is silent.
import { describePermitted } from '../../test/fixtures/permitted-forms.js';
import { permittedForms } from './forms.js';

describePermitted(permittedForms);
