import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { golden } from '../../../test/fixtures/golden.js';
import { postWebhook, webhookSignature } from './webhook-request.js';

interface SignatureCase {
  readonly name: string;
  readonly webhook_secret: string;
  readonly body: string;
  readonly header_value: string;
}
const cases = golden<SignatureCase>('webhook-signatures');

describe('the signature', () => {
  it.each(cases)('$name', ({ webhook_secret, body, header_value }) => {
    expect(webhookSignature(webhook_secret, body)).toBe(header_value);
  });
});

describe('an attempt', () => {
  const attempt = { body: '{}', headers: {}, timeoutMs: 1_000, allowLoopback: true };

  it('fails where nobody listens', async () => {
    const signal = new AbortController().signal;
    expect(await postWebhook({ ...attempt, url: 'http://127.0.0.1:1/', signal })).toBe(false);
  });

  it('fails when no answer comes in time, however often garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const tidy = runInNewContext('gc') as () => void;
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const tidying = setInterval(tidy, 20);
    try {
      const signal = new AbortController().signal;
      expect(await postWebhook({ ...attempt, timeoutMs: 300, url: `http://127.0.0.1:${port}/`, signal })).toBe(false);
    } finally {
      clearInterval(tidying);
      server.close();
    }
  });

  it('is made where the answer came while this process was busy for longer than it waits', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const signal = new AbortController().signal;
    const made = postWebhook({ ...attempt, timeoutMs: 2_500, url: `http://127.0.0.1:${port}/`, signal });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_800);
    expect(await made).toBe(true);
    server.close();
  });

  it('is not made to an address that has not been public since the webhook was configured', async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const signal = new AbortController().signal;
    const url = `https://127.0.0.1:${port}/`;
    expect(await postWebhook({ ...attempt, allowLoopback: false, url, signal })).toBe(false);
    expect(connections).toBe(0);
    server.close();
  });

  it('fails at once when it is given up', async () => {
    expect(await postWebhook({ ...attempt, url: 'http://127.0.0.1:1/', signal: AbortSignal.abort() })).toBe(false);
  });
});
