import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reference, startReference } from '../runs/server/reference-process.js';
import { root } from './source-tree.js';

describe("import from 'aips-lab/conformance'", () => {
  let reference: Reference;
  const folder = mkdtempSync(join(tmpdir(), 'aips-library-'));
  beforeAll(async () => {
    reference = await startReference({ seed: 2 });
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules/aips-lab'));
  });
  afterAll(() => reference.stop());

  it('finds a server that does not conform', async () => {
    const { bareTarget, conform, conformanceSummary, parseTarget } = await import('../runs/suite/conformance-api.js');
    const text = `base_url: ${reference.target.baseUrl}\nprotocol: { beat: { difficulty: 999 } }\n`;
    const parsed = parseTarget(text, 'target.yaml', { env: {}, readText: () => undefined });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const result = await conform(parsed.value, { only: ['init/*'], seed: 8 });
    expect(result).toMatchObject({ exit_status: 1, seed: 8, tool_version: '0.1.0' });
    expect(conformanceSummary(result, { colour: false })).toContain('FAIL');
    expect((await conform(bareTarget('http://127.0.0.1:9'))).exit_status).toBe(2);
  });

  it('exports the schemas, and nothing by other paths', () => {
    const resolve = (name: string): string =>
      spawnSync(process.execPath, ['-p', `require.resolve(${JSON.stringify(name)})`], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout.trim();
    expect(resolve('aips-lab/schemas/conformance.schema.json')).toMatch(/docs\/schemas\/conformance\.schema\.json$/);
    expect(resolve('aips-lab/package.json')).toMatch(/package\.json$/);
    expect(resolve('aips-lab/dist/cli/main.js')).toBe('');
  });
});
