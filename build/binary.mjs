// Makes one file that holds Node and this package, by Node's own single executable: it runs where no Node is. Usage, after the
// build: node build/binary.mjs [FILE]; npm run binary. Node 26.12 or newer is taken from npm if this one is older.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const NODE_MIN = [26, 12];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const target = resolve(process.argv[2] ?? join(root, 'dist/binary', windows ? 'aips.exe' : 'aips'));

/** The program, and the modules that it starts as threads: startOwnThread in runs/host/own-program.ts. */
const ENTRIES = [
  'cli/aips',
  'runs/experiment/sweep-worker',
  'runs/simulation/replicate-worker',
  'runs/simulation/thread-worker',
  'runs/specification/effects-thread',
  'runs/watch/live',
];
/** Rooms whose code is read as text too, for the digests of recordings (runs/suite/suite-digests.ts). */
const READ_AS_TEXT = ['conformance', 'model', 'sha256', 'spec'];
/** Optional peers, which a package finds beside it and this file does not have. */
const PEERS = ['bullmq', 'ioredis'];

const work = mkdtempSync(join(tmpdir(), 'aips-binary-'));
try {
  const node = nodeForBinary();
  const files = join(work, 'files');
  copyPackage(files);
  await bundleCode(files);
  const archive = join(work, 'files.zip');
  execFileSync(node, ['--no-warnings', join(root, 'build/binary-archive.mjs'), files, archive], { stdio: 'inherit' });
  const host = join(work, 'node');
  copyFileSync(node, host);
  chmodSync(host, 0o755);
  // Symbols for debuggers are a fifth of it. Signed files of macOS and Windows stay as they are.
  if (process.platform === 'linux') execFileSync('strip', [host]);
  mkdirSync(dirname(target), { recursive: true });
  const main = join(work, 'main.mjs');
  writeFileSync(main, "import './dist/cli/aips.js';\n");
  const config = join(work, 'sea.json');
  const settings = { main, mainFormat: 'module', executable: host, output: target, useVfs: true, vfsArchive: archive };
  writeFileSync(config, JSON.stringify({ ...settings, disableExperimentalSEAWarning: true }));
  execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(target);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** A Node that can make the file: this one, or one from npm. */
function nodeForBinary() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return process.execPath;
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const prefix = join(root, '.ci/node-26');
  const node = join(prefix, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  const wanted = `${name}@^${NODE_MIN.join('.')}`;
  if (!existsSync(node)) {
    const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', prefix, ...flags, wanted], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: windows,
    });
  }
  const options = execFileSync(node, ['--help'], { encoding: 'utf8' });
  if (!options.includes('--build-sea')) {
    throw new Error(`${node} has no --build-sea: a binary needs Node ${NODE_MIN.join('.')} or newer.`);
  }
  return node;
}

/** Copies all that the package holds besides its code, and the code that is read as text. */
function copyPackage(to) {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
      cwd: root,
      encoding: 'utf8',
      shell: windows,
    }),
  );
  for (const { path } of packed.files) {
    const code =
      path.startsWith('dist/') && path.endsWith('.js') && !isReadAsText(path) && !path.startsWith('dist/lab/page');
    if (code || path.endsWith('.d.ts')) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(root, path), join(to, path));
  }
  // Its place as the bundled code looks for it.
  mkdirSync(join(to, 'dist/power'), { recursive: true });
  copyFileSync(join(root, 'power/kills.json'), join(to, 'dist/power/kills.json'));
  cpSync(join(root, 'node_modules/jstat'), join(to, 'node_modules/jstat'), { recursive: true });
}

function isReadAsText(path) {
  return READ_AS_TEXT.some((room) => path.startsWith(`dist/${room}/`));
}

/** Puts the code and its libraries into a few files: fewer are opened at the start. */
async function bundleCode(to) {
  const input = Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, 'dist', `${entry}.js`)]));
  const made = await rolldown({ input, platform: 'node', external: PEERS });
  // Chunks are as deep as most modules of dist, so that paths from them to files of the package hold.
  await made.write({
    dir: join(to, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'bundled/chunks/[name]-[hash].js',
  });
  await made.close();
}
