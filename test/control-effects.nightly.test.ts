// Every call of the control API without effect, with one that is late by a time or by a request, and with another one.
import { it } from 'vitest';
import { CALLS, expectBlame, type How } from './fixtures/control-effects.js';

const HOWS: readonly How[] = ['none', 'late', 'next', 'other'];

it.concurrent.each(CALLS.flatMap((call) => HOWS.map((how) => [call, how] as const)))('%s with %s effect', expectBlame);
