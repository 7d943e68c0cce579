// Faults of a server that random sequences find late, and shrink to a few actions.
import { it } from 'vitest';
import { expectFound, failing, stale } from '../../test/fixtures/fuzzed-reference.js';

it.each([
  ['a passport that stays as it was', stale, /^GET \/api\/v1\/agent\/passport: .*passport\.field\./],
  ['an error of the server', failing, /^GET \/api\/v1\/verify\/.*: a good request is refused with 500 /],
])('random sequences find %s', (_, change, message) => expectFound(change, message));
