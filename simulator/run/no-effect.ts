/**
 * Keys of a scenario that had no effect on a run, with the reason: the situation that they apply to never occurred. A scenario that contradicts
 * itself is refused when it is read (scenarios/); goals that must be reached are in goals.ts.
 */

import { sigilFeeLamports } from '../../reference/registry/fees.js';
import { spawnCostBeats } from '../../reference/registry/spawn-cost.js';
import type { NoEffect } from '../../results/simulation-result.js';
import {
  PAYMENT_DELAY_SEC,
  PAYMENT_RETRY_SEC,
  type PaymentFaultRates,
} from '../../scenarios/behaviours/payment-faults.js';
import { workDifficulty } from '../../scenarios/behaviours/work-difficulty.js';
import type { Intervention, ScenarioFault } from '../../scenarios/disturbance.js';
import { featuresOf } from '../../scenarios/features.js';
import { measures } from '../../scenarios/measures.js';
import { hasWallet, type Population, type Scenario } from '../../scenarios/scenario.js';
import { identityClasses } from '../../spec/vocabulary.js';
import type { Counter } from '../world/cells.js';
import { ACCEPTED, FORGERY, HEARTBEAT, outcomeOf, outcomesOf, PASSPORT, REVIEW, SPAWN } from '../world/operations.js';
import { refusalOf, sponsoredOf } from '../world/tallies.js';
import { idleOptions } from './option-effect.js';
import type { Outcome } from './outcome.js';
import { idleSpawningKeys } from './spawning-effect.js';

const FROZEN = outcomeOf('AGENT_FROZEN');

type NoEffectInput = Pick<Outcome, 'scenario' | 'cells' | 'counts' | 'tallies' | 'features'>;

/** The counts of one population at the end of a run. */
interface Group {
  readonly population: Population;
  readonly scenario: Scenario;
  readonly of: (counter: Counter) => number;
  /** Its classes whose agents all have no SIGIL. */
  readonly unnamed: readonly string[];
  readonly sponsors: boolean;
  /** Whether an agent of it was refused a heartbeat while frozen, or asked for the price of a child: both are followed by work. */
  readonly toldFrozen: boolean;
  readonly askedForChild: boolean;
  readonly reviews: number;
  readonly birthsPrevented: number;
  readonly passportsRead: number;
  readonly forgeries: number;
}

interface Row {
  readonly key: string;
  /** Why the key had no effect; null if it had one, or is not used. */
  readonly why: (group: Group) => string | null;
}

