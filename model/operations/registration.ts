/** A registration request (4.2): its mode, credentials, name, metadata and wallet, and their faults. */

import { groups } from '../../spec/clauses/groups.js';
import type { RegistrationMode } from '../../spec/endpoints/register.js';
import type { Case } from '../case.js';
import type { Agent, State } from '../facts/state.js';
import type { TicketFacts } from '../facts/tickets.js';
import { badKeyClauses } from '../judge/reasons.js';
import type { Known } from '../reading/known.js';

export type Body = Readonly<Record<string, unknown>>;

export interface Registration {
  readonly mode: RegistrationMode;
  readonly body: Body;
  readonly isRoot: boolean;
  readonly token: TicketFacts;
  readonly hasToken: boolean;
  readonly nonceText: unknown;
  readonly nonce: TicketFacts;
  readonly authorization: TicketFacts;
  readonly parent: Agent | undefined;
}

const WALLET_MODES: readonly RegistrationMode[] = ['self-custody', 'operator', 'ethereum'];
export const isWallet = ({ mode }: Registration): boolean => WALLET_MODES.includes(mode);

/** 4.2: by mode, the word with which the signed message begins, and the field of the wallet. */
export const SIGNED = {
  'self-custody': ['register', 'wallet_public_key'],
  operator: ['register-operator', 'operator_wallet_address'],
  ethereum: ['register-ethereum', 'wallet_address'],
} as const;

export const CHALLENGE = '-challenge';
export const isChallenge = ({ mode }: Registration): boolean => mode.endsWith(CHALLENGE);

/** Whether the service checks tokens; it may ignore them if a root needs no credential. */
export const readsTokens = ({ settings, readsTokens }: State): Known =>
  settings.mainnet || settings.needsSecret === true ? true : readsTokens;

/** Learns whether the service checks tokens from the first registration with an invalid token. */
export function learnTokens({ state, call }: Case, { ticket, isUsed, isLate }: TicketFacts): void {
  if (ticket !== undefined && !isUsed && isLate !== true) return;
  if (call.status < 400) state.readsTokens ??= false;
  else if ([401, 403].includes(call.status)) state.readsTokens ??= true;
}

/** The clauses about an invalid token. If the service ignores tokens, only a decision covers it. */
export const invalidTokenClauses =
  (...musts: readonly string[]) =>
  (_: Registration, { call, state }: Case): readonly string[] => [
    ...(readsTokens(state) === true || call.status >= 400 ? musts : []),
    'register.error.auth-invalid.token',
  ];
export const TOKEN = ['register.header.token', 'register-token.use.header', 'key.registration-token'];
export const tokenClauses = (secret: string | undefined): readonly string[] => [
  ...TOKEN,
  ...(secret === undefined ? ['register-token.use.replaces-secret'] : []),
];

/** The clauses that accepting a registration without a required credential breaks, or wrongly refusing one for it. */
export function keyless({ isRoot, hasToken, mode, ...facts }: Registration, given: Case): readonly string[] {
  const { call, state } = given;
  if (!isRoot) {
    if (call.hasAuthorization && call.bearer === undefined) return badKeyClauses(given);
    const bad = call.hasAuthorization && facts.parent === undefined ? badKeyClauses(given) : [];
    const parent = ['register.child.auth', 'key.parent.register', 'register.header.authorization'];
    return [...parent, ...bad, 'register.error.auth-missing.parent'];
  }
  if (hasToken) return [...TOKEN, 'register-token.use.replaces-secret'];
  if (!state.settings.mainnet) return ['register.header.secret.devnet', 'key.registration-secret.devnet'];
  // 4.2 does not say which of the two phases needs the credential.
  if (mode.endsWith(CHALLENGE)) return ['register.secret.both-phases'];
  const musts = ['register.header.secret.mainnet', 'key.registration-secret.mainnet'];
  return [...musts, 'register.error.auth-missing', ...(mode === 'root' ? [] : ['register.secret.both-phases'])];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The bytes of an escape such as \u00e9, less one. */
const ESCAPE_MORE = 5;

/** The largest JSON size of a value: with spaces after commas and colons, and with escapes for all characters outside ASCII. */
function mostBytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  const countOf = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return text.length + countOf(/[,:]/g) + ESCAPE_MORE * countOf(/[^ -~]/g);
}

/** A KB of 1,000 bytes as a part of the KB of D-47. */
const DECIMAL_KB = 1_000 / 1_024;

/** 2.2: metadata is a JSON object of at most 4 KB. Near the bound a decision says how the size is counted. */
export function metadataIsBad({ body }: Registration, { state, call }: Case): Known {
  const metadata = body['metadata'];
  if (metadata === undefined) return false;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return true;
  const { metadataBytesMax } = state.settings.protocol.registration;
  if (mostBytesOf(metadata) <= metadataBytesMax * DECIMAL_KB) return false;
  return bytesOf(metadata) > metadataBytesMax && call.bodyBytes > metadataBytesMax ? true : undefined;
}

/** The clauses that metadata breaks. */
export function boundsOf(metadata: unknown, { settings: { protocol } }: State): readonly string[] {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return ['register.metadata.object'];
  const isByBytes = JSON.stringify(metadata).length <= protocol.registration.metadataBytesMax;
  return [...groups.metadataSize, ...(isByBytes ? ['register.metadata.bytes'] : [])];
}

/** The nonce in a request of phase 2. For an operator it may be in any field. */
export function nonceIn({ tickets }: State, mode: RegistrationMode, body: Body): unknown {
  const named = body['wallet_nonce'];
  if (mode !== 'operator') return named;
  return Object.values(body).find((value) => typeof value === 'string' && tickets.holds(value)) ?? named;
}

/** Whether roots need a secret: on mainnet by the text, elsewhere by the server's policy. */
export const needsSecret = (mainnet: boolean, needs: boolean | undefined): Known =>
  mainnet ? true : needs === true ? undefined : needs;

/** Whether the server keeps name or key in another form (trimmed, in lower case). 4.2 does not say which form the signed message contains. */
export const isNormalized = ({ mode, body }: Registration): boolean =>
  String(body['name']) !== String(body['name']).trim() ||
  (mode === 'self-custody' && /[A-F]/.test(String(body['wallet_public_key'])));

/** The text has no bound; a service may refuse longer names. */
export const NAME_SURE_MAX = 32;

/** D-16: a name has 1 to 64 characters after trimming. The text only requires a string. */
export function nameIsBad(mode: RegistrationMode, name: unknown, most: number): Known {
  if (mode === 'ethereum-challenge' && name === undefined) return false;
  if (typeof name !== 'string') return false;
  const { length } = [...name.trim()];
  if (length < 1 || length > most) return true;
  // The allowed characters and the least length are decisions.
  return length > 1 && /^[\w .-]+$/.test(name) ? false : undefined;
}

export function wellFormed(mode: RegistrationMode, shown: string): Known {
  if (mode === 'self-custody') return /^[0-9a-f]*$/i.test(shown) ? shown.length !== 64 : undefined;
  if (mode === 'ethereum') return /^0x[0-9a-f]{40}$/i.test(shown) ? false : undefined;
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(shown) ? false : undefined;
}
