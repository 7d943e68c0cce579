// Faults of a server that random sequences find late, and shrink to a few actions.
import { it } from 'vitest';
import { byPrefix, expectFound, failing, stale } from '../../test/fixtures/fuzzed-reference.js';

it.each([
  ['an agent that is found by a part of its hash', byPrefix, /^GET .*: an agent that does not exist is /],
  ['a passport that stays as it was', stale, /^GET \/api\/v1\/agent\/passport: .*passport\.field\./],
  ['an error of the server', failing, /^GET \/api\/v1\/verify\/.*: a good request is refused with 500 /],
])('random sequences find %s', (_, change, message) => expectFound(change, message));
