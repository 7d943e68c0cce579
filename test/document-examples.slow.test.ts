// The shell blocks of the documents and the scripts of the examples, as their reader runs them. document-examples.nightly has what takes long.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BLOCKS,
  blocksFor,
  desk,
  expectRuns,
  localised,
  NOT_RUN,
  run,
  SESSION,
  scriptsOf,
  servesForever,
  withReference,
} from './fixtures/document-desk.js';
import { root } from './source-tree.js';

describe('the shell blocks of the documents', () => {
  // Side by side: each has a server, ports and a folder of its own.
  it.concurrent.each(blocksFor('change').map(({ path, first, block }) => [path, first, block] as const))(
    '%s: %s',
    (_path, _first, block) => expectRuns(block),
  );

  const servers = BLOCKS.filter(({ block }) => servesForever(block)).flatMap(({ block }) =>
    block.split('\n').filter((line) => line !== ''),
  );

  it.each(servers.filter((line) => !(line in NOT_RUN)))('starts until it is stopped: %s', async (line) => {
    const command = line.replace(/\s+#.*$/, '').replace('--ledger-port 8899', '--ledger-port 0');
    const { status, err } = await run(`exec ${command} --port 0`, await desk(), /Ctrl-C stops|control_token/);
    expect([status, err]).toEqual([0, '']);
  });

  it('that are not run are there', () => {
    const firsts = BLOCKS.map(({ first }) => first);
    expect(Object.keys(NOT_RUN).filter((first) => !firsts.includes(first))).toEqual([]);
  });

  it('of a session spawn and sponsor a child and freeze the parent', async () => {
    const session = BLOCKS.find(({ block }) => block.includes(SESSION));
    await withReference(async (reference) => {
      const { status, out, err } = await run(await localised(session?.block ?? '', reference), await desk(reference));
      expect([status, out, err]).toEqual([0, '1\nfrozen\n', expect.not.stringMatching(/rror/)]);
    });
  });
});

describe('examples', () => {
  it('conformance.test.mjs has types, and passes under node:test', async () => {
    await withReference(async (reference) => {
      const place = await desk(reference);
      mkdirSync(join(place.folder, 'node_modules/@types'), { recursive: true });
      symlinkSync(root, join(place.folder, 'node_modules/aips-lab'));
      symlinkSync(join(root, 'node_modules/@types/node'), join(place.folder, 'node_modules/@types/node'));
      const compiler = `"${process.execPath}" "${join(root, 'node_modules/typescript/bin/tsc')}"`;
      const options = '--noEmit --allowJs --checkJs --module nodenext --target es2023 --strict --types node';
      expect(await run(`${compiler} ${options} examples/conformance.test.mjs`, place)).toMatchObject({
        status: 0,
        out: '',
      });
      const test = `BASE_URL=${reference.target.baseUrl} "${process.execPath}" --test examples/conformance.test.mjs`;
      const { status, out } = await run(test, place);
      expect([status, out]).toEqual([0, expect.stringMatching(/# pass 1\b|ℹ pass 1\b/)]);
    });
  });

  it('github-workflow.yml judges a server and shows the summary', async () => {
    const steps = scriptsOf('github-workflow.yml');
    expect(steps.map(([name]) => name)).toEqual(['Start the server', 'Judge it', 'Show the summary']);
    await withReference(async (reference) => {
      const place = await desk(reference);
      for (const [name, script] of steps) {
        // The server that it starts is the reference, which runs already.
        const own = name === 'Start the server' ? script.replace(/^npm .*$/gm, '') : script;
        const { status, err } = await run(await localised(own, reference), place);
        // On a slow machine lines say how far it is.
        const said = err.split('\n').filter((line) => line !== '' && !/^\w+ \d+ of \d+,/.test(line));
        expect([name, status, said]).toEqual([name, 0, []]);
      }
      expect(readFileSync(join(place.folder, 'page.md'), 'utf8')).toContain(reference.target.baseUrl);
      expect(readFileSync(join(place.folder, 'aips-report/junit.xml'), 'utf8')).toContain('<testsuites');
    });
  });

  it('target.yaml offers all that the reference has', async () => {
    await withReference(async (reference) => {
      const { status, out } = await run(
        'aips conform plan --target examples/target.yaml --json',
        await desk(reference),
      );
      const plan = JSON.parse(out) as { checks: { id: string; reason?: string }[]; runs: number };
      expect(status).toBe(0);
      expect(plan.runs).toBeGreaterThan(plan.checks.length * 0.95);
    });
  });
});
