import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { SideBySide } from '../simulator/side-by-side.js';
import { draftText, swarmDraft } from '../simulator/swarm-scenario.js';
import { aipsAside } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';
import { type Reference, startReference } from './reference-process.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-against-'));
const servers: Reference[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

/** A fresh server with some numbers of the protocol, and the target file that a user would write for it. */
async function serverOf(protocol: object): Promise<void> {
  writeFileSync(join(folder, 'overlay.yaml'), stringify(protocol));
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
  const { status, stdout, stderr } = await aipsAside(
    folder,
    'simulate',
    'scenario.yaml',
    '--against',
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
  - { kind: payments, at: 5h, for: 4h, late: 0.4, delay: { distribution: exponential, mean: 8m }, dropped: 0.2 }
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
    ['departures, outages and a ledger in trouble', troubled, {}],
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

  it('disagree where the server goes by other numbers, and it is told where', async () => {
    await serverOf({ dms: { missedAnchorsMax: 40, warningAnchors: 30 } });
    const { status, disagreements } = await against(frozen);
    expect(status).toBe(1);
    expect(disagreements[0]).toMatchObject({ what: 'heartbeat', inProcess: 'accepted', http: 'AGENT_FROZEN' });
    // Its clock has moved on, so it cannot be driven a second time.
    const again = await aipsAside(folder, 'simulate', 'scenario.yaml', '--against', 'target.yaml');
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('start a fresh server')]);
  });
});

describe('a scenario that is played in-process alone', () => {
  it('is refused with what it uses', async () => {
    await serverOf({});
    const spawning = '    spawning: { into: brood, every: { distribution: fixed, mean: 1h } }\n';
    const brood =
      '  - name: brood\n    count: 3\n    class: narrow_task\n    arrivals: { pattern: spawned }\n    sigil: never\n';
    const life =
      '    heartbeat: { policy: keep_alive, margin: 5m }\n    budget: { wallet: 1 SOL }\n    hash_rate: 9M hashes/s\n';
    writeFileSync(join(folder, 'scenario.yaml'), frozen.replace('measures:', `${spawning}${brood}${life}measures:`));
    const { status, stderr } = await aipsAside(folder, 'simulate', 'scenario.yaml', '--against', 'target.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining('this scenario has spawning')]);
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
    const { status, stderr } = await aipsAside(folder, 'simulate', 'scenario.yaml', '--against', 'poor.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
