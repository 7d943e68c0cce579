/** POST /register in all its modes (4.2): its refusals, and the evidence of its reply. */

import { keptName } from '../../spec/dialect-settings.js';
import { type RegistrationMode, registrationMode } from '../../spec/endpoints/register.js';
import { type OptionalMode, servesMode } from '../../spec/parts.js';
import type { Known } from '../evidence.js';
import { isAgentHash } from '../reading/field-tests.js';
import { solanaAddress } from '../reading/signature.js';
import { at } from '../reading/values.js';
import { provesWallet } from '../reading/wallet-proof.js';
import type { Case, Operation } from '../settle.js';
import { type Agent, newAgent, type State, type Wallet } from '../state.js';
import { handOut, type TicketFacts, ticketOf } from '../tickets.js';

type Body = Readonly<Record<string, unknown>>;

interface Registration {
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
const isWallet = ({ mode }: Registration): boolean => WALLET_MODES.includes(mode);

/** 4.2: the prefix of the message that each mode signs, and the field that shows the wallet. */
const SIGNED = {
  'self-custody': ['register', 'wallet_public_key'],
  operator: ['register-operator', 'operator_wallet_address'],
  ethereum: ['register-ethereum', 'wallet_address'],
} as const;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** 2.2: any JSON object of at most 4 KB; how its size is counted near the bound is a decision. */
function metadataIsBad({ body }: Registration, { state, call }: Case): Known {
  const metadata = body['metadata'];
  if (metadata === undefined) return false;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return true;
  const { metadataBytesMax } = state.settings.protocol.registration;
  if (bytesOf(metadata) <= metadataBytesMax) return false;
  return call.bodyBytes > metadataBytesMax ? true : undefined;
}

export const register: Operation<Registration> = {
  ids: ['register'],
  facts: ({ call, state, agent }) => {
    if (call.body === undefined) return undefined;
    const { protocol, dialect } = state.settings;
    const { name } = call.body;
    const body = typeof name === 'string' ? { ...call.body, name: keptName(dialect, name) } : call.body;
    const mode = registrationMode(body);
    const authorization = ticketOf(
      state,
      body['spawn_authorization'],
      'authorization',
      protocol.spawn.authorizationTtlSec,
    );
    const token = call.headers['x-registration-token'];
    const nonceText = nonceIn(state, mode, body);
    return {
      mode,
      body,
      isRoot: mode !== 'child',
      hasToken: token !== undefined,
      token: ticketOf(state, token, 'token', protocol.registration.tokenTtlSec),
      nonceText,
      nonce: ticketOf(state, nonceText, 'register', protocol.registration.nonceTtlSec),
      authorization,
      parent: agent,
    };
  },
  refusals: [
    {
      row: 'register/AUTH_MISSING',
      clauses: ['register.child.auth', 'register.error.auth-missing.parent'],
      when: ({ isRoot, parent }) => !isRoot && (parent === undefined || parent.revoked),
    },
    {
      row: 'register/AUTH_MISSING',
      clauses: ['register.header.secret.mainnet', 'key.registration-secret.mainnet', 'register.error.auth-missing'],
      when: ({ isRoot, hasToken }, { call, state }) =>
        isRoot &&
        !hasToken &&
        call.headers['x-registration-secret'] === undefined &&
        needsSecret(state.settings.mainnet, state.settings.needsSecret),
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ['register.error.auth-invalid'],
      when: ({ isRoot, hasToken }, { call, state }) => {
        const secret = call.headers['x-registration-secret'];
        const { registrationSecret, needsSecret: needs } = state.settings;
        if (!isRoot || hasToken || secret === undefined || secret === registrationSecret) return false;
        return registrationSecret === undefined ? (needs === false ? false : undefined) : true;
      },
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ['register.error.auth-invalid.token'],
      when: ({ isRoot, hasToken, token }) => isRoot && hasToken && token.ticket === undefined,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ['register-token.use.once', 'register.error.auth-invalid.token'],
      when: ({ isRoot, token }) => isRoot && token.isUsed,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ['register-token.use.window', 'constant.registration-token-ttl', 'register.error.auth-invalid.token'],
      when: ({ isRoot, token }) => isRoot && token.isLate,
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.no-wallet.body.name', 'register.error.validation'],
      when: ({ mode, body }) => mode === 'root' && typeof body['name'] !== 'string',
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.error.validation'],
      when: ({ mode, body }, { state }) => nameIsBad(mode, body['name'], state.settings.protocol.agent.nameCharsMax),
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.metadata.object', 'register.metadata.size', 'register.error.validation.metadata'],
      when: (facts, given) => facts.mode === 'root' && metadataIsBad(facts, given),
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.error.validation.metadata'],
      when: (facts, given) => facts.mode !== 'root' && metadataIsBad(facts, given),
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.child.body.spawn-authorization', 'register.error.validation.form'],
      when: ({ isRoot, body }) => !isRoot && typeof body['spawn_authorization'] !== 'string',
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.error.validation.form'],
      when: (facts, { state }) => {
        const { mode, body } = facts;
        const kind = mode.replace('-challenge', '');
        if (
          (kind === 'operator' || kind === 'ethereum') &&
          !servesMode(state.settings.protocol, `register/${kind}` as OptionalMode)
        )
          return true;
        if (!isWallet(facts)) return false;
        const [, field] = SIGNED[mode as keyof typeof SIGNED];
        const needed = mode === 'operator' ? [] : ['wallet_nonce'];
        return [...needed, 'wallet_signature', field].some((name) => typeof body[name] !== 'string')
          ? true
          : wellFormed(mode, String(body[field]));
      },
    },
    {
      row: 'register/WALLET_CHAIN_UNSUPPORTED',
      clauses: ['register.ethereum.mainnet', 'register.error.wallet-chain-unsupported'],
      when: ({ mode }, { state }) => state.settings.mainnet && mode === 'ethereum',
    },
    {
      row: 'register/NONCE_INVALID',
      clauses: ['register.error.nonce-invalid'],
      when: (facts) =>
        isWallet(facts) && (facts.nonce.ticket === undefined || facts.nonce.ticket.of !== `${facts.mode}-challenge`),
    },
    {
      row: 'register/NONCE_INVALID',
      clauses: ['register.nonce.once'],
      when: (facts) => isWallet(facts) && facts.nonce.isUsed,
    },
    {
      row: 'register/NONCE_INVALID',
      clauses: ['register.nonce.ttl'],
      when: (facts) => isWallet(facts) && facts.nonce.isLate,
    },
    {
      row: 'register/SIGNATURE_INVALID',
      clauses: ['key.wallet-signature.use', 'register.error.signature-invalid'],
      when: (facts, { state }) => {
        if (!isWallet(facts)) return false;
        const { mode, body, nonceText } = facts;
        const [prefix, field] = SIGNED[mode as keyof typeof SIGNED];
        const shown = String(body[field]);
        const text = `${state.settings.dialect.messagePrefix}-${prefix}:${String(nonceText)}:${shown}:${String(body['name'])}`;
        const proved = provesWallet({ kind: mode as Wallet['kind'], shown, signature: body['wallet_signature'], text });
        return proved === undefined ? undefined : !proved;
      },
    },
    {
      row: 'register/AGENT_NOT_FOUND',
      clauses: ['register.error.agent-not-found'],
      when: ({ isRoot, body }, { state }) => {
        const parent = body['parent'];
        return !isRoot && isAgentHash.holds(parent) && !state.agents.has(String(parent).toLowerCase());
      },
    },
    {
      row: 'register/VALIDATION',
      clauses: ['register.error.validation.parent'],
      when: ({ isRoot, body, parent }) =>
        !isRoot &&
        body['parent'] !== undefined &&
        parent !== undefined &&
        String(body['parent']).toLowerCase() !== parent.hash,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      clauses: ['register.child.body.spawn-authorization', 'register.error.spawn-conflict'],
      when: ({ isRoot, body, authorization }) =>
        !isRoot && typeof body['spawn_authorization'] === 'string' && authorization.ticket === undefined,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      clauses: ['spawn.authorization.once', 'register.error.spawn-conflict'],
      when: ({ authorization }) => authorization.isUsed,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      clauses: ['spawn.authorization.ttl', 'register.error.spawn-conflict'],
      when: ({ authorization }) => authorization.isLate,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      clauses: ['spawn.authorization.parent', 'register.error.spawn-conflict'],
      when: ({ authorization, parent }) =>
        authorization.ticket !== undefined && parent !== undefined && authorization.ticket.of !== parent.hash,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      clauses: ['spawn.authorization.name', 'register.error.spawn-conflict'],
      when: ({ authorization, body }) =>
        authorization.ticket !== undefined && authorization.ticket.name !== String(body['name']).trim(),
    },
  ],
  open: ({ mode, body, parent }, { state }) => {
    if (mode === 'operator') return 'the field that carries the nonce is not shown';
    if (mode === 'ethereum-challenge' && state.settings.mainnet)
      return 'whether mainnet refuses in the first phase is open';
    if (mode === 'child' && body['parent'] === undefined) return 'whether a child may leave out its parent is open';
    if (mode === 'child' && parent !== undefined && (parent.frozen !== false || !parent.started))
      return 'whether a parent that is not active may register is open';
    return undefined;
  },
  accepts: ({ mode, hasToken }) => [
    ...ACCEPTS[mode],
    ...(hasToken ? ['register-token.use.replaces-secret', 'key.registration-token'] : []),
  ],
  accepted: (facts, given) => {
    const { mode, body, nonce, token, authorization } = facts;
    const { call, state, judgement } = given;
    if (mode.endsWith('-challenge')) return handOut(state, at(call.json, 'nonce'), { kind: 'register', of: mode });
    for (const { ticket } of [nonce, token, authorization]) if (ticket !== undefined) ticket.used = true;
    const [hash, key] = [at(call.json, 'hash'), at(call.json, 'api_key')];
    if (!isAgentHash.holds(hash) || typeof key !== 'string') return;
    const isNew = !state.agents.has(String(hash).toLowerCase()) && !state.keys.has(key);
    judgement.that('hash', isNew, 'a new hash, and a new key', hash, 'agent.field.hash');
    const agent = adopt(given, facts, { written: String(hash), key });
    judgement.that('api_key', true, '', '', 'key.agent.form');
    if (mode === 'self-custody') return;
    const { json } = call;
    if (mode === 'child') {
      for (const [field, value] of Object.entries({ ok: true, parent: agent.parent, depth: agent.depth }))
        judgement.equals(json, field, value, 'register.child.reply');
      return;
    }
    // 2.1: which registrations with a wallet have the older reply, without some of the fields, is open.
    const judged = mode === 'root' ? 'equals' : 'shown';
    judgement[judged](json, 'ok', true, 'agent.field.ok');
    judgement[judged](json, 'depth', agent.depth, 'agent.field.depth', 'lineage.root');
    judgement[judged](json, 'parent', null, 'agent.field.parent', 'lineage.root');
    const clause = body['name'] === call.body?.['name'] ? 'agent.field.name' : 'dialect.name.characters';
    judgement[judged](json, 'name', body['name'] === agent.name ? agent.name : undefined, clause);
    if (body['metadata'] !== undefined)
      judgement.shown(json, 'metadata', body['metadata'], 'agent.field.metadata', 'register.metadata.free');
  },
  refused: ({ authorization }, { judgement }, row) => {
    // How long an authorization lasts is a decision: one that is taken later shows nothing.
    if (row === 'register/SPAWN_CONFLICT' && authorization.isLate === true && !authorization.isUsed)
      judgement.that('an authorization that expired', true, '', '', 'spawn.error.spawn-conflict.expired');
  },
};

const ACCEPTS: Readonly<Record<RegistrationMode, readonly string[]>> = {
  root: ['register.no-wallet.default'],
  child: ['register.child.single-phase', 'spawn.flow.register', 'service.spawn'],
  'self-custody-challenge': ['register.self-custody.challenge'],
  'self-custody': ['register.self-custody.finalize'],
  'operator-challenge': ['register.operator.challenge'],
  operator: ['register.operator.finalize'],
  'ethereum-challenge': ['register.ethereum.challenge'],
  ethereum: ['register.ethereum.finalize'],
};

/** The nonce of a second phase: for an operator it may be in any field. */
function nonceIn({ tickets }: State, mode: RegistrationMode, body: Body): unknown {
  const named = body['wallet_nonce'];
  if (mode !== 'operator') return named;
  return Object.values(body).find((value) => typeof value === 'string' && tickets.has(value)) ?? named;
}

/** Mainnet enforces the secret by the text; elsewhere the server's own policy does. */
const needsSecret = (mainnet: boolean, needs: boolean | undefined): Known =>
  mainnet ? true : needs === true ? undefined : needs;

/** D-16: 1 to 64 characters after trimming. The text only wants a string. */
function nameIsBad(mode: RegistrationMode, name: unknown, most: number): Known {
  if (mode === 'ethereum-challenge' && name === undefined) return false;
  if (typeof name !== 'string') return mode !== 'root';
  const { length } = [...name.trim()];
  // How short a name may be is a decision.
  if (length === 1) return undefined;
  return length < 1 || length > most;
}

function wellFormed(mode: RegistrationMode, shown: string): Known {
  if (mode === 'self-custody') return /^[0-9a-f]{64}$/i.test(shown) ? false : undefined;
  if (mode === 'ethereum') return /^0x[0-9a-f]{40}$/i.test(shown) ? false : undefined;
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(shown) ? false : undefined;
}

function adopt(
  { state }: Case,
  { mode, body, parent, authorization }: Registration,
  { written, key }: { readonly written: string; readonly key: string },
): Agent {
  const hash = written.toLowerCase();
  const above = mode === 'child' ? (parent ?? state.agents.get(authorization.ticket?.of ?? '')) : undefined;
  if (above !== undefined) above.children += 1;
  state.keys.set(key, { hash });
  // A hash that is handed out twice stays that of the first agent: a child in the place of its ancestor would make a circle.
  const known = state.agents.get(hash);
  if (known !== undefined) return known;
  return state.agents.set(
    hash,
    newAgent(state, {
      hash,
      written,
      name: typeof body['name'] === 'string' ? body['name'].trim() : undefined,
      parent: above,
      metadata: body['metadata'] === undefined ? undefined : { value: body['metadata'] },
      wallet: walletOf(mode, body),
    }),
  );
}

function walletOf(mode: RegistrationMode, body: Body): Wallet | null {
  if (mode === 'self-custody') {
    const publicKeyHex = String(body['wallet_public_key']).toLowerCase();
    return { kind: mode, address: solanaAddress(publicKeyHex), publicKeyHex };
  }
  if (mode === 'operator') return { kind: mode, address: String(body['operator_wallet_address']) };
  return mode === 'ethereum' ? { kind: mode, address: String(body['wallet_address']).toLowerCase() } : null;
}
