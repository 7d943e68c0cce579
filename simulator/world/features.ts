import { featuresOf } from '../../scenarios/features.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { type Agenda, createAgenda } from './agenda.js';
import { EVENT_NAMES } from './operations.js';

/** Nobody, or no fault. */
export const NONE = -1;

/** Marks of an agent. */
export const LEFT = 1;
export const REVOKED = 2;
/** Its forged proof was refused: it forges no more. */
export const CAUGHT = 4;

/**
 * The state of what most scenarios do without: churn, children, complaints, faults, interventions. A world whose scenario
 * uses none of it has none of this, and asks once an event whether it has.
 */
export interface Features {
  readonly agenda: Agenda;
  /** By population: its first agent, and how many of its agents have been made by a parent. */
  readonly firstAgent: Int32Array;
  readonly spawnedCount: Int32Array;
  /** By agent: marks, the second until which it is cut off, and the agent that made it. */
  readonly marks: Uint8Array;
  readonly cutOffUntilSec: Int32Array;
  readonly parent: Int32Array;
  /** By agent: children that it was authorized to make, and sustained complaints that stand against it. */
  readonly childrenAuthorized: Int32Array;
  readonly sustainedComplaints: Int32Array;
  /** By agent: seconds of the work for a child that are left when it returns from the outage that interrupts it. */
  readonly childWorkLeftSec: Int32Array;
  /** By fault: how many numbers it has drawn. */
  readonly faultDraws: Int32Array;
  /** The fault that troubles payments now, and the one that stalls the anchors; anchors that it owes. */
  paymentFault: number;
  stallFault: number;
  owedAnchors: number;
  /** By event: how often it happened, for those that are no operations. */
  readonly eventCounts: Float64Array;
  grandchildren: number;
}

/** The features of a scenario that uses some; null for one that does without. */
export function createFeatures(scenario: Scenario): Features | null {
  if (featuresOf(scenario).size === 0) return null;
  const { populations, faults } = scenario;
  let size = 0;
  const firstAgent = Int32Array.from(populations, ({ count }) => {
    size += count;
    return size - count;
  });
  return {
    agenda: createAgenda(),
    firstAgent,
    spawnedCount: new Int32Array(populations.length),
    marks: new Uint8Array(size),
    cutOffUntilSec: new Int32Array(size),
    parent: new Int32Array(size).fill(NONE),
    childrenAuthorized: new Int32Array(size),
    sustainedComplaints: new Int32Array(size),
    childWorkLeftSec: new Int32Array(size),
    faultDraws: new Int32Array(faults.length),
    paymentFault: NONE,
    stallFault: NONE,
    owedAnchors: 0,
    eventCounts: new Float64Array(EVENT_NAMES.length),
    grandchildren: 0,
  };
}
