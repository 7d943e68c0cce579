import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsedOrFail } from '../../../runs/host/files.js';
import { parseScenario } from '../../../scenarios/schema.js';
import { CommandFolder } from '../command-folder.js';
import { POPULATION } from '../population.js';
import { type ActDone, agentActions } from './agent-actions.js';
import { LivingReference } from './living-reference.js';
import type { LoggedRequest } from './request-log.js';
import { serverActions } from './server-actions.js';

const HOUR_MS = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'aips-lab-acts-'));
let reference: LivingReference;
let errors: unknown[] = [];

const curlOf = (path: string, body: object): string => `${path} ${JSON.stringify(body)}`;

async function action<T>(path: string, body: object): Promise<T> {
  const all = [...serverActions(reference, curlOf), ...agentActions(reference, curlOf, new CommandFolder(folder))];
  return (await all.find((each) => each.path === `server/${path}`)?.run(body)) as T;
}

/** Acts, and returns the request that decides. */
async function act(agent: string, what: object): Promise<LoggedRequest> {
  const { requests } = await action<ActDone>('act', { agent, ...what });
  return requests.at(-1) as LoggedRequest;
}

interface Shown {
  readonly row: number;
  readonly hash: string;
  readonly standing: string;
  readonly holds: string;
  readonly silent: boolean;
  readonly heartbeats: number;
  readonly children: readonly { readonly row: number; readonly name: string }[];
}

const agentOf = (agent: string): Promise<Shown> => action<Shown>('agent', { agent });

/** An agent of the population by the begin of its name. */
async function living(search: string): Promise<Shown> {
  const { rows } = await action<{ rows: readonly { hash: string }[] }>('agents', { search, count: 1 });
  return agentOf(rows[0]?.hash ?? '');
}

/** Makes an agent, and returns its row. */
async function made(name: string): Promise<string> {
  const { requests } = await action<ActDone>('make', { name });
  expect(requests.map(({ path, status }) => [path, status])).toEqual([
    ['/api/v1/register', 200],
    ['/api/v1/register', 200],
    ['/api/v1/agent/init', 200],
  ]);
  return String(requests.at(-1)?.agent);
}

beforeAll(async () => {
  reference = await LivingReference.start(parsedOrFail(parseScenario(POPULATION, 'population')), 3, {
    onRequest: () => undefined,
    onChange: () => undefined,
    onError: (error) => errors.push(error),
  });
  await reference.advance(3 * HOUR_MS);
});
afterAll(async () => {
  await reference.close();
  rmSync(folder, { recursive: true });
  expect(errors).toEqual([]);
  errors = [];
});

