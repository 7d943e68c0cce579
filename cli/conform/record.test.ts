// `aips conform --record` and `conform replay`: files, flags and exit statuses.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sealed } from '../../conformance/tape/read-recording.js';
import { keepTape, readTape } from '../../runs/suite/tape-files.js';
import { withOverlay } from '../../spec/overlay.js';
import { aips } from '../../test/fixtures/aips.js';
import { lighter, referenceHere, targetTextOf } from '../../test/fixtures/target.js';

describe('aips conform --record and conform replay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-tape-'));
  const run = (...args: readonly string[]) => aips(folder, 'conform', ...args);

  it('keeps a run, and judges it without the server, with the same status', async () => {
    const reference = await referenceHere(withOverlay({ heartbeat: { intervalBeatsMin: 9 } }, withOverlay(lighter)));
    const { control } = reference.target;
    writeFileSync(join(folder, 'target.yaml'), targetTextOf(reference, [`protocol: ${JSON.stringify(lighter)}`]));
    const only = ['--only', 'heartbeat/too-soon', 'heartbeat/ow*', '--profile', 'full', '--concurrency', '5'];
    const first = await run('--target', 'target.yaml', ...only, '--record', 'tape');
    mkdirSync(join(folder, 'tapes'));
    const named = await run('--target', 'target.yaml', '--only', 'status/reply', '--record', 'tapes');
    await reference.stop();
    expect(first.status).toBe(1);
    const again = await run('replay', 'tape', '--out', 'again');
    expect(again.status).toBe(1);
    const lines = (text: string): readonly string[] =>
      text
        .split('\n')
        .filter((line) => !/requests|^median reply|^slowest checks|^wrote|^transcripts|^recorded/.test(line));
    expect(lines(again.stdout)).toEqual(lines(first.stdout));
    expect([first.stdout, again.stdout].map((text) => /^median reply/m.test(text))).toEqual([true, false]);
    expect(again.stdout).toContain('a replay, which has no times of the server');
    expect(again.stdout).toContain('aips conform --target target.yaml --only heartbeat/too-soon --seed 1');
    expect(again.stdout).toMatch(
      /^recorded 20\d\d-.* UTC by aips-lab .*, the same suite and text: \d+ clauses pass, 4 fail then$/m,
    );
    const packed = readFileSync(join(folder, 'tape'));
    const plain = gunzipSync(packed).toString('utf8');
    expect(plain).not.toContain(control?.token);
    expect(plain).toContain('"authorization":"Bearer pvn_');
    expect(packed.length).toBeLessThan(plain.length / 5);
    // No time, and no operating system.
    expect([...packed.subarray(4, 8), packed[9]]).toEqual([0, 0, 0, 0, 255]);
    const baseline = await run('replay', 'tape', '--out', 'known');
    expect([baseline.status, existsSync(join(folder, 'known/baseline.yaml'))]).toEqual([1, true]);
    expect((await run('replay', 'tape', '--baseline', 'known/baseline.yaml')).status).toBe(0);
    const [name = ''] = readdirSync(join(folder, 'tapes'));
    expect(name).toMatch(/^127\.0\.0\.1-\d+-20\d{6}T\d{6}-[0-9a-f]{12}\.aips\.gz$/);
    expect(named.stderr).toContain(`recorded in tapes/${name}`);
  });

  it('judges several files and folders as a table, and ends with 1 if one fails, with 2 if one cannot be read', async () => {
    const table = await run('replay', 'tape', 'tapes');
    expect([table.status, table.stderr]).toEqual([1, '']);
    const [, failing, passing] = table.stdout.split('\n');
    expect(failing).toMatch(
      /^FAIL {2}tape +http:\/\/127\.0\.0\.1:\d+ .* UTC .*the same suite and text +\d+ pass, 4 fail +\d+ pass, 4 fail$/,
    );
    expect(passing).toMatch(/^ok +tapes\/127.* pass, 0 fail +\d+ pass, 0 fail$/);
    expect(table.stdout).toContain('2 recordings: 1 fail; exit status 1.');
    const { recordings } = JSON.parse((await run('replay', 'tape', 'tapes', '--json')).stdout) as {
      recordings: object[];
    };
    expect(recordings).toMatchObject([{ fails_now: [], now: { exit_status: 1 } }, { unshown: { requests: {} } }]);
    const odd = await run('replay', 'tapes', 'nowhere');
    expect([odd.status, odd.stdout]).toEqual([2, expect.stringContaining('ERROR nowhere: there is no such recording')]);
  });

  it('says what a suite asks that the recording does not show', async () => {
    const [head = '', ...rest] = textOf('tape').split('\n').slice(0, -2);
    const older = {
      ...(JSON.parse(head) as object),
      digests: { suite: '0'.repeat(64), text: '0'.repeat(64) },
      checks: ['heartbeat/gone', 'heartbeat/too-soon'],
      result: { exit_status: 0, holds: ['heartbeat.interval.min', 'no.longer'], fails: [] },
    };
    const kept = rest.filter((line) => !line.includes('"status":429'));
    writeTape('older', [JSON.stringify(older), ...kept, ''].join('\n'));
    const { status, stdout } = await run('replay', 'older');
    expect(stdout.split('\n').slice(-7)).toEqual([
      expect.stringMatching(/^recorded .*, another suite and another text: 2 clauses pass, 0 fail then$/),
      expect.stringMatching(/^fails now, and did not then: heartbeat.interval.min, constant.heartbeat-interval$/),
      'judged then, and not now: no.longer',
      'not shown by the recording: 1 request of checks: heartbeat/too-soon (1)',
      'not shown by the recording: new checks: heartbeat/own-wallet',
      'recorded, and no check any more: heartbeat/gone',
      '',
    ]);
    expect(status).toBe(1);
  });

  it.each([
    [['replay', 'nowhere'], 'nowhere: there is no such recording'],
    [['replay', '.'], '.: holds no recording, a file that ends in .aips.gz'],
    [['replay', 'tape', 'tapes', '--out', 'x'], 'Give one recording with --out, --baseline or --roadmap'],
    [
      ['http://127.0.0.1:9', '--record', 'x', '--repeat', '2'],
      '--record keeps a single run without waits in real time: give no --repeat and no --wait with it',
    ],
    [['--target', 'command.yaml', '--record', 'x'], '--record cannot keep payments by command'],
    [
      ['replay', 'bad'],
      'bad:1: schema: does not say of which format it is, and this version reads aips-lab/recording/2',
    ],
    [['replay', 'torn'], 'torn:3: is not JSON: it lacks its end after column 9'],
    [['replay', 'edited'], 'edited:1: was changed after it was recorded: the SHA-256 of its lines before the last is '],
  ])('%j is refused with exit status 2', async (args, message) => {
    const head = textOf('tape').split('\n', 1)[0];
    writeTape('bad', '{}\n');
    writeTape('torn', `${head}\n{"path":"/a","method":"POST","headers":{},"text":""}\n{"sent":\n`);
    writeFileSync(join(folder, 'edited'), gzipSync(textOf('tape').replace('"status":429', '"status":200')));
    writeFileSync(
      join(folder, 'command.yaml'),
      'base_url: http://127.0.0.1:9\npayments: { kind: command, command: [x] }\n',
    );
    const { status, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it.each([
    [{ kind: 'command', command: ['touch', 'ran'] }, 'a recording cannot pay by command'],
    [
      { kind: 'solana-rpc', rpc_url: 'http://127.0.0.1:9', key_file: 'key.json' },
      'a recording cannot pay by solana-rpc',
    ],
  ])('of a stranger starts no program and calls nobody: payments %j are refused', async (payments, message) => {
    const manifest = JSON.parse(textOf('tape').split('\n', 1)[0] ?? '') as { target: object };
    writeTape('stranger', `${JSON.stringify({ ...manifest, target: { ...manifest.target, payments } })}\n`);
    const { status, stderr } = await run('replay', 'stranger');
    expect([status, existsSync(join(folder, 'ran'))]).toEqual([2, false]);
    expect(stderr).toContain(message);
  });

  it.each([
    ['a link', (path: string) => symlinkSync('/etc/hostname', path), 'a recording is a plain file, and no link'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'a recording is a plain file, and no link, pipe'],
    ['a huge file', (path: string) => truncateSync(made(path), 2 ** 29), 'is larger than a recording can be'],
    [
      'a bomb of zeros',
      (path: string) => writeFileSync(path, Buffer.concat(Array<Buffer>(65).fill(gzipSync(Buffer.alloc(2 ** 22))))),
      'is larger than can be read when unpacked',
    ],
    ['cut short', (path: string) => writeFileSync(path, gzipSync('{"sent":0}\n').subarray(0, 20)), 'or a damaged one'],
    ['text', (path: string) => writeFileSync(path, '{"sent":0}\n'), 'is no recording, which is a gzip file'],
  ])('of a stranger is not read where it is %s', async (name, put, message) => {
    put(join(folder, name));
    const { status, stderr } = await run('replay', name);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('is the same bytes for the same text, and has a name of its own in a folder', () => {
    const put = (text: string) => keepTape(join(folder, 'tapes'), text, 'http://[::1]:80/x', 0);
    const path = put('{"a":1}\n');
    const bytes = readFileSync(path);
    expect([put('{"a":1}\n'), readFileSync(path)]).toEqual([path, bytes]);
    expect(put('{"a":2}\n')).not.toBe(path);
    expect(path).toMatch(/tapes\/---1--19700101T000000-[0-9a-f]{12}\.aips\.gz$/);
    expect(readTape(path)).toBe('{"a":1}\n');
  });

  const made = (path: string): string => {
    writeFileSync(path, '');
    return path;
  };

  const textOf = (name: string): string => gunzipSync(readFileSync(join(folder, name))).toString('utf8');
  const writeTape = (name: string, lines: string): void => writeFileSync(join(folder, name), gzipSync(sealed(lines)));
});
