// One server that differs only where the specification is silent; forms.nightly has all, `.ci/run` judges servers that mix some.
import { describePermitted } from '../../test/fixtures/permitted-forms.js';
import { permittedForms } from './forms.js';

describePermitted(
  permittedForms.filter((_, place) => place === 87),
  { requestsMax: 10 },
);
