// The players of examples/vectors, as their reader runs them. pairs-played.nightly has the second server, and the player in Go.
import { describe, expect, it } from 'vitest';
import { hasPython, pythonPlayer, startedReference } from './fixtures/vectors.js';

describe.skipIf(!hasPython)('the player in Python', () => {
  it('passes every pair on the reference', { timeout: 120_000 }, async () => {
    const server = await startedReference();
    try {
      const { status, out } = await pythonPlayer(server);
      expect([status, out.split('\n').filter((line) => /^(?:FAIL|not judged)/.test(line))]).toEqual([0, []]);
      expect(out).toMatch(/^[3-9]\d\d pass, 0 FAIL, 0 not judged$/m);
    } finally {
      await server.close();
    }
  });

  it('fails on a server with a mistake, and names the clause and the place', async () => {
    const server = await startedReference({ resync: { beatsPerMissedAnchor: 90 } });
    try {
      const { status, out } = await pythonPlayer(server, '--only', 'resync.penalty');
      expect([status, out]).toEqual([
        1,
        expect.stringContaining('FAIL  resync.penalty: required_beats is 5490, not as {"is": 6100}'),
      ]);
    } finally {
      await server.close();
    }
  });

  it('says what it cannot judge', async () => {
    const nowhere = {
      baseUrl: 'http://127.0.0.1:1',
      beatsUrl: 'http://127.0.0.1:1',
      controlUrl: 'http://127.0.0.1:1',
      controlToken: '',
    };
    const { status, err } = await pythonPlayer(nowhere);
    expect([status, err]).toEqual([2, expect.stringMatching(/^play\.py: .*refused/)]);
  });
});
