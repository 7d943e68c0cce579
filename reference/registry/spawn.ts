/**
 * The rule of POST /agent/spawn (4.8): probe, preflight and finalize. The child itself is registered in
 * register-child.ts.
 */

import { appendLineage } from './lineage.js';
import { issueOneTime } from './one-time.js';
import { takeReceipt, tooFewBeats } from './receipt-use.js';
import { type Refusal, refuse } from './refusal.js';
import { reserve, spendableBeats } from './reservation.js';
import { progressPct, spawnCostBeats } from './spawn-cost.js';
import { FROZEN, type Registry } from './state.js';

/** The flow of spawn authorizations among the one-time values. */
export const SPAWN_FLOW = 'spawn-authorization';
const AUTHORIZATION_BYTES = 32;

export interface SpawnInput {
  /** The row of the parent. */
  readonly agent: number;
  /** As sent; compared trimmed, as names are kept (D-16). */
  readonly childName?: string | undefined;
  readonly receipt?: unknown;
  /** Beats on which a simulated parent has spent protocol time, in place of a receipt. Never set from the wire. */
  readonly simulatedBeats?: number;
  /** The child's row, -1 for an unknown hash, undefined if none was sent. */
  readonly child?: number | undefined;
}

type SpawnAccepted =
  | {
      readonly ok: true;
      readonly kind: 'authorized';
      readonly authorization: string;
      readonly receiptBased: boolean;
      readonly requiredBeats: number;
    }
  | { readonly ok: true; readonly kind: 'linked'; readonly child: number };

/** 4.8: probe, preflight or finalize, depending on the fields that were sent. */
export function spawn(registry: Registry, input: SpawnInput, nowMs: number): SpawnAccepted | Refusal {
  if (registry.agents.line.status(input.agent) === FROZEN) return refuse('spawn/AGENT_FROZEN');
  return input.child === undefined ? authorize(registry, input, nowMs) : finalize(registry, input, input.child, nowMs);
}

function authorize(registry: Registry, input: SpawnInput, nowMs: number): SpawnAccepted | Refusal {
  const { columns, line } = registry.agents;
  const { agent, simulatedBeats, receipt } = input;
  const name = (input.childName ?? '').trim();
  if (childOfName(registry, agent, name) !== undefined)
    return refuse('spawn/SPAWN_CONFLICT', 'a child of this name is registered');
  const { depthMax } = registry.protocol.agent;
  const depth = line.depth(agent);
  if (depthMax > 0 && depth + 1 > depthMax)
    return refuse('spawn/VALIDATION', `no child may be deeper than ${depthMax}`);
  const requiredBeats = spawnCostBeats(registry.protocol, depth, columns.children[agent]!, registry.dialect);
  if (requiredBeats === null) {
    return refuse(
      'spawn/VALIDATION',
      'the next child costs more than 2^53 - 1 beats; spawn from an agent of lower depth or with fewer children',
    );
  }
  const receiptBased = receipt !== undefined || simulatedBeats !== undefined;
  const unpaid = receiptBased
    ? refuseWork(registry, input, requiredBeats)
    : refuseCredit(registry, agent, requiredBeats, nowMs);
  if (unpaid !== null) return unpaid;
  const { authorizationTtlSec } = registry.protocol.spawn;
  const bound = { parent: agent, childName: name };
  const authorization = issueOneTime(registry, SPAWN_FLOW, AUTHORIZATION_BYTES, authorizationTtlSec, nowMs, bound);
  if (!receiptBased) {
    const expiresAtMs = nowMs + authorizationTtlSec * 1_000;
    reserve(registry, agent, { authorization, beats: requiredBeats, expiresAtMs });
  }
  return { ok: true, kind: 'authorized', authorization, receiptBased, requiredBeats };
}

function refuseWork(registry: Registry, input: SpawnInput, requiredBeats: number): Refusal | null {
  const { receipt, simulatedBeats } = input;
  if (simulatedBeats === undefined) return refuseReceipt(registry, receipt, requiredBeats);
  if (simulatedBeats >= requiredBeats) return null;
  return refuse('spawn/INSUFFICIENT_BEATS', tooFewBeats(simulatedBeats, requiredBeats));
}

/** Accepts the receipt, or refuses by the rows of `spawn` in spec/errors. */
function refuseReceipt(registry: Registry, receipt: unknown, requiredBeats: number): Refusal | null {
  const taken = takeReceipt(registry, receipt, requiredBeats);
  if (taken.ok) return null;
  if (taken.fault === 'used') return refuse('spawn/SPAWN_CONFLICT', taken.why);
  if (taken.fault === 'too-few') return refuse('spawn/INSUFFICIENT_BEATS', taken.why);
  return refuse('spawn/VALIDATION', `beats_receipt: ${taken.why}`);
}

/** D-31: refuses unless credited beats that are not reserved cover the cost. */
function refuseCredit(registry: Registry, agent: number, requiredBeats: number, nowMs: number): Refusal | null {
  const available = spendableBeats(registry, agent, nowMs);
  if (available >= requiredBeats) return null;
  const { columns, line } = registry.agents;
  return refuse('spawn/RECEIPT_REQUIRED', undefined, {
    required_beats: requiredBeats,
    depth: line.depth(agent),
    siblings: columns.children[agent]!,
    eligible: false,
    progress_pct: progressPct(available, requiredBeats),
    deficit: requiredBeats - available,
  });
}

/** The row of a parent's child with this (trimmed) name; undefined without one. */
export function childOfName(registry: Registry, parent: number, name: string): number | undefined {
  return registry.childNames.get(`${parent}:${name}`);
}

function finalize(registry: Registry, input: SpawnInput, child: number, nowMs: number): SpawnAccepted | Refusal {
  const { columns } = registry.agents;
  if (child < 0) return refuse('spawn/VALIDATION', 'child_hash: no agent has this hash');
  if (columns.parent[child] !== input.agent)
    return refuse('spawn/SPAWN_CONFLICT', 'child_hash is a child of another parent');
  if (input.childName !== undefined && input.childName.trim() !== registry.names[child]) {
    return refuse('spawn/VALIDATION', 'child_name is not the name under which the child registered');
  }
  if (columns.linked[child] === 0) {
    columns.linked[child] = 1;
    appendLineage(registry, input.agent, 'spawned', nowMs);
  }
  return { ok: true, kind: 'linked', child };
}
