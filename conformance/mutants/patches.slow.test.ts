// Every mutant's patch fits the built reference as it is: it needs a build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../test/source-tree.js';
import { editsOf, replacedOnce } from './hooks.js';
import { allMutants } from './index.js';

it('mutants change a text that stands in the built reference exactly once', () => {
  for (const { id, patch } of allMutants) {
    if (!('file' in patch)) continue;
    for (const edit of editsOf(patch)) {
      const text = readFileSync(join(root, 'dist', `${edit.file}.js`), 'utf8');
      expect(replacedOnce(text, edit), id).not.toBe(text);
    }
  }
});
