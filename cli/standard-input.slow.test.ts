// - is standard input where a command reads a file; the built program alone has one of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../test/source-tree.js';

function withInput(input: string, ...args: readonly string[]) {
  const program = join(root, 'dist/cli/aips.js');
  return spawnSync(process.execPath, [program, ...args], { cwd: tmpdir(), input, encoding: 'utf8' });
}

it.each([
  [['simulate', '-', '--protocol', 'missing.yaml'], 'missing.yaml: there is no such overlay file'],
  [['conform', '--target', '-'], '/dev/stdin:1: base_url: is missing'],
  [['conform', '--target=-'], '-:1: base_url: is missing'],
  [['spec', 'lint', '-'], '/dev/stdin:1: nothing: is not a key'],
])('%j reads standard input', (args, message) => {
  const { status, stderr } = withInput('nothing: 1\n', ...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('a scenario comes from a pipe', () => {
  const scenario = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8').replace('duration: 3d', 'duration: 1h');
  const { stdout } = withInput(scenario, 'simulate', '-', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ simulated_ms: 3_600_000 });
});
