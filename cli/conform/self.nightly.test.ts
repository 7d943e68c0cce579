// Runs of `aips conform self` in every configuration: with the numbers of the specification, with numbers that make checks quick, and with each
// clause judged once.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aipsProcess } from '../../test/fixtures/aips.js';
import { listedWithoutEvidence } from '../../test/fixtures/listed-clauses.js';
import { lighter } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
writeFileSync(join(folder, 'lighter.yaml'), JSON.stringify(lighter));

it.each([
  // The overlay lowers the caps so far that checks reach them in every configuration.
  ['lighter numbers', ['--protocol', 'lighter.yaml'], 'devnet, webhooks, secret, mainnet, free, provenonce', 450],
  ['the numbers of the specification', [], 'devnet, webhooks, secret, mainnet, free, provenonce, caps', 500],
])('aips conform self with %s: everything passes, nothing is left untested', async (name, flags, kinds, least) => {
  const out = name.replaceAll(' ', '-');
  const { status, stdout } = await aipsProcess(folder, 'conform', 'self', ...flags, '--out', out);
  expect(stdout).toContain(`aips serve (${kinds})`);
  const result = JSON.parse(readFileSync(join(folder, out, 'conformance.json'), 'utf8')) as ConformanceResult;
  const { pass, clauses: _, ...others } = result.summary;
  expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, not_tested: 0, inconclusive: 0, error: 0 });
  expect(pass).toBeGreaterThan(least);
  const { clauses, judged, held, excluded } = result.coverage;
  expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
  if (flags.length > 0) expect(listedWithoutEvidence(result)).toEqual([]);
  expect(status).toBe(0);
});

it('aips conform self judges every clause in a quick run of all configurations', async () => {
  const { status, stdout } = await aipsProcess(
    folder,
    'conform',
    'self',
    '--quick',
    '--protocol',
    'lighter.yaml',
    '--out',
    'all',
  );
  // The overlay lowers the caps so far that checks reach them in every configuration.
  expect(stdout).toContain('aips serve (devnet, webhooks, secret, mainnet, free, provenonce)');
  const result = JSON.parse(readFileSync(join(folder, 'all/conformance.json'), 'utf8')) as ConformanceResult;
  // Another configuration has judged the clauses of the checks that are not tested.
  const { pass, clauses: _, not_tested: _spared, ...others } = result.summary;
  expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, inconclusive: 0, error: 0 });
  expect(pass).toBeGreaterThan(200);
  const { clauses, judged, held, excluded } = result.coverage;
  expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
  expect(listedWithoutEvidence(result)).toEqual([]);
  // Kill data in other words than those of the situations would notice few mistakes.
  const { noticed = 0, of = 1 } = result.power ?? {};
  expect(noticed / of).toBeGreaterThan(0.7);
  expect(status).toBe(0);
});
