// The suite follows changed numbers: reference and suite agree under overlays with which checks once failed by their own fault.
import { expect, it } from 'vitest';
import { CHEAP, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import { mergedOverlay, type Overlay, withOverlay } from '../spec/overlay.js';
import { lighter } from './fixtures/target.js';

const modules = await loadReference();

it.each<[string, readonly string[], Overlay]>([
  ['a heartbeat in ten minutes', ['heartbeat/tiers-and-caps'], { limits: { heartbeat: { count: 1, windowSec: 600 } } }],
  ['one flag an hour', ['flag/*'], { limits: { flagReporter: { count: 1 } }, flag: { breakerPendingMax: 5 } }],
  ['no flag pending', ['flag/*'], { flag: { breakerPendingMax: 0 } }],
  ['two flags against a target', ['flag/*'], { limits: { flagTarget: { count: 2 } } }],
  ['no flag at all', ['flag/*'], { limits: { flagReporter: { count: 0 } } }],
  ['little metadata', ['register/metadata*'], { registration: { metadataBytesMax: 1_000 } }],
  ['a greatest depth', ['spawn/lineage-of-six'], { agent: { depthMax: 2 } }],
  ['one missed anchor', ['dms/stalled', 'dms/other-calls'], { dms: { missedAnchorsMax: 1, warningAnchors: 1 } }],
  ['many lookups', ['status/limit'], { limits: { lookup: { count: 600 } } }],
  ['no work proofs', ['work-proof/limit*'], { limits: { workProof: { count: 0 } } }],
  ['tokens with a long window', ['register-token/limit*'], { limits: { registerToken: { windowSec: 7_200 } } }],
])('%s: %j', async (_name, only, overlay) => {
  const numbers = withOverlay(mergedOverlay(mergedOverlay(lighter, CHEAP), overlay));
  const { target, send, close } = startInProcess(modules, { seed: 1, numbers });
  try {
    const options = { seed: 1, only, strict: true, toolVersion: 'test', nowWallMs: Date.now, transport: send };
    const { checks } = await conform(target, options);
    expect(checks.length).toBeGreaterThan(0);
    const wrong = ['fail', 'advisory', 'error', 'inconclusive'];
    expect(checks.filter(({ verdict }) => wrong.includes(verdict))).toEqual([]);
  } finally {
    await close();
  }
});
