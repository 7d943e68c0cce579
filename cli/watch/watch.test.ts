// `aips watch FILE…`: files, reports, the lock file, secrets and exit statuses.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHEAP } from '../../conformance/in-process/reference.js';
import type { WatchResult } from '../../results/watch-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { leaksIn } from '../../test/fixtures/leaks.js';
import { referenceHere, targetTextOf } from '../../test/fixtures/target.js';
import { harOf, type Traffic, trafficOf } from '../../test/fixtures/watched.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-watch-'));
const run = (...args: readonly string[]) => aips(folder, 'watch', ...args);
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

/** The number in which the server differs from the specification, for a file that says so. */
const OWN = ['--protocol', 'own.yaml'] as const;

let traffic: Traffic;
beforeAll(async () => {
  traffic = await trafficOf(['register/root', 'init/first']);
  write('all.har', harOf(traffic));
  write(
    'few.har',
    harOf({
      ...traffic,
      exchanges: traffic.exchanges.filter(({ request }) => /health|well-known|anchor/.test(request.url)),
    }),
  );
  write('mocked.har', harOf(traffic, { _wasFulfilled: true }));
  write('own.yaml', JSON.stringify(CHEAP));
});

describe('aips watch FILE', () => {
  it('judges a HAR file, says what it assumes, and shows what deviates with the exchanges that show it', async () => {
    const { status, stdout, stderr } = await run('all.har');
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^The specification is broken: 1 deviation\n/);
    expect(stdout).toContain(
      'assumed: the addresses, from the paths of the requests; devnet; dialect service; the spec',
    );
    expect(stdout).toMatch(/FAIL {2}POST \/api\/v1\/agent\/init: difficulty.*\n.*\(init\.reply\.difficulty\)/);
    expect(stdout).toMatch(/shown by {2}1\. POST \/api\/v1\/agent\/init → 200 \(all\.har, entry \d+\)/);
  });

  it.each([
    [0, 'No deviation', ['all.har', ...OWN]],
    [0, 'No deviation', ['all.har', 'few.har', ...OWN]],
    [1, '1 clause not shown', ['few.har', ...OWN, '--expect', 'register.route']],
    [0, 'No deviation', ['all.har', ...OWN, '--expect', 'register.route', 'init.route']],
    [0, 'No deviation', ['all.har', '--only', 'endpoint:register']],
    [2, 'Nothing was judged by this traffic', ['all.har', '--only', 'section:4.17']],
    [2, 'Nothing was judged by this traffic', ['mocked.har']],
  ])('has exit status %i, and begins with %s: %j', async (status, verdict, args) => {
    const { stdout, ...ended } = await run(...args);
    expect([ended.status, stdout.split('\n')[0], ended.stderr]).toEqual([status, verdict, '']);
  });

  it.each([
    [[], 'Say what to watch: aips watch FILE…, or aips watch --listen 127.0.0.1:0 --to URL'],
    [['all.har', '--to', 'http://127.0.0.1:9'], 'Say what to watch'],
    [['--listen', '127.0.0.1:0'], 'Say where the server is: aips watch --listen 127.0.0.1:0 --to URL'],
    [['--to', 'ftp://a'], '--to: ftp://a must be an http or https URL. For example: http://127.0.0.1:8787'],
    [['--to', 'http://127.0.0.1:9', '--listen', '8080'], '--listen 8080: must be host:port, such as 127.0.0.1:8080'],
    [
      ['--to', 'http://127.0.0.1:9', '--listen', '192.0.2.1:0'],
      '--listen 192.0.2.1:0: this machine has no such address.',
    ],
    [['--to', 'http://127.0.0.1:9', '--only', 'x'], '--only x: is no scope.'],
    [['all.har', '--only', 'section:99.9'], '--only section:99.9: the specification has no clauses in this section.'],
    [['all.har', '--out', './all.har'], '--out ./all.har: is a file of the traffic to watch.'],
    [['all.har', '--lock', 'all.har', '--update-lock'], '--lock all.har: is a file of the traffic to watch.'],
    [['all.har', '--lock', 'other.har', '--update-lock'], 'is no clause of this version'],
    [['nowhere.har'], 'nowhere.har: there is no such file of traffic.'],
    [['empty'], 'empty: holds no exchange: nothing was judged.'],
    [['other.har'], 'other.har: no request has a path of the specification. It has requests to http://127.0.0.1:9.'],
    [['cut.har'], /^cut\.har: entry \d+ is cut off: its JSON has no end\.$/m],
    [['odd.har'], 'odd.har, entry 2: request is missing.'],
    [['odd.ndjson'], 'odd.ndjson:2: is cut off: its JSON has no end.'],
    [['broken.ndjson'], 'broken.ndjson:1: is not JSON: it lacks its end after column 12.'],
    [['broken.har'], 'broken.har, entry 2: is not JSON: line 3, column'],
    [['bad.har'], 'bad.har, entry 1: is not JSON: line 2, column 6 breaks it.'],
    [['all.har', '--expect', 'init.rute'], '--expect init.rute: there is no such clause; did you mean init.route?'],
    [['all.har', '--only', 'init'], '--only init: is no scope. Write endpoint:heartbeat, section:4.5 or profile:core.'],
    [['all.har', '--update-lock'], '--update-lock needs --lock FILE, such as watch.lock.'],
    [['all.har', '--lock', 'none.lock'], 'none.lock: there is no such lock file'],
    [['all.har', '--lock', 'odd.lock'], 'odd.lock:2: init.rute is no clause of this version: take the line away'],
    [['all.har', '--out', 'no/\0'], 'cannot be written'],
  ])('refuses %j', async (args, message) => {
    const entry = (JSON.parse(harOf(traffic)) as { log: { entries: unknown[] } }).log.entries[0];
    write('empty', '');
    write(
      'other.har',
      harOf(traffic)
        .replaceAll('/api/v1/', '/')
        .replaceAll('/.well-known/', '/')
        .replaceAll(/127\.0\.0\.1:\d/g, '127.0.0.1:9'),
    );
    write('cut.har', harOf(traffic).slice(0, -1_000));
    write('odd.har', JSON.stringify({ log: { entries: [entry, {}] } }));
    write('odd.ndjson', '{"request":{"method":"GET","url":"http://127.0.0.1:1/api/v1/health"}}\n{"request":');
    write('broken.ndjson', '{"request":\n{"request":{"method":"GET","url":"http://127.0.0.1:1/api/v1/health"}}\n');
    write('broken.har', `{"log":{"entries":[${JSON.stringify(entry)}\n,\n{"a: 1},${JSON.stringify(entry)}]}}`);
    write('bad.har', '{"log":{"entries":[\n{"a":x}]}}');
    write('odd.lock', 'init.route\ninit.rute\n');
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    );
  });

  it('keeps the clauses that were shown in a lock file, and fails if one is not shown any more', async () => {
    expect((await run('all.har', ...OWN, '--lock', 'watch.lock', '--update-lock')).status).toBe(0);
    expect(textOf('watch.lock')).toMatch(/^# .*\n# .*\n[a-z]/);
    expect(textOf('watch.lock')).toContain('\ninit.route\n');
    expect((await run('all.har', ...OWN, '--lock', 'watch.lock')).status).toBe(0);
    const locked = textOf('watch.lock');
    const { status, stdout } = await run('few.har', ...OWN, '--lock', 'watch.lock', '--update-lock');
    expect([status, textOf('watch.lock')]).toEqual([1, locked]);
    expect(stdout).toContain('no longer shown, and in the lock file: init.route');
    write('watch.lock', locked.replace('init.route\n', ''));
    expect((await run('all.har', ...OWN, '--lock', 'watch.lock', '--update-lock')).status).toBe(0);
    expect(textOf('watch.lock')).toBe(locked);
  });

  it('writes reports, and the traffic, without a secret; the traffic can be watched again', async () => {
    const { status, stdout } = await run('all.har', '--report', 'report', '--out', 'out.ndjson', '--json');
    expect([status, readdirSync(join(folder, 'report')).sort()]).toEqual([
      1,
      ['deviation-1.sh', 'watch.json', 'watch.md'],
    ]);
    expect(stdout).toBe(textOf('report/watch.json'));
    expect(textOf('report/watch.md')).toContain('## ❌ The specification is broken: 1 deviation');
    expect(textOf('report/deviation-1.sh')).toContain('/api/v1/agent/init');
    const issued = traffic.exchanges.flatMap(({ reply }) => reply?.body.match(/"(?:api_key|secret)":"[^"]+"/g) ?? []);
    const secrets = issued.map((field) => (/\.([0-9a-f]{64})"/.exec(field) ?? /:"([^"]+)"/.exec(field))?.[1] ?? '');
    expect(secrets.length).toBeGreaterThan(3);
    const texts = ['out.ndjson', 'report/watch.json', 'report/watch.md', 'report/deviation-1.sh'].map(textOf);
    expect(leaksIn(texts, Object.fromEntries(secrets.map((secret, at) => [`${at}`, secret])))).toEqual([]);
    const again = await run('out.ndjson', '--json');
    const [first, second] = [stdout, again.stdout].map((text) => JSON.parse(text) as WatchResult);
    expect([second?.exchanges, second?.clauses]).toEqual([first?.exchanges, first?.clauses]);
  });

  it('judges a recording of the suite by its own target', async () => {
    const reference = await referenceHere();
    write('target.yaml', targetTextOf(reference, [`protocol: ${JSON.stringify(CHEAP)}`]));
    await aips(folder, 'conform', '--target', 'target.yaml', '--only', 'init/first', '--record', 'tape');
    await reference.stop();
    const { status, stdout } = await run('tape');
    expect([status, stdout.split('\n')[0]]).toEqual([1, 'The specification is broken: 1 deviation']);
    expect(stdout).toMatch(/POST \/api\/v1\/agent\/init → 200 \(tape, request \d+ of init\/first\)/);
  });
});
