// Inputs that are no files, or never end: each is read up to a limit, and can be read twice.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from './failure.js';
import { inputBytes, isStream, namedInput } from './input-bytes.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-input-'));
const MAX = 1_000_000;

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

describe('a named pipe', () => {
  it('into which nobody writes is given up', () => {
    const path = pipe('silent');
    expect(() => inputBytes(path, 'scenario', MAX, 20)).toThrow(/is a pipe, and nothing came out of it for 0.02 s/);
  });

  it('is read to its end, twice, and copied for a program that opens it by its name', async () => {
    const path = pipe('written');
    const writer = spawn('sh', ['-c', `printf 'a: 1' > '${path}'`], { stdio: 'ignore' });
    expect(inputBytes(path, 'scenario', MAX).toString()).toBe('a: 1');
    await once(writer, 'exit');
    expect(inputBytes(path, 'scenario', MAX).toString()).toBe('a: 1');
    expect(readFileSync(namedInput(path, 'scenario'), 'utf8')).toBe('a: 1');
    expect(isStream(path)).toBe(true);
  });
});

describe('an input', () => {
  it('that is a file is opened by its own name', () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'text');
    expect([isStream(path), namedInput(path, 'scenario')]).toEqual([false, path]);
  });

  it('that never ends is read up to a length', () => {
    expect(() => inputBytes('/dev/zero', 'file', MAX)).toThrow(new Failure('/dev/zero: is longer than 1000000 bytes.'));
  });

  it('that is a socket is refused in words', async () => {
    const path = join(folder, 'socket');
    const server = createServer().listen(path);
    await once(server, 'listening');
    expect(() => inputBytes(path, 'file', MAX)).toThrow(/this file cannot be read: it is a socket or a device/);
    server.close();
  });

  it('whose name is too long is refused in words', () => {
    expect(() => inputBytes('x'.repeat(300), 'file', MAX)).toThrow(/cannot be read: the name is too long/);
  });
});
