/**
 * Numbers of the protocol that somebody changed and that had no effect on a run, with the reason. One table says of every number what
 * has to happen in a run before it makes a difference. Keys of the scenario itself are in no-effect.ts.
 */

import { isDeepStrictEqual } from 'node:util';
import type { NoEffect, SimulationFork } from '../../results/simulation-result.js';
import { LOOKING_AHEAD } from '../../scenarios/behaviours/heartbeat-policy.js';
import type { Population } from '../../scenarios/scenario.js';
import { overlayOf, withOverlay } from '../../spec/overlay.js';
import { changesOf } from '../../spec/overlay-changes.js';
import { type Protocol, protocolNumbers, protocol as stated } from '../../spec/protocol.js';
import { DAY_SEC } from '../../spec/time.js';
import type { IdentityClass } from '../../spec/vocabulary.js';
import type { Counter } from '../world/cells.js';
import { callsOf, FLAG, HEARTBEAT, outcomeOf, PASSPORT, SPAWN } from '../world/operations.js';
import { refusalOf } from '../world/tallies.js';
import type { Outcome } from './outcome.js';

/** The parts of an outcome that the table reads. */
type NumberInput = Pick<
  Outcome,
  'scenario' | 'cells' | 'counts' | 'tallies' | 'tierBeats' | 'heartbeatsMost' | 'features'
>;

/** A number that was changed, and the moment: with the run, or during it. */
interface Change {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly atStart: boolean;
}

type Why = (run: NumberInput, change: Change) => string | null;

/** The reason, unless what the number is about happened. */
const unless =
  (happened: (run: NumberInput, change: Change) => boolean, why: string): Why =>
  (run, change) =>
    happened(run, change) ? null : why;
const always: Why = () => null;
const never =
  (why: string): Why =>
  () =>
    why;

const sum = ({ cells }: NumberInput, counter: Counter): number =>
  cells[counter].reduce((total, count) => total + count, 0);
const some = ({ scenario }: NumberInput, is: (population: Population) => boolean): boolean =>
  scenario.populations.some(is);

const FROZEN = outcomeOf('AGENT_FROZEN');

/** Whether an agent began the work of a resync: one that resyncs was refused a heartbeat while frozen. */
function beganResync({ tallies, cells }: NumberInput): boolean {
  return [...tallies.refusals.keys()]
    .map(refusalOf)
    .some(
      ({ cell, operation, outcome }) =>
        operation === HEARTBEAT && outcome === FROZEN && cells.populations[cell]?.resync === true,
    );
}

const worked = (run: NumberInput): boolean => beganResync(run) || callsOf(run.counts, SPAWN) > 0;

const looksAhead = (run: NumberInput): boolean => some(run, ({ heartbeat }) => LOOKING_AHEAD.has(heartbeat.policy));

/** Whether an agent may have come to a number of heartbeats, by the most that one sent in the whole run. */
const cameTo = (run: NumberInput, { from, to }: Change): boolean =>
  looksAhead(run) || run.heartbeatsMost >= Math.min(from, to);

/** Whether a heartbeat of a tier was paid, or could not be paid. */
const paidInTier =
  (tier: 1 | 2 | 3) =>
  (run: NumberInput): boolean =>
    looksAhead(run) || (run.tierBeats[tier - 1] ?? 0) > 0 || sum(run, 'heartbeatsSkipped') > 0;

const buys =
  (name: IdentityClass) =>
  (run: NumberInput): boolean =>
    run.cells.classes.some(
      (each, cell) =>
        each === name && run.cells.registered[cell]! > 0 && run.cells.populations[cell]?.sigil !== 'never',
    );

const crossesEpoch = (run: NumberInput, { from, to }: Change): boolean => {
  const { durationSec, protocol } = run.scenario;
  const beats = Math.floor(durationSec / protocol.anchor.intervalSec) * protocol.anchor.beatsPerAnchor;
  return looksAhead(run) || beats >= Math.min(from, to);
};

