// Every call of the control API in one way in which it does not do what it says; control-effects.nightly has all ways. Calls that fail are in
// control-faults.test.ts.
import { it } from 'vitest';
import { CALLS, expectBlame, type How } from './fixtures/control-effects.js';

// Effects that come some time later need a machine that nothing else holds up.
const HOWS: readonly How[] = ['none', 'next', 'other'];

it.each(CALLS.flatMap((call, place) => HOWS.slice(place % 3, (place % 3) + 1).map((how) => [call, how] as const)))(
  '%s with %s effect',
  expectBlame,
);
