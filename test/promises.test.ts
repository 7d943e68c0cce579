import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.js';

const text = readFileSync(join(root, 'docs/promises.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The rows of the tables of promises. */
const rows = text
  .split(/\n(?=## )/)
  .filter((part) => /\| held by \|/.test(part))
  .flatMap((part) =>
    part
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1),
  )
  .filter((line) => !/^\|[\s|-]+$/.test(line));

/** Tests and scripts that a text names. */
const holdersIn = (line: string): readonly string[] => line.match(/`(?:[\w./-]+\.test\.ts|npm run [\w:]+)/g) ?? [];

describe('docs/promises.md', () => {
  it('has promises in its tables', () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
  });

  it.each(rows.map((row) => [row.split('|')[1]?.trim() ?? '', row] as const))('%s: is held by a test', (_, row) => {
    expect(holdersIn(row)).not.toEqual([]);
  });

  it('names tests and scripts that are there', () => {
    const named = holdersIn(text).map((holder) => holder.slice(1));
    const lacking = named.filter((name) =>
      name.startsWith('npm run ')
        ? scripts[name.slice('npm run '.length)] === undefined
        : !existsSync(join(root, name)),
    );
    expect(lacking).toEqual([]);
  });
});
