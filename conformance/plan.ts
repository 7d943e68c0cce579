import type { CheckResult } from '../reports/conformance-result.js';
import type { Protocol } from '../spec/protocol.js';
import type { Check } from './check.js';
import { lackOf, type Offers, supposedOffers } from './needs.js';
import { type OwnRequests, ownRequests, probesOf } from './own-requests.js';
import { RESERVE_LAMPORTS, TRANSACTION_LAMPORTS } from './payer-rpc.js';
import { isUnsupported, type Selection, selectChecks } from './select.js';
import { isLoopback, type Target } from './target.js';
import type { Finding } from './verdict.js';

/** Checks that run together. Before it, protocol time is moved by `waitSec`, so that registrations are free again. */
export interface Wave {
  readonly checks: readonly Check[];
  /** Its checks run one at a time. */
  readonly exclusive: boolean;
  readonly waitSec: number;
}

/** Which checks will run, in which waves, and which will not, with the reason. */
export interface Schedule {
  readonly waves: readonly Wave[];
  readonly left: readonly { readonly check: Check; readonly finding: Finding }[];
}

type Bucket = 'registers' | 'walletRegisters' | 'tokens';
type Allotment = Record<Bucket, number>;

const buckets: readonly Bucket[] = ['registers', 'walletRegisters', 'tokens'];
const words: Record<Bucket, string> = {
  registers: 'registrations an hour',
  walletRegisters: 'registration calls with a wallet an hour',
  tokens: 'registration tokens an hour',
};

/** What one address may register in an hour (section 8), less the agent that checks share. */
function allotment({ limits }: Protocol): Allotment {
  return {
    registers: limits.register.count - 1,
    walletRegisters: limits.registerWalletFlow.count,
    tokens: limits.registerToken.count,
  };
}

function costOf(check: Check): Allotment {
  return { registers: check.registers, walletRegisters: check.walletRegisters ?? 0, tokens: check.tokens ?? 0 };
}

function totalCost(check: Check): number {
  return buckets.reduce((sum, bucket) => sum + costOf(check)[bucket], 0);
}

/**
 * Distributes the checks. Where every check has an address of its own, all run together, then the exclusive ones.
 * Elsewhere one address has to do: the checks that judge most clauses a registration come first, and the rest comes in
 * waves an hour apart, or is not tested where no clock can make an hour pass.
 */
export function schedule(checks: readonly Check[], target: Target, offers: Offers, allowWrites: boolean): Schedule {
  const left: { check: Check; finding: Finding }[] = [];
  const fit: Check[] = [];
  for (const check of checks) {
    const lack = lackOf(check, target, offers, allowWrites);
    if (isUnsupported(check, target.unsupported)) {
      left.push({ check, finding: { verdict: 'not-applicable', reason: 'the target declares it as unsupported' } });
    } else if (lack !== undefined) left.push({ check, finding: { verdict: 'not-tested', reason: lack } });
    else fit.push(check);
  }
  const together = fit.filter((check) => check.exclusive !== true);
  const alone = fit.filter((check) => check.exclusive === true);
  const waves: Wave[] = [];
  const add = (list: readonly Check[], exclusive: boolean): void => {
    const shared = offers.has.has('client-ip') ? [[...list]] : allot(list, target, offers, left);
    for (const members of shared) {
      if (members.length === 0) continue;
      const waitSec = waves.length > 0 && !offers.has.has('client-ip') ? target.protocol.limits.register.windowSec : 0;
      waves.push({ checks: members, exclusive, waitSec: offers.has.has('clock') ? waitSec : 0 });
    }
  };
  add(together, false);
  add(alone, true);
  return { waves, left };
}

