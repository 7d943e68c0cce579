import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Reference, startReference } from '../../runs/server/reference-process.js';
import { draftText, swarmDraft } from '../../simulator/modes/swarm-scenario.js';
import type { SideBySide } from '../../simulator/server/side-by-side.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-against-'));
const servers: Reference[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

/** A fresh server with some numbers of the protocol, and the target file that a user would write for it. */
async function serverOf(protocol: object): Promise<void> {
  writeFileSync(join(folder, 'overlay.yaml'), stringify(protocol, { aliasDuplicateObjects: false }));
  const flags = Object.keys(protocol).length === 0 ? [] : ['--protocol', join(folder, 'overlay.yaml')];
  const server = await startReference({ seed: 1, flags });
  servers.push(server);
  const { baseUrl, beatsUrl, control } = server.target;
  const lines = [`base_url: ${baseUrl}`, `beats_url: ${beatsUrl}`, 'client_ip: x-forwarded-for'];
  const controlled = `control: { url: ${control?.url}, token: ${control?.token} }`;
  writeFileSync(join(folder, 'target.yaml'), `${[...lines, controlled].join('\n')}\n`);
}

async function against(text: string): Promise<SideBySide & { readonly status: number | null }> {
  writeFileSync(join(folder, 'scenario.yaml'), text);
  const { status, stdout, stderr } = await aips(
    folder,
    'simulate',
    'against',
    'scenario.yaml',
    'target.yaml',
    '--json',
  );
  expect(stderr).toBe('');
  return { status, ...(JSON.parse(stdout) as SideBySide) };
}

const quickstart = readFileSync(join(root, 'scenarios/library/quickstart.yaml'), 'utf8');
/** The library's scenario with a hundredth of its agents and two of its days. */
const smallQuickstart = quickstart
  .replace(/count: (\d+)/g, (_, count: string) => `count: ${Math.ceil(Number(count) / 200)}`)
  .replace(/^duration: .*$/m, 'duration: 2d')
  .replace(/^expectations:[\s\S]*$/m, '');
const frozen = `format: 1
name: frozen
question: Do slow and quick agents resync alike on both?
duration: 20h
populations:
  - name: slow
    count: 8
    class: narrow_task
    heartbeat: { policy: keep_alive, margin: 2m, spread: 9m }
    budget: { wallet: 1 SOL }
    hash_rate: 90k hashes/s
    outages: { up: { distribution: exponential, mean: 3h }, down: { distribution: fixed, mean: 70m } }
  - name: poor
    count: 6
    class: { narrow_task: 0.5, autonomous: 0.5 }
    heartbeat: { policy: interval, every: 11m, jitter: 0.4 }
    budget: { wallet: 0.152 SOL, top_up: { below: 1000000 lamports, amount: 0.003 SOL, after: 90m } }
    hash_rate: 9M hashes/s
measures: { every: 1h }
`;
const troubled = `format: 1
name: troubled
question: Do departures, regional outages and a ledger in trouble come to the same on both?
duration: 10h
populations:
  - name: visitors
    count: 12
    class: narrow_task
    arrivals: { pattern: uniform, over: 2h }
    heartbeat: { policy: daily, from: 2h, for: 4h, every: 13m, margin: 5m }
    budget: { wallet: 1 SOL }
    hash_rate: 900k hashes/s
    lifetime: { distribution: exponential, mean: 6h }
  - name: spammers
    count: 2
    class: narrow_task
    heartbeat: { policy: spam, every: 4m }
    budget: { wallet: 1 SOL }
    hash_rate: 900k hashes/s
faults:
  - { kind: outage, at: 3h, for: 80m, share: 0.6 }
  - { kind: anchor_stall, at: 2h, for: 47m }
  - { kind: anchor_stall, at: 150m, for: 40m }
  - { kind: anchor_stall, at: 7h13s, for: 5m }
  - { kind: payments, at: 5h, for: 4h, late: 0.4, delay: { distribution: exponential, mean: 8m }, dropped: 0.2 }
measures: { every: 1h }
`;
const many = { count: 100_000 };
/** Agents are not slowed down by limits, which are by address and by the hour. */
const unlimited = { limits: { spawn: many, sponsorPost: many, flag: many, flagReporter: many, flagTarget: many } };
const families = `format: 1
name: families
question: Do parents, their sponsored children and children with money of their own fare alike on both?
duration: 14h
populations:
  - name: parents
    count: 3
    class: narrow_task
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 0.06 SOL, top_up: { below: 0.001 SOL, amount: 0.004 SOL, after: 30m } }
    hash_rate: 600k hashes/s
    outages: { up: { distribution: exponential, mean: 5h }, down: { distribution: fixed, mean: 80m } }
    spawning:
      into: tenants
      every: { distribution: exponential, mean: 40m }
      children_max: 3
      sponsor: { cap: 12, expires: 3h, answer: 5m, generations: 2 }
  - name: tenants
    count: 12
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: interval, every: 17m, jitter: 0.2 }
    budget: { wallet: 0 lamports }
    hash_rate: 600k hashes/s
    spawning: { into: tenants, every: { distribution: exponential, mean: 90m }, children_max: 1, depth_max: 2 }
  - name: founders
    count: 2
    class: autonomous
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 1 SOL }
    hash_rate: 3M hashes/s
    spawning: { into: heirs, every: { distribution: fixed, mean: 50m }, depth_max: 2 }
  - name: heirs
    count: 8
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: at_birth
    heartbeat: { policy: keep_alive, margin: 9m }
    budget: { wallet: 0.2 SOL }
    hash_rate: 3M hashes/s
    spawning: { into: heirs, every: { distribution: exponential, mean: 2h }, children_max: 2 }
measures: { every: 1h }
`;
const dynasty = `format: 1
name: dynasty
question: Do grandparents take over alike on both from parents that are poor, capped, frozen, gone or without a key?
duration: 16h
populations:
  - name: elders
    count: 4
    class: narrow_task
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 2 SOL }
    hash_rate: 60M hashes/s
    spawning: { into: parents, every: { distribution: fixed, mean: 20m }, children_max: 1, sponsor: { cap: 90, expires: 2h, answer: 4m, generations: 3 } }
  - name: parents
    count: 4
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: interval, every: 40m, jitter: 0.2 }
    budget: { wallet: 0.006 SOL }
    outages: { up: { distribution: exponential, mean: 5h }, down: { distribution: fixed, mean: 80m } }
    hash_rate: 60M hashes/s
    spawning: { into: children, every: { distribution: fixed, mean: 20m }, children_max: 1, sponsor: { cap: 6, expires: 1h, answer: 6m, generations: 2 } }
  - name: children
    count: 8
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: interval, every: 17m, jitter: 0.2 }
    budget: { wallet: 0 lamports }
    hash_rate: 60M hashes/s
    spawning: { into: children, every: { distribution: fixed, mean: 20m }, children_max: 1, depth_max: 3, sponsor: { cap: 90, expires: 1h, answer: 3m } }
interventions:
  - { kind: revoke_keys, at: 9h, populations: [elders, parents], share: 0.4 }
measures: { every: 1h }
`;
const judged = `format: 1
name: judged
question: Do complaints, revocations and subsidies come to the same on both?
duration: 12h
populations:
  - name: bullies
    count: 4
    class: autonomous
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
    flagging: { every: { distribution: exponential, mean: 50m }, targets: others }
    reissue: { every: { distribution: exponential, mean: 2h } }
  - name: others
    count: 5
    class: narrow_task
    heartbeat: { policy: interval, every: 20m, jitter: 0.3 }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
    misbehaves: true
    reissue: { every: { distribution: exponential, mean: 3h }, free: true }
reviews:
  delay: { distribution: exponential, mean: 40m }
  accuracy: 0.7
  resolve: { distribution: fixed, mean: 2h }
interventions:
  - { kind: subsidy, at: 2h, share: 0.6, discount_bps: 3000, for: 5h }
  - { kind: subsidy, name: second, at: 4h, populations: [others], discount_bps: 9999, floor: 1000 }
  - { kind: subsidy, name: prints, at: 3h, populations: [bullies], fee: reissuance, discount_bps: 4000 }
  - { kind: revoke_keys, at: 8h, share: 0.4 }
measures: { every: 1h }
`;
const draft = (index: number): { readonly text: string; readonly protocol: object } => {
  const drawn = swarmDraft(11, index);
  // Without what is played in-process alone.
  const populations = drawn.populations
    .filter(({ name }) => name.startsWith('p'))
    .map(({ spawning: _spawning, flagging: _flagging, forges: _forges, ...population }) => ({
      ...population,
      count: Math.min(6, population.count),
    }));
  const durationSec = Math.min(drawn.durationSec, 43_200);
  const { reviews: _reviews, ...rest } = drawn;
  const { proof: _proof, ...protocol } = drawn.protocol;
  const short = { ...rest, protocol, populations, durationSec, faults: [], interventions: [] };
  return { text: draftText(short), protocol: short.protocol };
};

describe('both drivers', () => {
  it.each([
    ['the quickstart, smaller', smallQuickstart, {}],
    ['freezes and empty wallets', frozen, {}],
    ['departures, outages, stalls and a ledger in trouble', troubled, {}],
    ['parents and children', families, unlimited],
    ['sponsors that take over from each other', dynasty, unlimited],
    ['complaints, revocations and subsidies', judged, unlimited],
    ['a random scenario', draft(0).text, draft(0).protocol],
    ['another', draft(1).text, draft(1).protocol],
    ['and another', draft(5).text, draft(5).protocol],
  ])('have the same outcomes and end in the same state: %s', async (_name, text, protocol) => {
    await serverOf(protocol);
    const found = await against(text);
    expect(found.disagreements).toEqual([]);
    expect(found.status).toBe(0);
    expect(found.operations).toBeGreaterThan(30);
  });

  it('disagree where the server has other numbers, and the report says where', async () => {
    await serverOf({ dms: { missedAnchorsMax: 40, warningAnchors: 30 } });
    const { status, disagreements } = await against(frozen);
    expect(status).toBe(1);
    expect(disagreements[0]).toMatchObject({ what: 'heartbeat', inProcess: 'accepted', http: 'AGENT_FROZEN' });
    // Its clock has moved on, so it cannot be driven a second time.
    const again = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'target.yaml');
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('start a fresh server')]);
  });
});

