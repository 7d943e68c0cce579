/**
 * Rules in which a deployment differs from the specification, as named settings of its dialect, and the clauses that each
 * replaces. Names on the wire are in dialect.ts; rules ask a setting, never the name of a dialect.
 */

import { z } from 'zod';
import { type Overlay, overlaySchema } from './overlay.js';

/** Every setting is absent where the specification and its decisions hold. */
export interface DialectSettings {
  /** Other numbers of the protocol in the deployment; an overlay of the user replaces them. */
  readonly numbers?: Overlay | undefined;
  /** The reply to a work proof is `{valid, receipt}` or `{valid, reason}`, without `ok`. */
  readonly workProofReply?: 'valid-alone' | undefined;
  /**
   * Only these checks are made of a work proof: each shown beat is recomputed, their span is compared with the count, and the index of the anchor
   * shows its age. Ends, duplicates, neighbours and the hash of the anchor are not checked.
   */
  readonly workProofChecks?: 'shown-beats' | undefined;
  /** A proof with no spot check, with too many, or of no beats is malformed: 400. */
  readonly proofShape?: 'refused' | undefined;
  /** A difficulty above the maximum counts as the maximum; in beat/verify, one below the minimum counts as the minimum. */
  readonly difficulty?: 'clamped' | undefined;
  /** beat/verify recomputes a few beats of a chain, and requires no recent anchor of a proof. */
  readonly beatVerify?: 'sampled' | undefined;
  /** The difficulty in an anchor follows the pace of the anchors, once an epoch, within these bounds. */
  readonly anchorDifficulty?: { readonly min: number; readonly max: number } | undefined;
  /** Anchors and timestamps are memos on the ledger, as JSON. */
  readonly memos?: 'json' | undefined;
  /** Timestamps: the number per address and day, the largest body, and the tier that the reply names, in lower case. */
  readonly timestamps?: { readonly perDay: number; readonly bodyBytesMax: number; readonly tier: string } | undefined;
  /** `signing_context` of either key of GET /beat/key. */
  readonly signingContexts?: { readonly timestamp: string; readonly workProof: string } | undefined;
  /** The reply of GET /beat/work-proof contains the bounds in `public_caps`. */
  readonly workProofInfo?: 'public-caps' | undefined;
  /** The status in GET /api/health is ok, degraded if the latest anchor is old, or error (503) if there is no anchor. */
  readonly health?: 'graded' | undefined;
  /** Which entry of X-Forwarded-For is the address of the client, where the server trusts that header. */
  readonly forwardedFor?: 'last' | undefined;
  /** `heartbeat_tiers` of GET /fees/summary have `from` and `to` in place of `range`. */
  readonly heartbeatTiers?: 'from-to' | undefined;
  /** A second path, in addition to that of 4.1, at which the authority key is published as `{authority_public_key}`. */
  readonly authorityKeyPath?: string | undefined;
  /** The names in the envelope of a credential (D-12). */
  readonly credential?: CredentialNames | undefined;
  /** POST /sigil takes the mutable fields of 2.8 too. */
  readonly sigilFields?: 'mutable-too' | undefined;
  /** The characters that a name keeps, as a character class of a regular expression without its brackets; others are removed first. */
  readonly nameCharacters?: string | undefined;
  /** The lineage chain is a hash over hashes of events. */
  readonly lineage?: 'event-hashes' | undefined;
  /** The cost of a child is computed in doubles. */
  readonly spawnCost?: 'doubles' | undefined;
  /** The server also serves the calls of published clients that the specification does not have. */
  readonly clientCalls?: 'served' | undefined;
}

interface CredentialNames {
  readonly issuer: string;
  readonly subjectPrefix: string;
  readonly contexts: readonly string[];
  readonly proofType: string;
}

const text = z.string().min(1).max(256);

/** The schema of the settings in a dialect that a user writes. */
export const settingsShape = {
  numbers: overlaySchema.optional(),
  workProofReply: z.literal('valid-alone').optional(),
  workProofChecks: z.literal('shown-beats').optional(),
  proofShape: z.literal('refused').optional(),
  difficulty: z.literal('clamped').optional(),
  beatVerify: z.literal('sampled').optional(),
  anchorDifficulty: z
    .strictObject({ min: z.int().min(1), max: z.int().min(1) })
    .refine(({ min, max }) => min <= max, 'min is above max')
    .optional(),
  memos: z.literal('json').optional(),
  timestamps: z.strictObject({ perDay: z.int().min(1), bodyBytesMax: z.int().min(1), tier: text }).optional(),
  signingContexts: z.strictObject({ timestamp: text, workProof: text }).optional(),
  workProofInfo: z.literal('public-caps').optional(),
  health: z.literal('graded').optional(),
  forwardedFor: z.literal('last').optional(),
  heartbeatTiers: z.literal('from-to').optional(),
  authorityKeyPath: z
    .string()
    .regex(/^\/[a-z0-9./_-]+$/i, 'must be a path')
    .optional(),
  credential: z
    .strictObject({ issuer: text, subjectPrefix: text, contexts: z.array(text).min(1), proofType: text })
    .optional(),
  sigilFields: z.literal('mutable-too').optional(),
  nameCharacters: text
    .refine(isBracketText, 'must be a character class of a regular expression without its brackets, such as a-z0-9')
    .optional(),
  lineage: z.literal('event-hashes').optional(),
  spawnCost: z.literal('doubles').optional(),
  clientCalls: z.literal('served').optional(),
} satisfies { readonly [K in keyof DialectSettings]-?: z.ZodType };

function isBracketText(characters: string): boolean {
  try {
    return new RegExp(`^[${characters}]$`).test('') === false;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A name as a deployment keeps it: without the characters that the dialect removes. */
export function keptName({ nameCharacters }: DialectSettings, name: string): string {
  return nameCharacters === undefined ? name : name.replace(new RegExp(`[^${nameCharacters}]`, 'g'), '');
}
