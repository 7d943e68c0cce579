import { afterEach, describe, expect, it } from 'vitest';
import { Chance } from '../../../test/faults/chance.js';
import { FaultyDisk } from '../../../test/faults/faulty-disk.js';
import { Deployment, type DeploymentSetUp } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { startReceiver } from '../../../test/webhook-receiver.js';
import type { FileSystem, OpenFile } from '../../store/file-system.js';
import { openStore } from '../../store/open-store.js';

const opened: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A disk, and a gate before it: while it is shut nothing comes to the disk. */
class GatedDisk {
  readonly disk = new FaultyDisk(new Chance(3));
  failures = 0;
  writes = 0;
  private waiting: (() => void)[] = [];
  private isShut = false;

  shut(): void {
    this.isShut = true;
  }

  open(): void {
    this.isShut = false;
    for (const go of this.waiting.splice(0)) go();
  }

  private async pass(): Promise<void> {
    this.writes += 1;
    if (this.isShut) await new Promise<void>((go) => this.waiting.push(go));
  }

  get files(): FileSystem {
    const { files } = this.disk;
    return {
      ...files,
      open: async (path, mode) => {
        const file = await files.open(path, mode);
        if (!mode.endsWith('keep')) return file;
        const write: OpenFile['write'] = async (bytes, at) => {
          await this.pass();
          return file.write(bytes, at);
        };
        return { ...file, write };
      },
    };
  }

  async start(setUp: DeploymentSetUp = {}): Promise<Deployment> {
    const build = { version: '0', rules: 'c'.repeat(64) };
    const onFailure = (): unknown => (this.failures += 1);
    const options = { files: this.files, folder: '/data', build, owner: {}, startMs: GENESIS_MS, onFailure };
    const store = await openStore({ ...options, log: () => undefined });
    const deployment = await Deployment.start({ ...setUp, store });
    opened.push(deployment);
    return deployment;
  }
}

/** Whether a promise is still open after a hundred turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  promise.then(
    () => {
      pending = false;
    },
    () => {
      pending = false;
    },
  );
  for (let turn = 0; turn < 100; turn++) await new Promise((next) => setTimeout(next, 1));
  return pending;
}

describe('a reply', () => {
  it('waits until what it is about is on the disk, and so does every reply that may have seen it', async () => {
    const gated = new GatedDisk();
    const deployment = await gated.start({ rpc: true });
    const agent = await deployment.register();
    gated.shut();
    const started = deployment.call('POST /agent/init', {}, agent.apiKey).then((reply) => reply.status);
    expect(await isPending(started)).toBe(true);
    const reads = [
      deployment.get(`/status/${agent.hash}`).then((reply) => reply.body.status),
      deployment.control('GET', '/fingerprint').then((reply) => reply.status),
      deployment.post('/agent/init', {}).then((reply) => reply.status),
      deployment.rpc('getSlot').then(() => 'slot'),
    ];
    expect(await Promise.all(reads.map(isPending))).toEqual([true, true, true, true]);
    gated.open();
    expect(await Promise.all([started, ...reads])).toEqual([200, 'active', 200, 401, 'slot']);
  });

  it('is what was true when the call was made', async () => {
    const gated = new GatedDisk();
    const deployment = await gated.start();
    const agent = await deployment.agent();
    gated.shut();
    const beats = agent.heartbeat().then((reply) => reply);
    const status = deployment.get(`/verify/${agent.hash}`).then((reply) => reply.body.beat_state.total_heartbeats);
    expect(await isPending(status)).toBe(true);
    gated.open();
    expect([(await beats).status, await status]).toEqual([200, 1]);
  });

  it('shares the wait with others: the disk is asked twice for 200 registrations', async () => {
    const gated = new GatedDisk();
    const deployment = await gated.start();
    const register = (i: number) => deployment.post('/register', { name: `a${i}` }).then(({ status }) => status);
    gated.shut();
    const before = gated.writes;
    const replies = Promise.all(Array.from({ length: 200 }, (_, i) => register(i)));
    const { registry } = deployment.host.service;
    while (registry.agents.rows < 200) await new Promise((soon) => setTimeout(soon, 5));
    gated.open();
    expect(new Set(await replies)).toEqual(new Set([200]));
    // The first command, and all that arrived while the disk was writing it.
    expect(gated.writes - before).toBe(2);
  });

  it('does not wait where nothing is to be kept', async () => {
    const gated = new GatedDisk();
    const deployment = await gated.start();
    gated.shut();
    expect((await deployment.get('/fees/summary')).status).toBe(200);
    gated.open();
  });
});

it('a webhook is not sent before what it tells of is on the disk', async () => {
  const hook = await startReceiver(false);
  opened.push(hook);
  const gated = new GatedDisk();
  const deployment = await gated.start({ policy: { allowLoopbackWebhooks: true } });
  const { key, ref } = (await deployment.control('POST', '/partners', { name: 'a' })).body;
  const body = { url: hook.url, events: ['agent.frozen'] };
  expect((await deployment.call('PUT /partner/webhook', body, key)).status).toBe(200);
  const { api_key } = (await deployment.post('/register', { name: 'x', ref })).body;
  await deployment.call('POST /agent/init', {}, api_key);
  gated.shut();
  const advanced = deployment.control('POST', '/clock/advance', { anchors: 61 }).then(({ status }) => status);
  expect(await isPending(advanced)).toBe(true);
  expect(hook.got).toHaveLength(0);
  gated.open();
  expect(await advanced).toBe(200);
  await deployment.control('POST', '/webhooks/flush', {});
  while (hook.got.length === 0) await new Promise((soon) => setTimeout(soon, 5));
});

describe('a disk that takes no more', () => {
  it('makes every call a 503, and nothing that was acknowledged is lost', async () => {
    const gated = new GatedDisk();
    const deployment = await gated.start({ rpc: true });
    const agent = await deployment.register();
    const fingerprint = async (of: Deployment) => (await of.control('GET', '/fingerprint')).body.sha256;
    const before = await fingerprint(deployment);
    gated.disk.setRoom(20);
    const unavailable = [503, 'STORE_UNAVAILABLE'];
    const told = async (reply: PromiseLike<{ status: number; body: { code: string } }>) => {
      const { status, body } = await reply;
      return [status, body.code];
    };
    expect(await told(deployment.post('/register', { name: 'late' }))).toEqual(unavailable);
    gated.disk.setRoom(Number.POSITIVE_INFINITY);
    expect(await told(deployment.post('/register', { name: 'later' }))).toEqual(unavailable);
    expect(await told(deployment.get(`/status/${agent.hash}`))).toEqual(unavailable);
    expect(await told(deployment.send('GET', '/api/v1/beat/key', {}, 'beats'))).toEqual(unavailable);
    expect(await told(deployment.control('POST', '/clock/advance', { ms: 1 }))).toEqual(unavailable);
    expect(await told(deployment.control('GET', '/fingerprint'))).toEqual(unavailable);
    const rpc = await fetch(deployment.running.rpcUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' }),
    });
    expect([rpc.status, await rpc.json()]).toMatchObject([503, { error: { code: -32005 } }]);
    expect(gated.failures).toBe(1);
    await deployment.close();
    opened.length = 0;
    gated.disk.kill();
    const again = await gated.start();
    expect(await fingerprint(again)).toBe(before);
    expect((await again.post('/register', { name: 'late' })).status).toBe(200);
  });
});