/** One row for each key of a population whose effect can be counted. Populations of which no agent has registered have the first two alone. */
const ROWS: readonly Row[] = [
  { key: 'count', why: ({ population: { count } }) => (count === 0 ? 'the population has no agents' : null) },
  {
    key: 'arrivals',
    why: ({ population: { count, spawned }, of }) =>
      spawned || count === 0 || of('registered') > 0 ? null : 'no agent arrived before the end',
  },
  {
    key: 'budget.wallet',
    why: ({ population: { sigil, budget }, scenario, unnamed }) => {
      if (sigil !== 'at_birth' || unnamed.length === 0) return null;
      const prices = unnamed.map((name) => `${sigilFeeLamports(scenario.protocol, name)} lamports for ${name}`);
      return `${budget.walletLamports} lamports bought no SIGIL, which costs ${prices.join(', ')}`;
    },
  },
  {
    key: 'budget.top_up',
    why: ({ population: { budget }, of }) =>
      unless(budget.topUp, of('topUpsLamports'), 'no wallet ran low in time for money to arrive'),
  },
  {
    key: 'budget.top_up.times',
    why: ({ population: { budget }, of }) =>
      of('topUpsLamports') === 0
        ? null
        : unless(
            budget.topUp?.timesMax ?? null,
            of('topUpsOmitted'),
            'no agent came to this many top-ups and needed another',
          ),
  },
  {
    key: 'difficulty',
    why: ({ population: { difficulty, resync }, toldFrozen, askedForChild }) =>
      unless(difficulty, Number((toldFrozen && resync) || askedForChild), 'no agent had beats to compute'),
  },
  {
    key: 'resync',
    why: ({ population: { resync }, toldFrozen }) =>
      resync || toldFrozen ? null : 'no agent learned that it was frozen',
  },
  {
    key: 'count_ends_growth',
    why: ({ population: { countEndsGrowth }, birthsPrevented }) =>
      unless(countEndsGrowth || null, birthsPrevented, 'the count prevented no birth'),
  },
  {
    key: 'economics.heartbeat',
    why: ({ population: { economics }, of }) =>
      unless(economics.heartbeatLamports || null, of('heartbeats'), 'no heartbeat was accepted'),
  },
  {
    key: 'economics.gigahash',
    why: ({ population: { economics }, of }) =>
      unless(economics.gigahashLamports || null, of('hashes'), 'no work was computed'),
  },
  {
    key: 'heartbeat',
    why: ({ of }) => unless(of('heartbeatsSkipped') > 0 || null, of('heartbeats'), 'none could be paid for'),
  },
  {
    key: 'sigil',
    why: ({ population: { sigil }, of }) =>
      sigil === 'at_cap' && of('sigils') === 0 ? 'no agent bought one at the cap' : null,
  },
  {
    key: 'outages',
    why: ({ population, of }) => unless(population.outages, of('offlineSec'), 'none began while an agent was active'),
  },
  {
    key: 'lifetime',
    why: ({ population, of }) => unless(population.lifetime, of('left'), 'no agent departed before the end'),
  },
  {
    key: 'reissue',
    why: ({ population: { reissue }, of, passportsRead }) =>
      unless(reissue, reissue?.free === true ? passportsRead : of('reissues'), 'no passport was issued again'),
  },
  {
    key: 'spawning',
    why: ({ population, of, scenario }) =>
      unless(population.spawning, of('spawns'), childlessText(population, scenario)),
  },
  {
    key: 'spawning.sponsor',
    why: ({ population, of, sponsors }) => {
      const { spawning } = population;
      if (spawning?.sponsor == null || of('spawns') === 0 || sponsors) return null;
      return hasWallet(population) ? 'no heartbeat of a descendant was paid' : 'agents without a wallet sponsor nobody';
    },
  },
  {
    key: 'flagging.asserts',
    why: ({ population: { flagging } }) =>
      unless(
        flagging?.assertedClass === 'narrow_task' ? null : flagging,
        0,
        'the service takes a complaint whatever class it asserts',
      ),
  },
  { key: 'flagging', why: ({ population, of }) => unless(population.flagging, of('flags'), 'no complaint was filed') },
  {
    key: 'misbehaves',
    why: ({ population: { misbehaves }, reviews }) => unless(misbehaves || null, reviews, 'no complaint was reviewed'),
  },
  {
    key: 'forges',
    why: ({ population: { forges }, forgeries }) => unless(forges || null, forgeries, 'no proof of work was forged'),
  },
];

function unless(used: unknown, count: number, why: string): string | null {
  return used !== null && count === 0 ? why : null;
}

function childlessText({ hashesPerSec, difficulty, forges }: Population, { protocol, durationSec }: Scenario): string {
  const first = spawnCostBeats(protocol, 0, 0) ?? Number.MAX_SAFE_INTEGER;
  const sec = Math.ceil((first * (workDifficulty(protocol, difficulty) + 1)) / hashesPerSec);
  const slow = !forges && sec >= durationSec ? `: at its hash rate the work for the first takes ${sec} s` : '';
  return `no child was made${slow}`;
}

/** Every key of a scenario that had no effect on a finished run, in the order of the file. */
export function noEffects(outcome: NoEffectInput): NoEffect[] {
  const { scenario, features } = outcome;
  const { populations, faults, interventions, measures: sampled, durationSec } = scenario;
  const notes: NoEffect[] = populations.flatMap((_, i) => populationNotes(outcome, i));
  notes.push(...reviewNotes(outcome));
  faults.forEach((fault, i) => {
    if (features?.faultEffects[i] === 0) notes.push({ key: `faults.${i}`, text: faultText(fault) });
    else if (fault.kind === 'payments') notes.push(...rateNotes(fault.rates, `faults.${i}`));
  });
  interventions.forEach((each, i) => {
    if (features?.interventionEffects[i] === 0) notes.push({ key: `interventions.${i}`, text: interventionText(each) });
    else if (each.kind === 'subsidy' && each.floorLamports !== null && features?.floorEffects[i] === 0)
      notes.push({ key: `interventions.${i}.floor`, text: `no discounted ${each.feeType} fee came below it` });
  });
  if (sampled.everySec > durationSec) {
    notes.push({
      key: 'measures.every',
      text: 'is longer than the run, which is sampled at its start and its end alone',
    });
  }
  const used = featuresOf(scenario);
  scenario.expectations.forEach(({ measure }, i) => {
    const needed = measures[measure].features;
    if (needed.length === 0 || needed.some((feature) => used.has(feature))) return;
    notes.push({
      key: `expectations.${i}`,
      text: `${measure} is 0 in any case: this scenario has no ${needed.join(' or ')}`,
    });
  });
  return notes;
}

