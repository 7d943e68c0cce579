/**
 * Schemas that several endpoints share: SIGIL, metadata, beat state, verification. Schemas of proofs are in
 * proof-schemas.ts.
 */

import { z } from 'zod';
import type { Facts } from '../endpoint.js';
import { modalityPattern, principalPattern } from '../formats.js';
import { classesOf, sigilTiersOf } from '../parts.js';
import {
  agentTypes,
  capabilities,
  complianceRegimes,
  protocols,
  standings,
  substrates,
  walletChains,
  walletModels,
} from '../vocabulary.js';
import { agentHash, count, isoTime, passport, textOf } from './shared.js';

/** 2.7: the fields that never change after the purchase. */
const sigilShape = ({ protocol }: Facts) => ({
  sigil: z.string().regex(/^[^*]+\*[^*]+\*[^*]+$/),
  sigil_name: z.string().min(1),
  principal: z.string().regex(principalPattern(protocol)),
  tier: z.enum(sigilTiersOf(protocol)),
  identity_class: z.enum(classesOf(protocol)),
  issued_at_beat: count,
  birth_tx: z.string().min(1),
  explorer_url: z.string().min(1),
});

/** 2.7. */
export function sigilObject(facts: Facts) {
  return z.strictObject(sigilShape(facts));
}

/** 2.8 and D-47: an absolute URL with a host; of any scheme, since agents speak more than HTTP. */
function isServiceUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) && URL.canParse(text) && new URL(text).host !== '';
}

/** 2.8: the fields that PATCH /agent/metadata can set, each optional, null refused (D-47). */
export function mutableMetadata({ protocol, dialect }: Facts) {
  const { textCharsMin, textCharsMax, toolsMax, toolCharsMax, modalityWordsMax } = protocol.metadata;
  const text = textOf(textCharsMin, textCharsMax).optional();
  const modalities = z
    .array(z.string().regex(modalityPattern(protocol)))
    .max(modalityWordsMax)
    .optional();
  return {
    substrate: z.enum(substrates).optional(),
    substrate_provider: z.enum([...dialect.vendors, 'custom']).optional(),
    substrate_model: text,
    capability: z.enum(capabilities).optional(),
    capability_scope: text,
    tools: z.array(textOf(0, toolCharsMax)).max(toolsMax).optional(),
    modality_input: modalities,
    modality_output: modalities,
    protocol: z.enum(protocols).optional(),
    endpoint: textOf(textCharsMin, textCharsMax)
      .refine(isServiceUrl, 'must be an absolute URL with a host, such as https://agent.example/')
      .optional(),
    compliance_regime: z.enum(complianceRegimes).optional(),
    generation_trigger: text,
  };
}
export type MutableMetadata = z.output<z.ZodObject<ReturnType<typeof mutableMetadata>>>;

/** The names of the fields of 2.8, in its order. */
export const mutableFields = [
  'substrate',
  'substrate_provider',
  'substrate_model',
  'capability',
  'capability_scope',
  'tools',
  'modality_input',
  'modality_output',
  'protocol',
  'endpoint',
  'compliance_regime',
  'generation_trigger',
] as const satisfies readonly (keyof MutableMetadata)[];
export type MutableField = (typeof mutableFields)[number];

/** 4.11: fields of the SIGIL that no call changes. */
export const immutableFields = ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'] as const;

/** D-45: the metadata of 2.2 as lookups show it. */
export const storedMetadata = z.record(z.string(), z.unknown()).nullable();

/** D-19. */
export function beatState({ protocol }: Facts) {
  return z.strictObject({
    beat_count: count,
    lifetime_beats: count,
    available_beats: count,
    latest_beat: count,
    last_checkin_beat: count.nullable(),
    last_global_sync: count,
    total_heartbeats: count,
    difficulty: z.literal(protocol.beat.difficulty),
    status: z.enum(['active', 'frozen']),
  });
}

/** 2.1: the wallet's side of an agent, as lookups show it. */
export const walletFields = {
  wallet: z.string().nullable(),
  wallet_model: z.enum(walletModels),
  wallet_chain: z.enum(walletChains).nullable(),
};

/** 4.14 and D-20: the result of a verification that found its agent. */
export function verification(facts: Facts) {
  const hash = agentHash(facts);
  return z.strictObject({
    verified: z.literal(true),
    standing: z.enum(standings),
    agent: z.strictObject({
      hash,
      name: z.string(),
      type: z.enum(agentTypes),
      depth: count,
      parent: hash.nullable(),
      metadata: storedMetadata,
      ...walletFields,
      registered: isoTime,
    }),
    sigil: z
      .strictObject({
        ...sigilShape(facts),
        ...mutableMetadata(facts),
        generation: z.int().min(facts.protocol.metadata.generationStart),
      })
      .nullable(),
    passport: passport(facts).nullable(),
    beat_state: beatState(facts).nullable(),
    network: z.strictObject({ current_anchor_index: count.nullable(), anchor_degraded: z.boolean() }),
    lineage: z
      .array(z.strictObject({ hash, type: z.enum(agentTypes), depth: count, name: z.string(), registered: isoTime }))
      .min(1),
    root: z.strictObject({ hash, registered: isoTime }),
  });
}

/** 4.14 and D-20: the result of a verification without an agent. */
export const notVerified = z.strictObject({
  verified: z.literal(false),
  hash: z.string(),
  error: z.string(),
});
