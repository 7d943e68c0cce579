/**
 * Keys of a scenario that had no effect on a run, with the reason: what they are about never happened. A scenario that contradicts
 * itself is refused when it is read (scenarios/); goals that must be reached are in goals.ts.
 */

import { sigilFeeLamports } from '../../reference/registry/fees.js';
import type { NoEffect } from '../../reports/simulation-result.js';
import { workDifficulty } from '../../scenarios/behaviours/work-difficulty.js';
import type { Intervention, ScenarioFault } from '../../scenarios/disturbance.js';
import { featuresOf } from '../../scenarios/features.js';
import { measures } from '../../scenarios/measures.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { identityClasses } from '../../spec/vocabulary.js';
import type { Counter } from '../world/cells.js';
import { ACCEPTED, FORGERY, outcomesOf, PASSPORT } from '../world/operations.js';
import { sponsoredOf } from '../world/tallies.js';
import type { Outcome } from './outcome.js';

type NoEffectInput = Pick<Outcome, 'scenario' | 'cells' | 'counts' | 'tallies' | 'features'>;

/** The counts of one population at the end of a run. */
interface Group {
  readonly population: Population;
  readonly scenario: Scenario;
  readonly of: (counter: Counter) => number;
  /** Of all populations. */
  readonly all: (counter: Counter) => number;
  /** Its classes that have agents, and none of them with a SIGIL. */
  readonly unnamed: readonly string[];
  readonly sponsors: boolean;
  readonly passportsRead: number;
  readonly forgeries: number;
}

interface Row {
  readonly key: string;
  /** Why the key had no effect; null if it had one, or is not used. */
  readonly why: (group: Group) => string | null;
}

/** One row for each key of a population whose effect can be counted. Populations of which no agent has registered have the first alone. */
const ROWS: readonly Row[] = [
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
    why: ({ population: { spawning, sponsored }, of, sponsors }) => {
      if (spawning?.sponsor == null || of('spawns') === 0 || sponsors) return null;
      return sponsored ? 'agents without a wallet sponsor nobody' : 'no heartbeat of a descendant was paid';
    },
  },
  { key: 'flagging', why: ({ population, of }) => unless(population.flagging, of('flags'), 'no complaint was filed') },
  {
    key: 'misbehaves',
    why: ({ population: { misbehaves }, scenario: { reviews }, all }) =>
      unless(misbehaves || null, reviews === null ? 0 : all('flags'), 'no complaint was reviewed'),
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
  const sec = Math.ceil((protocol.spawn.baseBeats * (workDifficulty(protocol, difficulty) + 1)) / hashesPerSec);
  const slow = !forges && sec >= durationSec ? `: at its hash rate the work for the first takes ${sec} s` : '';
  return `no child was made${slow}`;
}

/** Every key of a scenario that had no effect on a run that has come to its end, in the order of the file. */
export function noEffects(outcome: NoEffectInput): NoEffect[] {
  const { scenario, features } = outcome;
  const { populations, faults, interventions, reviews, measures: sampled, durationSec } = scenario;
  const notes: NoEffect[] = populations.flatMap((_, i) => populationNotes(outcome, i));
  const all = (counter: Counter): number => outcome.cells[counter].reduce((sum, count) => sum + count, 0);
  if (reviews !== null && all('flags') === 0) notes.push({ key: 'reviews', text: 'there was no complaint to review' });
  faults.forEach((fault, i) => {
    if (features?.faultEffects[i] === 0) notes.push({ key: `faults.${i}`, text: faultText(fault) });
  });
  interventions.forEach((each, i) => {
    if (features?.interventionEffects[i] === 0) notes.push({ key: `interventions.${i}`, text: interventionText(each) });
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

function populationNotes({ scenario, cells, counts, tallies, features }: NoEffectInput, i: number): NoEffect[] {
  const population = scenario.populations[i] as Population;
  const own = identityClasses.map((_, c) => i * identityClasses.length + c);
  const of = (counter: Counter): number => own.reduce((sum, cell) => sum + cells[counter][cell]!, 0);
  const group: Group = {
    ...{ population, scenario, of },
    all: (counter) => cells[counter].reduce((sum, count) => sum + count, 0),
    unnamed: own
      .filter((cell) => cells.registered[cell]! > 0 && cells.sigils[cell] === 0)
      .map((cell) => cells.classes[cell]!),
    sponsors: [...tallies.sponsored.keys()].some((key) => own.includes(sponsoredOf(key).sponsorCell)),
    passportsRead: outcomesOf(counts, PASSPORT, ACCEPTED),
    forgeries: features?.eventCounts[FORGERY] ?? 0,
  };
  const rows = of('registered') > 0 ? ROWS : ROWS.slice(0, 1);
  return rows.flatMap(({ key, why }) => {
    const text = why(group);
    return text === null ? [] : [{ key: `populations.${i}.${key}`, text }];
  });
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
      return `no agent was granted less than it would have had to pay for its next ${intervention.feeType}${late}`;
    }
    default:
      return intervention satisfies never;
  }
}
