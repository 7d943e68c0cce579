/**
 * Plays one scenario in-process and on a server, and compares every outcome and the final state. Requests are in
 * http-driver.ts.
 */

import { feeTotals } from '../../reference/registry/fee-book.js';
import { heartbeatFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier, identityClassOf } from '../../reference/registry/fees.js';
import { resyncLamports } from '../../reference/registry/resync-payment.js';
import { standingOf } from '../../reference/registry/standing.js';
import { featuresOf } from '../../scenarios/features.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { sigilOf } from '../agents/calls.js';
import { childName } from '../agents/parent-calls.js';
import { difficultyOf } from '../agents/proof-of-work.js';
import { advance, type Run, startRun } from '../run/run.js';
import {
  EVENT_NAMES,
  HEARTBEAT,
  INIT,
  outcomeName,
  PASSPORT,
  REGISTER,
  REISSUE,
  RESYNC,
  SIGIL,
  TOP_UP,
} from '../world/operations.js';
import { GENESIS_MS, type World } from '../world/world.js';
import { callFamilyOverHttp } from './family-calls.js';
import { HttpDriver } from './http-driver.js';
import { DriverError, type HttpReply, type HttpTarget } from './http-target.js';

/** One difference between the two. */
interface Disagreement {
  readonly second: number;
  readonly agent: number | null;
  /** The operation, or the field of the final state. */
  readonly what: string;
  readonly inProcess: unknown;
  readonly http: unknown;
}

/** The result of a comparison. */
export interface SideBySide {
  readonly operations: number;
  readonly agents: number;
  /** At most `DISAGREEMENTS_MAX`; empty if every outcome and the final state agree. */
  readonly disagreements: readonly Disagreement[];
}

const DISAGREEMENTS_MAX = 20;

/** A call with its circumstances. */
export interface ObservedCall {
  readonly second: number;
  readonly agent: number;
  readonly what: number;
  readonly outcome: number;
  readonly lamports: number;
  /** The fee of a heartbeat and the beats of a resync at the moment of the call. */
  readonly feeLamports: number;
  readonly beats: number;
  /** The agent that pays a heartbeat. */
  readonly payer: number;
  /** The subject besides its agent; the status of a complaint; the name of a parent's next child. */
  readonly about: number;
  readonly decided: string;
  readonly childName: string;
}

/**
 * Plays a scenario in-process and, second by second, the same calls against a server: same agents, times, fees and work. An
 * agent's next call follows from its random streams and the outcomes of its calls, so as long as outcomes agree, these are
 * the calls that the server would get from such agents. Outcomes are compared one by one, and every agent's state at the end.
 */
export async function playSideBySide(
  scenario: Scenario,
  seed: number,
  target: HttpTarget,
  onSecond: (second: number) => void = () => undefined,
): Promise<SideBySide> {
  const { run, driver, seconds } = await startSideBySide(scenario, seed, target);
  const disagreements: Disagreement[] = [];
  let operations = 0;
  for await (const played of seconds) {
    operations += played.operations;
    disagreements.push(...played.disagreements);
    onSecond(played.second);
    if (disagreements.length >= DISAGREEMENTS_MAX) break;
  }
  const { durationSec } = scenario;
  // The run does not play the second of its end, so the server stops one second earlier.
  await driver.moveTo(Math.max(0, durationSec - 1));
  if (disagreements.length === 0) disagreements.push(...(await finalDisagreements(driver, run)));
  return { operations, agents: run.world.registry.agents.rows, disagreements };
}

/** A second that was played in process and on the server. */
interface PlayedSecond {
  readonly second: number;
  readonly operations: number;
  readonly disagreements: readonly Disagreement[];
}

/** A scenario that is about to be played on a server: each second is played when it is asked for. */
interface StartedSideBySide {
  readonly run: Run;
  readonly driver: HttpDriver;
  readonly seconds: AsyncGenerator<PlayedSecond, void, void>;
}

/** Begins to play a scenario in process and on a fresh server. Throws DriverError for a scenario or a server that cannot be driven. */
export async function startSideBySide(
  scenario: Scenario,
  seed: number,
  target: HttpTarget,
): Promise<StartedSideBySide> {
  const unsupported = unsupportedOverHttp(scenario);
  if (unsupported.length > 0) {
    throw new DriverError(
      `this scenario has ${unsupported.join(', ')}, which are played in-process only: aips simulate plays all of it; leave them out to compare the rest with a server`,
    );
  }
  const run = startRun(scenario, seed);
  const driver = new HttpDriver(target, seed);
  await driver.requireFreshServer(GENESIS_MS);
  return { run, driver, seconds: playSeconds(scenario, run, driver) };
}

async function* playSeconds(scenario: Scenario, run: Run, driver: HttpDriver): StartedSideBySide['seconds'] {
  const planned: ObservedCall[] = [];
  observeCalls(run, planned);
  for (let second = 1; second <= scenario.durationSec; second += 1) {
    advance(run, second);
    await stallAt(driver, scenario, second - 1);
    const disagreements: Disagreement[] = [];
    let operations = 0;
    for (const call of planned.splice(0)) {
      await driver.moveTo(call.second);
      const http = await callOverHttp(driver, run, call);
      if (http === null) continue;
      operations += 1;
      const inProcess = outcomeName(call.outcome);
      if (http === inProcess) continue;
      disagreements.push({ ...call, what: EVENT_NAMES[call.what] as string, inProcess, http });
    }
    yield { second, operations, disagreements };
  }
}

