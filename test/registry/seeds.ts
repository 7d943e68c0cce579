/**
 * The entry of `npm run registry:seeds`: records the reference, the second server, and that server as it follows the published service, and puts
 * them into the registry. Quick runs without a moved clock keep the registry small. The published service itself is not reached from a build.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileNamed } from '../../conformance/run/profile.js';
import type { Target } from '../../conformance/target/target.js';
import { packageVersion } from '../../runs/host/package.js';
import { addEntry } from '../../runs/registry/add-entry.js';
import { referenceTarget, startReference, WITH_WEBHOOKS } from '../../runs/server/reference-process.js';
import { judgeAndRecord } from '../../runs/suite/record.js';
import { startSecondServer } from '../second-server/server.js';

const REGISTRY = 'registry';
/** The sections of life and payment, whose recordings are small. */
const LIFE = ['4.1', '4.2', '4.3', '4.4', '4.5', '4.7', '5', '7'];
/** Hashes of a beat, by which replays are quick. */
const DIFFICULTY = 100;

interface Seed {
  readonly implementation: string;
  readonly only?: readonly string[];
  readonly open: () => Promise<{ readonly target: Target; readonly stop: () => Promise<void> }>;
}

const secondServer = (published: boolean) => async () => {
  const server = await startSecondServer({ difficulty: DIFFICULTY, published });
  const { url: base_url, beatsUrl: beats_url, controlUrl: control_url } = server;
  const lines = published ? ['dialect: provenonce'] : [];
  const target = referenceTarget({ base_url, beats_url, control_url, control_token: 'lab' }, [
    'unsupported: [partner-webhook]',
    `protocol: { beat: { difficulty: ${DIFFICULTY} } }`,
    ...lines,
  ]);
  return { target, stop: () => server.close() };
};

const seeds: readonly Seed[] = [
  { implementation: 'aips-lab-reference', open: () => startReference({ seed: 1, ...WITH_WEBHOOKS }) },
  { implementation: 'second-server', only: LIFE, open: secondServer(false) },
  { implementation: 'second-server-published', only: LIFE, open: secondServer(true) },
];

const work = mkdtempSync(join(tmpdir(), 'aips-seeds-'));
const version = packageVersion();
for (const { implementation, only, open } of seeds) {
  const { target, stop } = await open();
  const tape = join(work, `${implementation}.aips.gz`);
  try {
    const options = { seed: 1, toolVersion: version, nowWallMs: Date.now, quick: true, profile: profileNamed('paid') };
    const words = only === undefined ? '' : ` --only ${only.join(' ')}`;
    const command = 'aips conform --target target.yaml --quick --profile paid';
    await judgeAndRecord({ path: tape, command }, target, { ...options, ...(only && { only }) });
    rmSync(join(REGISTRY, implementation, version), { recursive: true, force: true });
    console.log(`${command}${words}: ${addEntry(REGISTRY, tape, { implementation, version, licence: 'MIT' })}`);
  } finally {
    await stop();
  }
}
rmSync(work, { recursive: true });
