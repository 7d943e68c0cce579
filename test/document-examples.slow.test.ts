import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openData } from '../runs/server/data-folder.js';
import { type Reference, startReference } from '../runs/server/reference-process.js';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { blocksOf, documentAt } from './fixtures/markdown.js';
import { root } from './source-tree.js';

/** Blocks that are not run, by their first line, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start': '.ci/run does it on a clean clone',
  'npm run build && npm link     # or: npx aips-lab, once installed from npm or from the file that npm pack makes':
    'it changes the machine',
  'aips serve --rpc-url https://api.devnet.solana.com --payment-address ADDRESS': 'it needs the network',
  '#!/bin/sh -e': 'it needs the Solana command line',
  'cp examples/spec-change.yaml examples/spec-change-accepted.yaml .       # the change, and what it is meant to bring about':
    'the whole suite runs; the workflow below judges the same change by a part',
};

const BLOCKS = [
  'README.md',
  'docs/conform.md',
  'docs/serve.md',
  'docs/simulate.md',
  'docs/experiments.md',
  'docs/control-api.md',
  'docs/ledger.md',
].flatMap((path) =>
  blocksOf(documentAt(path), 'sh').map((block) => ({ path, block, first: block.split('\n')[0] ?? '' })),
);

/** Ports that the documents name and that are free here only by chance. */
const PORTS = ['8899', '8080', '8081', '8082'] as const;

/** A server takes this many ports in a row at most. */
const IN_A_ROW = 4;
/** Below the ports that the system gives to connections, which other tests open by the thousand until a block takes its own. */
let candidate = 10_000 + (process.pid % 100) * 200;

async function freePort(): Promise<number> {
  const port = candidate;
  candidate += IN_A_ROW;
  const server = createServer();
  const isFree = await new Promise<boolean>((done) =>
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)),
  );
  if (!isFree) return freePort();
  await new Promise((done) => server.close(done));
  return port;
}

/** A run of the whole suite. */
const WHOLE_RUN = /\bconform (?:http|--target )\S+(?!.*--only)/g;

/**
 * A text of a document with the URLs of the reference that runs, and free ports for the others. Whole runs of the suite, which
 * `conform self` and the demo make, become runs of a part.
 */
async function localised(text: string, reference: Reference | undefined): Promise<string> {
  const urls =
    reference === undefined
      ? []
      : ([
          ['http://127.0.0.1:8787', reference.target.baseUrl],
          ['http://127.0.0.1:8788', String(reference.target.beatsUrl)],
          ['http://127.0.0.1:8789', String(reference.target.control?.url)],
        ] as const);
  const ports = await Promise.all(PORTS.map(async (port) => [port, String(await freePort())] as const));
  // `aips serve ledger` names its port only where another is wanted.
  const named = text.replaceAll(/^aips serve ledger/gm, 'aips serve ledger --port 8899');
  const part = named.replaceAll(WHOLE_RUN, "$& --only 'register/*' 'authority-key/*'");
  return [...urls, ...ports].reduce((all, [written, actual]) => all.replaceAll(written, actual), part);
}

