// The largest scenarios of the library, and the quickstart with other seeds.
import { expect, it } from 'vitest';
import { expectAnswered, large, scenarioOf } from '../test/fixtures/library-scenarios.js';
import { lastOf, played } from '../test/fixtures/small-scenario.js';

it.each(large)('%s: its answer holds, and does not under its counter-overlay', expectAnswered);

it.each([1, 20_260_101])('quickstart holds what it expects with seed %i too', (seed) => {
  const result = played(scenarioOf('quickstart'), seed);
  expect(result.expectations.filter(({ holds }) => !holds)).toEqual([]);
  expect(result.manifest.agents).toBe(2_000);
  const refused = result.manifest.operations.by_kind.flatMap(({ refused: codes }) => Object.keys(codes));
  expect(refused).toEqual(expect.arrayContaining(['AGENT_FROZEN', 'HEARTBEAT_TOO_SOON', 'VOLUME_CAP_REACHED']));
  for (const identityClass of ['narrow_task', 'autonomous', 'orchestrator']) {
    expect(lastOf(result, 'freezes', identityClass)).toBeGreaterThan(0);
    expect(lastOf(result, 'resyncs', identityClass)).toBeGreaterThan(0);
  }
});
