import { expect, it } from 'vitest';
import { adviceOn } from './need-hints.js';

it('a kind of reason has advice where something can be given, and none where nothing is lacking', () => {
  expect(adviceOn({ kind: 'clock' })?.text).toContain('aips serve --clock manual');
  expect(adviceOn({ kind: 'address' })?.text).toContain('a restart has emptied the limits');
  expect(adviceOn({ kind: 'writes' })).toEqual({ text: 'add `--allow-writes`', by: '--allow-writes' });
  const without = [
    { kind: 'unreachable' },
    { kind: 'decision', of: 'D-01' },
    { kind: 'no-reply', of: 'heartbeat' },
  ] as const;
  expect(without.map(adviceOn)).toEqual([undefined, undefined, undefined]);
});

it('a control API that is given and lacks calls is told which', () => {
  expect(adviceOn({ kind: 'clock', of: 'clock/advance' })?.text).toMatch(
    /^let the clock move only when `clock\/advance` /,
  );
  expect(adviceOn({ kind: 'payments', of: 'ledger/wallets ledger/transfers' })?.text).toMatch(
    /`ledger\/wallets` and `ledger\/transfers`/,
  );
});
