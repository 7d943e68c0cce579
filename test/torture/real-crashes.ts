/**
 * Kills a server again and again while many clients send it requests. After each start each client goes on from its last acknowledged
 * request; at the end every agent is looked up, and the journal is replayed.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from '../faults/chance.js';
import { Life, type LivesState } from './life.js';
import { runAips, ServerProcess } from './server-process.js';

const WRITERS = 16;
/** Acknowledged calls between two kills at most. */
const CALLS_MAX = 400;
/** Hashes of one verify/batch. */
const BATCH = 50;
/** On a clock that runs, an anchor may come between a look at the state and the end of the server. */
const TRIES = 3;

type TortureClock = 'wall' | 'manual';

/** The outcome of some kills. */
interface RealCrashes {
  readonly kills: number;
  readonly acknowledged: number;
  readonly agents: number;
  readonly broken: readonly string[];
}

/** Kills a server on this clock a number of times. */
export async function realCrashes(clock: TortureClock, kills: number, seed: number): Promise<RealCrashes> {
  const root = mkdtempSync(join(tmpdir(), 'aips-crash-'));
  const folder = join(root, 'data');
  const flags = ['--data', folder, '--clock', clock, '--seed', String(seed)];
  const chance = new Chance(seed);
  const lives: Life[] = [];
  try {
    const first = await ServerProcess.start(flags);
    const world = await newWorld(first, clock);
    for (let kill = 0, server = first; kill < kills; kill++) {
      await liveUntilKilled(server, { clock, calls: 1 + chance.below(CALLS_MAX), lives, world });
      server = await ServerProcess.start(flags);
      await requireTime(server, clock, world);
      if (kill === kills - 1) await audit(server, lives, world);
      if (kill === kills - 1) await server.end('SIGTERM');
    }
    await requireReplay(flags, folder, world);
    const agents = lives.filter(({ hash }) => hash !== '').length;
    return { kills, acknowledged: world.acknowledged, agents, broken: world.brokenPromises };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function newWorld(server: ServerProcess, clock: TortureClock): Promise<LivesState> {
  const { body } = await server.call({ side: 'registry', method: 'GET', path: '/api/v1/fees/summary' });
  // A clock that runs comes to no second heartbeat in time.
  const heartbeatsMax = clock === 'wall' ? 1 : 3;
  const counts = { anchorsAsked: 0, anchorsPassed: 0, anchorsShown: 0, acknowledged: 0 };
  return { paymentAddress: String(body['payment_address']), heartbeatsMax, ...counts, brokenPromises: [] };
}

/** Time that was shown does not go back. */
async function requireTime(server: ServerProcess, clock: TortureClock, world: LivesState): Promise<void> {
  const { body } = await server.call({ side: 'registry', method: 'GET', path: '/api/v1/beat/anchor' });
  const index = (body['anchor'] as { readonly beat_index: number }).beat_index;
  if (index < world.anchorsShown) {
    world.brokenPromises.push(`anchor ${world.anchorsShown} was shown, and anchor ${index} is the latest after a kill`);
  }
  world.anchorsShown = index;
  // An advance that was not acknowledged may be lost.
  if (clock === 'manual') world.anchorsAsked = world.anchorsPassed = index;
}

interface Stretch {
  readonly clock: TortureClock;
  readonly calls: number;
  readonly lives: Life[];
  readonly world: LivesState;
}

async function liveUntilKilled(server: ServerProcess, { clock, calls, lives, world }: Stretch): Promise<void> {
  const until = world.acknowledged + calls;
  let killed: Promise<unknown> | undefined;
  const write = async (writer: number): Promise<void> => {
    while (killed === undefined) {
      const life = lives.findLast((each) => each.number % WRITERS === writer);
      const own = life === undefined || life.ended ? born(writer, life, lives, world) : life;
      const went = await own.takeStep(server);
      if (!went && clock === 'manual') await advance(server, world);
      if (world.acknowledged >= until) killed ??= server.end('SIGKILL');
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const failure = ended.find(({ status }) => status === 'rejected');
  // Calls fail because the server was killed, and for no other reason.
  if (killed === undefined) throw (failure as PromiseRejectedResult).reason;
  await killed;
}

function born(writer: number, before: Life | undefined, lives: Life[], world: LivesState): Life {
  const life = new Life(before === undefined ? writer : before.number + WRITERS, world);
  lives.push(life);
  return life;
}

async function advance(server: ServerProcess, world: LivesState): Promise<void> {
  world.anchorsAsked += 1;
  const { anchor_index: index } = await server.control('POST', 'clock/advance', { anchors: 1 });
  world.anchorsPassed += 1;
  world.anchorsShown = Math.max(world.anchorsShown, Number(index));
}

/** Looks every agent up that was acknowledged. */
async function audit(server: ServerProcess, lives: readonly Life[], world: LivesState): Promise<void> {
  const made = lives.filter(({ hash }) => hash !== '');
  for (let at = 0; at < made.length; at += BATCH) {
    const part = made.slice(at, at + BATCH);
    const headers = { 'x-forwarded-for': `192.0.2.${at / BATCH}` };
    const body = { hashes: part.map(({ hash }) => hash) };
    const reply = await server.call({ side: 'registry', method: 'POST', path: '/api/v1/verify/batch', body, headers });
    const results = reply.body['results'] as readonly Found[] | undefined;
    if (results === undefined) throw new Error(`verify/batch was answered ${reply.status}: ${reply.text}`);
    for (const [index, life] of part.entries()) requireFound(life, results[index], world);
  }
}

interface Found {
  readonly verified: boolean;
  readonly sigil: unknown;
  readonly beat_state: { readonly total_heartbeats: number } | null;
}

function requireFound(life: Life, found: Found | undefined, { brokenPromises: broken }: LivesState): void {
  const lost = (what: string): unknown => broken.push(`life ${life.number}, ${life.hash}: ${what} is lost`);
  if (found?.verified !== true) {
    lost('its registration');
    return;
  }
  if (life.sigil && found.sigil === null) lost('its SIGIL');
  if (life.started && found.beat_state === null) lost('its chain');
  if (life.heartbeats > (found.beat_state?.total_heartbeats ?? 0)) lost('a heartbeat');
}

/** The journal is sound, and leads to the state that the server has. */
async function requireReplay(
  flags: readonly string[],
  folder: string,
  { brokenPromises: broken }: LivesState,
): Promise<void> {
  for (let tries = TRIES; ; tries--) {
    const server = await ServerProcess.start(flags);
    const { sha256 } = await server.control('GET', 'fingerprint');
    const status = await server.end('SIGTERM');
    if (status !== 0) broken.push(`a stop ended with status ${status}`);
    const replayed = await runAips('journal', 'replay', folder, '--json');
    const led = replayed.status === 0 ? (JSON.parse(replayed.out) as { readonly sha256: string }).sha256 : undefined;
    if (led === sha256) return;
    if (replayed.status === 0 && tries > 1) continue;
    broken.push(`the journal leads to ${led}, the server had ${sha256}`);
    return;
  }
}
