/** The manifest and the headline totals of a run. Their types are in results/, their writers in reports/. */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../reference/beats/canonical-json.js';
import { feeTotals } from '../../reference/registry/fee-book.js';
import {
  type FirstFreeze,
  type ResolvedInputs,
  SIMULATION_SCHEMA,
  type SimulationManifest,
} from '../../results/simulation-result.js';
import { classesOf } from '../../scenarios/groups.js';
import type { MeasureName } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { feeShares, feeTypes } from '../../spec/vocabulary.js';
import { eventHash } from '../world/event-chain.js';
import { INVARIANTS } from '../world/invariant-list.js';
import { operationCounts, totalOperations } from '../world/operations.js';
import { censoredGrowth } from './censored.js';
import { MODEL_NOTES } from './model-notes.js';
import { noEffects } from './no-effect.js';
import { idleNumbers } from './number-effect.js';
import type { Outcome } from './outcome.js';
import { latest, type Samples } from './samples.js';
import type { RunCost, RunSource } from './simulate.js';

/** The manifest of a run that was played to the end or, if `partial`, up to a second. */
export function manifestOf(
  outcome: Outcome,
  options: RunSource & { readonly partial: boolean },
  cost: RunCost,
): SimulationManifest {
  const { scenario, counts, checks } = outcome;
  const total = totalOperations(counts);
  const byKind = operationCounts(counts);
  const accepted = byKind.reduce((sum, kind) => sum + kind.accepted, 0);
  const idle = options.partial ? [] : [...noEffects(outcome), ...idleNumbers(outcome, options.fork)];
  return {
    schema: SIMULATION_SCHEMA,
    scenario: { name: scenario.name, ...options.source },
    seed: outcome.seed,
    protocol_digest: createHash('sha256').update(canonicalJson(scenario.protocol)).digest('hex'),
    resolved: resolvedInputs(scenario, options),
    ...(options.behaviours === undefined ? {} : { behaviours: options.behaviours }),
    ...(options.fork === undefined ? {} : { fork: options.fork }),
    versions: { aips_lab: options.versions.aips_lab, scenario_format: scenario.format },
    event_hash: eventHash(outcome.eventChains),
    operations: { total, accepted, refused: total - accepted, by_kind: byKind },
    agents: outcome.registered,
    simulated_ms: outcome.second * 1_000,
    censored: censoredGrowth(outcome),
    ...(idle.length === 0 ? {} : { no_effect: idle }),
    invariants: INVARIANTS.map(({ name, text }, i) => ({ name, text, checked: checks[i]! })),
    model: MODEL_NOTES,
    partial: options.partial,
    run: {
      wall_s: cost.wallSec,
      operations_per_s: cost.wallSec === 0 ? 0 : (cost.operations ?? total) / cost.wallSec,
      peak_rss_mb: cost.peakRssMb,
      node: options.versions.node,
    },
  };
}

function resolvedInputs({ protocol, ...scenario }: Scenario, { settings }: RunSource): ResolvedInputs {
  const plain = (value: object): ResolvedInputs['scenario'] => JSON.parse(JSON.stringify(value));
  return {
    scenario: plain(scenario),
    protocol: plain(protocol),
    overlay: settings?.overlay ?? null,
    set: settings?.set ?? {},
  };
}

const WHOLE: readonly MeasureName[] = [
  'heartbeats',
  'heartbeats_refused',
  'heartbeats_skipped',
  'freezes',
  'resyncs',
  'fees_lamports',
  'wallet_lamports',
  'frozen_share',
  'never_frozen_share',
  'uptime_share',
  'availability_share',
  'live_day_cost_lamports',
];
const BY_CLASS: readonly MeasureName[] = ['uptime_share', 'live_day_cost_lamports'];

/** The headline numbers of a run. Names end with their unit. */
export function simulationTotals(
  outcome: Outcome,
  samples: Samples,
  freezes: readonly FirstFreeze[],
): Record<string, number> {
  const totals: Record<string, number> = { agents: outcome.registered };
  for (const name of WHOLE) totals[name] = latest(outcome, samples, name, null);
  const whole = freezes.find(({ group }) => group === undefined);
  for (const [quantile, ms] of Object.entries(whole?.quantiles_ms ?? {})) {
    if (ms !== null) totals[`first_freeze_${quantile}_ms`] = ms;
  }
  const books = feeTypes.map((type) => ({ type, book: feeTotals(outcome.feeBook, type) }));
  for (const { type, book } of books) {
    if (book.count > 0) totals[`${type}_fees_lamports`] = book.totalLamports;
  }
  for (const share of feeShares) {
    totals[`fees_to_${share}_lamports`] = books.reduce((sum, { book }) => sum + book.shares[share], 0);
  }
  const classes = classesOf(outcome.scenario);
  if (classes.length > 1) {
    for (const name of classes) {
      for (const measure of BY_CLASS) totals[`${name}_${measure}`] = latest(outcome, samples, measure, name);
    }
  }
  return totals;
}
