import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { protocol } from '../../../spec/protocol.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { manualClock } from '../request/clock.js';
import { type Running, type ServeOptions, startServers } from './server.js';

const opened: Running[] = [];
const holders: Server[] = [];

afterEach(async () => {
  for (const running of opened.splice(0)) await running.close();
  for (const holder of holders.splice(0)) holder.close();
});

const options = (over: Partial<ServeOptions> = {}): ServeOptions => ({
  service: {
    protocol,
    dialect: dialects.service,
    policy: { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true },
    seed: 7,
    startMs: GENESIS_MS,
  },
  clock: manualClock,
  trustForwardedFor: false,
  bind: '127.0.0.1',
  ports: { registry: 0, beats: 0, control: 0 },
  ...over,
});

async function start(over: Partial<ServeOptions> = {}): Promise<Running> {
  const running = await startServers(options(over));
  opened.push(running);
  return running;
}

async function hold(port: number): Promise<Server> {
  const holder = createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  return holder;
}

/** A port that another server uses. */
async function heldPort(): Promise<number> {
  const holder = await hold(0);
  holders.push(holder);
  return (holder.address() as AddressInfo).port;
}

// Below the range of ephemeral ports, so that the system gives the port to nobody during the test.
let candidate = 20_000 + (process.pid % 5_000) * 2;

async function freePort(): Promise<number> {
  for (;;) {
    candidate += 1;
    try {
      const holder = await hold(candidate);
      holder.close();
      await once(holder, 'close');
      return candidate;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** The end of a connection; one that is reset or refused counts as closed. */
function outcomeOf(socket: Socket): Promise<'connected' | 'closed'> {
  return new Promise((resolve) => {
    socket.on('connect', () => resolve('connected'));
    socket.on('error', () => resolve('closed'));
    socket.on('close', () => resolve('closed'));
  });
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await outcomeOf(socket);
  socket.destroy();
  return outcome === 'connected';
}

const portOf = (url: string): number => Number(new URL(url).port);

describe('three servers over one service', () => {
  it('answer each for its own, by JSON', async () => {
    const { baseUrl, beatsUrl, controlUrl, controlToken } = await start();
    expect((await fetch(`${baseUrl}/api/v1/fees/summary`)).status).toBe(200);
    expect((await fetch(`${beatsUrl}/api/health`)).status).toBe(200);
    const headers = { Authorization: `Bearer ${controlToken}` };
    expect((await fetch(`${controlUrl}/control/v1/fingerprint`, { headers })).status).toBe(200);
    expect((await fetch(`${baseUrl}/api/health`)).status).toBe(404);
    expect((await fetch(`${beatsUrl}/api/v1/fees/summary`)).status).toBe(404);
  });

  it('share their time', async () => {
    const { baseUrl, beatsUrl, controlUrl, controlToken } = await start({ controlToken: 'chosen' });
    expect(controlToken).toBe('chosen');
    await fetch(`${controlUrl}/control/v1/clock/advance`, {
      method: 'POST',
      headers: { Authorization: 'Bearer chosen', 'Content-Type': 'application/json' },
      body: '{"anchors":5}',
    });
    const anchors = await Promise.all(
      [baseUrl, beatsUrl].map(async (url) => (await fetch(`${url}/api/v1/beat/anchor`)).json() as Promise<unknown>),
    );
    expect(anchors[0]).toMatchObject({ anchor: { beat_index: 5 } });
    expect(anchors[1]).toEqual(anchors[0]);
  });

  it('make a token of their own, another each time', async () => {
    const [one, other] = [await start(), await start()];
    expect(one.controlToken.length).toBeGreaterThanOrEqual(32);
    expect(one.controlToken).not.toBe(other.controlToken);
  });

  it('bind the control API to loopback, wherever the others are', async () => {
    const { baseUrl, controlUrl } = await start({ bind: '0.0.0.0' });
    expect(new URL(baseUrl).hostname).toBe('0.0.0.0');
    expect(new URL(controlUrl).hostname).toBe('127.0.0.1');
  });
});

describe('a port that cannot be had', () => {
  it.each(['registry', 'beats', 'control'] as const)('of %s rejects, and leaves nothing listening', async (which) => {
    const ports = { registry: await freePort(), beats: await freePort(), control: await freePort() };
    const held = await heldPort();
    const starting = startServers(options({ ports: { ...ports, [which]: held } }));
    await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port: held });
    for (const [name, port] of Object.entries(ports)) if (name !== which) expect(await isListening(port)).toBe(false);
  });

  it('may be the same port twice', async () => {
    const port = await freePort();
    const starting = startServers(options({ ports: { registry: port, beats: port, control: 0 } }));
    await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await isListening(port)).toBe(false);
  });

  it('may be no port at all', async () => {
    const starting = startServers(options({ ports: { registry: 0, beats: 70_000, control: 0 } }));
    await expect(starting).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  });
});

describe('close', () => {
  it('stops all three', async () => {
    const running = await startServers(options());
    const ports = [running.baseUrl, running.beatsUrl, running.controlUrl].map(portOf);
    for (const port of ports) expect(await isListening(port)).toBe(true);
    await running.close();
    for (const port of ports) expect(await isListening(port)).toBe(false);
  });

  it('ends connections that are kept alive, and those in the middle of a request', async () => {
    const running = await startServers(options());
    const agent = new Agent({ keepAlive: true });
    const [reply] = (await once(get(`${running.baseUrl}/api/v1/fees/summary`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    await text(reply);
    const idle = connect(portOf(running.baseUrl), '127.0.0.1');
    const halfway = connect(portOf(running.beatsUrl), '127.0.0.1');
    await Promise.all([once(idle, 'connect'), once(halfway, 'connect')]);
    halfway.write(
      'POST /api/v1/beat/work-proof HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const ended = Promise.all([outcomeOf(idle), outcomeOf(halfway)]);
    await running.close();
    expect(await ended).toEqual(['closed', 'closed']);
    agent.destroy();
    // Left alone, the one in the middle of a request would last five minutes.
  }, 120_000);
});