/** Waves that one address can register for; what fits into none is put on `left`. */
function allot(
  checks: readonly Check[],
  { protocol }: Target,
  offers: Offers,
  left: { check: Check; finding: Finding }[],
): Check[][] {
  const worth = (check: Check): number => check.clauses.length / Math.max(totalCost(check), 0.001);
  const order = [...checks].sort((one, other) => worth(other) - worth(one));
  const waves: { readonly members: Check[]; readonly free: Allotment }[] = [{ members: [], free: allotment(protocol) }];
  for (const check of order) {
    const cost = costOf(check);
    const fits = (free: Allotment): boolean => buckets.every((bucket) => cost[bucket] <= free[bucket]);
    let wave = waves.find(({ free }) => fits(free));
    if (wave === undefined && offers.has.has('clock') && fits(allotment(protocol))) {
      wave = { members: [], free: allotment(protocol) };
      waves.push(wave);
    }
    if (wave === undefined) {
      const short = buckets.find((bucket) => cost[bucket] > (waves[0]?.free[bucket] ?? 0)) ?? 'registers';
      const reason = `one address has too few ${words[short]} left for it: give client_ip, or a clock`;
      left.push({ check, finding: { verdict: 'not-tested', reason } });
      continue;
    }
    wave.members.push(check);
    for (const bucket of buckets) wave.free[bucket] -= cost[bucket];
  }
  const places = new Map(checks.map((check, index) => [check, index]));
  const place = (check: Check): number => places.get(check) ?? 0;
  return waves.map(({ members }) => members.sort((one, other) => place(one) - place(other)));
}

/** What a run would do, told without sending anything. */
export interface Plan {
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    /** Absent: it would run. */
    readonly verdict?: CheckResult['verdict'];
    readonly reason?: string;
  }[];
  readonly runs: number;
  /** Upper estimates, here and below, with what the run itself needs. */
  readonly requests: number;
  /** Those of `requests` that no check sends. */
  readonly own: OwnRequests;
  /** How many of `runs` write, and how many requests they send. */
  readonly writes: { readonly checks: number; readonly requests: number };
  readonly lamports: number;
  /** What a ledger takes besides the fees: for transactions, and for what every paying wallet has to keep. */
  readonly ledgerLamports: number;
  readonly registrations: number;
  readonly waves: number;
  readonly seconds: number;
}

/** Requests a second that a run on this machine is estimated by. */
const REQUESTS_PER_SEC = 1_000;

/** No more payments than requests, each with a transaction that funds it; a wallet of every two registrations, and a stranger's. */
function ledgerCost({ needs, requests, walletRegisters = 0 }: Check): number {
  if (!needs.includes('payments')) return 0;
  return requests * 2 * TRANSACTION_LAMPORTS + (Math.ceil(walletRegisters / 2) + 1) * RESERVE_LAMPORTS;
}

/** Plans a run. It sends nothing, so it supposes that a control API has every call. */
export function plan(
  target: Target,
  checks: readonly Check[],
  options: Selection & { readonly allowWrites?: boolean },
): Plan {
  const chosen = selectChecks(checks, options);
  const offers = supposedOffers(target);
  const { waves, left } = schedule(chosen, target, offers, options.allowWrites ?? false);
  const found = new Map(left.map(({ check, finding }) => [check.id, finding]));
  const running = waves.flatMap((wave) => wave.checks);
  const requestsOf = (list: readonly Check[]): number => list.reduce((sum, check) => sum + check.requests, 0);
  const writing = running.filter(({ writes }) => writes);
  const own = ownRequests(running, target, offers, { probes: probesOf(target, options), waits: waves.length });
  const requests = requestsOf(running) + own.probes + own.shared + own.clockMoves + own.again;
  return {
    checks: chosen.map(({ id, title }) => {
      const finding = found.get(id);
      return finding === undefined || !('reason' in finding)
        ? { id, title }
        : { id, title, verdict: finding.verdict, reason: finding.reason };
    }),
    runs: running.length,
    requests,
    own,
    writes: { checks: writing.length, requests: requestsOf(writing) + own.writing },
    lamports: running.reduce((sum, check) => sum + (check.lamports?.(target.protocol) ?? 0), own.lamports),
    ledgerLamports:
      target.payments.kind === 'solana-rpc' ? running.reduce((sum, check) => sum + ledgerCost(check), 0) : 0,
    registrations: running.reduce((sum, check) => sum + totalCost(check), own.registrations),
    waves: waves.length,
    seconds: Math.ceil(requests / (isLoopback(target.baseUrl) ? REQUESTS_PER_SEC : REQUESTS_PER_SEC / 50)),
  };
}
