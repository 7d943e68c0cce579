import { expect, it } from 'vitest';
import { ADVICE } from './need-hints.js';

it('a kind of reason has advice where something can be given, and none where nothing is lacking', () => {
  expect(ADVICE.clock?.text).toContain('aips serve --clock manual');
  expect(ADVICE.address?.text).toContain('a restart has emptied the limits');
  expect(ADVICE.writes).toEqual({ text: 'add `--allow-writes`', by: '--allow-writes' });
  expect([ADVICE.unreachable, ADVICE.decision]).toEqual([undefined, undefined]);
});
