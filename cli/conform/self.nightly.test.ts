// `aips conform self` with the numbers of the specification, in every configuration: beats as hard as they are there.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aipsProcess } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));

it('aips conform self judges in every configuration: everything passes, nothing is left untested', async () => {
  const { status, stdout } = await aipsProcess(folder, 'conform', 'self', '--out', 'all');
  expect(stdout).toContain('aips serve (devnet, webhooks, secret, mainnet, free, provenonce, caps)');
  const result = JSON.parse(readFileSync(join(folder, 'all/conformance.json'), 'utf8')) as ConformanceResult;
  const { pass, clauses: _, ...others } = result.summary;
  expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, not_tested: 0, inconclusive: 0, error: 0 });
  expect(pass).toBeGreaterThan(500);
  const { clauses, judged, held, excluded } = result.coverage;
  expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
  expect(status).toBe(0);
});
