// The scripts of a report with other mistakes than those of curl-scripts.slow.
import { it } from 'vitest';
import { expectShown, type Planted, start } from './fixtures/curl-scripts.js';

it.each<Planted>([
  ['a wrongly refused signature', 'register/self-custody', 'register', 400, 200, () => start({}, 'other')],
  [
    'a heartbeat too soon',
    'heartbeat/too-soon',
    'heartbeat',
    200,
    429,
    () => start({ heartbeat: { intervalBeatsMin: 5 } }),
  ],
])('the script of a finding shows %s whenever it is run: %s', expectShown);
