// Every command refuses or reads hostile files and files in other encodings. No command reads files by its own code.
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { ONE_HOUR } from '../../test/fixtures/one-hour.js';
import { root, sourceFiles } from '../../test/source-tree.js';
import { Failure } from './failure.js';
import { ensureFolder, readBytes, readText, writeFiles } from './files.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-files-'));
const url = 'http://127.0.0.1:9';
const hex = 'ab'.repeat(32);
const quickstart = readFileSync(join(root, 'scenarios/library/quickstart.yaml'), 'utf8');

/** A file that nests deeper than any of use, as YAML and as JSON. */
const deep = `{"x":\n${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`;
writeFileSync(join(folder, 'deep.yaml'), deep);
for (const [name, file] of [
  ['conformance', 'conformance.json'],
  ['simulation', 'manifest.json'],
  ['sweep', 'sweep.json'],
  ['search', 'begun.json'],
] as const) {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, file), deep);
}
writeFileSync(join(folder, 'simulation/summary.json'), '{}');
writeFileSync(join(folder, 'quickstart.yaml'), quickstart);
writeFileSync(
  join(folder, 'key.yaml'),
  `base_url: ${url}\npayments: { kind: solana-rpc, rpc_url: ${url}, key_file: deep.yaml }\n`,
);
writeFileSync(join(folder, 'numbers.yaml'), `base_url: ${url}\nprotocol: deep.yaml\n`);
writeFileSync(join(folder, 'traced.yaml'), `x: ${'['.repeat(20_000)}\n${quickstart}`);

/** Every argument that names a file of YAML or JSON. */
const commands: readonly string[] = [
  'tools beats submit deep.yaml --beats-url http://127.0.0.1:9',
  'tools beats verify deep.yaml',
  'experiment compare sweep sweep',
  'conform --target deep.yaml',
  'conform --target key.yaml',
  'conform --target numbers.yaml',
  `conform ${url} --protocol deep.yaml`,
  `conform ${url} --baseline deep.yaml`,
  `conform ${url} --failed conformance/conformance.json`,
  'conform explain heartbeat.interval.min conformance',
  'conform diff deep.yaml deep.yaml',
  'conform fuzz --target deep.yaml',
  'conform fuzz deep.yaml',
  'conform fuzz --protocol deep.yaml',
  'report conformance',
  'report simulation',
  'report sweep',
  'experiment search deep.yaml',
  'experiment equilibrium deep.yaml',
  'experiment design deep.yaml',
  'experiment resume search',
  'experiment sensitivity deep.yaml',
  'serve --dialect deep.yaml',
  'serve --protocol deep.yaml',
  'serve --rpc-url http://127.0.0.1:9 --payment-address 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T --fee-payer deep.yaml',
  'simulate deep.yaml',
  'simulate traced.yaml',
  'simulate again deep.yaml',
  'simulate quickstart.yaml --protocol deep.yaml',
  'simulate against quickstart.yaml deep.yaml',
  'simulate bisect deep.yaml deep.yaml',
  'spec check deep.yaml',
  'spec lint deep.yaml',
  'spec lint --accepted deep.yaml',
  'spec openapi --dialect deep.yaml',
  'spec openapi --protocol deep.yaml',
  'experiment sweep deep.yaml',
  'experiment resume sweep',
  `tools verify-passport deep.yaml --key ${hex}`,
  'tools verify-passport deep.yaml --key deep.yaml',
  'tools wallet sign deep.yaml a',
];

describe('a file that nests 20,000 levels deep', () => {
  it.each(commands)('is refused by aips %s', async (command) => {
    const { status, stdout, stderr } = await aips(folder, ...command.split(' '));
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^(\S+:[12]:.*|--fee-payer: deep.yaml) nests deeper than 64 levels\.?\n$/),
    ]);
  });
});

