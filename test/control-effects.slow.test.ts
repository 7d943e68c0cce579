// Every third call of the control API in one way in which it does not do what it says; control-effects.nightly has all calls and ways. Calls that
// fail are in control-faults.test.ts.
import { it } from 'vitest';
import { CALLS, expectBlame, type How } from './fixtures/control-effects.js';

// Effects that come some time later need a machine that nothing else holds up.
const HOWS: readonly How[] = ['none', 'next', 'other'];
/** Every third call; each has another way. */
const SHARE = 3;

const drawn = CALLS.filter((_, place) => place % SHARE === 0);

it.each(drawn.flatMap((call, turn) => HOWS.slice(turn % 3, (turn % 3) + 1).map((how) => [call, how] as const)))(
  '%s with %s effect',
  expectBlame,
);
