// The list of commands, and that it waits for none of them to load.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { importsOf, root } from '../test/source-tree.js';
import { commandsFor } from './commands.js';

/** All that is loaded before any command is: files of ours, and packages. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  if (!path.endsWith('.ts')) return seen;
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/\bimport\(/g, '');
  const { runTimeImports, packages } = importsOf(path, text);
  for (const name of [...runTimeImports, ...packages.filter((each) => !each.startsWith('node:'))])
    loadedWith(name, seen);
  return seen;
}

describe('the list of commands', () => {
  it('needs no command and no schema, and of the specification the hint for a slip alone', () => {
    expect([...loadedWith('cli/main.ts')].toSorted()).toEqual([
      'cli/commands.ts',
      'cli/flags/option-values.ts',
      'cli/main.ts',
      'runs/host/failure.ts',
      'runs/host/package.ts',
      'spec/nearest-name.ts',
      'yargs',
    ]);
  });

  it('shows each command with its sentence', async () => {
    const { status, stdout } = await aips(tmpdir(), '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/aips simulate <file> +Run a scenario: exit 0 if its expectations pass/);
    const listed = [...stdout.matchAll(/^ {2}aips ([\w-]+)/gm)].map(([, name]) => name);
    const known = (await commandsFor([])).map(({ command }) => String(command).split(' ')[0]);
    expect(listed).toEqual([...known, 'completion']);
  });

  it.each([
    [['simulat'], 'Did you mean simulate?\nTry: aips --help\n'],
    [['conform', 'lsit'], 'Did you mean list?\nTry: aips conform --help\n'],
    [['simulate', 'dir'], 'dir: there is no such scenario file.\n'],
    [['simulate', 'frok'], 'Did you mean fork?\nTry: aips simulate --help\n'],
    [['conform', '--target', 'x', 'plan'], 'plan is a command: write it before its options.\n'],
    [['experiment', 'swep', 'x.yaml'], 'Did you mean sweep?\nTry: aips experiment --help\n'],
    [['simulate', 'bisect', 'a', '--json'], 'An argument is missing.\nTry: aips simulate bisect --help\n'],
    [['simulate', 'swarm', '--checkpoint', '1d'], 'Unknown argument: checkpoint\nTry: aips simulate swarm --help\n'],
    [['tools'], 'Say what to do: beats, wallet, verify-passport.\nTry: aips tools --help\n'],
  ])('helps where %j is wrong', async (words, help) => {
    const { status, stderr } = await aips(tmpdir(), ...words);
    expect([status, stderr]).toEqual([2, help]);
  });

  it('a word that every object has is no command', async () => {
    const { status, stderr } = await aips(tmpdir(), 'toString');
    expect([status, stderr]).toEqual([2, 'Unknown argument: toString\nTry: aips --help\n']);
  });
});
