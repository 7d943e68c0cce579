// Scripts of the small world, played over HTTP on the reference, and judged by the model.
import { describe, expect, it } from 'vitest';
import { type Open, walk } from '../conformance/fuzz/fuzz.js';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { playPath, scriptOf } from '../explore/script.js';
import { errorOf, explore, type First } from '../explore/search.js';
import { smallNumbers } from '../explore/small-numbers.js';
import { World } from '../explore/world.js';
import { errors } from '../spec/errors.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';

const small = smallNumbers(protocol);
const CHEAP = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } } as const;

describe('a script of the small world', () => {
  const graph = explore(new World({ protocol: small, agents: 2 }), { statesMax: 12_000 });
  const firsts = new Map<string, First>();
  for (const first of graph.firsts) {
    const row = errorOf(first.answer);
    const name = `${graph.moves[first.move]?.op}: ${row}`;
    if (row !== undefined && !firsts.has(name)) firsts.set(name, first);
  }

  it('gets its last answer from the reference over HTTP, and the model agrees', { timeout: 120_000 }, async () => {
    const modules = await loadReference();
    const open: Open = async () => startInProcess(modules, { seed: 1, numbers: withOverlay(CHEAP, small) });
    expect(firsts.size).toBeGreaterThan(50);
    for (const [name, { state, move, answer }] of firsts) {
      const row = errors[errorOf(answer) ?? 'any/NOT_FOUND'];
      const script = scriptOf(graph, playPath(graph, state, move));
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
});
