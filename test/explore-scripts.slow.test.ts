// Scripts of the small world, played over HTTP on the reference, and judged by the model.
import { describe, expect, it } from 'vitest';
import { type Open, type Step, walk } from '../conformance/fuzz/fuzz.js';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { Draws } from '../conformance/trial/random.js';
import { STATUS } from '../explore/fields.js';
import type { Move } from '../explore/move.js';
import { playedFrom } from '../explore/parting.js';
import { pricesOf } from '../explore/prices.js';
import { playPath, scriptOf } from '../explore/script.js';
import { ACCEPTED, errorOf, explore, type First } from '../explore/search.js';
import { smallNumbers } from '../explore/small-numbers.js';
import { Reversed } from '../explore/traps.js';
import { World } from '../explore/world.js';
import { errors } from '../spec/errors.js';
import { withOverlay } from '../spec/overlay.js';
import { type Protocol, protocol } from '../spec/protocol.js';

const small = smallNumbers(protocol);
const CHEAP = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } } as const;
/** Many requests of a walk are sent at one moment. */
const UNLIMITED = Object.fromEntries(Object.keys(protocol.limits).map((name) => [name, { count: 100_000 }]));
/** The numbers of a server: small ones, of which beats are cheap and limits wide. */
const served = (of: Protocol): Protocol => withOverlay({ ...CHEAP, limits: UNLIMITED }, of);
const graph = explore(new World({ protocol: small, agents: 2 }), { statesMax: 12_000 });
const openWith =
  (numbers: Protocol): Open =>
  async () =>
    startInProcess(await loadReference(), { seed: 1, numbers });
const open = openWith(served(small));

/** The answer to an action, as status and code. */
function answerTo(nth: number, { op }: Move, steps: readonly Step[]): string {
  const reply = steps.findLast(
    ({ action, exchange: { request } }) =>
      action === nth &&
      !request.url.endsWith('work-proof') &&
      (op === 'passport' ? request.url.endsWith('/agent/passport') : request.method !== 'GET'),
  )?.exchange.response;
  const { code } = JSON.parse(reply?.body ?? '{}') as { code?: string };
  return reply === undefined || reply.status < 300 ? 'accepted' : `${reply.status} ${code}`;
}

/** The answer of a rule in the same form. */
function shownAs(answer: number): string {
  const row = errorOf(answer);
  return row === undefined ? 'accepted' : `${errors[row].status} ${errors[row].code}`;
}

describe('a script of the small world', () => {
  const firsts = new Map<string, First>();
  for (const first of graph.firsts) {
    const row = errorOf(first.answer);
    const name = `${graph.moves[first.move]?.op}: ${row}`;
    if (row !== undefined && !firsts.has(name)) firsts.set(name, first);
  }

  it('gets its last answer from the reference over HTTP, and the model agrees', { timeout: 120_000 }, async () => {
    expect(firsts.size).toBeGreaterThan(50);
    for (const [name, { state, move, answer }] of firsts) {
      const script = scriptOf(graph, playPath(graph, state, [move]));
      const { steps, failure } = await walk(open, script);
      const last = answerTo(script.actions.length - 1, graph.moves[move] as Move, steps);
      expect([name, failure, last]).toEqual([name, null, shownAs(answer)]);
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

describe('a script of the small world of a change', () => {
  const parts = { formulas: { 'resync.penaltyBeats': 'min(7 * (missedAnchors - 60), 900)' } };
  const text = withOverlay({ dms: { graceAnchors: 5 }, parts });
  const changed = explore(new World({ protocol: smallNumbers(text), agents: 2 }), { statesMax: 1_500 });

  it('pays the price of a grace and of a formula over HTTP, and the model agrees', { timeout: 120_000 }, async () => {
    const rows = pricesOf(new Reversed(changed), text).filter(({ condition }) => condition.startsWith('frozen'));
    expect(rows.map(({ condition }) => condition)).toContain('frozen within its grace');
    for (const { agent, condition, worst } of rows) {
      const [{ state, moves } = { state: -1, moves: [] }] = worst;
      const script = scriptOf(changed, playPath(changed, state, moves));
      const { steps, failure } = await walk(openWith(served(changed.world.registry.protocol)), script);
      const last = steps.findLast(({ exchange: { request } }) => request.url.endsWith('/agent/heartbeat'));
      const ends = [last?.action, last?.exchange.response?.status];
      expect([agent, condition, failure, ...ends]).toEqual([agent, condition, null, script.actions.length - 1, 200]);
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

const SEED = 1;
const WALKS = 4;
const MOVES = 100;
/** Moves after which an agent has less to do. */
const ENDS = new Set(['revoke-key', 'time']);

/**
 * A walk through the world. Where there are some, it takes edges of kinds that are not among `seen`, those first that change nothing. The
 * kind of an edge is its operation and answer, and the status of each agent before it.
 */
function walkOf(draws: Draws, seen: Set<string>): readonly number[] {
  const { world, moves } = graph;
  const below = (count: number): number => Number.parseInt(draws.hex(4), 16) % count;
  const path: number[] = [];
  let values = world.first();
  while (path.length < MOVES) {
    const status = [0, 1].map((agent) => values[world.fields.agent(agent) + STATUS]).join();
    const edges = moves.flatMap(({ op, isPossible }, nth) => {
      if (!isPossible(values)) return [];
      const { answer, after } = playedFrom(world, moves[nth] as Move, values);
      return [{ op, move: nth, answer, after, kind: `${op} ${answer} ${status}` }];
    });
    const fresh = edges.filter(({ kind }) => !seen.has(kind));
    const others = edges.filter(({ op }) => !ENDS.has(op));
    const choices =
      [
        fresh.filter(({ answer }) => answer !== ACCEPTED),
        fresh.filter(({ op }) => !ENDS.has(op)),
        ...(below(4) === 0 ? [fresh, edges] : []),
        others.filter(({ answer }) => answer === ACCEPTED),
      ].find((each) => each.length > 0) ?? edges;
    const { after, kind, move } = choices[below(choices.length)] as (typeof edges)[number];
    seen.add(kind);
    path.push(move);
    values = after;
  }
  return path;
}

it('gets every answer of a sample of edges from the reference, and the model agrees', {
  timeout: 120_000,
}, async () => {
  console.log(`seed ${SEED}`);
  const draws = new Draws(`edges:${SEED}`);
  const seen = new Set<string>();
  for (let nth = 0; nth < WALKS; nth += 1) {
    const played = playPath(graph, 0, walkOf(draws, seen));
    const { steps, failure } = await walk(open, scriptOf(graph, played));
    let actions = 0;
    const answers = played.map((step) => {
      actions += actionsOf(step).length;
      return `${step.move.name}: ${answerTo(actions - 1, step.move, steps)}`;
    });
    expect(failure).toBeNull();
    expect(answers).toEqual(played.map(({ move, answer }) => `${move.name}: ${shownAs(answer)}`));
  }
  expect(seen.size).toBeGreaterThan(150);
});
