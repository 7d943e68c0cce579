import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceFingerprint } from '../../../reference/state-digest.js';
import { parsedOrFail } from '../../../runs/host/files.js';
import { parseScenario } from '../../../scenarios/schema.js';
import { ActionRefused } from '../action.js';
import { POPULATION } from '../population.js';
import { LivingReference } from './living-reference.js';
import { serverActions } from './server-actions.js';

const HOUR_MS = 3_600_000;
let reference: LivingReference;
const changes: number[] = [];

const act = async (path: string, body: object = {}) =>
  serverActions(reference, (done, given) => `${done} ${JSON.stringify(given)}`)
    .find((each) => each.path === `server/${path}`)
    ?.run(body) as Promise<Readonly<Record<string, unknown>>>;

beforeAll(async () => {
  reference = await LivingReference.start(parsedOrFail(parseScenario(POPULATION, 'population')), 3, {
    onRequest: () => undefined,
    onChange: () => changes.push(1),
    onError: (error) => {
      throw error;
    },
  });
  await reference.advance(5 * HOUR_MS);
});
afterAll(() => reference.close());

describe('the reference of the lab', () => {
  it('has a population that lives: agents, heartbeats, refusals with their clause, children, flags', async () => {
    const figures = await act('figures');
    expect(figures).toMatchObject({ population: { ended: null }, nowMs: 1_767_225_600_000 + 5 * HOUR_MS });
    expect(figures['agents']).toBe(36);
    const tooSoon = reference.log.latest.find(({ refused }) => refused?.code === 'HEARTBEAT_TOO_SOON');
    expect(tooSoon?.refused).toMatchObject({ clause: 'heartbeat.error.heartbeat-too-soon' });
    expect(tooSoon?.refused?.fields['next_eligible_beat']).toBeGreaterThan(tooSoon?.beat ?? Number.POSITIVE_INFINITY);
    expect((await act('table', { table: 'flags' }))['total']).toBeGreaterThan(0);
    expect((await act('table', { table: 'fees' }))['rows']).toHaveLength(3);
    const { rows, total } = await act('agents', {
      search: 'child-',
      order: 'heartbeats',
      descending: true,
      count: 3,
    });
    expect([total, (rows as unknown[]).length]).toEqual([8, 3]);
    const child = await act('agent', { agent: (rows as { hash: string }[])[0]?.hash });
    expect((child['ancestors'] as unknown[]).length).toBe(1);
    expect((child['events'] as { what: string }[]).some(({ what }) => what === 'heartbeat')).toBe(true);
  });

  it('goes back to a moment with the same fingerprint, and leaves the present as it is', async () => {
    const mark = reference.history.marks.at(-1);
    const requests = reference.log.counts;
    const before = serviceFingerprint(reference.running.host.service);
    await reference.advance(HOUR_MS);
    const now = serviceFingerprint(reference.running.host.service);
    expect(now).not.toBe(before);
    const commands = reference.history.length;
    const back = await act('back', { atMs: mark?.atMs });
    expect(back['past']).toMatchObject({ same: true, fingerprint: mark?.fingerprint });
    expect(reference.past && serviceFingerprint(reference.past.host.service)).toBe(before);
    expect(await act('figures')).toMatchObject({ ...requests, nowMs: mark?.atMs });
    await expect(act('advance', { ms: 1_000 })).rejects.toThrow(ActionRefused);
    await act('present');
    expect([serviceFingerprint(reference.running.host.service), reference.history.length]).toEqual([now, commands]);
  });

  it('reviews a flag, stalls the anchors, and says the curl that does the same', async () => {
    const { rows } = await act('table', { table: 'flags' });
    const flag = (rows as { id: string; status: string }[]).find(({ status }) => status === 'pending');
    const reviewed = await act('review', { id: flag?.id, outcome: 'sustain' });
    expect(reviewed['curl']).toBe(`server/review {"id":"${flag?.id}","outcome":"sustain"}`);
    await expect(act('review', { id: flag?.id, outcome: 'sustain' })).rejects.toThrow(ActionRefused);
    expect((await act('stall', { on: true }))['stalled']).toBe(true);
    const { anchor } = await act('figures');
    await reference.advance(HOUR_MS / 6);
    expect(await act('figures')).toMatchObject({ anchor });
  });
});

