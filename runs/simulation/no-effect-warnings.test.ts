import { afterEach, expect, it, vi } from 'vitest';
import { warnOfNoEffects } from './outputs.js';

afterEach(() => vi.restoreAllMocks());

const scenario = { name: 's', file: 's.yaml', sha256: '' };
const idle = (...keys: readonly string[]) => keys.map((key) => ({ key, text: 'why' }));
const fork = (path: string) => ({ name: path, at_ms: 0, set: { [path]: 1 } });

it.each([
  ['one run', [{ scenario, no_effect: idle('a') }], ['a']],
  [
    'all of several runs',
    [
      { scenario, no_effect: idle('a', 'b') },
      { scenario, no_effect: idle('b') },
    ],
    ['b'],
  ],
  [
    'the only future that changes a number',
    [
      { scenario, no_effect: idle('fork.protocol.x.y'), fork: fork('x.y') },
      { scenario, fork: fork('x.z') },
    ],
    ['fork.protocol.x.y'],
  ],
  [
    'none, where one of two futures with a number shows it',
    [
      { scenario, no_effect: idle('fork.protocol.x.y'), fork: fork('x.y') },
      { scenario, fork: fork('x.y') },
    ],
    [],
  ],
])('a key without effect is named: %s', (_, runs, keys) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  warnOfNoEffects(runs);
  expect(printed.mock.calls.map(([line]) => line)).toEqual(keys.map((key) => `s.yaml: ${key} has no effect: why`));
});
