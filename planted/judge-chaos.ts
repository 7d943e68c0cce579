/** Runs the suite against a server that differs from the reference only where the specification is silent: nothing may fail. */
import { chaosOf, chaotic } from '../conformance/chaos/chaos.js';
import { numbersWith } from '../conformance/chaos/form.js';
import { allChecks } from '../conformance/checks/index.js';
import {
  type Deployment,
  deploymentNames,
  loadReference,
  START_MS,
  startInProcess,
} from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import type { Check } from '../conformance/trial/check.js';
import { withOverlay } from '../spec/overlay.js';

/** Checks that send heartbeats for hours, or that run alone: they see no other forms than the rest, so they are left out. */
const checksBelow = (requestsMax: number): readonly Check[] =>
  allChecks.filter(({ requests, exclusive }) => requests <= requestsMax && exclusive !== true);
const [little, all] = [checksBelow(100), checksBelow(400)];
/** One round of deployments in this many meets all of them; the others every other one of those that send little. */
const ALL_ONE_IN = 4;
/** Deliveries of webhooks take time on the wall, and nothing of them is drawn. */
const deployments = deploymentNames.filter((name) => name !== 'webhooks');
/** Beats as cheap as they can be. */
const CHEAPEST = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } };

/** The judgement of the server of a seed. */
export interface ChaosResult {
  readonly seed: number;
  readonly deployment: Deployment;
  readonly rateWindow: string;
  readonly forms: readonly string[];
  /** Must clauses that were judged, and all. */
  readonly judged: number;
  readonly total: number;
  /** False alarms: findings at must level, and checks that broke. */
  readonly alarms: readonly FalseAlarm[];
}

/** A must failure of a server that is permitted. */
interface FalseAlarm {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly checks: readonly string[];
  readonly expected: string;
  readonly actual: string;
}

/** Judges the server of a seed. Each seed has the next deployment, and ids of its own. */
export async function judgeChaos(seed: number): Promise<ChaosResult> {
  const chaos = chaosOf(seed);
  const deployment = deployments[seed % deployments.length] ?? 'devnet';
  const { rateWindow, startsAfterMs } = chaos;
  const numbers = withOverlay(numbersWith(CHEAPEST, chaos.forms));
  const options = {
    seed,
    numbers,
    held: withOverlay(CHEAPEST),
    deployment,
    rateWindow,
    startMs: START_MS + startsAfterMs,
  };
  const server = startInProcess(await loadReference(), options);
  const round = Math.floor(seed / deployments.length);
  const checks = round % ALL_ONE_IN === 0 ? all : little.filter((_, place) => (place + round) % 2 === 0);
  const transport = chaotic(chaos, server.serviceOf)(server.send);
  try {
    const run = { seed, toolVersion: 'chaos', nowWallMs: Date.now, checks, transport, unprobed: true };
    const { findings, summary, checks: done } = await conform(server.target, run);
    const broken = done.flatMap((check) =>
      check.verdict === 'error'
        ? [{ id: `${check.id} broke`, clauses: [], checks: [check.id], expected: 'a verdict', actual: check.reason }]
        : [],
    );
    const alarms = [...findings.filter(({ level }) => level === 'must'), ...broken];
    return {
      ...{ seed, deployment, rateWindow, forms: chaos.forms.map(({ id }) => id) },
      ...{ judged: summary.clauses.must.judged, total: summary.clauses.must.total },
      alarms: alarms.map(({ id, clauses, checks: met, expected, actual }) => ({
        id,
        clauses,
        checks: met,
        expected,
        actual,
      })),
    };
  } finally {
    await server.close();
  }
}