it('counts the requests up to any moment', async () => {
  const last = reference.log.latest.at(-1);
  expect(reference.log.countsAt(last?.atMs ?? 0)).toEqual(reference.log.counts);
  const earlier = reference.log.latest.findLast(({ atMs }) => atMs < (last?.atMs ?? 0));
  expect(reference.log.countsAt(earlier?.atMs ?? 0)?.requests).toBe(earlier?.n);
  expect(reference.log.countsAt(0)).toEqual({ requests: 0, refused: 0 });
});

it('ends in the middle of a second of many agents when it is closed', async () => {
  const many = POPULATION.replace('count: 12', 'count: 2000').replace('uniform, over: 30m', 'uniform, over: 2s');
  let first = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    first = resolve;
  });
  const crowd = await LivingReference.start(parsedOrFail(parseScenario(many, 'many')), 3, {
    onRequest: () => first(),
    onChange: () => undefined,
    onError: () => undefined,
  });
  const advance = crowd.advance(7 * 24 * HOUR_MS);
  await asked;
  await crowd.close();
  await advance;
  expect(crowd.isMoving).toBe(false);
  expect(crowd.running.host.service.registry.agents.rows).toBeLessThan(2_000);
});

it('keeps so many commands, and goes back exactly to where they begin', async () => {
  const limits = { commands: 200, checkpointEvery: 15 };
  const listeners = { onRequest: () => undefined, onChange: () => undefined, onError: () => undefined };
  const scenario = parsedOrFail(parseScenario(POPULATION, 'population'));
  const bounded = await LivingReference.start(scenario, 3, listeners, limits);
  const back = (atMs: number) =>
    serverActions(bounded, () => '')
      .find(({ path }) => path === 'server/back')
      ?.run({ atMs });
  const { history } = bounded;
  expect(history.firstMs).toBe(1_767_225_600_000);
  for (let hour = 0; hour < 4; hour += 1) await bounded.advance(HOUR_MS);
  expect(history.length).toBeGreaterThan(3 * limits.commands);
  const kept = Array.from({ length: 36 }, (_, agent) => history.commandsOf(agent, Number.POSITIVE_INFINITY).length);
  expect(kept.reduce((sum, count) => sum + count, 0)).toBeLessThan(limits.commands + 2 * limits.checkpointEvery);
  expect(history.firstMs).toBe(history.marks[0]?.atMs);
  expect(history.marks.length).toBeGreaterThan(2);
  for (const { atMs } of history.marks) expect(await history.at(atMs)).toMatchObject({ atMs, same: true });
  await expect(back(history.firstMs - 1)).rejects.toThrow(
    `a moment from ${new Date(history.firstMs).toISOString()}, where the memory begins`,
  );
  await expect(back(history.firstMs)).resolves.toMatchObject({ past: { same: true, replayed: 0 } });
  await bounded.close();
});

it('keeps states by their memory: those that go are between others, and every moment is made again from the one before it', async () => {
  const limits = { checkpointEvery: 40, checkpointBytes: 600_000 };
  const listeners = { onRequest: () => undefined, onChange: () => undefined, onError: () => undefined };
  const bounded = await LivingReference.start(
    parsedOrFail(parseScenario(POPULATION, 'population')),
    3,
    listeners,
    limits,
  );
  await bounded.advance(2 * HOUR_MS);
  const { history } = bounded;
  const { commands, bytes } = history.checkpoints;
  expect(bytes).toBeLessThanOrEqual(limits.checkpointBytes);
  const gaps = commands.map((each, at) => each - (commands[at - 1] ?? 0));
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.length).toBeLessThan(history.length / limits.checkpointEvery - 1);
  expect(Math.max(...gaps)).toBeLessThan(4 * (history.length / commands.length));
  for (const { atMs } of history.marks.slice(-4)) {
    const past = await history.at(atMs);
    expect(past).toMatchObject({ same: true });
    expect(past.replayed).toBeLessThanOrEqual(Math.max(...gaps));
  }
  await bounded.close();
});
