// docs/lab.md lists every action of the API, in the words of the action.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../test/source-tree.js';
import { startLab } from './lab.js';

it('the actions in docs/lab.md are those of the lab, with what each does', async () => {
  const onError = (error: unknown): void => {
    throw error;
  };
  const lab = await startLab({ port: 0, seed: 1, assets: new Map(), onError });
  const own = ['session', 'code', 'stream'];
  try {
    const text = readFileSync(join(root, 'docs/lab.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z/]+)` \| (.+) \|$/gm)].map(([, path = '', purpose]) => [path, purpose]);
    const listed = rows.filter(([path = '']) => !own.includes(path));
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(lab.actions.map(({ path, purpose }) => [path, purpose])),
    );
    expect(rows.length - listed.length).toBe(own.length);
  } finally {
    await lab.close();
  }
});
