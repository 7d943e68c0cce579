/**
 * Orders the chosen checks into waves that fit the target's registration limits and the time that may pass, and gives a
 * reason for each check that does not run. It sends nothing. The estimate of a whole run is in plan.ts.
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
  /** Its checks run one at a time. */
  readonly exclusive: boolean;
  /** Seconds of protocol time that pass before the wave, so that its addresses may register again. */
  readonly waitSec: number;
}

/** Which checks will run, in which waves, and which will not, with the reason. */
export interface Schedule {
  readonly waves: readonly Wave[];
  readonly leftOut: readonly { readonly check: Check; readonly finding: End }[];
  /** The checks that a quick run spares: others judge their clauses. */
  readonly spared: readonly Check[];
  /** Seconds that the run waits in real time; 0 if it can move the target's clock. */
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

/** The registrations that one address may make in an hour (section 8), less `shared` ones for agents that checks share. */
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

/** Registrations of all kinds that a check makes. */
export function totalCost(check: Check): number {
  return buckets.reduce((sum, bucket) => sum + costOf(check)[bucket], 0);
}

/** The specification's circuit breaker admits the flags of all checks at the same time; a lower one does not. */
const fewFlags = ({ flag }: Protocol): boolean => flag.breakerPendingMax < protocol.flag.breakerPendingMax;
const flags = ({ clauses, controls = [] }: Check): boolean =>
  controls.includes('flags/:id/review') || clauses.some((id) => /^(limit\.)?flag\./.test(id));

/** How a run is scheduled. */
interface Scheduling {
  readonly allowWrites: boolean;
  /** Cuts the run to one judgement a clause. */
  readonly quick?: boolean | undefined;
  /** Clauses that need no judgement in a quick run: another run has judged them. */
  readonly judged?: ReadonlySet<string> | undefined;
}

/**
 * Distributes the checks over waves, in each of them those first that judge most for what they cost. If each check can have its own client address, all run in one wave, and the exclusive
 * ones after it. Otherwise all share one address: the checks that judge the most clauses per registration come first. The
 * others follow in waves an hour apart, or are not tested if no hour can pass.
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
    // They move the clock by months: the order of the suite says which of them comes before the last day of the alias.
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

/** The checks of a list all of whose clauses are judged without them: by those that run, or by another run. */
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
  /** Registrations that are left in its hour. */
  readonly free: Allotment;
  /** An hour passes before it, after which the address may register again. */
  readonly hourLater: boolean;
}

/** Packs checks into waves, within the registrations that an address may make and the time that may pass. */
class WavePacking {
  readonly #batches: Batch[] = [];
  readonly #hourSec: number;

  constructor(
    readonly target: Target,
    readonly offers: Offers,
    /** Registrations of each hour that are spent on agents which checks share. */
    readonly shared: number,
  ) {
    this.#hourSec = target.protocol.limits.register.windowSec;
  }

  /** The registrations that the address may make in a new hour. */
  get #newHour(): Allotment {
    return hourlyAllotment(this.target.protocol, this.shared);
  }

  #costOf(check: Check): Allotment {
    const cost = costOf(check);
    return reusesAgents(this.offers.has, check) ? { ...cost, registers: 0 } : cost;
  }

  /** Adds checks in new waves, those that judge the most clauses per registration first. Returns those without a place, and why. */
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

  /** The first wave with room for a check; otherwise a new one an hour later, if an hour can pass. */
  #placeFor(check: Check, batches: Batch[], exclusive: boolean): Batch | undefined {
    const cost = this.#costOf(check);
    const more = { members: [], exclusive, free: this.#newHour, hourLater: true };
    const place = [...batches, more].find(
      (batch) => buckets.every((bucket) => cost[bucket] <= batch.free[bucket]) && this.#inTime(check, batch, batches),
    );
    if (place === more) batches.push(more);
    return place;
  }

  /** Whether the run may wait as long as it would with this check in that wave. A clock that can be moved always allows it. */
  #inTime(check: Check, place: Batch, batches: readonly Batch[]): boolean {
    if (this.offers.has.has('clock')) return true;
    const all = [...new Set([...this.#batches, ...batches, place])];
    const filled = all.map((batch) => (batch === place ? { ...batch, members: [...batch.members, check] } : batch));
    // Quiet checks run before all others, and their waiting does not count against the time of the others.
    const quiet = all.filter(({ members }) => members.some((one) => one.runsAlone === true));
    return this.secondsOf(filled) - this.secondsOf(quiet) <= this.offers.observedSec;
  }

  /** Seconds of real time that checks wait in these waves, and that pass between the waves. */
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
