// The words of a clause change no verdict: what it demands is data.
import { expect, it, vi } from 'vitest';
import type { Transport } from '../conformance/wire/transport.js';
import type * as clausesModule from '../spec/clauses/index.js';
import { isObject, jsonOf } from '../spec/formats.js';

const PLAYED = ['heartbeat/refusals', 'sigil/classes', 'wallet/already-linked', 'metadata/refused', 'checkin/gone'];

/** A server that refuses with the wrong status and code, and writes numbers as texts. */
function spoilt(send: Transport): Transport {
  return async (request) => {
    const reply = await send(request);
    const json = jsonOf(reply.body);
    if (!isObject(json) || !request.url.includes('/api/v1/')) return reply;
    if (reply.status >= 400) return { ...reply, status: 418, body: JSON.stringify({ ...json, code: 'OTHER' }) };
    const texts = Object.entries(json).map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value]);
    return { ...reply, body: JSON.stringify(Object.fromEntries(texts)) };
  };
}

/** The suite with the clauses in its own words, or in others. */
async function suiteWith(inOtherWords: boolean) {
  vi.resetModules();
  vi.doMock('../spec/clauses/index.js', async (original) => {
    const real = await original<typeof clausesModule>();
    if (!inOtherWords) return real;
    const reword = (clause: ReturnType<typeof real.clauseById>) => ({ ...clause, text: 'Other words.' });
    return { ...real, clauses: real.clauses.map(reword), clauseById: (id: string) => reword(real.clauseById(id)) };
  });
  const { allChecks } = await import('../conformance/checks/index.js');
  const { cheap, loadReference, startInProcess } = await import('../conformance/in-process/reference.js');
  const { conform } = await import('../conformance/run/runner.js');
  const checks = allChecks.filter(({ id }) => PLAYED.includes(id));
  expect(checks).toHaveLength(PLAYED.length);
  return async (change: (send: Transport) => Transport) => {
    const { target, send, close } = startInProcess(await loadReference(), { seed: 5, numbers: cheap });
    const options = { seed: 5, toolVersion: 'test', nowWallMs: () => 0, unprobed: true, concurrency: 1 };
    const { clauses } = await conform(target, { ...options, transport: change(send), checks });
    await close();
    return clauses
      .filter(({ evidence }) => evidence.length > 0)
      .map(({ id, state, evidence }) => [id, state, evidence.map(({ check, about, ok }) => `${check} ${about} ${ok}`)]);
  };
}

const ends = (states: readonly (readonly unknown[])[], end: string): number =>
  states.filter(([, state]) => state === end).length;

it('every clause in other words gives the same states, of a right server and of a wrong one', async () => {
  const judge = await suiteWith(false);
  const [right, wrong] = [await judge((send) => send), await judge(spoilt)];
  expect(ends(right, 'holds')).toBeGreaterThan(100);
  expect(ends(right, 'fails')).toBe(0);
  expect(ends(wrong, 'fails')).toBeGreaterThan(40);
  const again = await suiteWith(true);
  expect([await again((send) => send), await again(spoilt)]).toEqual([right, wrong]);
});
