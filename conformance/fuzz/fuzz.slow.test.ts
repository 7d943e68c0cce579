import { describe, expect, it } from 'vitest';
import { mergedOverlay, withOverlay } from '../../spec/overlay.js';
import { loadReference, startInProcess } from '../mutants/reference.js';
import type { Transport } from '../wire/transport.js';
import { fuzz, type Open, replay, SMALL } from './fuzz.js';

const CHEAP = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } } as const;

/** The reference in this process, its replies changed on their way. */
function reference(change: (send: Transport) => Transport = (send) => send): Open {
  return async (setUp) => {
    const small = setUp === 'small';
    const own = small ? withOverlay(mergedOverlay(CHEAP, SMALL)) : withOverlay(CHEAP);
    const deployment = small ? 'devnet' : setUp;
    const server = startInProcess(await loadReference(), { seed: 1, numbers: own, deployment });
    return { ...server, send: change(server.send) };
  };
}

/** Heartbeats after the first are counted twice. */
const miscounting: (send: Transport) => Transport = (send) => async (request) => {
  const reply = await send(request);
  if (!request.url.endsWith('/agent/heartbeat') || reply.status !== 200) return reply;
  const body = JSON.parse(reply.body) as { total_heartbeats: number };
  return { ...reply, body: JSON.stringify({ ...body, total_heartbeats: body.total_heartbeats * 2 - 1 }) };
};

describe('model tests', () => {
  it('have nothing against the reference', async () => {
    const result = await fuzz(reference(), { runs: 8, seed: 11, shrink: true });
    expect(result.failure?.message ?? null).toBeNull();
    expect(result.runs).toBe(8);
    expect(result.requests).toBeGreaterThan(200);
  });

  it('draw the same sequences from the same seed, and others from another', async () => {
    const requests = async (seed: number): Promise<number> =>
      (await fuzz(reference(), { runs: 2, seed, shrink: true })).requests;
    expect(await requests(3)).toBe(await requests(3));
    expect(await requests(4)).not.toBe(await requests(3));
  });

  it('find a wrong count, shrink it to what makes it, and play it again', async () => {
    const { failure } = await fuzz(reference(miscounting), { runs: 40, seed: 1, shrink: true });
    expect(failure?.message).toBe('POST /api/v1/agent/heartbeat: total_heartbeats is 3, and 2 is expected');
    expect(failure?.sequence.actions.length).toBeLessThanOrEqual(3);
    if (failure === null) throw new Error('nothing was found');
    expect((await replay(reference(miscounting), failure.sequence))?.message).toBe(failure.message);
    expect(await replay(reference(), failure.sequence)).toBeNull();
    expect(failure.exchanges.map(({ request }) => JSON.stringify(request)).join()).not.toMatch(/pvn_/);
  });
});
