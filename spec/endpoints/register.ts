/** POST /register as data: its modes, the body and the reply of each. The rules are reference/registry/register*.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { API_KEY, anyCaseHexPattern, BASE58, ETHEREUM_ADDRESS } from '../formats.js';
import { type OptionalMode, servesMode } from '../parts.js';
import { agentTypes, walletChains, walletModels } from '../vocabulary.js';
import { absent, agentHash, agentName, count, hexOf } from './shared.js';

/** The modes of 4.2, those with a wallet in their two phases. */
export type RegistrationMode =
  | 'root'
  | 'child'
  | 'self-custody-challenge'
  | 'self-custody'
  | 'operator-challenge'
  | 'operator'
  | 'ethereum-challenge'
  | 'ethereum';

interface Described {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** D-37: the partner under whom the agent registers. */
  readonly ref?: string | undefined;
}

interface Signed extends Described {
  readonly wallet_nonce: string;
  readonly wallet_signature: string;
}

/** A registration that the schema has accepted: it has all that its mode requires. A challenge's name may be empty. */
type Registration =
  | (Described & { readonly mode: 'root' })
  | (Described & { readonly mode: 'child'; readonly spawn_authorization: string; readonly parent?: string | undefined })
  | (Described & { readonly mode: 'self-custody-challenge' | 'operator-challenge' | 'ethereum-challenge' })
  | (Signed & { readonly mode: 'self-custody'; readonly wallet_public_key: string })
  | (Signed & { readonly mode: 'operator'; readonly operator_wallet_address: string })
  | (Signed & { readonly mode: 'ethereum'; readonly wallet_address: string; readonly wallet_chain: 'ethereum' });

/** The fields that each mode requires. 4.2 names no field for the Ethereum challenge but the two that make it one. */
const required = {
  root: ['name'],
  child: ['name', 'spawn_authorization'],
  'self-custody-challenge': ['name'],
  'self-custody': ['name', 'wallet_public_key', 'wallet_nonce', 'wallet_signature'],
  'operator-challenge': ['name'],
  operator: ['name', 'operator_wallet_address', 'wallet_nonce', 'wallet_signature'],
  'ethereum-challenge': [],
  ethereum: ['name', 'wallet_chain', 'wallet_address', 'wallet_nonce', 'wallet_signature'],
} as const satisfies Record<RegistrationMode, readonly string[]>;

/** 4.2: the mode that a body asks for. It follows from which fields are present, whatever their values. */
export function registrationMode(body: Readonly<Record<string, unknown>>): RegistrationMode {
  const has = (field: string): boolean => body[field] !== undefined;
  const challenge = body['action'] === 'challenge';
  if (has('parent') || has('spawn_authorization')) return 'child';
  if (body['wallet_chain'] === 'ethereum' || has('wallet_address')) {
    return challenge ? 'ethereum-challenge' : 'ethereum';
  }
  const signed = has('wallet_nonce') || has('wallet_signature');
  // 4.2: wallet_chain solana means the operator mode; a body with a public key means the older form.
  const solana = body['wallet_chain'] === 'solana' && !challenge && !has('wallet_public_key');
  if (body['wallet_model'] === 'operator' || has('operator_wallet_address') || solana) {
    return challenge || !(signed || has('operator_wallet_address')) ? 'operator-challenge' : 'operator';
  }
  if (challenge) return 'self-custody-challenge';
  return signed || has('wallet_public_key') ? 'self-custody' : 'root';
}

/** Whether a body belongs to the wallet flow, which section 8 limits separately. A body that is no object does not. */
function isWalletFlow(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const mode = registrationMode(body as Record<string, unknown>);
  return mode !== 'root' && mode !== 'child';
}

/** The mode of a body, of those that a deployment can be without. A challenge is of the mode that it begins. */
function optionalMode(body: unknown): OptionalMode | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const mode = registrationMode(body as Record<string, unknown>).replace('-challenge', '');
  return mode === 'operator' || mode === 'ethereum' ? `register/${mode}` : undefined;
}

function serialisedBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

type Metadata = Readonly<Record<string, unknown>>;

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** 2.2: any JSON object of at most `metadataBytesMax` bytes once written as JSON, kept as it was sent: a zod record would lose `__proto__`. */
function registrationMetadata({ protocol }: Facts): z.ZodType<Metadata> {
  const { metadataBytesMax } = protocol.registration;
  return z
    .unknown()
    .refine(isJsonObject, { error: 'must be a JSON object', abort: true })
    .refine((value) => serialisedBytes(value) <= metadataBytesMax, `must be at most ${metadataBytesMax} bytes of JSON`)
    .meta({ type: 'object' }) as z.ZodType<Metadata>;
}

