// Which proxy a request takes, and how proxies are spoken to.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { authority, forLocalhost, key } from '../../test/fixtures/certificates.js';
import { proxyByEnvironment, proxyOfTarget } from './proxy.js';
import { httpTransport } from './transport.js';

const nameOf = (env: Record<string, string>, url: string): string | undefined =>
  proxyByEnvironment(env)(new URL(url))?.url.host;

describe('the proxy of the environment', () => {
  const both = { HTTP_PROXY: 'http://plain:1', https_proxy: 'secure:2' };
  it.each([
    ['http://host/', both, 'plain:1'],
    ['https://host/', both, 'secure:2'],
    ['https://host/', { HTTP_PROXY: 'http://plain:1' }, undefined],
    ['http://host/', { ...both, http_proxy: 'small:3' }, 'small:3'],
    // This machine is reached without one.
    ['http://localhost:1/', both, undefined],
    ['http://127.0.0.9/', both, undefined],
    ['http://[::1]/', both, undefined],
    ['http://host/', { ...both, NO_PROXY: '*' }, undefined],
    ['http://host/', { ...both, no_proxy: 'other, host' }, undefined],
    ['http://a.host/', { ...both, NO_PROXY: 'host' }, undefined],
    ['http://a.host/', { ...both, NO_PROXY: '.host' }, undefined],
    ['http://a.host/', { ...both, NO_PROXY: '*.host' }, undefined],
    ['http://ahost/', { ...both, NO_PROXY: 'host,.host' }, 'plain:1'],
    ['http://host:81/', { ...both, NO_PROXY: 'host:80' }, 'plain:1'],
    ['https://HOST/', { ...both, NO_PROXY: 'Host:443' }, undefined],
    ['http://10.1.2.3/', { ...both, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['http://11.1.2.3/', { ...both, NO_PROXY: '10.0.0.0/8,2.3' }, 'plain:1'],
    ['http://[fd00::1]/', { ...both, NO_PROXY: 'fd00::1' }, undefined],
    ['http://[fd00::1]:8/', { ...both, NO_PROXY: '[fd00::1]:8' }, undefined],
  ])('of %s with %j is %s', (url, env, expected) => {
    expect(nameOf(env, url)).toBe(expected);
  });

  it('that speaks no HTTP is refused by name', () => {
    expect(() => nameOf({ HTTP_PROXY: 'socks5://host:1' }, 'http://host/')).toThrow(
      /HTTP_PROXY .*socks5:.* not supported/,
    );
  });
});

it('the proxy of a target file is for its own URLs, and for this machine only where the registry is there', () => {
  const at = (baseUrl: string) => ({
    baseUrl,
    beatsUrl: 'http://beats.example',
    control: { url: 'http://127.0.0.1:2' },
    proxy: 'p:1',
  });
  const named = (baseUrl: string, url: string) =>
    proxyOfTarget(at(baseUrl), { HTTP_PROXY: 'e:2' })(new URL(url))?.url.host;
  const remote = 'http://registry.example';
  expect(['/a', '/b'].map((path) => named(remote, remote + path))).toEqual(['p:1', 'p:1']);
  expect(named(remote, 'http://beats.example/')).toBe('p:1');
  expect(named(remote, 'http://ledger.example/')).toBe('e:2');
  expect(named(remote, 'http://127.0.0.1:2/')).toBeUndefined();
  expect(named('http://127.0.0.1:1', 'http://127.0.0.1:2/')).toBe('p:1');
});

describe('through a proxy', () => {
  const servers: (Server | TcpServer)[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
  });
  async function listen(server: Server): Promise<string> {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** A proxy that opens tunnels, or answers them with a status, and answers everything else itself. */
  async function proxy(status = 200) {
    const seen: string[] = [];
    const note = ({ method, url, headers }: IncomingMessage) =>
      seen.push(`${method} ${url} host ${headers.host} by ${headers['proxy-authorization']}`);
    const server = createServer((request, response) => {
      note(request);
      response.writeHead(status).end('by the proxy');
    });
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      note(request);
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      const to = new URL(`http://${request.url}`);
      const behind = connect(Number(to.port), to.hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      sockets.add(behind);
      return behind.pipe(socket).pipe(behind);
    });
    return { at: await listen(server), seen };
  }
  const ask = async (url: string, through: string) => {
    const target = { baseUrl: url, beatsUrl: null, proxy: through, ca: authority };
    const { send, close } = httpTransport({ target, env: {} });
    const one = () => send({ method: 'GET', url, headers: {}, timeoutMs: 600_000, replyBytesMax: 1_000 });
    try {
      return [await one(), await one()];
    } finally {
      await close();
    }
  };

  it('http is forwarded, with the user and password of its URL', async () => {
    const { at, seen } = await proxy();
    const [reply] = await ask('http://registry.example/a?b', `http://u:p%40@${at}`);
    expect(reply).toMatchObject({ status: 200, body: 'by the proxy' });
    const by = `Basic ${Buffer.from('u:p@').toString('base64')}`;
    expect(seen[0]).toBe(`GET http://registry.example/a?b host registry.example by ${by}`);
  });

  it('https takes a tunnel, which serves several requests', async () => {
    const { at, seen } = await proxy();
    const behind = await listen(
      createHttpsServer({ key, cert: forLocalhost }, (_, response) => response.end('behind')),
    );
    expect((await ask(`https://${behind}/`, at)).map(({ body }) => body)).toEqual(['behind', 'behind']);
    expect(seen).toEqual([`CONNECT ${behind} host ${behind} by undefined`]);
  });

  it.each([
    ['http://registry.example/', 407, /the proxy 127.* refuses .* 407: it wants a user and a password/],
    [
      'https://registry.example/',
      407,
      /the proxy 127.* refuses a tunnel to registry.example:443 with status 407: it wants/,
    ],
    ['https://registry.example/', 502, /the proxy 127.* refuses a tunnel to registry.example:443 with status 502$/],
  ])('%s that it answers with %i is not reached', async (url, status, says) => {
    const { at } = await proxy(status);
    await expect(ask(url, `http://u:secret-of-proxy@${at}`)).rejects.toMatchObject({
      kind: 'unreachable',
      message: says,
    });
  });

  it.each(['http', 'https'])('one that does not run is named: %s', async (scheme) => {
    const { at } = await proxy();
    const [server] = servers.splice(0);
    await new Promise((closed) => server?.close(closed));
    await expect(ask(`${scheme}://registry.example/`, at)).rejects.toMatchObject({
      message: /nothing listens at the proxy 127/,
    });
  });
});