/**
 * The parts of a scenario that are not played over HTTP: forged proofs, changes of the protocol (no call changes the numbers of a running
 * server), and stalls that are caught up with.
 */
function unsupportedOverHttp(scenario: Scenario): readonly string[] {
  const unsupported: string[] = [];
  if (featuresOf(scenario).has('forgery')) unsupported.push('forgery');
  for (const changing of ['protocol', 'hold'] as const) {
    if (scenario.interventions.some(({ kind }) => kind === changing))
      unsupported.push(`interventions of kind ${changing}`);
  }
  if (scenario.protocol.proof.challengeChecks > 0) unsupported.push('proof.challengeChecks');
  if (stallsOf(scenario).some(({ catchUp }) => catchUp)) unsupported.push('anchor stalls with catch_up');
  return unsupported;
}

function stallsOf({ faults }: Scenario) {
  return faults.flatMap((fault) => (fault.kind === 'anchor_stall' ? [fault] : []));
}

/** A stall begins and ends in its second after the anchor that is due then. */
async function stallAt(driver: HttpDriver, scenario: Scenario, second: number): Promise<void> {
  const stalls = stallsOf(scenario);
  if (!stalls.some(({ atSec, forSec }) => second === atSec || second === atSec + forSec)) return;
  await driver.moveTo(second);
  await driver.stall(stalls.some(({ atSec, forSec }) => atSec <= second && second < atSec + forSec));
}

/** Collects every call and top-up with its circumstances. */
function observeCalls({ world }: Run, planned: ObservedCall[]): void {
  const { agents, registry } = world;
  world.observer = (second, agent, what, outcome, lamports) => {
    const row = agent < 0 ? -1 : agents.row(agent);
    if (row < 0) return;
    const tier = heartbeatTier(registry.protocol, agents.epochBeats(agent) + 1);
    planned.push({
      ...{ second, agent, what, outcome, about: world.subject },
      lamports: what === RESYNC ? resyncLamports(registry, row) : lamports,
      feeLamports: heartbeatFee(registry, row, tier, world.nowMs),
      beats: agents.workBeats[agent]!,
      payer: what === HEARTBEAT ? world.subject : agent,
      decided: registry.flags.list[world.subject]?.status ?? '',
      childName: childName(agent, registry.agents.columns.children[row]!),
    });
  };
}

/** Makes a call over HTTP. Returns the outcome; null for an event that is not a call. */
async function callOverHttp(driver: HttpDriver, { world }: Run, call: ObservedCall): Promise<string | null> {
  const { agent, lamports } = call;
  const { families } = driver;
  switch (call.what) {
    case REGISTER:
      return (families.expectsChild() ? families : driver).register(agent, nameOf(world, agent), lamports);
    case INIT:
      return driver.init(agent);
    case SIGIL: {
      const { identityClass, principal, tier, name } = sigilOf(world, agent);
      return driver.sigil(agent, { identity_class: identityClass, principal, tier, name }, lamports);
    }
    case HEARTBEAT:
      return driver.heartbeat(agent, call.feeLamports, call.payer);
    case REISSUE:
      return driver.reissue(agent, lamports);
    case PASSPORT:
      return driver.passport(agent);
    case RESYNC:
      return driver.resync(agent, call.beats, difficultyOf(world, agent), lamports);
    case TOP_UP:
      await driver.fund(agent, lamports);
      return null;
    default:
      return callFamilyOverHttp(families, world, call);
  }
}

function nameOf({ registry, agents }: World, agent: number): string {
  return registry.names[agents.row(agent)] ?? '';
}

async function finalDisagreements(driver: HttpDriver, { world }: Run): Promise<Disagreement[]> {
  const { registry, agents, second } = world;
  const found: Disagreement[] = [];
  const compare = (agent: number | null, what: string, inProcess: unknown, http: unknown): void => {
    if (inProcess !== http && found.length < DISAGREEMENTS_MAX) found.push({ second, agent, what, inProcess, http });
  };
  for (let row = 0; row < registry.agents.rows; row += 1) {
    const agent = world.agentOfRow[row]!;
    const { body } = await driver.status(agent);
    const state = (body['beat_state'] ?? {}) as Readonly<Record<string, unknown>>;
    const { line } = registry.agents;
    compare(agent, 'status', standingOf(registry, row), body['status']);
    compare(
      agent,
      'identity_class',
      identityClassOf(line.identityClass(row), registry.protocol),
      body['identity_class'],
    );
    compare(agent, 'name', registry.names[row], body['name']);
    compare(agent, 'total_heartbeats', line.totalHeartbeats(row), state['total_heartbeats']);
    compare(agent, 'last_checkin_beat', Math.max(0, line.lastHeartbeatBeat(row)), state['last_checkin_beat']);
    compare(agent, 'last_global_sync', agents.syncAnchor(agent), state['last_global_sync']);
  }
  const { body } = await driver.feesSummary();
  const rows = Array.isArray(body['by_type']) ? body['by_type'].map((row) => Object(row) as HttpReply['body']) : [];
  for (const type of feeTypes) {
    const book = feeTotals(registry.feeBook, type);
    const wire = rows.find(({ fee_type: name }) => name === type) ?? {};
    compare(null, `${type} fees`, book.count, wire['count'] ?? 0);
    compare(null, `${type} lamports`, book.totalLamports, wire['total_lamports'] ?? 0);
  }
  return found;
}
