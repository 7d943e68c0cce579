// The players of examples/vectors on the second server, the one in Go where `go` is there, and the mistakes that the pairs show.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { DIFFICULTY, goPlayer, pythonPlayer, startedReference } from './fixtures/vectors.js';
import { startSecondServer } from './second-server/server.js';
import { root } from './source-tree.js';

const hasGo = spawnSync('go', ['version']).status === 0;

describe.each([
  ['Python', pythonPlayer, true],
  ['Go', goPlayer, hasGo],
] as const)('the player in %s', (_, player, isThere) => {
  it.runIf(isThere)('passes every pair on the second server', { timeout: 300_000 }, async () => {
    const { url, beatsUrl, controlUrl, close } = await startSecondServer({ difficulty: DIFFICULTY });
    try {
      const { out } = await player({ baseUrl: url, beatsUrl, controlUrl, controlToken: 'lab' });
      expect(out.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([]);
      // It has no partner webhooks, and resyncs by receipt alone.
      expect(out).toMatch(/^4[3-9]\d pass, 0 FAIL/m);
    } finally {
      await close();
    }
  });

  it.runIf(isThere)('passes every pair on the reference', { timeout: 300_000 }, async () => {
    const server = await startedReference();
    try {
      expect((await player(server)).status).toBe(0);
    } finally {
      await server.close();
    }
  });
});

it('every pair shows its mistakes again, and passes on permitted servers', { timeout: 1_800_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/test/pairs/again.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(/^\d+ of \d+ mistakes shown again, 0 failures on 48 permitted servers/),
    '',
  ]);
});
