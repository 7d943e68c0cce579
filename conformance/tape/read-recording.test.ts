import { describe, expect, it } from 'vitest';
import { type Overlay, withOverlay } from '../../spec/overlay.js';
import { recordedRun } from '../../test/fixtures/fake-target.js';
import { bareTarget } from '../target/target.js';
import { parseRecording, sealed } from './read-recording.js';
import { Recorder } from './recording.js';

const made = new Recorder(
  { ...bareTarget('http://127.0.0.1:9'), control: { url: 'http://127.0.0.1:8', token: 'token-of-control' } },
  () => Promise.reject(new Error('nothing is sent')),
).written(
  { seed: 1, toolVersion: '0.1.0', nowWallMs: () => 0 },
  { ...recordedRun, checks: ['status/known'], command: "aips conform --target 'my target.yaml'" },
);
type Json = Record<string, unknown>;
const manifest = JSON.parse(made.slice(0, made.indexOf('\n'))) as Json & { readonly target: Json };
const exchange: Json = {
  sent: 0,
  owner: 'status/known',
  after: 0,
  method: 'GET',
  url: 'http://127.0.0.1:9/api/v1/status/0x1',
  headers: {},
  reply: { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' },
};
const delivery: Json = { path: '/hook', method: 'POST', headers: { a: ['b', 'c'] }, text: '{}' };

const linesOf = (...lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const read = (one: Json, ...entries: readonly unknown[]) => parseRecording(sealed(linesOf(one, ...entries)), 'tape');

/** The problems of a recording, one a line. */
function problemsOf(one: Json, ...entries: readonly unknown[]): string {
  const result = read(one, ...entries);
  return result.ok
    ? 'none'
    : result.problems.map(({ file, line, key, message }) => `${file}:${line} ${key}: ${message}`).join('\n');
}

describe('a recording', () => {
  it('is read as it was made', () => {
    const result = read(manifest, exchange, delivery);
    expect(result.ok && result.value.entries).toEqual([exchange, delivery]);
    expect(result.ok && result.value.target).toMatchObject({
      baseUrl: 'http://127.0.0.1:9',
      payments: { kind: 'none' },
    });
  });

  it('is read with the parts of its text that are no numbers', () => {
    const overlay: Overlay = {
      verifyBatch: { hashesMax: 40 },
      parts: {
        errors: { 'heartbeat/HEARTBEAT_TOO_SOON': { code: 'TOO_EARLY' } },
        tiers: { gov: true },
        events: { 'agent.unfrozen': false },
        modes: { 'resync/challenge': false },
      },
    };
    const target = { ...bareTarget('http://127.0.0.1:9'), protocol: withOverlay(overlay) };
    const recorder = new Recorder(target, () => Promise.reject(new Error('nothing is sent')));
    const written = recorder.written(
      { seed: 1, toolVersion: '0.1.0', nowWallMs: () => 0 },
      { ...recordedRun, checks: [] },
    );
    const result = parseRecording(written, 'tape');
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.value.target.protocol).toEqual(target.protocol);
  });

  it.each<[string, Json, RegExp]>([
    [
      'starts a program',
      { payments: { kind: 'command', command: ['touch', 'ran'] } },
      /payments.kind: a recording cannot pay by command/,
    ],
    [
      'pays',
      { payments: { kind: 'solana-rpc', rpc_url: 'http://h', key_file: '/etc/passwd' } },
      /cannot pay by solana-rpc/,
    ],
    ['has more of its payments', { payments: { kind: 'none', command: ['x'] } }, /target.payments/],
    ['reads a file of numbers', { protocol: '/etc/passwd' }, /protocol: must hold the numbers themselves/],
    ['reads the environment', { admin_key: `$${'{HOME}'}` }, /needs the environment variable HOME/],
    ['reads a file of a dialect', { dialect: './dialect.yaml' }, /dialect: must be one of/],
    ['has a URL of another kind', { base_url: 'file:///etc/passwd' }, /base_url: must be an http or https URL/],
    ['has a control API of another kind', { control: { url: 'unix:/run/x', token: 'x' } }, /control.url: must be/],
    [
      'has a webhook address of another kind',
      { webhooks: { listen: '/tmp/socket' } },
      /webhooks.listen: must be host:port/,
    ],
    ['has a field that is not known', { exec: 'touch ran' }, /target: /],
    ['has numbers that are none', { protocol: { heartbeat: { intervalBeatsMin: 'x' } } }, /protocol/],
    ['has an endless budget', { budget: { requests: -1 } }, /budget/],
    ['has text of another type', { registration_secret: { toString: 1 } }, /registration_secret/],
  ])('whose target %s is refused', (_, change, message) => {
    expect(problemsOf({ ...manifest, target: { ...manifest.target, ...change } }, exchange)).toMatch(message);
  });

  it.each<[string, Json, RegExp]>([
    ['a command that does more', { command: 'aips conform x; touch ran' }, /command: must be one aips conform command/],
    ['a command of another program', { command: 'touch ran' }, /command: must be/],
    ['a command that a shell fills in', { command: 'aips conform $(touch ran)' }, /command: must be/],
    ['a command with a quote that does not end', { command: "aips conform 'x" }, /command: must be/],
    ['a command on two lines', { command: "aips conform 'x\ny'" }, /command: must be/],
    ['a time after all times', { started_ms: 9e15 }, /started_ms/],
    ['a seed that is no number', { seed: '1' }, /seed/],
    ['checks without end', { concurrency: 1e9 }, /concurrency/],
    ['a profile that is not there', { profile: '../../x' }, /profile: is no profile/],
    ['an id that is a path', { checks: ['../../etc passwd'] }, /checks.0: must be the id of a check/],
    ['a version with an escape of a terminal', { tool_version: '\u001b[2J' }, /tool_version: must be a version/],
    [
      'a schema of the future',
      { schema: 'aips-lab/recording/9' },
      /schema: is aips-lab\/recording\/9, .*later version/,
    ],
    ['a digest that is none', { digests: { suite: 'x', text: 'x' } }, /digests.suite: must be a SHA-256 digest/],
    [
      'clauses that are none',
      { result: { exit_status: 0, holds: ['x y'], fails: [] } },
      /result.holds.0: must be the id/,
    ],
    ['a field that is not known', { hook: 'x' }, /tape:1/],
  ])('with %s is refused', (_, change, message) => {
    expect(problemsOf({ ...manifest, ...change }, exchange)).toMatch(message);
  });

  it.each<[string, unknown, RegExp]>([
    ['a status that is none', { ...exchange, reply: { status: 1e9, headers: {}, body: '' } }, /reply.status/],
    ['a body of another type', { ...exchange, reply: { status: 200, headers: {}, body: {} } }, /reply.body/],
    [
      'a body of megabytes',
      { ...exchange, reply: { status: 200, headers: {}, body: 'x'.repeat(2 ** 20 + 1) } },
      /reply.body: must have at most/,
    ],
    [
      'a header with a line of its own',
      { ...exchange, reply: { status: 200, headers: { 'a\nb': '' }, body: '' } },
      /headers/,
    ],
    [
      '1,000 headers',
      {
        ...exchange,
        reply: {
          status: 200,
          headers: Object.fromEntries(Array.from({ length: 1_000 }, (__, n) => [`h${n}`, ''])),
          body: '',
        },
      },
      /at most 256 headers/,
    ],
    ['a URL of another kind', { ...exchange, url: 'file:///etc/passwd' }, /url: must be/],
    ['a method of two words', { ...exchange, method: 'GET /x' }, /method: must be/],
    ['a failure of another kind', { ...exchange, failure: { kind: 'aborted', message: '' } }, /failure.kind/],
    ['a place that is none', { ...exchange, sent: -1 }, /sent/],
    ['a delivery to elsewhere', { ...delivery, path: 'http://h/' }, /path: must begin with/],
    ['a delivery of megabytes', { ...delivery, text: 'x'.repeat(2 ** 20 + 1) }, /text: must have at most/],
    ['a list', [1, 2], /tape:2/],
  ])('whose exchange has %s is refused', (_, entry, message) => {
    expect(problemsOf(manifest, entry)).toMatch(message);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['a reply', (text) => text.replace('"status":200', '"status":201'), /was changed after it was recorded/],
    ['its verdict', (text) => text.replace('"exit_status":0', '"exit_status":1'), /was changed after it was recorded/],
    ['a line that is gone', (text) => text.split('\n').toSpliced(1, 1).join('\n'), /was changed after it was recorded/],
    ['a space at its end', (text) => `${text} `, /changed after it was recorded/],
    ['no digest', (text) => text.split('\n').slice(0, -2).join('\n'), /does not end with its digest/],
    ['half of its last line', (text) => text.slice(0, -40), /does not end with its digest/],
    ['a digest of another form', (text) => text.replace(/"[0-9a-f]{64}"}\n$/, '1}\n'), /does not end with its digest/],
  ])('that was changed and has %s is refused', (_, change, message) => {
    const written = sealed(linesOf(manifest, exchange, delivery));
    expect(parseRecording(written, 'tape').ok).toBe(true);
    const changed = parseRecording(change(written), 'tape');
    expect(changed.ok ? '' : changed.problems[0]?.message).toMatch(message);
  });

  it('that nests without end, has a line without end or lines without end is refused, with where', () => {
    const nested = `${'{"a":'.repeat(160_000)}1${'}'.repeat(160_000)}`;
    const told = (one: string, entries: string) => {
      const result = parseRecording(sealed(`${one}\n${entries}`), 'tape');
      return result.ok ? [] : result.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
    };
    const good = JSON.stringify(manifest);
    expect(told(nested, '')).toEqual(['tape:1: nests deeper than 20 levels']);
    expect(told(good, `\n${nested}\n`)).toEqual(['tape:3: nests deeper than 20 levels']);
    expect(told(good, `${'x'.repeat(5_000_000)}\n`)).toEqual(['tape:2: is longer than 4194304 characters']);
    expect(told(good, '{}\n'.repeat(100_000))).toHaveLength(20);
    expect(told(good, '{}\n'.repeat(200_001))).toEqual(['tape:200002: holds more than 200000 exchanges']);
  });
});
