// The scripts of a report, run as they are: on the server with the planted mistake they show it again and again, on a right one they do not.
// curl-scripts.nightly has other mistakes.
import { describe, it } from 'vitest';
import { expectShown, type Planted, start } from './fixtures/curl-scripts.js';

describe('the script of a finding', () => {
  it.each<Planted>([
    [
      'a wrong fee',
      'heartbeat/own-wallet',
      'heartbeat',
      400,
      200,
      () => start({ heartbeat: { tier1FeeLamports: 600_000 } }),
    ],
    ['a wrongly refused signature', 'register/ethereum', 'register', 400, 200, () => start({}, 'other')],
  ])('shows %s whenever it is run: %s', expectShown);
});
