// A tenth of the servers that differ only where the specification is silent.
import { describePermitted, SHORT } from '../../test/fixtures/permitted-forms.js';
import { permittedForms } from './forms.js';

describePermitted(
  permittedForms.filter((_, place) => place % 10 === 3),
  SHORT,
);