describe('a scenario that is played in-process alone', () => {
  it('is refused with what it uses', async () => {
    await serverOf({});
    const changed = 'interventions: [{ kind: protocol, at: 1h, set: { heartbeat: { tier1FeeLamports: 1 } } }]';
    const forging = frozen.replace('hash_rate: 90k', 'forges: true\n    hash_rate: 90k');
    writeFileSync(join(folder, 'scenario.yaml'), forging.replace('measures:', `${changed}\nmeasures:`));
    const { status, stderr } = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'target.yaml');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('this scenario has forgery, interventions of kind protocol'),
    ]);
  });
});

describe('a server that cannot be driven', () => {
  it.each([
    ['base_url: http://127.0.0.1:9', 'needs beats_url'],
    ['base_url: http://127.0.0.1:9\nbeats_url: http://127.0.0.1:9', 'needs control'],
    [
      'base_url: http://127.0.0.1:9\nbeats_url: http://127.0.0.1:9\ncontrol: { url: http://127.0.0.1:9, token: x }',
      'needs client_ip',
    ],
    ['base_url: http://example.org', 'add --allow-writes'],
  ])('%j is refused with what is missing', async (target, message) => {
    writeFileSync(join(folder, 'poor.yaml'), `${target}\n`);
    writeFileSync(join(folder, 'scenario.yaml'), frozen);
    const { status, stderr } = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'poor.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