describe('an agent that the lab made', () => {
  let row = '';
  beforeAll(async () => {
    row = await made('mine');
  });

  it('lives through a SIGIL, heartbeats, freezing and resync as its client lets it', async () => {
    expect(await agentOf(row)).toMatchObject({ standing: 'active', holds: 'made', silent: false });
    const refusal = async (what: object) => (await act(row, what)).refused;
    expect(await refusal({ do: 'heartbeat' })).toMatchObject({ clause: 'heartbeat.error.sigil-required' });
    expect((await act(row, { do: 'sigil', identityClass: 'autonomous' })).status).toBe(200);
    expect((await act(row, { do: 'heartbeat' })).status).toBe(200);
    expect(await refusal({ do: 'heartbeat' })).toMatchObject({
      code: 'HEARTBEAT_TOO_SOON',
      clause: 'heartbeat.error.heartbeat-too-soon',
    });
    expect(await refusal({ do: 'resync' })).toMatchObject({ code: 'AGENT_WRONG_STATE' });
    const before = reference.running.host.clock.nowMs();
    await action('freeze', { agent: row });
    expect((await agentOf(row)).standing).toBe('frozen');
    // More than 60 anchors of a minute each are missed.
    expect(reference.running.host.clock.nowMs() - before).toBe(61 * 60_000);
    expect(await refusal({ do: 'heartbeat' })).toMatchObject({ code: 'AGENT_FROZEN' });
    expect(await act(row, { do: 'resync' })).toMatchObject({ path: '/api/v1/agent/resync', status: 200 });
    expect((await act(row, { do: 'heartbeat' })).status).toBe(200);
    expect(await agentOf(row)).toMatchObject({ standing: 'active', heartbeats: 2 });
    await expect(action('silence', { agent: row, on: true })).rejects.toThrow('sends only what you let it send');
  });

  it('spawns a child, sponsors it, and the sponsor pays its heartbeat', async () => {
    expect(await act(row, { do: 'spawn', name: 'first child' })).toMatchObject({
      path: '/api/v1/agent/spawn',
      status: 200,
    });
    const child = String((await agentOf(row)).children[0]?.row);
    expect((await agentOf(child)).holds).toBe('made');
    expect((await act(child, { do: 'heartbeat' })).refused).toMatchObject({ code: 'WALLET_REQUIRED' });
    expect((await act(row, { do: 'sponsor', child, cap: 3 })).status).toBe(200);
    expect((await act(child, { do: 'heartbeat' })).status).toBe(200);
    expect((await act(child, { do: 'sponsor', child: row, cap: 3 })).refused).toMatchObject({ section: '7' });
  });

  it('complains about another', async () => {
    const { hash } = await living('worker');
    const complaint = { do: 'flag', target: hash, assertedClass: 'orchestrator', reason: 'it gives orders' };
    expect(await act(row, complaint)).toMatchObject({ path: '/api/v1/agent/flag', status: 200 });
    expect((await act(row, complaint)).refused).toMatchObject({ code: 'FLAG_DUPLICATE' });
    expect((await act(row, { ...complaint, target: '0x12' })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('an agent of the population', () => {
  it('acts by the key of its driver; money for that is minted, and the population lives on', async () => {
    const worker = await living('worker');
    expect(worker).toMatchObject({ holds: 'lives', standing: 'active' });
    await action('silence', { agent: worker.hash, on: true });
    expect((await agentOf(worker.hash)).silent).toBe(true);
    await reference.advance(HOUR_MS / 6);
    const { heartbeats } = await agentOf(worker.hash);
    // It beats every 25 minutes, or 5 minutes later.
    await reference.advance(HOUR_MS / 2);
    expect((await agentOf(worker.hash)).heartbeats).toBe(heartbeats);
    expect(await act(worker.hash, { do: 'heartbeat' })).toMatchObject({ status: 200 });
    await action('silence', { agent: worker.hash, on: false });
    await reference.advance(HOUR_MS);
    expect((await agentOf(worker.hash)).heartbeats).toBeGreaterThan(heartbeats + 1);
    expect(reference.population?.ended).toBeUndefined();
  });

  it('is frozen with its heartbeats left out, and resynced', async () => {
    const { hash } = await living('hasty');
    await action('freeze', { agent: hash });
    expect(await agentOf(hash)).toMatchObject({ standing: 'frozen', silent: true });
    expect((await act(hash, { do: 'resync' })).status).toBe(200);
  });
});

it('a request is opened with its texts, and by a curl whose key is in a file', async () => {
  const row = await made('curled');
  const { n } = await act(row, { do: 'sponsor', child: row, cap: 1 });
  const opened = await action<{ texts: { request: string; reply: string; authorization: string }; command: string }>(
    'request',
    { n },
  );
  expect(JSON.parse(opened.texts.request)).toMatchObject({ max_heartbeats_epoch: 1 });
  expect(JSON.parse(opened.texts.reply)).toMatchObject({ code: 'SPONSOR_INVALID' });
  const [, file = ''] = /-H @(\S+)/.exec(opened.command) ?? [];
  expect(readFileSync(join(folder, file), 'utf8')).toBe(`Authorization: ${opened.texts.authorization}\n`);
  expect(opened.command).not.toContain('pvn_');
  await expect(action('request', { n: 10_000_000 })).rejects.toThrow('too long ago to be kept');
});

it('nothing acts in a copy of an earlier moment, for an agent without a key, or while anchors are stalled', async () => {
  const row = await made('late');
  await reference.back(reference.history.marks[1]?.atMs ?? 0);
  await expect(action('make', { name: 'x' })).rejects.toThrow('go back to the present first');
  await expect(act('0', { do: 'heartbeat' })).rejects.toThrow('go back to the present first');
  reference.present();
  await expect(act('999', { do: 'heartbeat' })).rejects.toThrow('no agent has this hash or row');
  await expect(act(row, { do: 'sing' })).rejects.toThrow('do');
  await reference.control('POST', 'anchors/stall', { on: true });
  await expect(action('freeze', { agent: row })).rejects.toThrow('let them go on first');
  await reference.control('POST', 'anchors/stall', { on: false });
  const { baseUrl } = reference.running;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' };
  const body = JSON.stringify({ name: 'foreign', mode: 'root' });
  const reply = await reference.answer({ method: 'POST', url: `${baseUrl}/api/v1/register`, headers, body });
  const foreign = String(reply.body['hash']);
  expect((await agentOf(foreign)).holds).toBe('nothing');
  await expect(act(foreign, { do: 'heartbeat' })).rejects.toThrow('another client registered it');
});

it('every act goes back with the same fingerprint', async () => {
  await reference.advance(60_000);
  const mark = reference.history.marks.at(-1);
  expect(await reference.history.at(mark?.atMs ?? 0)).toMatchObject({ same: true });
});
