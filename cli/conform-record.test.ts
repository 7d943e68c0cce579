import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import { parseRecording, RECORDING_FILES, Recorder, type Recording } from '../conformance/tape/recording.js';
import { httpTransport, type Transport } from '../conformance/wire/transport.js';
import type { CheckResult, ConformanceResult } from '../reports/conformance-result.js';
import { conformanceSummary } from '../reports/console.js';
import { aips } from '../test/fixtures/aips.js';
import { judgeRecording } from './conform-record.js';
import { formats, reportFiles } from './conform-reports.js';
import { type Reference, startReference, targetYaml } from './reference-process.js';
import { keepTape, readEntries } from './tape-files.js';

const SECRET = 'a secret "of" the tests';
const ONLY = [
  'register/*',
  'heartbeat/t*',
  'auth/heartbeat*',
  'partner-webhook/*',
  'resync/*',
  'wallet/*',
  'subsidy/*',
];
const options = { only: ONLY, seed: 3, toolVersion: '0', nowWallMs: Date.now };

/** Every credential that a reply hands out, whatever the suite thinks of it. */
function spying(inner: Transport, secrets: Set<string>): Transport {
  return async (request) => {
    const reply = await inner(request);
    const fields = /"(?:api_key|secret|webhook_secret|token|key)":"([^"]{8,})"/g;
    for (const [, value = ''] of reply.body.matchAll(fields)) secrets.add(value);
    return reply;
  };
}

const verdictsOf = ({ checks }: ConformanceResult): readonly (readonly string[])[] =>
  checks.map((check) => [check.id, check.verdict, 'reason' in check ? check.reason : '']);

describe('a run that is recorded', () => {
  let reference: Reference;
  let result: ConformanceResult;
  let files: Readonly<Record<string, string>>;
  let again: ConformanceResult;
  const handedOut = new Set<string>();
  beforeAll(async () => {
    reference = await startReference({
      seed: 4,
      flags: ['--registration-secret', SECRET, '--allow-loopback-webhooks'],
      target: [`registration_secret: ${JSON.stringify(SECRET)}`, 'webhooks: { listen: 127.0.0.1:0 }'],
    });
    const http = httpTransport();
    const recorder = new Recorder(reference.target, spying(http.send, handedOut));
    const startedMs = Date.now();
    result = await conform(reference.target, { ...options, transport: recorder.send, receive: recorder.receive });
    await http.close();
    const checks = result.checks.map(({ id }) => id);
    files = recorder.files(options, { startedMs, checks, command: 'aips conform --target t.yaml' });
    await reference.stop();
    again = await judgeRecording(read(), { ...options, seed: 99, only: [] });
  });

  const read = (): Recording => {
    const parsed = parseRecording(files[RECORDING_FILES.manifest] ?? '', files[RECORDING_FILES.entries] ?? '', 'tape');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)));
    return parsed.value;
  };

  it('is judged again without its server, to the same verdicts', () => {
    expect(result.summary.pass).toBeGreaterThan(100);
    expect(result.checks.filter(({ id }) => id.startsWith('partner-webhook/')).length).toBeGreaterThan(10);
    expect(verdictsOf(again)).toEqual(verdictsOf(result));
    expect(again).toMatchObject({ seed: 3, exit_status: result.exit_status, target: result.target });
  });

  it('shows no secret in any report, nor in the recording, nor in the reports of that', () => {
    const token = reference.target.control?.token ?? '';
    expect(handedOut.size).toBeGreaterThan(200);
    const texts = [result, again].flatMap((one) => [
      ...Object.values(reportFiles(one, formats, {})),
      conformanceSummary(one, { colour: false }),
    ]);
    const written = [...texts, ...Object.values(files)].join('\n');
    // A signed key is as secret as its signature.
    const shown = [SECRET, JSON.stringify(SECRET).slice(1, -1), token, ...handedOut].flatMap((secret) => {
      const signature = secret.slice(secret.lastIndexOf('.') + 1);
      const nearly = [signature, signature.slice(0, -1), [...signature].reverse().join('')];
      return nearly.some((text) => text.length >= 8 && written.includes(text)) ? [secret] : [];
    });
    expect(shown).toEqual([]);
  });

  it('is judged by the rules of the day: a reply that is otherwise is another verdict, of that check alone', async () => {
    const recording = read();
    const entries = recording.entries.map((entry) => {
      if (!('sent' in entry) || entry.owner !== 'heartbeat/too-soon' || entry.reply?.status !== 429) return entry;
      return { ...entry, reply: { ...entry.reply, status: 400 } };
    });
    const other = await judgeRecording({ ...recording, entries }, options);
    const changed = other.checks.filter(({ verdict }, index) => verdict !== result.checks[index]?.verdict);
    expect(changed.map(({ id, verdict }) => [id, verdict])).toEqual([['heartbeat/too-soon', 'fail']]);
    expect(other.exit_status).toBe(1);
  });

  it('says of a check whose requests are not in it that it is not tested', async () => {
    const recording = read();
    const entries = recording.entries.filter((entry) => !('sent' in entry) || entry.owner !== 'heartbeat/too-soon');
    const other = await judgeRecording({ ...recording, entries }, options);
    const changed = other.checks.filter(({ verdict }, index) => verdict !== result.checks[index]?.verdict);
    expect(changed.map(({ id }) => id)).toEqual(['heartbeat/too-soon']);
    expect((changed[0] as CheckResult & { reason: string }).reason).toContain(
      'the recording has no reply to this request: POST',
    );
  });
});