/** A folder such as a checkout is for who reads the documents, and the commands `aips` and `npx` on the path before all others. */
async function desk(reference?: Reference): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'aips-documents-'));
  const commands = mkdtempSync(join(tmpdir(), 'aips-commands-'));
  const scripts = {
    aips: `exec "${process.execPath}" "${join(root, 'dist/cli/aips.js')}" "$@"`,
    npx: `[ "$1" = --yes ] && shift; [ "$1" = aips-lab@0.1.0 ] || [ "$1" = aips-lab ] || exit 3; shift; exec aips "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(commands, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(commands, name), 0o755);
  }
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  symlinkSync(join(root, 'scenarios'), join(folder, 'scenarios'));
  mkdirSync(join(folder, 'docs'));
  symlinkSync(join(root, 'docs/examples'), join(folder, 'docs/examples'));
  const target = await localised(readFileSync(join(root, 'examples/target.yaml'), 'utf8'), reference);
  for (const path of ['target.yaml', 'examples/target.yaml']) writeFileSync(join(folder, path), target);
  await beginState(join(folder, 'state'));
  copyFileSync(join(root, 'examples/scenario.yaml'), join(folder, 'scenario.yaml'));
  writeFileSync(join(folder, 'overlay.yaml'), 'dms: { missedAnchorsMax: 90 }\n');
  return { folder, path: `${commands}${delimiter}${process.env['PATH']}` };
}

/** The folder of `--data` that a server without clients leaves. */
async function beginState(folder: string): Promise<void> {
  const policy = { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true } as const;
  const service = { protocol, dialect: dialects.service, policy, seed: 1, startMs: Date.UTC(2026, 0, 1) };
  const store = await openData(folder, service, () => undefined);
  await store.abandon();
}

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a script with bash, which stops at the first command that fails; `until`: where its output has this, it is ended. */
function run(script: string, { folder, path }: { folder: string; path: string }, until?: RegExp): Promise<Ended> {
  const environment = {
    ...process.env,
    PATH: path,
    EDITOR: 'true',
    CONTROL_TOKEN: 'lab',
    GITHUB_STEP_SUMMARY: 'page.md',
    GITHUB_OUTPUT: 'step-output',
  };
  // Its background processes end with it, wherever it stops.
  const guarded = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', guarded], { cwd: folder, env: environment });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
    if (until?.test(out) === true) child.kill('SIGTERM');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
  });
  return new Promise((done) => child.once('close', (status) => done({ status, out, err })));
}

async function withReference<T>(use: (reference: Reference) => Promise<T>): Promise<T> {
  const reference = await startReference({ seed: 1, flags: ['--control-token', 'lab', '--allow-loopback-webhooks'] });
  try {
    return await use(reference);
  } finally {
    await reference.stop();
  }
}

const NEEDS_REFERENCE = /127\.0\.0\.1:878|--target target\.yaml/;

/** Whether every command of a block is a server that runs until it is stopped. */
const servesForever = (block: string): boolean =>
  block.split('\n').every((line) => line === '' || /^aips (serve|ledger)\b/.test(line));

describe('the shell blocks of the documents', () => {
  const runnable = BLOCKS.filter(({ first, block }) => !(first in NOT_RUN) && !servesForever(block));

  // Side by side: one of them waits for a minute, and each has a server, ports and a folder of its own.
  it.concurrent.each(runnable.map(({ path, first, block }) => [path, first, block] as const))(
    '%s: %s',
    async (_path, _first, block) => {
      const judged = async (reference?: Reference): Promise<void> => {
        const { status, err } = await run(await localised(block, reference), await desk(reference));
        expect([status, err]).toEqual([0, expect.not.stringMatching(/Error|rror:/)]);
      };
      await (NEEDS_REFERENCE.test(block) ? withReference(judged) : judged());
    },
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
    const session = BLOCKS.find(({ block }) => block.includes('61 anchors without a heartbeat'));
    await withReference(async (reference) => {
      const { out } = await run(await localised(session?.block ?? '', reference), await desk(reference));
      expect(out).toBe('1\nfrozen\n');
    });
  });
});

/** The scripts of a workflow of the examples, with the names of their steps. */
function scriptsOf(file: string): readonly (readonly [name: string, script: string])[] {
  const workflow = parse(readFileSync(join(root, 'examples', file), 'utf8')) as {
    readonly jobs: { readonly aips: { readonly steps: readonly { readonly name: string; readonly run?: string }[] } };
  };
  return workflow.jobs.aips.steps.flatMap(({ name, run: script }) => (script === undefined ? [] : [[name, script]]));
}

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

  it('spec-change-workflow.yml judges the change of the examples and shows the summary', async () => {
    const steps = scriptsOf('spec-change-workflow.yml');
    expect(steps.map(([name]) => name)).toEqual(['Look for a change', 'Judge the change', 'Show the summary']);
    await withReference(async (reference) => {
      const place = await desk(reference);
      for (const file of ['spec-change.yaml', 'spec-change-accepted.yaml'])
        copyFileSync(join(root, 'examples', file), join(place.folder, file));
      for (const [name, script] of steps) {
        // A part of the suite and of the library, so that it does not take minutes.
        const part = script.replace(
          '--out',
          "--only 'keep-alive-cost' 'epoch-rollover' 'resync/*' --replicates 2 --out",
        );
        const { status, err } = await run(part, place);
        // A line says before how long it takes.
        expect([name, status, err.replace(/^.* s of one core\.\n/, '')]).toEqual([name, 0, '']);
      }
      const summary = readFileSync(join(place.folder, 'page.md'), 'utf8');
      expect(summary).toContain('✅ The change passes: `spec-change.yaml`');
      expect(summary).toContain('### Effects on people');
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
