/**
 * Orders the chosen checks into waves that fit limits, clock and budget, and says which are left out and why. It sends
 * nothing.
 */
import type { CheckResult } from '../../reports/conformance-result.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Judgement } from '../judge/verdict.js';
import { isLoopback, type Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { REUSED_REGISTRATIONS } from '../trial/fixtures.js';
import { lackOf, type Offers, reusesAgents, supposedOffers, waitSecOf } from '../trial/needs.js';
import { SLACK_MS, waitText } from '../trial/observed.js';
import { RESERVE_LAMPORTS, TRANSACTION_LAMPORTS } from '../trial/payer-rpc.js';
import { endpointsToAsk } from './census.js';
import { checksIn, replacementIn } from './in-dialect.js';
import { mayWrite, type OwnRequests, ownRequests, probesOf } from './own-requests.js';
import { isUnsupported, type Selection, selectChecks } from './select.js';

/** Checks that run together. Before it, `waitSec` of protocol time pass, so that registrations are free again. */
export interface Wave {
  readonly checks: readonly Check[];
  /** Its checks run one at a time. */
  readonly exclusive: boolean;
  readonly waitSec: number;
}

/** Which checks will run, in which waves, and which will not, with the reason. */
export interface Schedule {
  readonly waves: readonly Wave[];
  readonly left: readonly { readonly check: Check; readonly finding: Judgement }[];
  /** Seconds that the run waits in real time, where there is no clock to move. */
  readonly waitSec: number;
}

type Bucket = 'registers' | 'walletRegisters' | 'tokens';
type Allotment = Record<Bucket, number>;

const buckets: readonly Bucket[] = ['registers', 'walletRegisters', 'tokens'];
const words: Record<Bucket, string> = {
  registers: 'registrations an hour',
  walletRegisters: 'registration calls with a wallet an hour',
  tokens: 'registration tokens an hour',
};

/** The registrations that one address has in an hour (section 8), less the agents that checks share. */
function allotment({ limits }: Protocol, shared: number): Allotment {
  return {
    registers: limits.register.count - shared,
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
 * waves an hour apart, or is not tested where no hour can pass.
 */
export function schedule(
  checks: readonly Check[],
  target: Target,
  offers: Offers,
  { allowWrites }: { readonly allowWrites: boolean },
): Schedule {
  const left: { check: Check; finding: Judgement }[] = [];
  const fit: Check[] = [];
  const replacementOf = replacementIn(target.dialect);
  for (const check of checks) {
    const lack = lackOf(check, target, offers, { allowWrites });
    const replacement = replacementOf(check);
    if (replacement !== undefined) {
      left.push({ check, finding: { verdict: 'not-applicable', reason: replacement } });
    } else if (isUnsupported(check, target.unsupported)) {
      left.push({ check, finding: { verdict: 'not-applicable', reason: 'the target declares it as unsupported' } });
    } else if (lack !== undefined) left.push({ check, finding: { verdict: 'not-tested', reason: lack } });
    else fit.push(check);
  }
  const shared = 1 + (fit.some((check) => reusesAgents(offers.has, check)) ? REUSED_REGISTRATIONS : 0);
  const allotment = new Allotting(target, offers, shared);
  const isFirst = (check: Check): boolean => check.quiet === true && !offers.has.has('client-ip');
  const lists = [
    { list: fit.filter(isFirst), exclusive: false },
    { list: fit.filter((check) => !isFirst(check) && check.exclusive !== true), exclusive: false },
    { list: fit.filter((check) => !isFirst(check) && check.exclusive === true), exclusive: true },
  ];
  for (const { list, exclusive } of lists) {
    for (const { check, reason } of allotment.add(list, exclusive)) {
      left.push({ check, finding: { verdict: 'not-tested', reason } });
    }
  }
  return { waves: allotment.waves(), left, waitSec: offers.has.has('clock') ? 0 : allotment.secondsOf() };
}

/** A wave in the making, with the registrations that its hour has left. */
interface Batch {
  readonly members: Check[];
  readonly exclusive: boolean;
  readonly free: Allotment;
  /** Registrations are free again when it begins. */
  readonly hourLater: boolean;
}

/** Puts checks into waves that the target's addresses can register for, and that there is time for. */
class Allotting {
  readonly #batches: Batch[] = [];
  readonly #hourSec: number;

  constructor(
    readonly target: Target,
    readonly offers: Offers,
    /** Registrations of an hour that go to agents which checks share. */
    readonly shared: number,
  ) {
    this.#hourSec = target.protocol.limits.register.windowSec;
  }

  /** The registrations that the address has in a fresh hour. */
  get #fresh(): Allotment {
    return allotment(this.target.protocol, this.shared);
  }

  #costOf(check: Check): Allotment {
    const cost = costOf(check);
    return reusesAgents(this.offers.has, check) ? { ...cost, registers: 0 } : cost;
  }

  /** Adds checks in new waves, those that judge most a registration first. Tells which have no place, and why. */
  add(checks: readonly Check[], exclusive: boolean): { check: Check; reason: string }[] {
    if (checks.length === 0) return [];
    if (this.offers.has.has('client-ip')) {
      this.#batches.push({ members: [...checks], exclusive, free: this.#fresh, hourLater: false });
      return [];
    }
    const before = this.#batches.at(-1);
    const hourLater = before !== undefined && this.offers.has.has('clock');
    const free = before === undefined || hourLater ? this.#fresh : { ...before.free };
    const mine: Batch[] = [{ members: [], exclusive, free, hourLater }];
    const price = (check: Check): number => buckets.reduce((sum, bucket) => sum + this.#costOf(check)[bucket], 0);
    const worth = (check: Check): number => check.clauses.length / Math.max(price(check), 0.001);
    const left = [...checks]
      .sort((one, other) => worth(other) - worth(one))
      .flatMap((check) => {
        const batch = this.#placeFor(check, mine, exclusive);
        if (batch === undefined) return [{ check, reason: tooFew(check, mine) }];
        batch.members.push(check);
        for (const bucket of buckets) batch.free[bucket] -= this.#costOf(check)[bucket];
        return [];
      });
    const places = new Map(checks.map((check, index) => [check, index]));
    const place = (check: Check): number => places.get(check) ?? 0;
    for (const { members } of mine) members.sort((one, other) => place(one) - place(other));
    this.#batches.push(...mine);
    return left;
  }

  /** The first wave with place for a check; another one an hour later, where an hour can pass. */
  #placeFor(check: Check, batches: Batch[], exclusive: boolean): Batch | undefined {
    const cost = this.#costOf(check);
    const more = { members: [], exclusive, free: this.#fresh, hourLater: true };
    const place = [...batches, more].find(
      (batch) => buckets.every((bucket) => cost[bucket] <= batch.free[bucket]) && this.#inTime(check, batch, batches),
    );
    if (place === more) batches.push(more);
    return place;
  }

  /** Whether there is time for a check in a wave of its time: by a clock that is moved always. */
  #inTime(check: Check, place: Batch, batches: readonly Batch[]): boolean {
    if (this.offers.has.has('clock')) return true;
    const all = [...new Set([...this.#batches, ...batches, place])];
    const filled = all.map((batch) => (batch === place ? { ...batch, members: [...batch.members, check] } : batch));
    // What comes first by itself takes nothing from the others' time.
    const quiet = all.filter(({ members }) => members.some((one) => one.quiet === true));
    return this.secondsOf(filled) - this.secondsOf(quiet) <= this.offers.observedSec;
  }

  /** Seconds of real time that waves wait, and between them. */
  secondsOf(batches: readonly Batch[] = this.#batches): number {
    const seconds = batches.map(({ members, exclusive, hourLater }) => {
      const waits = members.map((check) => waitSecOf(check, this.target.protocol));
      const own = exclusive ? waits.reduce((sum, sec) => sum + sec, 0) : Math.max(0, ...waits);
      return own + (hourLater ? this.#hourSec : 0);
    });
    return seconds.reduce((sum, sec) => sum + sec, 0);
  }

  waves(): Wave[] {
    return this.#batches
      .filter(({ members }) => members.length > 0)
      .map(({ members, exclusive, hourLater }) => ({
        checks: members,
        exclusive,
        waitSec: hourLater ? this.#hourSec : 0,
      }));
  }
}

function tooFew(check: Check, [first]: readonly Batch[]): string {
  const short = buckets.find((bucket) => costOf(check)[bucket] > (first?.free[bucket] ?? 0)) ?? 'registers';
  return `one address has too few ${words[short]} left for it: give client_ip, or a clock`;
}

/** The course of a run, computed without sending anything. */
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
  /** Lamports that a ledger takes besides the fees: for transactions, and for what every paying wallet has to keep. */
  readonly ledgerLamports: number;
  readonly registrations: number;
  readonly waves: number;
  /** Estimated seconds, the waiting in real time included. */
  readonly seconds: number;
  /** Which checks a longer wait in real time would make possible, the shortest first; empty where a clock can be moved. */
  readonly waits: readonly { readonly wait: string; readonly seconds: number; readonly checks: readonly string[] }[];
}

/** Requests a second that a run on this machine is estimated by. */
const REQUESTS_PER_SEC = 500;

/** No more payments than requests, each with a transaction that funds it; a wallet of every two registrations, and a stranger's. */
function ledgerCost({ needs, requests, walletRegisters = 0 }: Check): number {
  if (!needs.includes('payments')) return 0;
  return requests * 2 * TRANSACTION_LAMPORTS + (Math.ceil(walletRegisters / 2) + 1) * RESERVE_LAMPORTS;
}

/** How a run is planned: which checks, whether they may write, and how long they may wait in real time. */
export interface Planning extends Selection {
  readonly allowWrites?: boolean;
  readonly waitSec?: number;
}

/** Plans a run. It sends nothing, so it supposes that a control API has every call. */
export function plan(target: Target, checks: readonly Check[], options: Planning): Plan {
  const { allowWrites = false, waitSec = 0 } = options;
  const chosen = selectChecks(checksIn(checks, target.dialect), options);
  const offers = supposedOffers(target, waitSec);
  const { waves, left, ...waiting } = schedule(chosen, target, offers, { allowWrites });
  const found = new Map(left.map(({ check, finding }) => [check.id, finding]));
  const running = waves.flatMap((wave) => wave.checks);
  const requestsOf = (list: readonly Check[]): number => list.reduce((sum, check) => sum + check.requests, 0);
  const writing = running.filter(({ writes }) => writes);
  const own = ownRequests(running, target, offers, {
    probes: probesOf(target, options),
    asked: endpointsToAsk(chosen, running, target, mayWrite(target, options)),
    waits: waves.length,
  });
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
    seconds:
      Math.ceil(requests / (isLoopback(target.baseUrl) ? REQUESTS_PER_SEC : REQUESTS_PER_SEC / 25)) +
      realSec(waiting, target),
    waits: waitsOf(chosen, target, options),
  };
}

/** Seconds of waiting in all: where it does, checks begin with an anchor, and keep off what they wait for. */
function realSec({ waitSec }: Pick<Schedule, 'waitSec'>, { protocol }: Target): number {
  return waitSec === 0 ? 0 : waitSec + Math.ceil(protocol.anchor.intervalSec / 2 + (2 * SLACK_MS) / 1_000);
}

/** The checks that nothing but more time is lacking, by how long they have to wait. */
function waitsOf(
  checks: readonly Check[],
  target: Target,
  { allowWrites = false, waitSec = 0 }: Planning,
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
