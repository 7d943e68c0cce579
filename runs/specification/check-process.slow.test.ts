// The process that judges a change. It needs the build.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkInProcess } from './check-process.js';

const cwd = mkdtempSync(join(tmpdir(), 'aips-check-process-'));
writeFileSync(join(cwd, 'change.yaml'), 'flag: { breakerPendingMax: 30 }\n');
const FEW = ['--only', 'anchor-stall', '--replicates', '0'];

it('returns the reports of the command as their bytes, and tells its steps as they end', async () => {
  const signal = new AbortController().signal;
  const told: string[][] = [];
  const reports = await checkInProcess(['change.yaml', ...FEW], { cwd, out: 'out' }, signal, (progress) =>
    told.push(progress.steps.map(({ name }) => name)),
  );
  expect(told[0]).toEqual(['lint']);
  expect(told.at(-1)).toHaveLength(4);
  expect(reports?.files.summary).toMatch(/^## ✅ The change passes: `change\.yaml`\n/u);
  expect(JSON.parse(reports?.files.json ?? '')).toMatchObject({ change: 'change.yaml', exit_status: 0 });
  expect(reports?.files.sarif).toBe(readFileSync(join(cwd, 'out/spec-check.sarif'), 'utf8'));
});

it('says what is wrong with a file that cannot be read, and ends without reports when it is stopped', async () => {
  writeFileSync(join(cwd, 'accepted.yaml'), 'checks:\n  - { check: no/such, finding: class-cap, reason: r }\n');
  const stopping = new AbortController();
  const args = ['change.yaml', '--accepted', 'accepted.yaml'];
  const stopped = checkInProcess(args, { cwd, out: 'stopped' }, stopping.signal);
  stopping.abort();
  const reports = await checkInProcess(args, { cwd, out: 'wrong' }, new AbortController().signal);
  expect(reports?.files.json).toBeUndefined();
  expect(reports?.files.summary).toContain('`accepted.yaml:2`');
  expect(reports?.said).toContain('accepted.yaml');
  expect(await stopped).toBeUndefined();
});
