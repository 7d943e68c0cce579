// Behaviours that never come to a decision: only a process of its own can show that it ends. Each takes the time that a decision may take.
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aipsProcess } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-endless-'));
copyFileSync(join(root, 'docs/examples/frugal.yaml'), join(folder, 'frugal.yaml'));
writeFileSync(join(folder, 'endless.mjs'), 'export const behaviours = { frugal: { next() { for (;;); } } };\n');
writeFileSync(
  join(folder, 'sweep.yaml'),
  'format: 1\nname: endless\nquestion: Does it end?\nscenario: frugal.yaml\nreplicates: 2\n',
);

describe('a behaviour that never decides', () => {
  it.concurrent.each([
    ['simulate frugal.yaml --behaviours endless.mjs'],
    ['experiment sweep sweep.yaml --behaviours endless.mjs --threads 2'],
  ])('ends aips %s with its name and its second', async (command) => {
    const { status, stderr } = await aipsProcess(folder, ...command.split(' '));
    expect(stderr).toMatch(/endless.mjs: behaviour frugal has not decided at \d+ s of the run after 5 s.\n/);
    expect(status).toBe(2);
  });
});
