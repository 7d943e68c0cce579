import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../scenarios/schema.js';
import { lastOf, played } from '../test/fixtures/small-scenario.js';

const file = 'scenarios/library/quickstart.yaml';
const parsed = parseScenario(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'), file);
if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
const quickstart = parsed.value;

describe('quickstart', () => {
  it.each([7, 1, 20_260_101])('holds what it expects with seed %i', (seed) => {
    const result = played(quickstart, seed);
    expect(result.expectations.filter(({ holds }) => !holds)).toEqual([]);
    expect(result.expectations.length).toBeGreaterThan(10);
    expect(result.manifest.agents).toBe(2_000);
    const refused = result.manifest.operations.by_kind.flatMap(({ refused: codes }) => Object.keys(codes));
    expect(refused).toEqual(expect.arrayContaining(['AGENT_FROZEN', 'HEARTBEAT_TOO_SOON', 'VOLUME_CAP_REACHED']));
    for (const identityClass of ['narrow_task', 'autonomous', 'orchestrator']) {
      expect(lastOf(result, 'freezes', identityClass)).toBeGreaterThan(0);
      expect(lastOf(result, 'resyncs', identityClass)).toBeGreaterThan(0);
    }
  });

  it('would not hold under a longer patience of the DMS', () => {
    const patient = { ...quickstart.protocol.dms, missedAnchorsMax: 6_000 };
    const result = played({ ...quickstart, protocol: { ...quickstart.protocol, dms: patient } });
    expect(result.expectations.filter(({ holds }) => !holds).length).toBeGreaterThan(0);
  });
});
