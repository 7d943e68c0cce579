import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { Deployment, type DeploymentSetUp } from '../../../test/fixtures/http.js';
import { longSession } from '../../../test/fixtures/long-session.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { serviceFingerprint } from '../../state-digest.js';
import type { Command } from '../../store/command.js';
import { nodeFiles } from '../../store/node-files.js';
import { openStore } from '../../store/open-store.js';

const deployments: Deployment[] = [];
afterEach(async () => {
  await Promise.all(deployments.splice(0).map((deployment) => deployment.close()));
});

async function start(options?: DeploymentSetUp): Promise<Deployment> {
  const deployment = await Deployment.start(options);
  deployments.push(deployment);
  return deployment;
}

/** A store in a folder of its own, for a service of the tests. */
async function storeIn(folder: string) {
  const owner = { of: 'tests' };
  const build = { version: '0.0.0', rules: 'f'.repeat(64) };
  const messages: string[] = [];
  const log = (text: string): unknown => messages.push(text);
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const store = await openStore({ files: nodeFiles, folder, build, owner, startMs: GENESIS_MS, log, onFailure });
  return { store, told: messages };
}

/** A copy of a folder as it is while a server uses it: what a crash would leave. */
function afterCrash(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'aips-session-'));
  for (const name of readdirSync(folder))
    if (!name.startsWith('lock')) copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

const stateOf = (deployment: Deployment): string => serviceFingerprint(deployment.host.service);

describe.each(['service', 'provenonce'] as const)('a long session in the dialect %s', (name) => {
  it('is the same after a crash, where its journal is replayed, and after a stop, where its snapshot is read', async () => {
    const dialect = dialects[name];
    const folder = mkdtempSync(join(tmpdir(), 'aips-session-'));
    const first = await Deployment.start({ dialect, store: (await storeIn(folder)).store });
    await longSession(first);
    const names = commandNamesIn(folder);
    expect(names.size).toBeGreaterThan(25);
    const replayed = await start({ dialect, store: (await storeIn(afterCrash(folder))).store });
    expect(stateOf(replayed)).toBe(stateOf(first));
    const before = stateOf(first);
    await first.close();
    const { store, told } = await storeIn(folder);
    const restored = await start({ dialect, store });
    expect(stateOf(restored)).toBe(before);
    expect(told).toEqual([]);
    const more = { name: 'after the restart' };
    const replies = [replayed, restored].map((deployment) => deployment.call('POST /register', more));
    const [one, two] = await Promise.all(replies);
    expect(two?.body).toEqual(one?.body);
    expect(stateOf(restored)).toBe(stateOf(replayed));
  });
});

function commandNamesIn(folder: string): Set<string> {
  const lines = readFileSync(join(folder, 'journal-000001.ndjson'), 'utf8').trimEnd().split('\n');
  const commands = lines.map((line) => JSON.parse(line) as { command?: Command }).filter(({ command }) => command);
  return new Set(commands.map(({ command }) => command?.name ?? ''));
}
