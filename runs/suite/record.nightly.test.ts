// A recording of many checks is judged again without its server to the same verdicts, and holds no secret.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { runSuite } from '../../conformance/run/runner.js';
import { parseRecording, type Recording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import { httpTransport, type Transport } from '../../conformance/wire/transport.js';
import { conformanceSummary } from '../../reports/conformance/console.js';
import type { CheckResult, ConformanceResult } from '../../results/conformance-result.js';
import { lighter } from '../../test/fixtures/target.js';
import { type Reference, startReference } from '../server/reference-process.js';
import { judgeRecording, recordingOf } from './record.js';
import { reportFiles } from './report-files.js';

const SECRET = 'a secret "of" the tests';
const ONLY = ['register/*', 'heartbeat/t*', 'partner-webhook/*', 'wallet/*', 'subsidy/*'];
/** The part that is judged again and again. */
const PART = ['heartbeat/t*', 'wallet/*', 'subsidy/*'];
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

const judgedRecording = async (...asked: Parameters<typeof judgeRecording>): Promise<ConformanceResult> =>
  conclude([(await judgeRecording(...asked)).record], { checks: allChecks });
const verdictsOf = ({ checks }: ConformanceResult): readonly (readonly string[])[] =>
  checks.map((check) => [check.id, check.verdict, 'reason' in check ? check.reason : '']);

/** The checks of a second judgement that have another verdict than in the first. */
function otherThan(first: ConformanceResult, second: ConformanceResult): readonly CheckResult[] {
  const verdicts = new Map(first.checks.map(({ id, verdict }) => [id, verdict]));
  return second.checks.filter(({ id, verdict }) => verdict !== verdicts.get(id));
}

describe('a run that is recorded', () => {
  let reference: Reference;
  let result: ConformanceResult;
  let tape: string;
  let again: ConformanceResult;
  const handedOut = new Set<string>();
  beforeAll(async () => {
    const overlay = join(mkdtempSync(join(tmpdir(), 'aips-recorded-')), 'lighter.yaml');
    writeFileSync(overlay, JSON.stringify(lighter));
    reference = await startReference({
      seed: 4,
      flags: ['--registration-secret', SECRET, '--allow-loopback-webhooks', '--protocol', overlay],
      target: [
        `registration_secret: ${JSON.stringify(SECRET)}`,
        'webhooks: { listen: 127.0.0.1:0 }',
        `protocol: ${JSON.stringify(lighter)}`,
      ],
    });
    const http = httpTransport();
    const recorder = new Recorder(reference.target, spying(http.send, handedOut));
    const startedMs = Date.now();
    const record = await runSuite(reference.target, {
      ...options,
      transport: recorder.send,
      receive: recorder.receive,
    });
    await http.close();
    result = conclude([record], { checks: allChecks });
    tape = recordingOf(recorder, record, options, { startedMs, command: 'aips conform --target t.yaml' });
    await reference.stop();
    again = await judgedRecording(read(), { ...options, seed: 99, only: [] });
  });

  const read = (): Recording => {
    const parsed = parseRecording(tape, 'tape');
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
      ...Object.values(reportFiles(one, {})),
      conformanceSummary(one, { colour: false }),
    ]);
    const written = [...texts, tape].join('\n');
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
    const other = await judgedRecording({ ...recording, entries }, { ...options, only: PART });
    const changed = otherThan(result, other);
    expect(changed.map(({ id, verdict }) => [id, verdict])).toEqual([['heartbeat/too-soon', 'fail']]);
    expect(other.exit_status).toBe(1);
  });

  it('says of a check whose requests are not in it that it is not tested', async () => {
    const recording = read();
    const entries = recording.entries.filter((entry) => !('sent' in entry) || entry.owner !== 'heartbeat/too-soon');
    const other = await judgedRecording({ ...recording, entries }, { ...options, only: PART });
    const changed = otherThan(result, other);
    // Nobody knows what that check changed, so that a few others show nothing either.
    expect(changed.length).toBeLessThan(8);
    expect(changed.map(({ verdict }) => verdict)).toEqual(changed.map(() => 'not-tested'));
    const [own] = changed.filter(({ id }) => id === 'heartbeat/too-soon');
    expect((own as CheckResult & { reason: string }).reason).toContain(
      'the recording has no reply to this request: POST',
    );
  });
});