describe('aips conform --record and --from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-tape-'));
  const run = (...args: readonly string[]) => aips(folder, 'conform', ...args);

  it('keeps a run, and judges it without the server, with the same status', async () => {
    const overlay = join(folder, 'overlay.yaml');
    writeFileSync(overlay, 'heartbeat: { intervalBeatsMin: 11 }\n');
    const reference = await startReference({ seed: 1, flags: ['--protocol', overlay] });
    const { baseUrl, beatsUrl, control } = reference.target;
    const urls = { base_url: baseUrl, beats_url: beatsUrl ?? '', control_url: control?.url ?? '' };
    writeFileSync(join(folder, 'target.yaml'), targetYaml({ ...urls, control_token: control?.token ?? '' }));
    const only = ['--only', 'heartbeat/*', '--profile', 'full', '--concurrency', '5'];
    const first = await run('--target', 'target.yaml', ...only, '--record', 'tape');
    await reference.stop();
    expect(first.status).toBe(1);
    const again = await run('--from', 'tape', '--format', 'json', '--report', 'again');
    expect(again.status).toBe(1);
    const lines = (text: string): readonly string[] =>
      text.split('\n').filter((line) => !/requests|^wrote|^transcripts/.test(line));
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
    const unpacked = await run('--from', 'plain', '--format', 'json', '--report', 'unpacked');
    expect(unpacked.status).toBe(1);
    expect(lines(unpacked.stdout)).toEqual(lines(first.stdout));
    const baseline = await run('--from', 'tape', '--write-baseline', 'known.yaml');
    expect([baseline.status, existsSync(join(folder, 'known.yaml'))]).toEqual([1, true]);
    expect((await run('--from', 'tape', '--baseline', 'known.yaml')).status).toBe(0);
  });

  it.each([
    [['--from', 'nowhere'], 'nowhere/recording.json: there is no such recording'],
    [['http://127.0.0.1:9', '--from', 'tape'], '--from judges a recording as it was made: give no URL with it'],
    [['--from', 'tape', '--only', 'x'], 'give no --only with it'],
    [['--from', 'tape', '--repeat', '2'], 'give no --repeat with it'],
    [['--from', 'tape', '--plan'], 'give no --plan with it'],
    [['--self', '--record', 'x'], '--record keeps one run: give no --self with it'],
    [['http://127.0.0.1:9', '--record', 'x', '--repeat', '2'], '--record keeps one run: give no --repeat with it'],
    [['--target', 'command.yaml', '--record', 'x'], '--record cannot keep payments by command'],
    [['--from', 'bad'], 'bad/recording.json:1: schema: must be aips-lab/recording/1'],
    [['--from', 'torn'], 'torn/exchanges.ndjson:2: is not JSON'],
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
    const { status, stderr } = await run('--from', name);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  const readIfThere = (name: string): string => readFileSync(join(folder, name), 'utf8');
});
