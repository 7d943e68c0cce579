// The types of the package compile in a project that checks them, and has no types of Node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './source-tree.js';

it('compile with skipLibCheck: false and without @types/node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-types-'));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const files = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]));
  expect(files).toHaveLength(2);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    ...{ strict: true, skipLibCheck: false, noEmit: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  expect(execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })).toBe('');
});