/** The keys of `reviews` that came to nothing. */
function reviewNotes({ scenario: { reviews }, cells, counts }: NoEffectInput): NoEffect[] {
  const all = (counter: Counter): number => cells[counter].reduce((sum, count) => sum + count, 0);
  if (reviews === null) return [];
  if (all('flags') === 0) return [{ key: 'reviews', text: 'there was no complaint to review' }];
  if (outcomesOf(counts, REVIEW, ACCEPTED) === 0) return [{ key: 'reviews', text: 'no review was due before the end' }];
  if (reviews.resolve === null || all('flagsSustained') > 0) return [];
  return [{ key: 'reviews.resolve', text: 'no complaint was sustained' }];
}

/** How late payments are, and when dropped ones are sent again, where none is. */
function rateNotes({ late, delay, dropped, retrySec }: PaymentFaultRates, key: string): NoEffect[] {
  const usual = delay.distribution === 'fixed' && delay.meanSec === PAYMENT_DELAY_SEC;
  const notes: NoEffect[] = [];
  if (late === 0 && !usual) notes.push({ key: `${key}.delay`, text: 'no payment is late: late is 0' });
  if (dropped === 0 && retrySec !== PAYMENT_RETRY_SEC)
    notes.push({ key: `${key}.retry`, text: 'no payment is dropped: dropped is 0' });
  return notes;
}

function populationNotes({ scenario, cells, counts, tallies, features }: NoEffectInput, i: number): NoEffect[] {
  const population = scenario.populations[i] as Population;
  const own = [...cells.indices.keys()].filter((cell) => cells.indices[cell] === i);
  const of = (counter: Counter): number => own.reduce((sum, cell) => sum + cells[counter][cell]!, 0);
  const refused = [...tallies.refusals.keys()].map(refusalOf).filter(({ cell }) => own.includes(cell));
  const group: Group = {
    ...{ population, scenario, of },
    toldFrozen: refused.some(({ operation, outcome }) => operation === HEARTBEAT && outcome === FROZEN),
    askedForChild: refused.some(({ operation }) => operation === SPAWN),
    reviews: outcomesOf(counts, REVIEW, ACCEPTED),
    birthsPrevented: features?.censoredBirths[i] ?? 0,
    unnamed: identityClasses.filter((name) => {
      const all = (counter: Counter): number =>
        own.reduce((sum, cell) => sum + (cells.classes[cell] === name ? cells[counter][cell]! : 0), 0);
      return all('registered') > 0 && all('sigils') === 0;
    }),
    sponsors: [...tallies.sponsored.keys()].some((key) => own.includes(sponsoredOf(key).sponsorCell)),
    passportsRead: outcomesOf(counts, PASSPORT, ACCEPTED),
    forgeries: features?.eventCounts[FORGERY] ?? 0,
  };
  const rows = of('registered') > 0 ? ROWS : ROWS.slice(0, 2);
  const found = rows.flatMap(({ key, why }) => {
    const text = why(group);
    return text === null ? [] : [{ key, text }];
  });
  found.push(...idleOptions(population, cells, own));
  if (population.spawning !== null && of('spawns') > 0)
    found.push(
      ...idleSpawningKeys(population.spawning, scenario.protocol, {
        features,
        population: i,
        sponsors: group.sponsors,
      }),
    );
  return found.map(({ key, text }) => ({ key: `populations.${i}.${key}`, text }));
}

function faultText({ kind }: ScenarioFault): string {
  switch (kind) {
    case 'outage':
    case 'outages':
      return 'no agent was cut off';
    case 'anchor_stall':
      return 'no anchor was held back';
    case 'payments':
      return 'no payment was late or dropped';
    default:
      return kind satisfies never;
  }
}

function interventionText(intervention: Intervention): string {
  switch (intervention.kind) {
    case 'protocol':
      return 'no number changed';
    case 'revoke_keys':
      return 'no key was revoked';
    case 'subsidy': {
      const late = intervention.feeType === 'sigil' ? ': a root buys its SIGIL when it registers' : '';
      return `no agent paid less than without it for a ${intervention.feeType}${late}`;
    }
    case 'hold':
      return 'no number changed';
    default:
      return intervention satisfies never;
  }
}
