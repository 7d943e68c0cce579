/**
 * Distributes the chosen checks over waves, within the target's registration limits and the allowed time, and gives a reason for
 * each check that does not run. It sends nothing. The estimate of a whole run is in plan.ts.
 */

import type { Reason } from '../../results/conformance-result.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { lacking } from '../assertions/unjudged.js';
import type { End } from '../judge/record.js';
import { leftOutBy, notTested } from '../judge/verdict.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { REUSED_REGISTRATIONS } from '../trial/fixtures.js';
import { lackOf, type Offers, reusesAgents, waitSecOf } from '../trial/needs.js';
import { byEvidence, coverOf, evidenceOf } from './cover.js';
import { replacementIn } from './in-dialect.js';
import { isUnsupported } from './select.js';

/** Checks that run together. */
export interface Wave {
  readonly checks: readonly Check[];
  /** Whether its checks run one at a time. */
  readonly exclusive: boolean;
  /** Seconds of protocol time before the wave, after which addresses may register again. */
  readonly waitSec: number;
}

/** The waves of checks that will run, and the checks that will not, with reasons. */
export interface Schedule {
  readonly waves: readonly Wave[];
  readonly leftOut: readonly { readonly check: Check; readonly finding: End }[];
  /** The checks that a quick run leaves out, since others judge their clauses. */
  readonly spared: readonly Check[];
  /** The run waits for this many seconds of real time; 0 if it can move the target's clock. */
  readonly waitSec: number;
}

type Bucket = 'registers' | 'walletRegisters' | 'tokens';
type Allotment = Record<Bucket, number>;

const buckets: readonly Bucket[] = ['registers', 'walletRegisters', 'tokens'];
const bucketText: Record<Bucket, string> = {
  registers: 'registrations an hour',
  walletRegisters: 'registration calls with a wallet an hour',
  tokens: 'registration tokens an hour',
};

/** The registrations of one address in an hour (section 8), less `shared` ones for shared agents. */
function hourlyAllotment({ limits }: Protocol, shared: number): Allotment {
  return {
    registers: limits.register.count - shared,
    walletRegisters: limits.registerWalletFlow.count,
    tokens: limits.registerToken.count,
  };
}

function costOf(check: Check): Allotment {
  return { registers: check.registers, walletRegisters: check.walletRegisters ?? 0, tokens: check.tokens ?? 0 };
}

/** The number of registrations of all kinds of a check. */
export function totalCost(check: Check): number {
  return buckets.reduce((sum, bucket) => sum + costOf(check)[bucket], 0);
}

/** Whether the circuit breaker is lower than in the specification, so it does not admit the flags of all checks at once. */
const fewFlags = ({ flag }: Protocol): boolean => flag.breakerPendingMax < protocol.flag.breakerPendingMax;
const flags = ({ clauses, controls = [] }: Check): boolean =>
  controls.includes('flags/:id/review') || clauses.some((id) => /^(limit\.)?flag\./.test(id));

/** The options of a schedule. */
interface Scheduling {
  readonly allowWrites: boolean;
  /** Reduces the checks to those that judge each clause once. */
  readonly quick?: boolean | undefined;
  /** Clauses that a quick run need not judge, since another run has. */
  readonly judged?: ReadonlySet<string> | undefined;
}

/**
 * Distributes the checks over waves. In a wave, the checks that judge most for their cost come first. If each check can have its own
 * client address, all run in one wave, and the exclusive ones after it. Otherwise all share one address: the checks with the most
 * clauses per registration come first, and the others follow in waves an hour apart. If no hour can pass, they are not tested.
 */
export function schedule(
  checks: readonly Check[],
  target: Target,
  offers: Offers,
  { allowWrites, quick = false, judged }: Scheduling,
): Schedule {
  const leftOut: { check: Check; finding: End }[] = [];
  const able: Check[] = [];
  const replacementOf = replacementIn(target.dialect);
  for (const check of checks) {
    const lack = lackOf(check, target, offers, { allowWrites });
    const replacement = replacementOf(check);
    if (replacement !== undefined) {
      leftOut.push({ check, finding: { verdict: 'not-applicable', reason: replacement } });
    } else if (isUnsupported(check, target.unsupported)) {
      leftOut.push({ check, finding: { verdict: 'not-applicable', reason: 'the target declares it as unsupported' } });
    } else if (lack !== undefined) leftOut.push({ check, finding: leftOutBy(lack) });
    else able.push(check);
  }
  const fit = byEvidence(quick ? coverOf(able, judged) : able);
  const run = new Set(fit);
  const shared = 1 + (fit.some((check) => reusesAgents(offers.has, check)) ? REUSED_REGISTRATIONS : 0);
  const packing = new WavePacking(target, offers, shared);
  const alone = (check: Check): boolean => check.exclusive === true || (flags(check) && fewFlags(target.protocol));
  const isFirst = (check: Check): boolean => check.runsAlone === true && !offers.has.has('client-ip');
  const lists = [
    { list: fit.filter(isFirst), exclusive: false },
    { list: fit.filter((check) => !isFirst(check) && !alone(check)), exclusive: false },
    // These move the clock by months. The order of the suite puts some of them before the last day of the alias.
    { list: able.filter((check) => run.has(check) && !isFirst(check) && alone(check)), exclusive: true },
  ];
  for (const { list, exclusive } of lists) {
    for (const { check, because } of packing.add(list, exclusive)) {
      leftOut.push({ check, finding: notTested(because) });
    }
  }
  const needless = quick
    ? needlessOf(
        leftOut.map(({ check }) => check),
        fit,
        judged,
      )
    : new Set<Check>();
  const spared = [...able.filter((check) => !run.has(check)), ...needless];
  const waitSec = offers.has.has('clock') ? 0 : packing.secondsOf();
  return { waves: packing.waves(), leftOut: leftOut.filter(({ check }) => !needless.has(check)), spared, waitSec };
}

