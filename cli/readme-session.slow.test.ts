import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../test/source-tree.js';
import { startReference } from './reference-process.js';

/** The shell block of the README's section of this title. */
function sessionOf(title: string): string {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const section = text.slice(text.indexOf(`## ${title}`));
  const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
  if (block === undefined) throw new Error(`the README has no shell block under "${title}"`);
  return block;
}

it("the README's session spawns and sponsors a child and freezes the parent, as it is pasted", async () => {
  const reference = await startReference({ seed: 1, flags: ['--control-token', 'lab'] });
  const folder = mkdtempSync(join(tmpdir(), 'aips-session-'));
  const command = join(folder, 'aips');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli/aips.js')}" "$@"\n`);
  chmodSync(command, 0o755);
  const { baseUrl, beatsUrl, control } = reference.target;
  const script = sessionOf('A session: spawn a child, sponsor it, freeze')
    .replace('http://127.0.0.1:8787', baseUrl)
    .replace('http://127.0.0.1:8788', String(beatsUrl))
    .replace('http://127.0.0.1:8789', String(control?.url));
  const path = `${folder}${delimiter}${process.env['PATH']}`;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: path },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
  });
  const status = await new Promise<number | null>((done) => child.once('close', done));
  await reference.stop();
  expect(err).toBe('');
  expect(status).toBe(0);
  expect(out).toBe('1\nfrozen\n');
});
