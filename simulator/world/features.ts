/**
 * State of the optional parts of the model: churn, children, complaints, faults, interventions. A scenario that uses
 * none has none of it.
 */

import { featuresOf } from '../../scenarios/features.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { type AdaptationState, createAdaptation } from './adaptation.js';
import { type Agenda, createAgenda } from './agenda.js';
import type { Agents } from './agents.js';
import type { Cells } from './cells.js';
import { EVENT_NAMES } from './operations.js';
import { agentsBelow, type Share } from './share.js';

/** No agent, or no fault. */
export const NONE = -1;

/** Marks of an agent: it has left; its key is revoked. */
export const DEPARTED = 1;
export const REVOKED = 2;
/** A forged proof of it was refused, so it forges no longer. */
export const CAUGHT = 4;

/** Keys of `spawning` whose effects are counted by population. */
export const SPAWNING_KEYS = [
  'children_max',
  'depth_max',
  'beats_max',
  'sponsor.cap',
  'sponsor.expires',
  'sponsor.renew',
  'sponsor.answer',
  'sponsor.generations',
] as const;
export type SpawningKey = (typeof SPAWNING_KEYS)[number];

/** The state of an intervention that holds a measure: its numbers before the factor and as set last, the factor, and two sums up to the last period. */
interface HoldState {
  readonly bases: number[];
  readonly set: number[];
  factor: number;
  part: number;
  whole: number;
}

/** One answer of such an intervention, by its index: the measure of the period before, and the numbers from this second on. */
interface HeldNumbers {
  readonly intervention: number;
  readonly second: number;
  readonly measured: number;
  readonly factor: number;
  readonly numbers: readonly number[];
}

/** The state of all optional parts. An event checks once whether it is there. */
export interface Features {
  readonly agenda: Agenda;
  /** By population: its first agent, with the end of the last one; and how many of its agents parents have made. */
  readonly firstAgent: Int32Array;
  readonly spawnedCount: Int32Array;
  /** By population: births that its count prevented, and the second of the first one or NONE. */
  readonly censoredBirths: Int32Array;
  readonly censoredSec: Int32Array;
  /** By agent: marks, the second until which it is cut off, and its parent or NONE. */
  readonly marks: Uint8Array;
  readonly cutOffUntilSec: Int32Array;
  readonly parent: Int32Array;
  /** By agent: the second of its departure, or NONE. */
  readonly departedSec: Int32Array;
  /** By agent: children that it was authorized to make, and unresolved sustained complaints against it. */
  readonly childrenAuthorized: Int32Array;
  readonly sustainedComplaints: Int32Array;
  /** By agent: seconds of work for a child that are left when the agent returns from an outage. */
  readonly childWorkLeftSec: Int32Array;
  /** By fault: how many numbers it drew, and how often it has begun: a recurring one once with the run, before its first up time. */
  readonly faultDraws: Int32Array;
  readonly faultOnsets: Int32Array;
  /** Draws of each agent under each payment fault: those under the k-th one begin at k times the number of agents. */
  readonly paymentDraws: Int32Array;
  /** The current fault of payments and of anchors, or NONE; and the anchors that the stall has held back. */
  paymentFault: number;
  stallFault: number;
  owedAnchors: number;
  /** By event that is not an operation: how often it happened. */
  readonly eventCounts: Float64Array;
  grandchildren: number;
  /** By fault and by intervention: how often it made a difference to an agent, a payment or an anchor. */
  readonly faultEffects: Float64Array;
  readonly interventionEffects: Float64Array;
  /** By intervention: fees for which the floor of a subsidy made a difference. */
  readonly floorEffects: Float64Array;
  /** By agent and type of fee: the subsidy that was granted last, an intervention, or NONE. Empty in a scenario without subsidies. */
  readonly subsidyGranted: Int32Array;
  /** By population and key of `SPAWNING_KEYS`: how often it made a difference to an agent. */
  readonly spawningEffects: Float64Array;
  /** Null for a scenario in which no agent revises an option. */
  readonly adaptation: AdaptationState | null;
  /** By intervention: its state while it holds a measure, or null; and all answers in their order. */
  /** By population: the profit of an agent and day that an entrant expects, NaN for unknown; and by cell sums until the latest period. */
  readonly expectedLamports: Float64Array;
  readonly entryLamports: Float64Array;
  readonly entrySec: Float64Array;
  readonly holds: (HoldState | null)[];
  readonly heldNumbers: HeldNumbers[];
}

/** The state for a scenario that uses optional parts; null for one that uses none. */
export function createFeatures(scenario: Scenario, share: Share, cells: Cells): Features | null {
  if (featuresOf(scenario).size === 0) return null;
  const { populations, faults, interventions } = scenario;
  const firstAgent = new Int32Array(populations.length + 1);
  let before = 0;
  populations.forEach(({ count }, i) => {
    before += count;
    firstAgent[i + 1] = agentsBelow(share, before);
  });
  const size = firstAgent[populations.length]!;
  return {
    agenda: createAgenda(),
    firstAgent,
    spawnedCount: new Int32Array(populations.length),
    censoredBirths: new Int32Array(populations.length),
    censoredSec: new Int32Array(populations.length).fill(NONE),
    marks: new Uint8Array(size),
    cutOffUntilSec: new Int32Array(size),
    parent: new Int32Array(size).fill(NONE),
    departedSec: new Int32Array(size).fill(NONE),
    childrenAuthorized: new Int32Array(size),
    sustainedComplaints: new Int32Array(size),
    childWorkLeftSec: new Int32Array(size),
    faultDraws: new Int32Array(faults.length),
    faultOnsets: new Int32Array(faults.length),
    paymentDraws: new Int32Array(size * faults.filter(({ kind }) => kind === 'payments').length),
    paymentFault: NONE,
    stallFault: NONE,
    owedAnchors: 0,
    eventCounts: new Float64Array(EVENT_NAMES.length),
    grandchildren: 0,
    faultEffects: new Float64Array(faults.length),
    interventionEffects: new Float64Array(interventions.length),
    floorEffects: new Float64Array(interventions.length),
    subsidyGranted: new Int32Array(
      interventions.some(({ kind }) => kind === 'subsidy') ? size * feeTypes.length : 0,
    ).fill(NONE),
    spawningEffects: new Float64Array(populations.length * SPAWNING_KEYS.length),
    adaptation: createAdaptation(scenario, size, cells.live.length),
    expectedLamports: new Float64Array(populations.length).fill(Number.NaN),
    entryLamports: new Float64Array(cells.live.length),
    entrySec: new Float64Array(cells.live.length),
    holds: interventions.map(() => null),
    heldNumbers: [],
  };
}

/** Counts that a key of `spawning` of an agent's population made a difference. */
export function countSpawningEffect(
  { agents, cells }: { readonly agents: Agents; readonly cells: Cells },
  { spawningEffects }: Features,
  agent: number,
  key: SpawningKey,
): void {
  const population = cells.indices[agents.cell(agent)]!;
  spawningEffects[population * SPAWNING_KEYS.length + SPAWNING_KEYS.indexOf(key)]! += 1;
}

/** Whether an agent has departed. `features`: null for a scenario in which none can. */
export function hasDeparted(features: Pick<Features, 'marks'> | null, agent: number): boolean {
  return features !== null && (features.marks[agent]! & DEPARTED) !== 0;
}
