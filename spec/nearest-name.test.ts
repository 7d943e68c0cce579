import { expect, it } from 'vitest';
import { didYouMean } from './nearest-name.js';

it.each([
  ['full', ['grid', 'zip', 'table'], ''],
  ['gird', ['grid', 'zip', 'table'], '; did you mean grid?'],
  ['latin-hypercube', ['grid', 'latin_hypercube'], '; did you mean latin_hypercube?'],
  ['Grid', ['grid'], '; did you mean grid?'],
  ['logarithmic', ['linear', 'log'], ''],
  ['sobl', ['morris', 'sobol'], '; did you mean sobol?'],
  ['uptime_shar', ['uptime_share', 'life_uptime_share'], '; did you mean uptime_share?'],
  ['uptime', ['life_uptime_share', 'uptime_share', 'uptime_share_of_all'], '; did you mean uptime_share?'],
  ['share_frozen', ['frozen_share_of_present', 'frozen_share'], '; did you mean frozen_share?'],
  ['fee', ['fees_lamports'], ''],
  ['uptimes_of_all', ['uptime_share'], ''],
  ['x'.repeat(100_000), ['x'.repeat(100)], ''],
  [7, ['grid'], ''],
])('%s among %j', (written, known, suggestion) => {
  expect(didYouMean(written, known)).toBe(suggestion);
});