/** The development share falls by the year; in the first one only a floor above its start makes a difference. */
const fallsOrRests = (run: NumberInput, { path, from, to }: Change): boolean => {
  const { durationSec, protocol } = run.scenario;
  const { yearDays, developmentStartBps } = protocol.feeSplit;
  const year = path === 'feeSplit.yearDays' ? Math.min(from, to) : yearDays;
  const rests = path === 'feeSplit.developmentFloorBps' && Math.max(from, to) > developmentStartBps;
  return sum(run, 'feesLamports') > 0 && (rests || durationSec >= year * DAY_SEC);
};

/** A sponsorship without a cap of its own takes the default when the scenario is read, and keeps it. */
const takesDefaultCap = (run: NumberInput, { to, atStart }: Change): boolean =>
  atStart && some(run, ({ spawning }) => spawning?.sponsor?.heartbeatsEpochMax === to);

const takesDefaultFloor = ({ scenario }: NumberInput): boolean =>
  scenario.interventions.some((each) => each.kind === 'subsidy' && each.floorLamports === null);

const NOT_PLAYED = 'nothing that a simulation measures depends on it';

/** The conditions under which numbers make a difference: the first row that fits a path holds for it. */
/** Numbers of parts of the protocol that no simulation has, with the reason. */
const NOT_SIMULATED: readonly (readonly [of: RegExp, why: string])[] = [
  [/^limits\./, 'a simulation has no rate limits but the circuit breaker of complaints, flag.breakerPendingMax'],
  [/^webhook\./, 'a simulation delivers no webhooks'],
];

/** Whether a number of the protocol, by its path, is of a part that simulations have. */
export function isSimulated(path: string): boolean {
  return !NOT_SIMULATED.some(([of]) => of.test(path));
}

const ROWS: readonly (readonly [of: RegExp, why: Why])[] = [
  [/^(anchor\.(intervalSec|beatsPerAnchor)|dms\.\w+)$/, always],
  [
    /^passport\.validityHours$/,
    unless(
      (run) => sum(run, 'sigils') + sum(run, 'heartbeats') + callsOf(run.counts, PASSPORT) > 0,
      'no passport was issued',
    ),
  ],
  [/^heartbeat\.intervalBeatsMin$/, unless((run) => callsOf(run.counts, HEARTBEAT) > 0, 'no heartbeat was sent')],
  [/^heartbeat\.epochBeats$/, unless(crossesEpoch, 'the run ends within its first epoch')],
  [/^heartbeat\.tier[12]HeartbeatsMax$/, unless(cameTo, 'no agent sent as many heartbeats')],
  [/^heartbeat\.tier1FeeLamports$/, unless(paidInTier(1), 'no heartbeat was paid in tier 1')],
  [/^heartbeat\.tier2FeeLamports$/, unless(paidInTier(2), 'no heartbeat was paid in tier 2')],
  [/^heartbeat\.tier3FeeLamports$/, unless(paidInTier(3), 'no heartbeat was paid in tier 3')],
  [
    /^heartbeat\.epochFeeLamports$/,
    unless((run) => sum(run, 'heartbeats') + sum(run, 'heartbeatsSkipped') > 0, 'no heartbeat was paid'),
  ],
  [/^heartbeat\.\w+Cap$/, unless(cameTo, 'no agent sent as many heartbeats')],
  [/^sigil\.narrowTaskFeeLamports$/, unless(buys('narrow_task'), 'no agent of narrow_task buys a SIGIL')],
  [/^sigil\.autonomousFeeLamports$/, unless(buys('autonomous'), 'no agent of autonomous buys a SIGIL')],
  [/^sigil\.orchestratorFeeLamports$/, unless(buys('orchestrator'), 'no agent of orchestrator buys a SIGIL')],
  [
    /^reissue\.feeLamports$/,
    unless((run) => some(run, ({ reissue }) => reissue?.free === false), 'no population pays for reissues'),
  ],
  [/^feeSplit\.treasuryStartBps$/, never('treasury gets what the other shares leave')],
  [/^feeSplit\.(developmentF\w+|yearDays)$/, unless(fallsOrRests, 'the run ends before the development share falls')],
  [/^feeSplit\./, unless((run) => sum(run, 'feesLamports') > 0, 'no fee was paid')],
  [/^deposit\./, unless((run) => sum(run, 'sigils') + sum(run, 'resyncs') > 0, 'no agent bought a SIGIL')],
  [/^resync\.(beats|fee)/, unless(beganResync, 'no agent began a resync')],
  [/^work\.(difficultyMin|receiptDifficultyMin)$/, unless(worked, 'no agent had beats to compute')],
  [
    /^work\.difficultyMax$/,
    unless(
      (run) => worked(run) && some(run, ({ difficulty }) => difficulty !== null),
      'no agent works at a difficulty of its choice',
    ),
  ],
  [
    /^proof\.(spotChecksMin|challengeChecks)$/,
    unless((run) => worked(run) && some(run, ({ forges }) => forges), 'no agent forges proofs of work'),
  ],
  [
    /^(spawn\.(base|depth|sibling)\w+|agent\.depthMax)$/,
    unless((run) => callsOf(run.counts, SPAWN) > 0, 'no parent asked for a child'),
  ],
  [
    /^sponsor\.heartbeatsEpochDefault$/,
    unless(takesDefaultCap, 'every sponsorship has a cap of its own, or the default of the start'),
  ],
  [/^flag\.breaker/, unless((run) => callsOf(run.counts, FLAG) > 0, 'no complaint was filed')],
  [/^subsidy\.floorLamportsDefault$/, unless(takesDefaultFloor, 'no subsidy takes the default floor')],
  ...NOT_SIMULATED.map(([of, why]) => [of, never(why)] as const),
  [/^\w/, never(NOT_PLAYED)],
];

