/**
 * The rule of PATCH /agent/metadata (4.11): sets the mutable fields of a SIGIL (2.8). Their values are validated by the
 * endpoint's schema.
 */

import { type MutableField, type MutableMetadata, mutableFields } from '../../spec/endpoints/identity-schemas.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

interface MetadataInput {
  readonly agent: number;
  /** The fields to set; other fields of the object are ignored. */
  readonly fields: MutableMetadata;
}

/** The result: the new generation, and the changed fields in the order of 2.8. */
interface MetadataAccepted {
  readonly ok: true;
  readonly generation: number;
  readonly updated: readonly MutableField[];
}

/** 4.11: sets mutable fields of a SIGIL. Each time generation_trigger is set, the generation increases by one (2.8). */
export function setMetadata(registry: Registry, { agent, fields }: MetadataInput): MetadataAccepted | Refusal {
  const sigil = registry.sigils.get(agent);
  if (sigil === undefined) return refuse('metadata/SIGIL_REQUIRED');
  const updated = mutableFields.filter((field) => fields[field] !== undefined);
  const given = Object.fromEntries(updated.map((field) => [field, fields[field]])) as MutableMetadata;
  registry.sigilMetadata.set(agent, { ...registry.sigilMetadata.get(agent), ...given });
  if (given.generation_trigger !== undefined) sigil.generation += 1;
  return { ok: true, generation: sigil.generation, updated };
}
