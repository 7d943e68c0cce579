// Arguments that `aips simulate` refuses, each with what to do.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-simulate-'));
const quickstart = join(root, 'scenarios/library/quickstart.yaml');

describe('aips simulate', () => {
  writeFileSync(
    join(folder, 'misspelt.yaml'),
    readFileSync(quickstart, 'utf8').replace('duration: 14d', 'duratoin: 14d'),
  );
  writeFileSync(join(folder, 'negative.yaml'), readFileSync(quickstart, 'utf8').replace('count: 1000', 'count: -1'));
  it.each([
    [['simulate'], 'An argument is missing.'],
    [['simulate', 'nowhere.yaml'], 'nowhere.yaml: there is no such scenario file'],
    [['simulate', 'misspelt.yaml'], 'duratoin: is not a key that is known here'],
    [['simulate', 'negative.yaml'], 'populations.0.count:'],
    [['simulate', quickstart, '--seed', '-1'], '--seed must be a whole number'],
    [['simulate', quickstart, '--out', 'misspelt.yaml/out'], 'cannot be written: a part of the path is a file'],
  ])('%j is refused with what to do', async (args, message) => {
    const { status, stderr } = await aips(folder, ...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
