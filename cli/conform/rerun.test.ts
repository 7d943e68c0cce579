import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Changes } from './rerun.js';

let server: Server | undefined;
const close = (): Promise<void> => new Promise((closed) => (server ? server.close(() => closed()) : closed()));
const open = (port = 0): Promise<number> =>
  new Promise((opened) => {
    const started = createServer().listen(port, '127.0.0.1', () => opened((started.address() as AddressInfo).port));
    server = started;
  });
afterEach(close);

it('notices a file that changes, once the server answers, and ends with Ctrl-C', async () => {
  const port = await open();
  const file = join(mkdtempSync(join(tmpdir(), 'aips-rerun-')), 'server.js');
  writeFileSync(file, 'one');
  const changes = new Changes(`http://127.0.0.1:${port}`, [file]);
  // It changes before anybody waits, as it may while a run goes on.
  appendFileSync(file, 'two');
  expect(await changes.next()).toBe('server.js changed');
  await close();
  appendFileSync(file, 'three');
  const waiting = changes.next();
  setTimeout(() => void open(port), 300);
  expect(await waiting).toBe('server.js changed');
  setTimeout(() => process.emit('SIGINT', 'SIGINT'), 200);
  expect(await changes.next()).toBeUndefined();
  changes.close();
});

it('needs no file: a server that was away and is back is enough', async () => {
  const port = await open();
  const changes = new Changes(`http://127.0.0.1:${port}`, []);
  setTimeout(() => void close().then(() => setTimeout(() => void open(port), 400)), 300);
  expect(await changes.next()).toBe('the server is back');
});

it('names a path that is not there before anything is run', () => {
  expect(() => new Changes('http://127.0.0.1:9', ['/no/such/file'])).toThrow('/no/such/file: it cannot be watched');
});
