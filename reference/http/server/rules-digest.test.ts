import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { longSession } from '../../../test/fixtures/long-session.js';
import { keyOf, memoCall, sentAs, transferCall, wireOf } from '../../../test/fixtures/solana.js';
import type { Command } from '../../store/command.js';
import { controlCalls } from '../control/calls.js';
import { beatsRoutes, registryRoutes } from './routes.js';
import { goldenService, rulesDigest } from './rules-digest.js';

const FILE = new URL('./golden-commands.json', import.meta.url);

/** Everything that changes the state, once. */
async function everything(): Promise<readonly Command[]> {
  const { policy, startMs } = goldenService;
  const deployment = await Deployment.start({ rpc: true, policy });
  try {
    await deployment.control('POST', '/reset', { seed: 7 });
    await longSession(deployment);
    await deliveries(deployment);
    const payer = keyOf(21);
    await deployment.rpc('requestAirdrop', payer.address, 1_000_000_000);
    const { blockhash } = (await deployment.rpc('getLatestBlockhash', { commitment: 'processed' })).value;
    const calls = [transferCall(payer.address, deployment.host.service.paymentAddress, 1_000), memoCall('a memo')];
    const wire = wireOf({ signers: [payer], blockhash, calls });
    await deployment.rpc('sendTransaction', sentAs(wire), { encoding: 'base64' });
    const at = deployment.clock.nowMs() + 3_600_000;
    expect(at).toBeGreaterThan(startMs);
    return [...deployment.commands, { at, name: 'clock:tick', agent: -1, body: null, given: {} }];
  } finally {
    await deployment.close();
  }
}

/** A delivery that fails: nobody listens there. */
async function deliveries(deployment: Deployment): Promise<void> {
  const partner = (await deployment.control('POST', '/partners', { name: 'Near' })).body;
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['agent.frozen'] };
  expect((await deployment.call('PUT /partner/webhook', hook, partner.key)).status).toBe(200);
  const { api_key } = (await deployment.call('POST /register', { name: 'under', ref: partner.ref })).body;
  expect((await deployment.call('POST /agent/init', {}, api_key)).status).toBe(200);
  await deployment.control('POST', '/clock/advance', { anchors: 61 });
  const isSettled = (): boolean => deployment.commands.some(({ name }) => name === 'webhook:settle');
  while (!isSettled()) await deployment.control('POST', '/webhooks/flush', {});
}

/** AIPS_GOLDEN=write writes the list again: after a new kind of command, not after a change of the rules. */
beforeAll(async () => {
  if (process.env['AIPS_GOLDEN'] !== 'write') return;
  const cases = await everything();
  writeFileSync(FILE, `{\n  "cases": [\n    ${cases.map((each) => JSON.stringify(each)).join(',\n    ')}\n  ]\n}\n`);
});

const { cases } = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { cases: Command[] })
  : { cases: [] as Command[] };

describe('the list of commands', () => {
  it('has every command that there is', () => {
    const asks = ['verify-batch', 'beat-verify', 'checkin', 'work-proof'];
    const routes = [...registryRoutes, ...beatsRoutes]
      .filter(({ endpoint: { method, stem } }) => method !== 'GET' && !asks.includes(stem))
      .map(({ endpoint }) => endpoint.id);
    const control = controlCalls.filter(({ kind }) => kind === 'command').map(({ path }) => `control:${path}`);
    const others = ['rpc:requestAirdrop', 'rpc:sendTransaction', 'webhook:settle', 'clock:tick'];
    const names = new Set(cases.map(({ name }) => name));
    expect([...routes, ...control, ...others].filter((name) => !names.has(name))).toEqual([]);
  });

  /**
   * If this fails, the rules have changed: journals of before are replayed as a whole at their next start, and stop where
   * they lead to another state. Say so in the changelog, and put the new digest here.
   */
  it('leads to the state that it has always led to', async () => {
    expect(await rulesDigest(cases)).toBe('72c991754127639444e9a48d621263fb63d989245d636548b749ff956859d5a5');
  });

  it('leads to another state when a command has another effect, or is refused', async () => {
    const digest = await rulesDigest(cases);
    const renamed = cases.map((each) =>
      each.name === 'register' ? { ...each, body: { ...(each.body as object), name: 'Eve' } } : each,
    );
    expect(await rulesDigest(renamed)).not.toBe(digest);
    expect(await rulesDigest(cases.filter(({ name }) => name !== 'init'))).not.toBe(digest);
  });
});