describe('the encoding of a file', () => {
  const text = 'name: Zoë\n';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each<readonly [string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
  ])('is read: %s', (name, bytes) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    expect(readText(file, 'file')).toBe(text);
  });

  it.each<readonly [string, Buffer, RegExp]>([
    ['UTF-16 without a mark', utf16.subarray(2), /seems to be UTF-16 without a byte order mark. Save it as UTF-8/],
    ['half a character of UTF-16', utf16.subarray(0, 5), /is not text in UTF-16LE. Save it as UTF-8/],
    ['Latin-1', Buffer.from(`a\nb\n${text}`, 'latin1'), /Latin-1:3: is not text in UTF-8. Save it as UTF-8/],
  ])('is named where it cannot be read: %s', (name, bytes, message) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    expect(() => readText(file, 'file')).toThrow(message);
  });

  it('is that of a device without end, up to a length', () => {
    expect(() => readBytes('/dev/zero', 'file', 1_000)).toThrow(new Failure('/dev/zero: is longer than 1000 bytes.'));
  });
});

describe('a symbolic link in the way of what is written', () => {
  const precious = join(folder, 'precious.txt');
  const within = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  writeFileSync(join(folder, 'hour.yaml'), ONE_HOUR);

  it.each<readonly [string, string, string]>([
    ['a file', 'tools wallet new DIR/wallet.json', 'wallet.json'],
    ['the documents', 'spec docs --out DIR', 'clauses.md'],
    ['results', 'simulate hour.yaml --out DIR', 'manifest.json'],
    ['a trace', 'simulate hour.yaml --trace --out DIR', 'events.ndjson.gz'],
    ['a checkpoint', 'simulate hour.yaml --checkpoint 30m --out DIR', 'checkpoint.bin.new'],
  ])('stays, and so does what it leads to: %s', async (what, command, name) => {
    writeFileSync(precious, 'precious');
    const dir = within(`link-${what}`.replaceAll(' ', '-'));
    symlinkSync(precious, join(dir, name));
    const { status, stderr } = await aips(folder, ...command.replace('DIR', dir).split(' '));
    expect([status, readFileSync(precious, 'utf8')]).toEqual([2, 'precious']);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('may be neither the folder nor what probes it, but above the folder', () => {
    const real = within('real');
    symlinkSync(real, join(folder, 'linked'));
    expect(() => ensureFolder(join(folder, 'linked/'))).toThrow(/is a symbolic link/);
    expect(() => writeFiles(join(folder, 'linked'), { a: '' })).toThrow(/is a symbolic link/);
    writeFiles(join(folder, 'linked/below'), { a: 'a' });
    expect(readFileSync(join(real, 'below/a'), 'utf8')).toBe('a');
  });
});

/** Files of cli/ and runs/ that do what follows on their own, with the reason. Every other one reads and writes by files.ts, and parses by it. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // JSON of this package or of a process that it started.
  'JSON.parse(': [
    'runs/server/data-folder.ts',
    'runs/host/package.ts',
    'runs/server/reference-process.ts',
    'cli/spec/released.ts',
  ],
  // One writes an entry, the other edits the text of a scenario.
  "from 'yaml'": ['runs/registry/add-entry.ts', 'runs/simulation/scenario-text.ts'],
  'readFileSync(': ['runs/host/package.ts', 'runs/suite/suite-digests.ts'],
  // Into folders that they have just made, or by a flag that takes no existing file.
  'writeFileSync(': ['cli/conform/client.ts', 'runs/suite/self.ts', 'runs/host/input-bytes.ts'],
  'openSync(': ['runs/host/input-bytes.ts'],
};

describe('no command reads or parses a file on its own', () => {
  it.each(Object.entries(exceptions))('%s is used where it may be', (use, allowed) => {
    const sources = sourceFiles().filter(({ path, isTest }) => /^(?:cli|runs)\//.test(path) && !isTest);
    const text = (path: string): string => sources.find((file) => file.path === path)?.text ?? '';
    const own = sources.filter(({ path }) => path !== 'runs/host/files.ts').map(({ path }) => path);
    expect(own.filter((path) => text(path).includes(use)).toSorted()).toEqual(allowed.toSorted());
  });
});
