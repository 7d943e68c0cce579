import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureNames } from '../../scenarios/measures.js';
import { root } from '../../test/source-tree.js';
import { measuresMarkdown } from './measures-doc.js';

const page = readFileSync(join(root, 'docs/measures.md'), 'utf8');

describe('docs/measures.md', () => {
  it('is as it is generated', () => expect(page).toBe(measuresMarkdown()));

  it.each(measureNames)('says what %s means, and when there is one', (name) => {
    const [, , unit, meaning, kind] = new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(page)?.[0].split('|') ?? [];
    expect(unit?.trim()).toMatch(/^(|agents|lamports|share|agent-days)$/);
    expect(meaning?.trim()).toMatch(/^[A-Z].{3,}$/);
    expect(kind?.trim()).toMatch(/^(state at the sample|sum since the start|ratio of two sums since the start)$/);
  });

  it('names the key of a scenario without which there is no such measure', () => {
    expect(page).toMatch(/^\| `reissues` .*\| `reissue` \|$/m);
    expect(page).toMatch(/^\| `present` .*\| `lifetime` or `interventions` or `adapts` \|$/m);
    expect(page).toMatch(/^\| `heartbeats` .*\| {2}\|$/m);
  });
});
