// Processes that come at once for the lock that a killed one left, many times.
import { afterEach, it } from 'vitest';
import { endContenders, expectOneWinner } from '../../test/fixtures/lock-contenders.js';

afterEach(endContenders);

it('the lock goes to one of four, 60 times', () => expectOneWinner(60));
