import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../conformance/run/plan.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import type { Reference } from '../../runs/server/reference-process.js';
import { type Overlay, withOverlay } from '../../spec/overlay.js';
import { aips, type Finished } from '../../test/fixtures/aips.js';
import { lighter, referenceHere, targetTextOf } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-conform-'));

const run = (...args: readonly string[]): Promise<Finished> => aips(folder, ...args);

function targetFile(name: string, reference: Reference, numbers: Overlay = lighter): string {
  const path = join(folder, name);
  writeFileSync(path, targetTextOf(reference, [`protocol: ${JSON.stringify(numbers)}`]));
  return path;
}

async function fingerprint({ target: { control } }: Reference): Promise<string> {
  const headers = { authorization: `Bearer ${control?.token}` };
  const reply = await fetch(`${control?.url}/control/v1/fingerprint`, { headers });
  return ((await reply.json()) as { sha256: string }).sha256;
}

writeFileSync(join(folder, 'lighter.yaml'), JSON.stringify(lighter));

describe('aips conform against a reference', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await referenceHere(withOverlay(lighter));
  });
  afterAll(() => reference.stop());

  it('with a URL alone judges some, and says of the rest why not and how', async () => {
    const { status, stdout } = await run('conform', reference.target.baseUrl, '--protocol', 'lighter.yaml');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^No failure in what was judged: \d+ % of the specification\nSpecification: [1-9][\d,]* of [\d,]+ clauses judged: [\d,]+ pass, 0 fail\. Decisions: /,
    );
    expect(stdout).toMatch(/^ +\d+ +\d+ +\d+ {2}not tested +no clock can be moved/m);
    expect(stdout).toContain('give `control: { url, token }`');
    expect(stdout).toMatch(/\nnext: in a target file, give `.+ \(\d+ checks, \d+ must clauses\)\n/);
  });

  it('says which secrets are too short to be hidden everywhere', async () => {
    const file = join(folder, 'short.yaml');
    writeFileSync(file, 'base_url: http://127.0.0.1:9\nadmin_key: pva_1\npartner_key: pvp_12345678\n');
    const { stderr } = await run('conform', '--target', file, '--only', 'status/*');
    expect(stderr).toContain('admin_key has fewer than 8 characters: reports hide it where it is all of a value');
    expect(stderr).not.toContain('partner_key');
  });

  it('plan sends nothing', async () => {
    const path = targetFile('plan.yaml', reference);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/base_url: .*/, 'base_url: http://127.0.0.1:9'));
    const { status, stdout } = await run('conform', 'plan', '--target', path);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /checks would run: at most [\d,]+ requests, [\d,]+ registrations, [\d.]+ SOL in fees, about (\d+ min )?\d+ s\./,
    );
    expect(stdout).toMatch(/requests write\.\nThe run itself sends at most \d+ of the requests: /);
    expect(stdout).toMatch(/\nNothing was sent\.\n$/);
    const { checks } = JSON.parse((await run('conform', 'plan', '--target', path, '--json')).stdout) as Plan;
    // `aips conform self` starts the deployments that the other checks need.
    expect([...new Set(checks.flatMap(({ reason = [] }) => reason))].toSorted()).toEqual([
      'it applies to mainnet, with a registration_secret in the target file',
      'it applies while BEATS_REQUIRED is false, which a target file says with beats_required: false',
      'registration is open without a token',
      'the target file does not say where webhooks can be received',
    ]);
  });

  it.each([['heartbeat/too-soon'], ['sigil.route'], ['4.12']])('--only %s runs some checks', async (glob) => {
    const { status, stdout } = await run(
      'conform',
      '--target',
      targetFile('only.yaml', reference),
      '--only',
      glob,
      '--json',
    );
    expect(status).toBe(0);
    const { checks } = JSON.parse(stdout) as ConformanceResult;
    expect(checks.length).toBeGreaterThan(0);
    expect(checks.length).toBeLessThan(60);
  });

  it('--profile read-only leaves the target as it was', async () => {
    const path = targetFile('read-only.yaml', reference);
    const before = await fingerprint(reference);
    const { status, stdout } = await run('conform', '--target', path, '--profile', 'read-only', '--json');
    const { summary, checks } = JSON.parse(stdout) as ConformanceResult;
    const reasons = checks.flatMap((check) => ('reason' in check ? [check.reason] : []));
    expect(reasons.filter((reason) => !reason.startsWith('the first anchor is no longer the latest'))).toEqual([]);
    expect([status, summary.pass + reasons.length]).toEqual([0, checks.length]);
    expect(checks.length).toBeGreaterThanOrEqual(15);
    expect(await fingerprint(reference)).toBe(before);
  });

  it('list prints every check, or some, with clauses and needs', async () => {
    const all = JSON.parse((await run('conform', 'list', '--json')).stdout) as { id: string; needs: string[] }[];
    expect(all.length).toBeGreaterThan(400);
    const core = await run('conform', 'list', '--profile', 'core', '--only', 'register.*');
    expect(core.status).toBe(0);
    expect(core.stdout).toMatch(/^register\/root\n {2}.+\n {2}clauses {2}.*register\.no-wallet.*\n {2}needs {4}.+\n/);
    expect(core.stdout).toMatch(new RegExp(`\\d+ of ${all.length} checks\\.\\n$`));
    expect(core.stdout).not.toMatch(/needs .*(clock|payments|control)/);
  });

  it('a plan of a choice that no check meets is a mistake', async () => {
    const { status, stdout, stderr } = await run(
      'conform',
      'plan',
      reference.target.baseUrl,
      '--only',
      'no/such-check',
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('No check has such an id, clause or section: no/such-check.');
  });

  it('a run in which no check ran is exit 2', async () => {
    const only = ['--only', 'register/root', '--profile', 'read-only'];
    const { status, stdout } = await run('conform', reference.target.baseUrl, ...only);
    expect(status).toBe(2);
    expect(stdout).toContain('no check ran');
  });

  it('refuses a pattern that no check has, and names what is near', async () => {
    const { status, stderr } = await run(
      'conform',
      reference.target.baseUrl,
      '--only',
      'status/*',
      'heartbeat/to-soon',
    );
    expect(status).toBe(2);
    expect(stderr).toContain(
      'No check has such an id, clause or section: heartbeat/to-soon; did you mean heartbeat/too-soon?',
    );
  });
});

it('a server with one number changed is exit 1, with check, clause, expected, actual and how to run it again', async () => {
  const reference = await referenceHere(withOverlay({ heartbeat: { intervalBeatsMin: 9 } }));
  const target = targetFile('changed.yaml', reference, {});
  const { status, stdout, stderr } = await run('conform', '--target', target, '--only', 'heartbeat/to*');
  await reference.stop();
  expect(status).toBe(1);
  // While the run goes on, too.
  expect(stderr).toMatch(/^failed: POST \/api\/v1\/agent\/heartbeat: .*heartbeat\.interval\.min/m);
  for (const text of ['FAIL', 'heartbeat/too-soon', 'heartbeat.interval.min', 'expected', 'actual'])
    expect(stdout).toContain(text);
  expect(stdout).toContain(`aips conform --target ${target} --only heartbeat/too-soon --seed 1`);
});

describe('what cannot be judged is exit 2', () => {
  it('a closed port', async () => {
    const { status, stdout, stderr } = await run('conform', 'http://127.0.0.1:9');
    expect(status).toBe(2);
    expect(stdout).toContain('stopped: no reply from the target');
    expect(stderr).toBe('');
  });

  it('a server of something else', async () => {
    const server = createServer((_req, res) => res.end('<html>hello</html>'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, stdout } = await run('conform', url);
    server.close();
    expect(status).toBe(2);
    expect(stdout).toContain('does not look like the service');
  });

  const bad = join(folder, 'bad.yaml');
  const reference = ['$', '{CONTROL_TOKEN}'].join('');
  const control = `{ url: http://127.0.0.1:2, token: ${reference} }`;
  writeFileSync(
    bad,
    `base_url: http://127.0.0.1:1
beats: x
control: ${control}
`,
  );
  const odd = join(folder, 'odd.yaml');
  writeFileSync(odd, 'known_failures:\n  - { check: a/b, reason: r, until: 2026-12-31 }\n');
  const numbers = join(folder, 'numbers.yaml');
  writeFileSync(numbers, 'base_url: http://127.0.0.1:9\nprotocol: { dms: { missedAnchorsMax: 30 } }\n');
  const overlay = join(folder, 'overlay-too.yaml');
  writeFileSync(overlay, 'dms: { missedAnchorsMax: 31 }\n');
  it.each([
    [['conform'], 'Give either the base URL of a server or --target FILE'],
    [['conform', 'ftp://x'], 'ftp://x must be an http or https URL'],
    [['conform', 'http://x', '--target', bad], 'Give either'],
    [['conform', '--target', 'nowhere.yaml'], 'nowhere.yaml: there is no such target file'],
    [['conform', '--target', bad], `${bad}:2: beats: is not a key that is known here`],
    [['conform', '--target', bad], `${bad}:3: control.token:`],
    [['conform', 'http://127.0.0.1:9', '--seed', 'x'], '--seed must be a whole number'],
    [['conform', 'http://127.0.0.1:9', '--concurrency', '0'], '--concurrency must be 1 or more'],
    [['conform', 'http://127.0.0.1:9', '--onyl', 'x'], 'Unknown argument: onyl'],
    [['conform', 'http://127.0.0.1:9', '--profile', 'cheap'], 'Profiles: read-only, core, paid, full, exhaustive.'],
    [['conform', 'list', '--profile', 'cheap'], '--profile cheap is not known'],
    [['conform', 'list', '--only', 'no/such'], 'No check of the profile has such an id, clause or section.'],
    [['conform', 'http://127.0.0.1:9', '--repeat', '0'], '--repeat must be a whole number from 1 to 1000'],
    [['conform', 'http://127.0.0.1:9', '--baseline', 'none.yaml'], 'none.yaml: there is no such baseline'],
    [['conform', 'http://127.0.0.1:9', '--baseline', odd], `${odd}:2: known_failures.0.until: is not a key`],
    [['conform', 'http://127.0.0.1:9', '--baseline', odd], `${odd}:2: known_failures.0.expires: must be a day`],
    [['conform', 'http://127.0.0.1:9', '--protocol', 'none.yaml'], 'none.yaml: there is no such overlay file'],
    [['conform', 'http://127.0.0.1:9', '--protocol', odd], `${odd}:1: known_failures: is not a key that is known here`],
    [
      ['conform', '--target', numbers, '--protocol', overlay],
      `${numbers}:2: protocol: is given here and in --protocol`,
    ],
    [['conform', 'self', '--protocol', odd], `${odd}:1: known_failures: is not a key that is known here`],
    [['conform', 'http://127.0.0.1:9', '--out', join(bad, 'out')], 'cannot be written: a part of the path is a file'],
  ])('%j', async (args, message) => {
    const { status, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
