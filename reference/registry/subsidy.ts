/** The rules of POST and DELETE /admin/agent/subsidy (4.17). The discounted fee is computed in fee-resolution.ts. */

import { ISO_MS_MAX } from '../../spec/formats.js';
import { type FeeType, feeTypes } from '../../spec/vocabulary.js';
import type { Subsidy } from './columns/records.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

export interface SubsidyInput {
  /** The agent's row, or -1 for an unknown hash. */
  readonly agent: number;
  readonly feeType: FeeType;
  readonly discountBps: number;
  readonly floorLamports?: number | undefined;
  readonly reason: string;
  readonly validUntilMs: number | null;
}

function subsidyKey(agent: number, feeType: FeeType): number {
  return agent * feeTypes.length + feeTypes.indexOf(feeType);
}

/** 4.17: grants a subsidy; it replaces one for the same agent and type of fee. */
export function grantSubsidy(
  registry: Registry,
  input: SubsidyInput,
  nowMs: number,
): { readonly ok: true; readonly subsidy: Subsidy } | Refusal {
  const { agent, feeType, discountBps, reason, validUntilMs } = input;
  if (reason.trim() === '') return refuse('subsidy/SUBSIDY_INVALID', 'reason: must not be blank');
  if (validUntilMs !== null && validUntilMs < nowMs) {
    return refuse('subsidy/SUBSIDY_INVALID', 'valid_until: lies in the past');
  }
  if (validUntilMs !== null && validUntilMs > ISO_MS_MAX) {
    return refuse('subsidy/SUBSIDY_INVALID', 'valid_until: must lie before the year 10000 (UTC)');
  }
  if (agent < 0) return refuse('subsidy/AGENT_NOT_FOUND');
  const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;
  const subsidy: Subsidy = { agent, feeType, discountBps, floorLamports, reason, validUntilMs };
  registry.subsidies.set(subsidyKey(agent, feeType), subsidy);
  return { ok: true, subsidy };
}

/** 4.17: removes a subsidy. An expired one does not count (D-38). */
export function endSubsidy(
  registry: Registry,
  { agent, feeType }: Pick<SubsidyInput, 'agent' | 'feeType'>,
  nowMs: number,
): { readonly ok: true } | Refusal {
  if (agent < 0) return refuse('subsidy/AGENT_NOT_FOUND');
  if (standingSubsidy(registry, agent, feeType, nowMs) === undefined) return refuse('subsidy/SUBSIDY_NOT_FOUND');
  registry.subsidies.delete(subsidyKey(agent, feeType));
  return { ok: true };
}

/** The subsidy that applies to an agent and a type of fee at this moment. */
export function standingSubsidy(
  registry: Registry,
  agent: number,
  feeType: FeeType,
  nowMs: number,
): Subsidy | undefined {
  const found = registry.subsidies.get(subsidyKey(agent, feeType));
  return found === undefined || (found.validUntilMs !== null && nowMs > found.validUntilMs) ? undefined : found;
}