/** The reason why a changed number had no effect on a run; null if it may have had one. */
function whyIdle(run: NumberInput, change: Change): string | null {
  const row = ROWS.find(([of]) => of.test(change.path));
  if (row === undefined) throw new Error(`no row is about ${change.path}`);
  return row[1](run, change);
}

/**
 * The changed numbers that had no effect: those of the scenario, of an overlay and of `--set` by their path under `protocol`, then those of
 * interventions and of a fork.
 */
export function idleNumbers(run: NumberInput, fork?: SimulationFork): NoEffect[] {
  const { scenario } = run;
  const notes: NoEffect[] = [];
  const add = (key: string, paths: readonly string[], before: Protocol, after: Protocol): void => {
    const [from, to] = [numbersOf(before), numbersOf(after)];
    for (const path of paths) {
      const change = { path, from: from.get(path) as number, to: to.get(path) as number, atStart: key === 'protocol' };
      const same = change.from === change.to;
      const text = same && key !== 'protocol' ? `it is ${change.to} already` : same ? null : whyIdle(run, change);
      if (text !== null) notes.push({ key: `${key}.${path}`, text });
    }
  };
  add('protocol', [...numbersOf(stated).keys()], stated, scenario.protocol);
  let { protocol } = scenario;
  let atFork: Protocol | undefined;
  const changing = scenario.interventions
    .map((each, i) => ({ each, i }))
    .toSorted((a, b) => a.each.atSec - b.each.atSec || a.i - b.i);
  for (const { each, i } of changing) {
    if (each.kind !== 'protocol') continue;
    const after = withOverlay(each.set, protocol);
    if (fork !== undefined && each.atSec * 1_000 >= fork.at_ms && atFork === undefined) atFork = protocol;
    // An intervention that changes no number is named as a whole, in no-effect.ts.
    if (!isDeepStrictEqual(after, protocol))
      add(`interventions.${i}.set`, Object.keys(changesOf(each.set)), protocol, after);
    protocol = after;
  }
  if (fork === undefined) return notes;
  const before = atFork ?? protocol;
  const forked = Object.entries(fork.set).reduce(
    (numbers, [path, value]) => withOverlay(overlayOf(path, value), numbers),
    before,
  );
  add('fork.protocol', Object.keys(fork.set), before, forked);
  return notes;
}

function numbersOf(protocol: Protocol): ReadonlyMap<string, number> {
  return new Map(protocolNumbers(protocol).map(({ path, value }) => [path, value]));
}
