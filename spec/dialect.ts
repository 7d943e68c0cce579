/**
 * The names on the wire that differ between deployments (D-01), and the two dialects that come with the project. No
 * other file holds such a name. The rules that differ are settings of dialect-settings.ts.
 */

import { z } from 'zod';
import { type DialectSettings, settingsShape } from './dialect-settings.js';
import { deepFreeze } from './freeze.js';
import { type Overlay, withOverlay } from './overlay.js';
import type { Protocol } from './protocol.js';
import { passportFields } from './vocabulary.js';

/**
 * Every name on the wire that differs between deployments of the protocol (D-01), and the rules that do (D-57). Nothing
 * else in the code holds one.
 */
export interface Dialect extends DialectSettings {
  readonly name: string;
  /** Prefix of every signed message: `<prefix>-register:` and its kin. */
  readonly messagePrefix: string;
  readonly passportSignatureField: string;
  readonly webhookSignatureHeader: string;
  /** Domain prefix of an anchor's preimage (D-05). */
  readonly anchorDomain: string;
  /** The form in which a receipt is returned (D-09). */
  readonly receiptForm: 'string' | 'object';
  /** Vendors 1 to 8 of `substrate_provider` (2.8). */
  readonly vendors: readonly string[];
  readonly credentialType: string;
  readonly cryptosuite: string;
}

const service: Dialect = {
  name: 'service',
  messagePrefix: 'service',
  passportSignatureField: 'service_signature',
  webhookSignatureHeader: 'x-service-signature',
  anchorDomain: 'SERVICE_BEATS_V1',
  receiptForm: 'string',
  vendors: ['vendor_1', 'vendor_2', 'vendor_3', 'vendor_4', 'vendor_5', 'vendor_6', 'vendor_7', 'vendor_8'],
  credentialType: 'ServicePassport',
  cryptosuite: 'eddsa-service-2026',
};

const provenonce: Dialect = {
  name: 'provenonce',
  messagePrefix: 'provenonce',
  passportSignatureField: 'provenonce_signature',
  webhookSignatureHeader: 'x-provenonce-signature',
  anchorDomain: 'PROVENONCE_BEATS_V1',
  receiptForm: 'object',
  vendors: ['anthropic', 'openai', 'google', 'meta', 'mistral', 'xai', 'cohere', 'deepseek'],
  credentialType: 'ProvenoncePassport',
  cryptosuite: 'eddsa-provenonce-2026',
  numbers: {
    agent: { depthMax: 10 },
    anchor: { graceAnchors: 6 },
    sigil: { nameCharsMax: 63 },
    limits: { register: { count: 5 }, registerWalletFlow: { count: 10 } },
  },
  workProofReply: 'valid-alone',
  workProofChecks: 'shown-beats',
  proofShape: 'refused',
  difficulty: 'clamped',
  beatVerify: 'sampled',
  anchorDifficulty: { min: 100, max: 1_000_000 },
  memos: 'json',
  timestamps: { perDay: 10, bodyBytesMax: 256, tier: 'free' },
  signingContexts: {
    timestamp: 'provenonce:beats:timestamp-receipt:v1',
    workProof: 'provenonce:beats:work-proof:v1',
  },
  workProofInfo: 'public-caps',
  health: 'graded',
  forwardedFor: 'last',
  heartbeatTiers: 'from-to',
  authorityKeyPath: '/.well-known/provenonce-authority.json',
  credential: {
    issuer: 'https://provenonce.io',
    subjectPrefix: 'provenonce:agent:',
    contexts: [
      'https://www.w3.org/2018/credentials/v1',
      'https://provenonce.io/.well-known/provenonce-passport-v1.jsonld',
    ],
    proofType: 'Ed25519Signature2020',
  },
  sigilFields: 'mutable-too',
  nameCharacters: 'a-zA-Z0-9_\\-. ',
  lineage: 'event-hashes',
  spawnCost: 'doubles',
  clientCalls: 'served',
};

/** The dialects that come with the project, by name. `service` is the specification to the letter. */
export const dialects: { readonly service: Dialect; readonly provenonce: Dialect } = deepFreeze({
  service,
  provenonce,
});

const word = z.string().min(1).max(64);

/** The schema of a dialect that a user writes. */
export const dialectSchema: z.ZodType<Dialect> = z.strictObject({
  name: word,
  messagePrefix: word,
  passportSignatureField: word.refine(
    (name) => !(passportFields as readonly string[]).includes(name),
    'is the name of a signed field of the passport',
  ),
  webhookSignatureHeader: z.string().regex(/^[a-z0-9-]+$/, 'must be a lower-case header name'),
  anchorDomain: word,
  receiptForm: z.enum(['string', 'object']),
  vendors: z.array(word).length(8),
  credentialType: word,
  cryptosuite: word,
  ...settingsShape,
});

/** The numbers of a deployment: the specification's, those of its dialect over them, and the user's over both. */
export function protocolOf({ numbers = {} }: DialectSettings, overlay: Overlay = {}): Protocol {
  return withOverlay(overlay, withOverlay(numbers));
}
