import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eachTime } from './rerun.js';

let server: Server | undefined;
const close = (): Promise<void> => new Promise((closed) => (server ? server.close(() => closed()) : closed()));
const open = (port = 0): Promise<number> =>
  new Promise((opened) => {
    const started = createServer().listen(port, '127.0.0.1', () => opened((started.address() as AddressInfo).port));
    server = started;
  });
afterEach(close);

it('judges again when the server is back, and when a file changes, and ends with Ctrl-C', async () => {
  const port = await open();
  const file = join(mkdtempSync(join(tmpdir(), 'aips-rerun-')), 'server.js');
  writeFileSync(file, 'one');
  const causes: string[] = [];
  const steps: (() => unknown)[] = [
    () => appendFileSync(file, 'two'),
    // The file changes while the server is away: it is one reason, once the server answers.
    () =>
      close()
        .then(() => appendFileSync(file, 'three'))
        .then(() => new Promise((later) => setTimeout(later, 300)))
        .then(() => open(port)),
    () => void process.emit('SIGINT'),
  ];
  const next = (): void => void setTimeout(() => void steps.shift()?.(), 200);
  next();
  await eachTime({ url: `http://127.0.0.1:${port}`, paths: [file] }, async (cause) => {
    causes.push(cause);
    next();
    return { interrupted: false };
  });
  expect(causes).toEqual(['server.js changed', 'server.js changed']);
});

it('needs no file: a server that was away and is back is enough', async () => {
  const port = await open();
  const causes: string[] = [];
  setTimeout(() => void close().then(() => setTimeout(() => void open(port), 400)), 300);
  await eachTime({ url: `http://127.0.0.1:${port}`, paths: [] }, async (cause) => {
    causes.push(cause);
    return { interrupted: true };
  });
  expect(causes).toEqual(['the server is back']);
});

it('names a path that is not there', async () => {
  const awaited = { url: 'http://127.0.0.1:9', paths: ['/no/such/file'] };
  await expect(eachTime(awaited, async () => ({ interrupted: true }))).rejects.toThrow(
    '/no/such/file: it cannot be watched',
  );
});
