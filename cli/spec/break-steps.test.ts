// `aips spec check` about clients and recorded servers: warnings, --fail-on, --base and --recordings.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SpecCheck } from '../../results/spec-check-result.js';
import { NOTHING_ACCEPTED } from '../../spec/accepted-changes.js';
import { aips } from '../../test/fixtures/aips.js';
import { referenceHere, targetTextOf } from '../../test/fixtures/target.js';
import { acceptedChanges } from './accepted-file.js';
import { clientStep, serverStep, strictly } from './break-steps.js';
import { checkStatus } from './check.js';
import { staleEntries } from './check-steps.js';
import { sideAt, sideOf } from './side.js';

const place = mkdtempSync(join(tmpdir(), 'aips-breaks-'));
let files = 0;
function fileOf(text: string): string {
  files += 1;
  const path = join(place, `${files}.yaml`);
  writeFileSync(path, text);
  return path;
}
const run = (...args: readonly string[]) => aips(place, 'spec', 'check', ...args, '--replicates', '0');

describe('aips spec check', () => {
  it('warns of what breaks clients, which fails where that is asked for and not accepted', () => {
    const step = clientStep(sideOf('spec'), sideOf(fileOf('verifyBatch: { hashesMax: 40 }\n')));
    const id = 'client-break/bound-narrowed/verifyBatch.hashesMax';
    const text = '50 → 40: a request that was within the bounds is refused';
    expect([step.faults, step.warnings]).toMatchObject([[], [{ id, text, about: ['verifyBatch.hashesMax'] }]]);
    expect(checkStatus([step], [])).toBe(0);
    const failing = strictly([step], NOTHING_ACCEPTED);
    expect([checkStatus(failing, []), failing[0]?.faults[0]?.entry]).toEqual([1, { id, arithmetic: '50 → 40' }]);
    const entry = `{ id: ${id}, arithmetic: 50 → 40, reason: servers answer sooner }`;
    const accepted = acceptedChanges(fileOf(`findings:\n  - ${entry}\n`));
    expect(checkStatus(strictly([step], accepted), [])).toBe(0);
    expect([staleEntries([step], accepted), staleEntries([], accepted)]).toEqual([[], [id]]);
    const other = acceptedChanges(fileOf(`findings:\n  - ${entry.replace('40', '30')}\n`));
    expect(checkStatus(strictly([step], other), [])).toBe(1);
  });

  it('compares with the same file at a git ref', async () => {
    const repository = mkdtempSync(join(tmpdir(), 'aips-base-'));
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repository });
    const file = join(repository, 'change.yaml');
    const write = (hashes: number): void => writeFileSync(file, `verifyBatch: { hashesMax: ${hashes} }\n`);
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'none');
    git('tag', 'before');
    write(30);
    git('add', '.');
    git('commit', '-q', '-m', 'thirty');
    write(40);
    const breaks = (base: string) =>
      clientStep(sideAt(base, file), sideOf(file)).warnings?.map(({ text }) => text.split(':')[0]);
    expect([breaks('before'), breaks('main')]).toEqual([['50 → 40'], undefined]);
    expect(sideAt('main', file).name).toBe(`${file} at main`);
    write(20);
    expect(breaks('HEAD')).toEqual(['30 → 20']);
    expect(() => sideAt('no-such', file)).toThrow(`--base no-such: the repository of ${file} has no such ref`);
    expect(() => sideAt('--help', file)).toThrow('has no such ref');
    expect(() => sideAt('main', 'spec')).toThrow('a base is the same file at a git ref');
    expect(() => sideAt('main', fileOf(''))).toThrow('is in none');
  });

  it('warns of a clause that a recorded server would begin to fail, with the exchange', async () => {
    const reference = await referenceHere();
    writeFileSync(join(place, 'target.yaml'), targetTextOf(reference));
    mkdirSync(join(place, 'tapes'));
    await aips(place, 'conform', '--target', 'target.yaml', '--only', 'verify-batch/size', '--record', 'tapes');
    await reference.stop();
    const file = fileOf('verifyBatch: { hashesMax: 40 }\n');
    const asked = ['--recordings', 'tapes', '--fail-on', 'warning', '--out', 'blast'];
    const { status, stdout } = await run(file, '--only', 'keep-alive-cost', ...asked);
    expect(status).toBe(1);
    expect(stdout).toContain('server-break/constant.verify-batch-max: 1 of 1 recorded servers would begin to fail');
    expect(stdout).toMatch(
      /tapes\/127.*\.aips\.gz: POST \/api\/v1\/verify\/batch of http:\/\/127.*: expected 400.*, got 200/,
    );
    const read = (name: string): string => readFileSync(join(place, 'blast', name), 'utf8');
    expect(JSON.parse(read('spec-check.json'))).toMatchObject({
      blast: { recordings: [{ changed_checks: 1 }], unread: [] },
    });
    expect(read('summary.md')).toContain('### Recorded servers that would begin to fail');
    expect(read('junit.xml')).toContain('<testcase name="server-break/constant.verify-batch-max"');
    expect(read('spec-check.sarif')).toContain('server-break/constant.verify-batch-max');
    expect(stdout).toMatch(
      / {5}not predicted, since .*: \d+ clauses: .*, and \d+ more in summary\.md and spec-check\.json/,
    );
    const { blast } = JSON.parse(read('spec-check.json')) as SpecCheck;
    const open = blast?.clauses.filter(({ unpredicted }) => unpredicted.length > 0).map(({ id }) => id) ?? [];
    expect([open.length > 8, open.filter((id) => !read('summary.md').includes(`${id} (1 of 1)`))]).toEqual([true, []]);
  });

  it('judges a recording once, and reports one that it cannot read under its own name', async () => {
    const [odd, same, again] = ['odd', 'same', 'again'].map((name) => join(place, `${name}.aips.gz`)) as [
      string,
      string,
      string,
    ];
    const [tape = ''] = readdirSync(join(place, 'tapes'));
    writeFileSync(odd, 'x');
    for (const copy of [same, again]) copyFileSync(join(place, 'tapes', tape), copy);
    const sides = { from: sideOf('spec'), to: sideOf(fileOf('verifyBatch: { hashesMax: 40 }\n')) };
    const options = { toolVersion: '0', onFile: () => undefined };
    const { steps } = await serverStep([same, odd, again], sides, options);
    expect(steps).toMatchObject([
      {
        name: 'recorded servers keep their verdicts',
        looked: `1 recording, ${again} has the content of ${same}`,
        warnings: expect.arrayContaining([
          expect.objectContaining({ text: '1 of 1 recorded servers would begin to fail constant.verify-batch-max' }),
        ]),
      },
      { name: `recording ${odd}`, looked: 'not read', unable: expect.stringContaining('odd.aips.gz: is no recording') },
    ]);
    expect(steps[0]).not.toHaveProperty('unable');
    expect((await serverStep([odd], sides, options)).steps.map(({ name }) => name)).toEqual([`recording ${odd}`]);
  });

  it('needs recordings that are there', async () => {
    const { status, stderr } = await run(fileOf('verifyBatch: { hashesMax: 40 }\n'), '--recordings', 'nowhere');
    expect([status, stderr]).toEqual([2, expect.stringContaining('nowhere: there is no such recording')]);
  });
});
