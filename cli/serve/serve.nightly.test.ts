// The seed of `aips serve`: more clocks, networks and hosts than serve.slow has.
import { describe, expect, it } from 'vitest';
import { expectOwnSeed, expectWarned, type Guessed, started } from '../../test/fixtures/served.js';

describe('aips serve', () => {
  it('has a seed of its own on mainnet, which it prints and which replays its secrets', () =>
    expectOwnSeed(['--network', 'mainnet', '--registration-secret', 's']));

  it.each([['manual'], ['60x']])('has seed 1 on the clock %s', async (clock) => {
    const server = await started(['--clock', clock]);
    expect(server.urls.seed).toBe(1);
    await server.stop('SIGTERM');
  });

  it.each<Guessed>([
    ['0.0.0.0', 'wall', ['--seed', '7'], true],
    ['0.0.0.0', 'manual', ['--seed', 'ab'.repeat(32)], false],
    ['127.0.0.1', 'manual', [], false],
  ])('on %s and the clock %s with %j warns of a seed that can be guessed: %s', expectWarned);
});
