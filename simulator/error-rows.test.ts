import { expect, it, vi } from 'vitest';
import type { ErrorRow } from '../spec/errors.js';

/** The event hash of a lively run under some table of errors, with the modules loaded again. */
async function hashUnder(change: (rows: [string, ErrorRow][]) => [string, ErrorRow][]): Promise<string> {
  vi.resetModules();
  vi.doMock('../spec/errors.js', async (original) => {
    const there = await original<typeof import('../spec/errors.js')>();
    return { ...there, errors: Object.fromEntries(change(Object.entries(there.errors))) };
  });
  const { liveliest } = await import('../test/fixtures/small-scenario.js');
  const { advance, startRun } = await import('./run/run.js');
  const { eventHash } = await import('./world/event-chain.js');
  const { CODES, operationCounts } = await import('./world/operations.js');
  const scenario = liveliest();
  const run = startRun(scenario, 7);
  advance(run, scenario.durationSec);
  expect(operationCounts(run.world.counts).some(({ refused }) => Object.keys(refused).length > 0)).toBe(true);
  return `${CODES.length} codes: ${eventHash(run.world.eventChains)}`;
}

const row = (code: string): [string, ErrorRow] => [
  `heartbeat/${code}`,
  { endpoint: 'heartbeat', status: 429, code, cause: 'an example', source: 'D-25', codeBinds: false },
];

it('no row of the error table has a place in the event hash: more rows, and another order, change none', async () => {
  const [codes, hash] = (await hashUnder((rows) => rows)).split(' codes: ');
  const reordered = await hashUnder((rows) => [row('ANOTHER'), row('EXAMPLE_LIMIT'), ...rows.toReversed()]);
  expect(reordered).toBe(`${Number(codes) + 2} codes: ${hash}`);
});

it('a code that came later has a number of its own letters', async () => {
  const numberUnder = async (...codes: string[]): Promise<number> => {
    vi.resetModules();
    vi.doMock('../spec/errors.js', async (original) => {
      const there = await original<typeof import('../spec/errors.js')>();
      return { ...there, errors: { ...Object.fromEntries(codes.map(row)), ...there.errors } };
    });
    const { hashedOutcome, outcomeOf } = await import('./world/operations.js');
    expect(hashedOutcome(outcomeOf('AUTH_MISSING'))).toBe(1);
    expect(hashedOutcome(outcomeOf('RATE_LIMITED'))).toBe(38);
    return hashedOutcome(outcomeOf('EXAMPLE_LIMIT'));
  };
  const alone = await numberUnder('EXAMPLE_LIMIT');
  expect(alone).toBeGreaterThan(255);
  expect(await numberUnder('ANOTHER', 'EXAMPLE_LIMIT')).toBe(alone);
});
