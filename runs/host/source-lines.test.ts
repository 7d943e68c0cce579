import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { sourceLines, workflowLine } from './source-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-lines-'));
afterEach(() => vi.unstubAllEnvs());

function inActions(ref: string): void {
  vi.stubEnv('GITHUB_WORKSPACE', folder);
  vi.stubEnv('GITHUB_REPOSITORY', 'octo/server');
  vi.stubEnv('GITHUB_WORKFLOW_REF', ref);
}

it('the lines of a file are those of its paths, with the file as the repository has it', () => {
  inActions('');
  const file = join(folder, 'overlay.yaml');
  writeFileSync(file, 'limits:\n  flag: { count: 1 }\ndms:\n  missedAnchorsMax: 3\n');
  expect(sourceLines(file, ['dms.missedAnchorsMax', 'limits.flag.count'])).toEqual([
    { path: 'overlay.yaml', line: 4, of: 'dms.missedAnchorsMax' },
    { path: 'overlay.yaml', line: 2, of: 'limits.flag.count' },
  ]);
  expect(sourceLines(file, [])).toEqual([{ path: 'overlay.yaml', line: 1 }]);
});

it('the line of a workflow is the one that names the server, or its first', () => {
  mkdirSync(join(folder, '.github/workflows'), { recursive: true });
  writeFileSync(
    join(folder, '.github/workflows/aips.yml'),
    'on: push # http://a:1\nsteps:\n  - run: aips conform http://a:1\n',
  );
  inActions('octo/server/.github/workflows/aips.yml@refs/pull/1/merge');
  const path = '.github/workflows/aips.yml';
  expect(workflowLine('http://a:1')).toEqual({ path, line: 3 });
  expect(workflowLine('http://b:1')).toEqual({ path, line: 1 });
  inActions('octo/server/.github/workflows/gone.yml@main');
  expect(workflowLine('http://a:1')).toEqual({ path: '.github/workflows/gone.yml', line: 1 });
});

it('there is none outside of GitHub Actions, or for a workflow of another repository', () => {
  inActions('');
  expect(workflowLine('http://a:1')).toBeUndefined();
  inActions('octo/workflows/.github/workflows/shared.yml@main');
  expect(workflowLine('http://a:1')).toBeUndefined();
});