/** The checks of a list that can be left out: other checks that run, or another run, judge all their clauses. */
function needlessOf(
  checks: readonly Check[],
  running: readonly Check[],
  judged: ReadonlySet<string> = new Set(),
): ReadonlySet<Check> {
  const shown = new Set(running.flatMap(evidenceOf));
  return new Set(checks.filter((check) => check.clauses.every((clause) => shown.has(clause) || judged.has(clause))));
}

/** A wave that is being filled. */
interface Batch {
  readonly members: Check[];
  readonly exclusive: boolean;
  /** The registrations left in its hour. */
  readonly free: Allotment;
  /** Whether an hour passes before it, after which the address may register again. */
  readonly hourLater: boolean;
}

/** Packs checks into waves, within the registrations of one address and the allowed time. */
class WavePacking {
  readonly #batches: Batch[] = [];
  readonly #hourSec: number;

  constructor(
    readonly target: Target,
    readonly offers: Offers,
    /** The registrations of each hour for shared agents. */
    readonly shared: number,
  ) {
    this.#hourSec = target.protocol.limits.register.windowSec;
  }

  /** The registrations of the address in a new hour. */
  get #newHour(): Allotment {
    return hourlyAllotment(this.target.protocol, this.shared);
  }

  #costOf(check: Check): Allotment {
    const cost = costOf(check);
    return reusesAgents(this.offers.has, check) ? { ...cost, registers: 0 } : cost;
  }

  /** Adds checks in new waves, those with the most clauses per registration first. Returns checks without a place, with reasons. */
  add(checks: readonly Check[], exclusive: boolean): { check: Check; because: Reason }[] {
    if (checks.length === 0) return [];
    if (this.offers.has.has('client-ip')) {
      this.#batches.push({ members: [...checks], exclusive, free: this.#newHour, hourLater: false });
      return [];
    }
    const before = this.#batches.at(-1);
    const hourLater = before !== undefined && this.offers.has.has('clock');
    const free = before === undefined || hourLater ? this.#newHour : { ...before.free };
    const mine: Batch[] = [{ members: [], exclusive, free, hourLater }];
    const price = (check: Check): number => buckets.reduce((sum, bucket) => sum + this.#costOf(check)[bucket], 0);
    const worth = (check: Check): number => check.clauses.length / Math.max(price(check), 0.001);
    const withoutPlace = [...checks]
      .sort((one, other) => worth(other) - worth(one))
      .flatMap((check) => {
        const batch = this.#placeFor(check, mine, exclusive);
        if (batch === undefined) return [{ check, because: tooFew(check, mine) }];
        batch.members.push(check);
        for (const bucket of buckets) batch.free[bucket] -= this.#costOf(check)[bucket];
        return [];
      });
    const places = new Map(checks.map((check, index) => [check, index]));
    const place = (check: Check): number => places.get(check) ?? 0;
    for (const { members } of mine) members.sort((one, other) => place(one) - place(other));
    this.#batches.push(...mine);
    return withoutPlace;
  }

  /** The first wave with room for a check; otherwise a new wave an hour later, if an hour can pass. */
  #placeFor(check: Check, batches: Batch[], exclusive: boolean): Batch | undefined {
    const cost = this.#costOf(check);
    const more = { members: [], exclusive, free: this.#newHour, hourLater: true };
    const place = [...batches, more].find(
      (batch) => buckets.every((bucket) => cost[bucket] <= batch.free[bucket]) && this.#inTime(check, batch, batches),
    );
    if (place === more) batches.push(more);
    return place;
  }

  /** Whether a check in a wave keeps the run within its allowed wait. A clock that can be moved always allows it. */
  #inTime(check: Check, place: Batch, batches: readonly Batch[]): boolean {
    if (this.offers.has.has('clock')) return true;
    const all = [...new Set([...this.#batches, ...batches, place])];
    const filled = all.map((batch) => (batch === place ? { ...batch, members: [...batch.members, check] } : batch));
    // Checks that run alone come before all others, and their waits do not count here.
    const quiet = all.filter(({ members }) => members.some((one) => one.runsAlone === true));
    return this.secondsOf(filled) - this.secondsOf(quiet) <= this.offers.observedSec;
  }

  /** The seconds of real time of waits in these waves, and between them. */
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

function tooFew(check: Check, [first]: readonly Batch[]): Reason {
  const short = buckets.find((bucket) => costOf(check)[bucket] > (first?.free[bucket] ?? 0)) ?? 'registers';
  return lacking(
    'address',
    `one address has too few ${bucketText[short]} left for it: clients told apart (client_ip) or a clock would change that`,
  );
}
