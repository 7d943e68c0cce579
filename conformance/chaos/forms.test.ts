// A few of the servers that differ only where the specification is silent; forms.slow has more, forms.nightly all.
import { describePermitted, SHORT } from '../../test/fixtures/permitted-forms.js';
import { permittedForms } from './forms.js';

describePermitted(
  permittedForms.filter((_, place) => place % 80 === 7),
  SHORT,
);
