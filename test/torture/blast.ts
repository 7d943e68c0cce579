/**
 * Compares the blast radius that recordings predict with what the suite finds under the change. It draws changes, records some servers by the text
 * as it is with the checks that a change reaches, and judges each server again under the change. Servers: the reference, the second server, and a
 * reference with a planted mistake. The servers themselves stay as they are.
 *
 * node dist/test/torture/blast.js [--count N] [--seed N] [--servers reference,second,planted] [--least PERCENT]
 *
 * Ends with 1 if fewer than `--least` percent of the flips that are predicted, or that happen and were not called unpredictable, are equal.
 */

import { parseArgs } from 'node:util';
import { allChecks } from '../../conformance/checks/index.js';
import { CHEAP, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { checksInReach } from '../../conformance/run/reach.js';
import { conform, runSuite } from '../../conformance/run/runner.js';
import { parseRecording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import type { Target } from '../../conformance/target/target.js';
import { httpTransport, type Transport } from '../../conformance/wire/transport.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { referenceTarget } from '../../runs/server/reference-process.js';
import { blasted, flipsOf } from '../../runs/specification/blast.js';
import { recordingOf } from '../../runs/suite/record.js';
import { changedNumbers, changedParts, touchedClauses } from '../../spec/change.js';
import { mergedOverlay, type Overlay, withOverlay } from '../../spec/overlay.js';
import { Chance } from '../faults/chance.js';
import { lighter } from '../fixtures/target.js';
import { startSecondServer } from '../second-server/server.js';
import { drawnChanges } from './drawn-changes.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    servers: { type: 'string', default: 'reference,second,planted' },
    least: { type: 'string', default: '95' },
  },
});
const seed = Number(values.seed);
const modules = await loadReference();

/** A running server, and the numbers by which it is judged. */
interface Running {
  readonly target: Target;
  readonly send: Transport;
  readonly close: () => Promise<void>;
}

/** Heartbeats that come a beat too early are accepted, and complaints may have one character less. */
const MISTAKE: Overlay = { heartbeat: { intervalBeatsMin: 9 }, flag: { reasonCharsMax: 1_999 } };
const easy = mergedOverlay(lighter, CHEAP);

const servers: Readonly<Record<string, () => Promise<Running>>> = {
  reference: async () => startInProcess(modules, { seed, numbers: withOverlay(easy) }),
  planted: async () => {
    const numbers = withOverlay(mergedOverlay(easy, MISTAKE));
    return startInProcess(modules, { seed, numbers, held: withOverlay(easy) });
  },
  second: async () => {
    const server = await startSecondServer({ difficulty: 8 });
    const { url: base_url, beatsUrl: beats_url, controlUrl: control_url } = server;
    const numbers = '{ beat: { difficulty: 8 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } }';
    const lines = ['unsupported: [partner-webhook]', `protocol: ${numbers}`];
    const target = referenceTarget({ base_url, beats_url, control_url, control_token: 'lab' }, lines);
    const http = httpTransport({ target });
    return { target, send: http.send, close: () => http.close().then(() => server.close()) };
  },
};

const options = { seed, toolVersion: 'test', nowWallMs: Date.now };
const present = withOverlay({});

/** The clauses by how their verdicts change. */
function realFlips(before: ConformanceResult, after: ConformanceResult) {
  const was = new Map(before.clauses.map(({ id, state }) => [id, state]));
  const of = (from: string, to: string): readonly string[] =>
    after.clauses.filter(({ id, state }) => was.get(id) === from && state === to).map(({ id }) => id);
  return { fail: of('holds', 'fails'), pass: of('fails', 'holds') };
}

let [equal, compared, unpredictable, unforeseen] = [0, 0, 0, 0];
for (const { name, overlay } of drawnChanges(Number(values.count), new Chance(seed), easy)) {
  const changed = withOverlay(overlay);
  const touched = new Set(touchedClauses(changedNumbers(present, changed), changedParts(present, changed)));
  const only = checksInReach(allChecks, touched).map(({ id }) => id);
  for (const server of values.servers.split(',')) {
    const start = servers[server];
    if (start === undefined) throw new Error(`there is no server ${server}`);
    const recorded = await start();
    const recorder = new Recorder(recorded.target, recorded.send);
    const startedMs = Date.now();
    const recording = { ...options, only, looks: true, transport: recorder.send, chains: recorder.chains };
    const record = await runSuite(recorded.target, recording);
    await recorded.close();
    const text = recordingOf(recorder, record, recording, { startedMs, command: 'aips conform x' });
    const parsed = parseRecording(text, name);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const predicted = flipsOf(await blasted(name, parsed.value, { after: overlay }, options));
    const again = await start();
    const target = { ...again.target, protocol: withOverlay(overlay, again.target.protocol) };
    const after = await conform(target, { ...options, only, transport: again.send });
    await again.close();
    const real = realFlips(conclude([record], { checks: allChecks }), after);
    const [fail, pass, open] = [predicted.fail, predicted.pass, predicted.unpredicted].map((list) =>
      list.map(({ id }) => id),
    ) as [string[], string[], string[]];
    const shown = new Set(open);
    const flips = [...real.fail.map((id) => `-${id}`), ...real.pass.map((id) => `+${id}`)];
    const foreseen = [...fail.map((id) => `-${id}`), ...pass.map((id) => `+${id}`)];
    const all = new Set([...foreseen, ...flips.filter((flip) => !shown.has(flip.slice(1)))]);
    const both = [...all].filter((flip) => flips.includes(flip) && foreseen.includes(flip));
    equal += both.length;
    compared += all.size;
    unpredictable += open.length;
    unforeseen += flips.filter((flip) => shown.has(flip.slice(1))).length;
    const missed = flips.filter((flip) => shown.has(flip.slice(1))).length;
    const words = `${both.length} of ${all.size} flips are equal, ${open.length} verdicts are not predicted, of which ${missed} flip`;
    console.log(`${server}, ${name}: ${only.length} checks, ${words}`);
    const states = new Map(after.clauses.map(({ id, state }) => [id, state]));
    for (const flip of all) {
      if (both.includes(flip)) continue;
      const found = foreseen.includes(flip) ? 'predicted' : 'not predicted';
      console.log(`  ${flip}: ${found}, and under the change it ${states.get(flip.slice(1))}`);
    }
  }
}
const percent = compared === 0 ? 100 : (100 * equal) / compared;
console.log(
  `${equal} of ${compared} flips are equal (${percent.toFixed(1)} %); ${unpredictable} verdicts are called unpredictable, of which ${unforeseen} flip.`,
);
process.exitCode = percent < Number(values.least) ? 1 : 0;