function registration(facts: Facts) {
  const { publicKeyBytes } = facts.protocol.wallet;
  const [operator, ethereum] = [
    servesMode(facts.protocol, 'register/operator'),
    servesMode(facts.protocol, 'register/ethereum'),
  ];
  return z
    .object({
      name: agentName(facts).optional(),
      metadata: registrationMetadata(facts).optional(),
      ref: z.string().optional(),
      action: z.literal('challenge').optional(),
      wallet_model: (operator ? z.enum(walletModels) : z.enum(walletModels).exclude(['operator'])).optional(),
      wallet_chain: (ethereum ? z.enum(walletChains) : z.enum(walletChains).exclude(['ethereum'])).optional(),
      wallet_public_key: z.string().regex(anyCaseHexPattern(publicKeyBytes)).optional(),
      wallet_address: ethereum ? z.string().regex(ETHEREUM_ADDRESS).optional() : absent,
      operator_wallet_address: operator ? z.string().regex(BASE58).optional() : absent,
      wallet_nonce: z.string().optional(),
      wallet_signature: z.string().optional(),
      parent: agentHash(facts).optional(),
      spawn_authorization: z.string().optional(),
    })
    .superRefine((body, context) => {
      const off = optionalMode(body);
      if (off !== undefined && !servesMode(facts.protocol, off)) {
        context.addIssue({ code: 'custom', message: `${off} is switched off` });
        return;
      }
      const mode = registrationMode(body);
      for (const field of required[mode]) {
        if (body[field] !== undefined) continue;
        context.addIssue({ code: 'custom', path: [field], message: `is required in ${mode} registration` });
      }
      // 4.2: each chain has its own signatures, so a wallet_address is of no other chain.
      if (mode === 'ethereum' && body.wallet_chain === 'solana') {
        context.addIssue({
          code: 'custom',
          path: ['wallet_chain'],
          message: 'must be ethereum beside a wallet_address',
        });
      }
    })
    .transform((body) => ({ ...body, name: body.name ?? '', mode: registrationMode(body) }) as Registration);
}

const credentials = (facts: Facts) => ({
  hash: agentHash(facts),
  api_key: z.string().regex(API_KEY),
  secret: hexOf(facts.protocol.agent.secretBytes),
  type: z.enum(agentTypes),
  parent: agentHash(facts).nullable(),
  depth: count,
  name: z.string(),
  wallet_model: z.enum(walletModels),
  wallet_chain: z.enum(walletChains).nullable(),
});

/** 2.1: the reply of modes 1, 2, 3 and, by D-16, 5. */
function registeredAgent(facts: Facts) {
  return z.strictObject({
    ok: z.literal(true),
    ...credentials(facts),
    metadata: z.record(z.string(), z.unknown()),
    birth_tx: z.string().min(1),
  });
}

/** 2.1 and D-45: the reply of mode 4, the older form. */
function registeredSelfCustody(facts: Facts) {
  return z.strictObject({ ...credentials(facts), signature: z.string().min(1), explorer_url: z.string().min(1) });
}

/** 4.2: the reply of mode 4's first phase. */
function registrationNonce({ protocol }: Facts) {
  return z.strictObject({ nonce: hexOf(protocol.registration.nonceBytes) });
}

/** 4.2 and D-45: the reply of the first phase of modes 2 and 3. */
function registrationChallenge(facts: Facts) {
  return registrationNonce(facts).extend({ expires_in: z.literal(facts.protocol.registration.nonceTtlSec) });
}

/** 4.2. */
export const register = {
  id: 'register',
  stem: 'register',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/register',
  section: '4.2',
  purpose: 'Makes a root agent, with or without a wallet, or the child of a parent.',
  auth: 'registration',
  buckets: [
    {
      limit: 'register',
      by: 'ip',
      when: { text: 'registrations without a wallet and of children', test: (body: unknown) => !isWalletFlow(body) },
    },
    {
      limit: 'registerWalletFlow',
      by: 'ip',
      when: { text: 'both phases of registration with a wallet', test: isWalletFlow },
    },
  ],
  body: registration,
  mode: optionalMode,
  invalid: 'register/VALIDATION',
  decidingHeaders: ['x-registration-token'],
  errorsShown: 'nothing',
  replies: (facts: Facts) => ({
    200: z.union([
      registeredAgent(facts),
      registeredSelfCustody(facts),
      registrationNonce(facts),
      registrationChallenge(facts),
    ]),
  }),
} as const satisfies Endpoint;
