import { beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { latestAnchor } from './beats/anchor.js';
import { init } from './registry/init.js';
import { issueOneTime } from './registry/one-time.js';
import { registerRoot } from './registry/register.js';
import { ACTIVE, addAgentRow, FROZEN } from './registry/state.js';
import { catchUp, createService, type Service } from './service.js';

const START_MS = 1_767_225_600_000;

const make = (seed = 7, startMs = START_MS): Service =>
  createService({
    protocol,
    dialect: dialects.service,
    policy: { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true },
    seed,
    startMs,
  });

let service: Service;

beforeEach(() => {
  service = make();
});

/** An agent whose chain starts now. */
function startedAgent(): number {
  const { agent } = registerRoot(service.registry, { name: 'x' }, START_MS);
  init(service.registry, { agent }, START_MS);
  return agent;
}

describe('global time (D-04, D-05)', () => {
  it('begins with anchor 0 at the start', () => {
    expect(latestAnchor(service.anchors)).toMatchObject({ index: 0, utcMs: START_MS });
    expect(service.registry.anchorIndex).toBe(0);
    expect(service.nextAnchorMs).toBe(START_MS + 60_000);
  });

  it.each([
    [0, 0],
    [59_999, 0],
    [60_000, 1],
    [119_999, 1],
    [86_400_000, 1_440],
  ])('%i ms later the anchor is %i', (elapsedMs, index) => {
    catchUp(service, START_MS + elapsedMs);
    expect([service.anchors.latestIndex, service.registry.anchorIndex]).toEqual([index, index]);
    expect(latestAnchor(service.anchors)?.utcMs).toBe(START_MS + index * 60_000);
  });

  it('is the same in one step as in many', () => {
    const other = make();
    catchUp(service, START_MS + 600_000);
    for (let ms = 0; ms <= 600_000; ms += 7_001) catchUp(other, START_MS + ms);
    catchUp(other, START_MS + 600_000);
    expect(latestAnchor(other.anchors)).toEqual(latestAnchor(service.anchors));
  });

  it('does not go back with a clock that does', () => {
    catchUp(service, START_MS + 300_000);
    expect(catchUp(service, START_MS - 1)).toEqual([]);
    expect([service.anchors.latestIndex, service.nextAnchorMs]).toEqual([5, START_MS + 360_000]);
  });

  it('follows from seed and time alone', () => {
    expect(latestAnchor(make(7).anchors)).toEqual(latestAnchor(make(7).anchors));
    const hashes = [make(7), make(8), make(7, START_MS + 1)].map(({ anchors }) => latestAnchor(anchors)?.hash);
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('freezes while time is caught up', () => {
  it('come at their own anchor, not at the end', () => {
    const agent = startedAgent();
    expect(catchUp(service, START_MS + 1_000 * 60_000)).toEqual([agent]);
    expect(service.registry.agents.columns.frozenAtBeat[agent]).toBe(61);
  });

  it('can be more at once than a call takes arguments', () => {
    const { registry } = service;
    for (let i = 0; i < 150_000; i++) init(registry, { agent: addAgentRow(registry.agents) }, START_MS);
    expect(catchUp(service, START_MS + 61 * 60_000)).toHaveLength(150_000);
  });
});

describe('a stalled chain (D-24)', () => {
  it('issues nothing, and no agent misses an anchor', () => {
    const agent = startedAgent();
    catchUp(service, START_MS + 60 * 60_000);
    service.stalled = true;
    expect(catchUp(service, START_MS + 10_000 * 60_000)).toEqual([]);
    expect(service.anchors.latestIndex).toBe(60);
    expect(service.registry.agents.line.status(agent)).toBe(ACTIVE);
  });

  it('goes on from where it stood, in its old rhythm: skipped anchors are not owed', () => {
    const agent = startedAgent();
    catchUp(service, START_MS + 60 * 60_000);
    service.stalled = true;
    catchUp(service, START_MS + 100 * 60_000 + 30_000);
    service.stalled = false;
    expect(catchUp(service, START_MS + 101 * 60_000 - 1)).toEqual([]);
    expect(catchUp(service, START_MS + 101 * 60_000)).toEqual([agent]);
    expect(service.anchors.latestIndex).toBe(61);
    expect(service.registry.agents.line.status(agent)).toBe(FROZEN);
  });

  it('still forgets nonces that have expired', () => {
    const { registry } = service;
    service.stalled = true;
    for (let i = 0; i < 100; i++) issueOneTime(registry, 'flow', 32, 300, START_MS + i);
    catchUp(service, START_MS + 300_000);
    expect(registry.oneTime.size).toBe(100);
    catchUp(service, START_MS + 360_000);
    expect(registry.oneTime.size).toBe(0);
  });
});

describe('keys', () => {
  it('are named by their first 16 hex characters (D-11), and each purpose has its own', () => {
    const { authority, workProofKey, timestampKey, registry } = service;
    expect(authority.keyId).toBe(`pvn-ed25519-${authority.publicKeyHex.slice(0, 16)}`);
    expect(registry.policy.workProofKeyHex).toBe(workProofKey.publicKeyHex);
    const keys = [authority.publicKeyHex, workProofKey.publicKeyHex, timestampKey.publicKeyHex];
    expect(new Set([...keys, make(8).authority.publicKeyHex]).size).toBe(4);
  });
});
