// Recordings as witnesses of a change: recorded in this process, and judged by the text before and after.
import { expect, it } from 'vitest';
import { CHEAP, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { runSuite } from '../../conformance/run/runner.js';
import { parseRecording, type Recording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import { mergedOverlay, type Overlay, withOverlay } from '../../spec/overlay.js';
import { lighter } from '../../test/fixtures/target.js';
import { recordingOf } from '../suite/record.js';
import { blasted, flipsOf } from './blast.js';

const easy = mergedOverlay(lighter, CHEAP);
const given = { toolVersion: '0' };

/** The recording of a reference with other numbers than those by which it is judged. */
async function recorded(own: Overlay, only: readonly string[]): Promise<Recording> {
  const numbers = withOverlay(mergedOverlay(easy, own));
  const server = startInProcess(await loadReference(), { seed: 1, numbers, held: withOverlay(easy) });
  const recorder = new Recorder(server.target, server.send);
  const { send: transport, chains } = recorder;
  const options = { seed: 1, ...given, nowWallMs: Date.now, only, transport, chains };
  const record = await runSuite(server.target, options);
  await server.close();
  const parsed = parseRecording(
    recordingOf(recorder, record, options, { startedMs: 0, command: 'aips conform x' }),
    'tape',
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** The clauses that begin to fail, to pass, and those that are not predicted. */
async function flips(recording: Recording, after: Overlay, before?: Overlay) {
  const one = await blasted('tape', recording, { before, after }, given);
  const { fail, pass, unpredicted, configured } = flipsOf(one);
  const [failing, passing, open, free] = [fail, pass, unpredicted, configured].map((list) =>
    list.map(({ id }) => id),
  ) as [string[], string[], string[], string[]];
  return { ...one, failing, passing, open, free };
}

const INTERVAL = 'heartbeat.interval.min';
const SIZE = 'constant.verify-batch-max';

it('a server begins to fail a clause that a recorded exchange breaks under the changed text', async () => {
  const recording = await recorded({}, ['verify-batch/size', 'heartbeat/too-soon']);
  const fewer: Overlay = { verifyBatch: { hashesMax: 40 } };
  const smaller = await flips(recording, fewer);
  expect(smaller.failing).toContain(SIZE);
  expect([...smaller.changedChecks]).toEqual(['verify-batch/size']);
  const finding = smaller.after.findings.find(({ clauses }) => clauses.includes(SIZE));
  expect([finding?.expected, finding?.transcript[0]?.response?.status]).toEqual([expect.stringContaining('400'), 200]);
  const renamed = await flips(recording, {
    parts: { errors: { 'heartbeat/HEARTBEAT_TOO_SOON': { code: 'TOO_EARLY' } } },
  });
  expect([renamed.failing, [...renamed.changedChecks]]).toEqual([
    expect.arrayContaining(['heartbeat.error.heartbeat-too-soon']),
    [],
  ]);
  // Nothing tells the interval any more.
  expect(renamed.open).toEqual(['heartbeat.interval.reply']);
  // Of a base that had the change before, nothing is new.
  const later = await flips(
    recording,
    { heartbeat: { intervalBeatsMin: 12 } },
    { heartbeat: { intervalBeatsMin: 12 } },
  );
  expect([later.failing, later.passing]).toEqual([[], []]);
  const none = await flips(recording, {});
  expect([none.failing, none.passing, none.open, none.changedChecks.size]).toEqual([[], [], [], 0]);
});

it('a server begins to pass where the change states what it does, and is not predicted where its checks ask for something else', async () => {
  const code = { errors: { 'heartbeat/HEARTBEAT_TOO_SOON': { code: 'TOO_EARLY' } } };
  const early = await recorded({ parts: code }, ['heartbeat/too-soon']);
  const passing = await flips(early, { parts: code });
  expect(passing.passing).toContain('heartbeat.error.heartbeat-too-soon');
  const slow = await recorded({ heartbeat: { intervalBeatsMin: 12 } }, ['heartbeat/too-soon']);
  const { failing, passing: passes, open } = await flips(slow, { heartbeat: { intervalBeatsMin: 12 } });
  expect([failing.includes(INTERVAL), passes.includes(INTERVAL), open.includes(INTERVAL)]).toEqual([
    false,
    false,
    true,
  ]);
});

it('a server whose refusal shows the interval that it has configured fails no other interval', async () => {
  const recording = await recorded({}, ['heartbeat/too-soon']);
  const own = await flips(recording, { heartbeat: { intervalBeatsMin: 12 } });
  const clauses = [INTERVAL, 'constant.heartbeat-interval'];
  expect([own.failing, own.free]).toEqual([[], clauses]);
  expect(own.configured).toEqual([
    {
      ...{ recording: 'tape', number: 'heartbeat.intervalBeatsMin', value: 10, clauses },
      ...{ check: 'heartbeat/too-soon', n: expect.any(Number), by: 'heartbeat.interval.configurable', section: '4.5' },
    },
  ]);
  const { requests = [] } = {
    requests: recording.entries.filter((one) => 'sent' in one && one.owner === 'heartbeat/too-soon'),
  };
  const [told] = own.configured;
  expect(requests[(told?.n ?? 0) - 1]).toMatchObject({ reply: { status: 429 } });
  // The changed check sends a heartbeat after 11 beats, to which the recording has no reply.
  expect(clauses.filter((id) => own.open.includes(id))).toEqual(clauses);
  // By the interval that the reply shows, nothing is configured.
  expect((await flips(recording, { heartbeat: { epochBeats: 90_000 } })).configured).toEqual([]);
});
