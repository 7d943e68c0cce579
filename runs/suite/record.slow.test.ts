// A recording is judged again without its server to the same verdicts. record.nightly has one of many checks, and looks for secrets.
import { expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.js';
import { loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { runSuite } from '../../conformance/run/runner.js';
import { parseRecording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { judgeRecording, recordingOf } from './record.js';

const verdictsOf = ({ checks }: ConformanceResult): readonly (readonly string[])[] =>
  checks.map((check) => [check.id, check.verdict, 'reason' in check ? check.reason : '']);

it('a quick run that is recorded is judged again as a quick run', async () => {
  const server = startInProcess(await loadReference(), { seed: 4 });
  const recorder = new Recorder(server.target, server.send);
  const { send: transport, chains } = recorder;
  const options = { seed: 3, toolVersion: '0', nowWallMs: Date.now };
  const quick = { ...options, only: ['init/*', 'status/*', 'resync/receipt'], quick: true, transport, chains };
  const record = await runSuite(server.target, quick);
  await server.close();
  const taped = { startedMs: Date.now(), command: 'aips conform --quick' };
  const parsed = parseRecording(recordingOf(recorder, record, quick, taped), 'tape');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const hashes: number[] = [];
  const counting = { ...options, only: [], onHashes: (more: number) => void hashes.push(more) };
  const [first, again] = [
    conclude([record], { checks: allChecks }),
    conclude([(await judgeRecording(parsed.value, counting)).record], { checks: allChecks }),
  ];
  // A replay knows the beats that the recording shows, and computes none again.
  expect([parsed.value.chains.length > 0, hashes]).toEqual([true, []]);
  expect(first.spared).toBeGreaterThan(0);
  expect(again).toMatchObject({ mode: 'quick', spared: first.spared });
  expect(verdictsOf(again)).toEqual(verdictsOf(first));
  expect(again.summary.clauses.must).toEqual(first.summary.clauses.must);
});
