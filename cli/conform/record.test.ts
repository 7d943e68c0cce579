// `aips conform --record` and `--from`: files, flags and exit statuses.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { keepTape, readEntries } from '../../runs/suite/tape-files.js';
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
    await reference.stop();
    expect(first.status).toBe(1);
    const again = await run('replay', 'tape', '--out', 'again');
    expect(again.status).toBe(1);
    const lines = (text: string): readonly string[] =>
      text.split('\n').filter((line) => !/requests|^median reply|^wrote|^transcripts/.test(line));
    expect(lines(again.stdout)).toEqual(lines(first.stdout));
    expect(again.stdout).toContain('aips conform --target target.yaml --only heartbeat/too-soon --seed 1');
    const packed = readFileSync(join(folder, 'tape/exchanges.ndjson.gz'));
    const plain = gunzipSync(packed).toString('utf8');
    expect(plain).not.toContain(control?.token);
    expect(packed.length).toBeLessThan(plain.length / 5);
    // No time, and no operating system.
    expect([...packed.subarray(4, 8), packed[9]]).toEqual([0, 0, 0, 0, 255]);
    mkdirSync(join(folder, 'plain'));
    copyFileSync(join(folder, 'tape/recording.json'), join(folder, 'plain/recording.json'));
    writeFileSync(join(folder, 'plain/exchanges.ndjson'), plain);
    const unpacked = await run('replay', 'plain', '--out', 'unpacked');
    expect(unpacked.status).toBe(1);
    expect(lines(unpacked.stdout)).toEqual(lines(first.stdout));
    const baseline = await run('replay', 'tape', '--out', 'known');
    expect([baseline.status, existsSync(join(folder, 'known/baseline.yaml'))]).toEqual([1, true]);
    expect((await run('replay', 'tape', '--baseline', 'known/baseline.yaml')).status).toBe(0);
  });

  it.each([
    [['replay', 'nowhere'], 'nowhere/recording.json: there is no such recording'],
    [
      ['http://127.0.0.1:9', '--record', 'x', '--repeat', '2'],
      '--record keeps a single run without waits in real time: give no --repeat and no --wait with it',
    ],
    [['--target', 'command.yaml', '--record', 'x'], '--record cannot keep payments by command'],
    [
      ['replay', 'bad'],
      'bad/recording.json:1: schema: does not say of which format it is, and this version reads aips-lab/recording/1',
    ],
    [['replay', 'torn'], 'torn/exchanges.ndjson:2: is cut off: its JSON has no end.'],
  ])('%j is refused with exit status 2', async (args, message) => {
    for (const [name, manifest, lines] of [
      ['bad', '{}', ''],
      ['torn', readIfThere('tape/recording.json'), '{"path":"/a","method":"POST","headers":{},"text":""}\n{"sent":'],
    ] as const) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, 'recording.json'), manifest);
      writeFileSync(join(folder, name, 'exchanges.ndjson'), lines);
    }
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
    const stranger = join(folder, `stranger-${payments.kind}`);
    mkdirSync(stranger);
    const manifest = JSON.parse(readIfThere('tape/recording.json')) as { target: object };
    const target = { ...manifest.target, payments };
    writeFileSync(join(stranger, 'recording.json'), JSON.stringify({ ...manifest, target }));
    copyFileSync(join(folder, 'tape/exchanges.ndjson.gz'), join(stranger, 'exchanges.ndjson.gz'));
    const { status, stderr } = await run('replay', `stranger-${payments.kind}`);
    expect([status, existsSync(join(folder, 'ran'))]).toEqual([2, false]);
    expect(stderr).toContain(message);
  });

  it.each([
    ['a link', (path: string) => symlinkSync('/etc/hostname', path), 'a recording holds plain files, and no links'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'a recording holds plain files, and no links, pipes'],
    ['a huge file', (path: string) => truncateSync(made(path), 2 ** 29), 'is larger than a recording can be'],
    [
      'a bomb of zeros',
      (path: string) => writeFileSync(path, Buffer.concat(Array<Buffer>(65).fill(gzipSync(Buffer.alloc(2 ** 22))))),
      'is larger than can be read when unpacked',
    ],
  ])('of a stranger is not read where it holds %s', async (name, put, message) => {
    const stranger = join(folder, name);
    mkdirSync(stranger);
    copyFileSync(join(folder, 'tape/recording.json'), join(stranger, 'recording.json'));
    put(join(stranger, 'exchanges.ndjson.gz'));
    const { status, stderr } = await run('replay', name);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('is the same bytes again for the same text, and takes the place of a recording that was not compressed', () => {
    const old = join(folder, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'exchanges.ndjson'), 'of before');
    const files = { 'recording.json': '{}', 'exchanges.ndjson': '{"a":1}\n' };
    keepTape(old, files);
    const bytes = readFileSync(join(old, 'exchanges.ndjson.gz'));
    keepTape(old, files);
    expect(readFileSync(join(old, 'exchanges.ndjson.gz'))).toEqual(bytes);
    expect([readEntries(old), existsSync(join(old, 'exchanges.ndjson'))]).toEqual(['{"a":1}\n', false]);
  });

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 20), 'is no gzip file, or a damaged one'],
    ['text', () => Buffer.from('{"sent":0}\n'), 'is no gzip file, or a damaged one'],
    ['both', (bytes: Buffer) => bytes, 'holds both exchanges.ndjson and exchanges.ndjson.gz: take one away'],
  ])('says what is wrong with a compressed recording: %s', async (name, change, message) => {
    const odd = join(folder, name);
    mkdirSync(odd);
    copyFileSync(join(folder, 'tape/recording.json'), join(odd, 'recording.json'));
    writeFileSync(join(odd, 'exchanges.ndjson.gz'), change(gzipSync('{"sent":0}\n')));
    if (name === 'both') writeFileSync(join(odd, 'exchanges.ndjson'), '');
    const { status, stderr } = await run('replay', name);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  const made = (path: string): string => {
    writeFileSync(path, '');
    return path;
  };

  const readIfThere = (name: string): string => readFileSync(join(folder, name), 'utf8');
});
