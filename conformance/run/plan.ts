/** Estimates a run before it starts: checks, requests, fees, registrations and time. It sends nothing. schedule.ts makes the waves. */
import type { CheckResult } from '../../results/conformance-result.js';
import { isLoopback, type Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { lackOf, supposedOffers, waitSecOf } from '../trial/needs.js';
import { SLACK_MS, waitText } from '../trial/observed.js';
import { RESERVE_LAMPORTS, TRANSACTION_LAMPORTS } from '../trial/payer-rpc.js';
import { endpointsToAsk } from './census.js';
import { checksIn } from './in-dialect.js';
import { mayWrite, type OwnRequests, ownRequests, probesOf } from './own-requests.js';
import { schedule, totalCost } from './schedule.js';
import { isUnsupported, type Selection, selectChecks } from './select.js';

/** The estimate of a run. */
export interface Plan {
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    /** Absent for a check that would run. */
    readonly verdict?: CheckResult['verdict'];
    readonly reason?: string;
  }[];
  readonly runs: number;
  /** The number of checks that a quick run leaves out, since others judge their clauses. */
  readonly spared: number;
  /** An upper estimate that includes the requests of the run itself. The numbers below are upper estimates, too. */
  readonly requests: number;
  /** The part of `requests` that the run sends in addition to those of checks. */
  readonly own: OwnRequests;
  /** The number of writing checks among `runs`, and of their requests. */
  readonly writes: { readonly checks: number; readonly requests: number };
  readonly lamports: number;
  /** Lamports in addition to the fees: for the ledger's transactions, and for the minimum balance of each paying wallet. */
  readonly ledgerLamports: number;
  readonly registrations: number;
  readonly waves: number;
  /** Estimated seconds, including waits in real time. */
  readonly seconds: number;
  /** The checks that a longer wait in real time would allow, by wait, shortest first; empty if the clock can be moved. */
  readonly waits: readonly { readonly wait: string; readonly seconds: number; readonly checks: readonly string[] }[];
}

/** The assumed rate of a target on this machine. */
const REQUESTS_PER_SEC = 500;

/**
 * The largest cost of a check in lamports, in addition to its fees. It assumes that each request is a payment with a funding transaction, every
 * second registration has a wallet, and one more wallet belongs to no agent.
 */
function ledgerCost({ needs, requests, walletRegisters = 0 }: Check): number {
  if (!needs.includes('payments')) return 0;
  return requests * 2 * TRANSACTION_LAMPORTS + (Math.ceil(walletRegisters / 2) + 1) * RESERVE_LAMPORTS;
}

/** The options of a plan: the selected checks, whether they may write, and their longest wait in real time. */
interface PlanOptions extends Selection {
  readonly allowWrites?: boolean;
  readonly waitSec?: number;
  readonly quick?: boolean;
  /** Whether the model judges the run, which adds reads of the state. True by default. */
  readonly model?: boolean;
}

/** Estimates a run. It sends nothing, so it assumes that the control API has all calls. */
export function plan(target: Target, checks: readonly Check[], options: PlanOptions): Plan {
  const { allowWrites = false, waitSec = 0, quick } = options;
  const chosen = selectChecks(checksIn(checks, target.dialect), options);
  const offers = supposedOffers(target, waitSec);
  const { waves, leftOut, spared, waitSec: waitsSec } = schedule(chosen, target, offers, { allowWrites, quick });
  const left = new Set(spared);
  const found = new Map(leftOut.map(({ check, finding }) => [check.id, finding]));
  const running = waves.flatMap((wave) => wave.checks);
  const requestsOf = (list: readonly Check[]): number => list.reduce((sum, check) => sum + check.requests, 0);
  const writing = running.filter(({ writes }) => writes);
  const own = ownRequests(running, target, offers, {
    probes: probesOf(target, options),
    asked: endpointsToAsk(chosen, running, target, mayWrite(target, options)),
    waits: waves.length,
    looks: options.model !== false && quick !== true,
  });
  const requests = requestsOf(running) + own.probes + own.shared + own.clockMoves + own.looks + own.again;
  return {
    checks: chosen
      .filter((check) => !left.has(check))
      .map(({ id, title }) => {
        const finding = found.get(id);
        return finding === undefined || !('reason' in finding)
          ? { id, title }
          : { id, title, verdict: finding.verdict, reason: finding.reason };
      }),
    runs: running.length,
    spared: spared.length,
    requests,
    own,
    writes: {
      checks: writing.length,
      requests: requestsOf(writing) + own.writing + (writing.length > 0 ? own.again : 0),
    },
    lamports: running.reduce((sum, check) => sum + (check.lamports?.(target.protocol) ?? 0), own.lamports),
    ledgerLamports:
      target.payments.kind === 'solana-rpc' ? running.reduce((sum, check) => sum + ledgerCost(check), 0) : 0,
    registrations: running.reduce((sum, check) => sum + totalCost(check), own.registrations),
    waves: waves.length,
    seconds:
      Math.ceil(requests / (isLoopback(target.baseUrl) ? REQUESTS_PER_SEC : REQUESTS_PER_SEC / 25)) +
      realSec(waitsSec, target),
    waits: waitsOf(chosen, target, options),
  };
}

/**
 * The seconds of real time of a run with waits of `waitSec`. Waiting checks start just after an anchor, on average after half an
 * interval, and keep a margin on both sides of each awaited moment.
 */
function realSec(waitSec: number, { protocol }: Target): number {
  return waitSec === 0 ? 0 : waitSec + Math.ceil(protocol.anchor.intervalSec / 2 + (2 * SLACK_MS) / 1_000);
}

/** The checks that need only more time, grouped by their wait. */
function waitsOf(
  checks: readonly Check[],
  target: Target,
  { allowWrites = false, waitSec = 0 }: PlanOptions,
): Plan['waits'] {
  const offers = supposedOffers(target, Number.POSITIVE_INFINITY);
  if (offers.has.has('clock')) return [];
  const byWait = new Map<number, string[]>();
  for (const check of checks) {
    const seconds = waitSecOf(check, target.protocol);
    const possible = seconds > waitSec && !isUnsupported(check, target.unsupported);
    if (!possible || lackOf(check, target, offers, { allowWrites }) !== undefined) continue;
    byWait.set(seconds, [...(byWait.get(seconds) ?? []), check.id]);
  }
  return [...byWait]
    .sort(([one], [other]) => one - other)
    .map(([seconds, ids]) => ({ wait: waitText(seconds), seconds, checks: ids }));
}
