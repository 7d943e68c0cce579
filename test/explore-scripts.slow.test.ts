// Scripts of the small world, played over HTTP on the reference, and judged by the model.
import { describe, expect, it } from 'vitest';
import { type Open, type Step, walk } from '../conformance/fuzz/fuzz.js';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { pricesOf } from '../explore/prices.js';
import { playPath, scriptOf } from '../explore/script.js';
import { errorOf, explore, type First } from '../explore/search.js';
import { smallNumbers } from '../explore/small-numbers.js';
import { Reversed } from '../explore/traps.js';
import { World } from '../explore/world.js';
import { errors } from '../spec/errors.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';

const small = smallNumbers(protocol);
const CHEAP = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } } as const;

describe('a script of the small world', () => {
  const graph = explore(new World({ protocol: small, agents: 2 }), { statesMax: 12_000 });
  const open: Open = async () => startInProcess(await loadReference(), { seed: 1, numbers: withOverlay(CHEAP, small) });
  const firsts = new Map<string, First>();
  for (const first of graph.firsts) {
    const row = errorOf(first.answer);
    const name = `${graph.moves[first.move]?.op}: ${row}`;
    if (row !== undefined && !firsts.has(name)) firsts.set(name, first);
  }

  it('gets its last answer from the reference over HTTP, and the model agrees', { timeout: 120_000 }, async () => {
    expect(firsts.size).toBeGreaterThan(50);
    for (const [name, { state, move, answer }] of firsts) {
      const row = errors[errorOf(answer) ?? 'any/NOT_FOUND'];
      const script = scriptOf(graph, playPath(graph, state, [move]));
      const { steps, failure } = await walk(open, script);
      const last = steps.findLast(
        ({ action, exchange: { request } }) =>
          action === script.actions.length - 1 &&
          !request.url.endsWith('work-proof') &&
          (name.startsWith('passport:') ? request.url.endsWith('/agent/passport') : request.method !== 'GET'),
      );
      const { status, body } = last?.exchange.response ?? {};
      const { code } = JSON.parse(body ?? '{}') as { code?: string };
      expect([name, failure, status, code]).toEqual([name, null, row.status, row.code]);
    }
  });

  it('pays a price of escape over HTTP, and its heartbeat is accepted', { timeout: 120_000 }, async () => {
    const rows = pricesOf(new Reversed(graph), protocol);
    expect(rows.length).toBeGreaterThan(20);
    for (const { condition, worst } of rows.filter((_, nth) => nth % 4 === 0)) {
      const [{ state, moves, lamports } = { state: -1, moves: [], lamports: 0 }] = worst;
      const played = playPath(graph, state, moves);
      const script = scriptOf(graph, played);
      const ways = script.actions.length - played.slice(-moves.length).flatMap((step) => actionsOf(step)).length;
      const { steps, failure } = await walk(open, script);
      const paid = steps.filter(({ action }) => action >= ways).reduce((sum, step) => sum + feeIn(step), 0);
      expect([condition, failure, paid]).toEqual([condition, null, lamports]);
      const last = steps.findLast(({ exchange: { request } }) => request.url.endsWith('/agent/heartbeat'));
      expect([last?.action, last?.exchange.response?.status]).toEqual([script.actions.length - 1, 200]);
    }
  });
});

const actionsOf = ({ move, cost }: ReturnType<typeof playPath>[number]) => move.actions(cost.anchors);

/** The fee that an accepted request paid. */
function feeIn({ exchange: { request, response } }: Step): number {
  if (request.method !== 'POST' || response?.status !== 200 || request.url.includes('/control/')) return 0;
  const { fee } = JSON.parse(response.body) as { fee?: { amount_lamports?: number } };
  return fee?.amount_lamports ?? 0;
}
