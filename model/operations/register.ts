/** POST /register in all its modes (4.2): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { keptName } from '../../spec/dialect-settings.js';
import { type RegistrationMode, registrationMode } from '../../spec/endpoints/register.js';
import { type OptionalMode, servesMode } from '../../spec/parts.js';
import type { Operation } from '../case.js';
import type { Wallet } from '../facts/state.js';
import { issueTicket, ticketOf } from '../facts/tickets.js';
import { isAgentHash } from '../reading/field-tests.js';
import { at } from '../reading/values.js';
import { provesWallet } from '../reading/wallet-proof.js';
import { adopt, judgeAgentObject, judgePayload } from './registered.js';
import {
  boundsOf,
  CHALLENGE,
  invalidTokenClauses,
  isChallenge,
  isNormalized,
  isWallet,
  keyless,
  learnTokens,
  metadataIsBad,
  NAME_SURE_MAX,
  nameIsBad,
  needsSecret,
  nonceIn,
  type Registration,
  readsTokens,
  SIGNED,
  TOKEN,
  tokenClauses,
  wellFormed,
} from './registration.js';

/** The clauses about the message that a wallet signs, by mode. */
const MESSAGES: Partial<Record<RegistrationMode, readonly string[]>> = {
  'self-custody': ['register.self-custody.message', 'key.wallet-signature.ed25519'],
  operator: ['register.operator.message', 'register.chain.solana', 'key.wallet-signature.ed25519'],
  ethereum: ['register.ethereum.message', 'register.chain.ethereum', 'key.wallet-signature.ethereum'],
};

const SIGNING = ['key.wallet-signature.use', 'dialect.message-prefix'];
const WITH_METADATA = ['register.no-wallet.body.metadata', 'register.metadata.object', 'agent.optional-metadata'];

const NAMED: Partial<Record<RegistrationMode, readonly string[]>> = {
  root: ['register.no-wallet.body.name'],
  child: ['register.child.body.name'],
};

export const register: Operation<Registration> = {
  ids: ['register'],
  facts: (given) => {
    const { call, state, agent } = given;
    if (call.body === undefined) return undefined;
    const { protocol, dialect } = state.settings;
    const { name } = call.body;
    const body = typeof name === 'string' ? { ...call.body, name: keptName(dialect, name) } : call.body;
    const mode = registrationMode(body);
    // The key of a parent from before the traffic names an unknown agent.
    if (mode === 'child' && agent === undefined && call.bearer !== undefined) state.keys.has(call.bearer);
    const authorization = ticketOf(
      state,
      body['spawn_authorization'],
      'authorization',
      protocol.spawn.authorizationTtlSec,
    );
    const sent = call.headers['x-registration-token'];
    const token = ticketOf(state, sent, 'token', protocol.registration.tokenTtlSec);
    if (sent !== undefined && mode !== 'child') learnTokens(given, token);
    const nonceText = nonceIn(state, mode, body);
    return {
      mode,
      body,
      isRoot: mode !== 'child',
      hasToken: sent !== undefined,
      token,
      nonceText,
      nonce: ticketOf(state, nonceText, 'register', protocol.registration.nonceTtlSec),
      authorization,
      parent: agent,
    };
  },
  refusals: [
    {
      row: 'register/AUTH_MISSING',
      clauses: keyless,
      when: ({ isRoot, hasToken, parent }, { call, state }) =>
        isRoot
          ? !hasToken &&
            call.headers['x-registration-secret'] === undefined &&
            needsSecret(state.settings.mainnet, state.settings.needsSecret)
          : parent === undefined,
    },
    {
      row: 'register/AUTH_MISSING',
      cause: 'parent',
      also: ['key.agent.revocation'],
      when: ({ isRoot, parent }) => !isRoot && (parent?.revoked ?? false),
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: (facts, { state: { settings } }) => {
        if (facts.hasToken) return [...TOKEN, 'register-token.use.replaces-secret'];
        const musts = settings.mainnet ? ['key.registration-secret', 'key.registration-secret.mainnet'] : [];
        return [...(isChallenge(facts) ? [] : musts), 'register.error.auth-invalid'];
      },
      when: ({ isRoot, hasToken }, { call, state }) => {
        const secret = call.headers['x-registration-secret'];
        const { registrationSecret, needsSecret: needs } = state.settings;
        if (!isRoot || hasToken || secret === undefined || secret === registrationSecret) return false;
        return registrationSecret === undefined ? (needs === false ? false : undefined) : true;
      },
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: invalidTokenClauses('register-token.use.header', 'key.registration-token'),
      when: ({ isRoot, hasToken, token }) => isRoot && hasToken && token.ticket === undefined,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: invalidTokenClauses('register-token.use.once', 'key.registration-token', 'register.token.spent'),
      decided: 'register.token.spent',
      when: ({ isRoot, token }) => isRoot && token.isUsed,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: invalidTokenClauses(...groups.tokenTtl, 'key.registration-token'),
      when: ({ isRoot, token }) => isRoot && token.isLate,
    },
    {
      row: 'register/VALIDATION',
      clauses: ({ mode, body }) =>
        typeof body['name'] === 'string' ? [] : [...(NAMED[mode] ?? []), 'register.error.validation'],
      when: ({ mode, body }) => mode !== 'ethereum-challenge' && typeof body['name'] !== 'string',
    },
    {
      row: 'register/VALIDATION',
      clauses: ({ body }, { state }) => {
        const { nameCharsMax } = state.settings.protocol.agent;
        const isByPoints = String(body['name']).length > nameCharsMax && !/^[\0-\uffff]*$/u.test(String(body['name']));
        return ['name.length', 'register.error.validation', ...(isByPoints ? ['body.text.code-points'] : [])];
      },
      when: ({ mode, body }, { state }) => nameIsBad(mode, body['name'], state.settings.protocol.agent.nameCharsMax),
    },
    {
      row: 'register/VALIDATION',
      clauses: [],
      decided: 'name.length',
      when: ({ body: { name } }, { state }) => {
        const { length } = [...String(name).trim()];
        return length > NAME_SURE_MAX && length <= state.settings.protocol.agent.nameCharsMax ? undefined : false;
      },
    },
    {
      row: 'register/VALIDATION',
      // Other modes than root may ignore metadata; but they must not keep invalid metadata.
      cause: 'metadata',
      also: (facts, { call, state }) => [
        ...(facts.mode === 'root' || call.status >= 400 ? boundsOf(facts.body['metadata'], state) : []),
      ],
      decided: 'register.metadata.kilobyte',
      when: metadataIsBad,
    },
    {
      row: 'register/VALIDATION',
      cause: 'form',
      also: ['register.child.body.spawn-authorization'],
      when: ({ isRoot, body }) => !isRoot && typeof body['spawn_authorization'] !== 'string',
    },
    {
      row: 'register/VALIDATION',
      cause: 'form',
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
      also: ['register.ethereum.mainnet'],
      // The text does not say whether the first phase already refuses it.
      when: ({ mode }, { state }) =>
        state.settings.mainnet && (mode === 'ethereum-challenge' ? undefined : mode === 'ethereum'),
    },
    {
      row: 'register/NONCE_INVALID',
      also: ({ nonce }) => [...(nonce.ticket === undefined ? [] : ['register.nonce.bound'])],
      when: (facts) =>
        isWallet(facts) && (facts.nonce.ticket === undefined || facts.nonce.ticket.of !== `${facts.mode}-challenge`),
    },
    {
      row: 'register/NONCE_INVALID',
      also: ['register.nonce.once'],
      decided: 'error.unused',
      when: (facts) => isWallet(facts) && facts.nonce.isUsed,
    },
    {
      row: 'register/NONCE_INVALID',
      also: ['register.nonce.ttl'],
      decided: ({ nonce }) => (nonce.mayExpireEarly ? 'register.nonce.ttl' : undefined),
      when: (facts) => isWallet(facts) && facts.nonce.isLate,
    },
    {
      row: 'register/SIGNATURE_INVALID',
      also: ({ mode }) => [...(MESSAGES[mode] ?? []), ...SIGNING],
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
      row: 'register/SIGNATURE_INVALID',
      clauses: [],
      decided: 'register.message.as-sent',
      when: (facts) => isWallet(facts) && isNormalized(facts) && undefined,
    },
    {
      row: 'register/AGENT_NOT_FOUND',
      when: ({ isRoot, body }, { state }) => {
        const parent = body['parent'];
        return !isRoot && isAgentHash.holds(parent) && !state.agents.has(String(parent).toLowerCase());
      },
    },
    {
      row: 'register/VALIDATION',
      cause: 'parent',
      also: ['register.child.auth', 'register.child.body.parent'],
      when: ({ isRoot, body, parent }) =>
        !isRoot &&
        body['parent'] !== undefined &&
        parent !== undefined &&
        String(body['parent']).toLowerCase() !== parent.hash,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      also: ['register.child.body.spawn-authorization'],
      when: ({ isRoot, body, authorization }) =>
        !isRoot && typeof body['spawn_authorization'] === 'string' && authorization.ticket === undefined,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      also: ['spawn.authorization.once'],
      decided: 'error.unused',
      when: ({ authorization }) => authorization.isUsed,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      also: ['spawn.authorization.ttl'],
      decided: ({ authorization }) => (authorization.mayExpireEarly ? 'spawn.authorization.ttl' : undefined),
      when: ({ authorization }) => authorization.isLate,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      // 1 and 3.6: a parent without an unused authorization has proved no work for another child.
      also: ({ body, authorization, parent }) => [
        'spawn.authorization.parent',
        ...(parent !== undefined && parent.authorizations <= parent.children
          ? ['register.child.body.spawn-authorization', 'service.spawn']
          : []),
        ...(String(body['parent']).toLowerCase() === authorization.ticket?.of ? ['key.parent.register'] : []),
      ],
      when: ({ authorization, parent }) =>
        authorization.ticket !== undefined && parent !== undefined && authorization.ticket.of !== parent.hash,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      also: ['spawn.authorization.name'],
      when: ({ authorization, body }) =>
        authorization.ticket !== undefined && authorization.ticket.name !== String(body['name']).trim(),
    },
  ],
  open: ({ mode, body, parent, hasToken }) => {
    if (hasToken && mode in MESSAGES) return 'the text does not say which of the two phases uses up a token';
    if (mode === 'operator') return 'the text does not name the field of the nonce';
    if (mode === 'child' && body['parent'] === undefined)
      return 'the text does not say whether a child may leave out its parent';
    if (mode === 'child' && parent !== undefined && (parent.frozen !== false || !parent.started))
      return 'the text does not say whether a parent that is not active may register a child';
    return undefined;
  },
  accepts: ({ mode, body, isRoot, hasToken }, { call, state }) => {
    const { settings } = state;
    const secret = call.headers['x-registration-secret'];
    const isOpen = isRoot && !hasToken && !settings.mainnet;
    const isKnown = settings.mainnet && isRoot && secret !== undefined;
    return [
      ...(hasToken && (call.status >= 400 || readsTokens(state) === true) ? tokenClauses(secret) : []),
      ...ACCEPTS[mode],
      ...(MESSAGES[mode] === undefined ? [] : [...MESSAGES[mode], ...SIGNING]),
      ...(isOpen && secret === undefined ? ['register.header.secret.devnet', 'key.registration-secret.devnet'] : []),
      ...(isOpen && secret !== undefined && settings.registrationSecret === undefined
        ? ['register.secret.ignored']
        : []),
      ...(isKnown && !hasToken ? ['key.registration-secret'] : []),
      ...(mode === 'root' && body['metadata'] === undefined ? ['register.metadata.optional'] : []),
      ...(mode === 'root' && body['metadata'] !== undefined ? WITH_METADATA : []),
      ...(mode === 'child' && body['parent'] !== undefined ? ['register.child.body.parent'] : []),
    ];
  },
  accepted: (facts, given) => {
    const { mode, nonce, token, authorization, hasToken } = facts;
    const { call, state, judgement } = given;
    if (hasToken && readsTokens(state) !== true)
      judgement.leave('a root needs no token here, so the service may ignore one', ...tokenClauses(undefined));
    if (isChallenge(facts)) {
      const { nonceTtlSec } = state.settings.protocol.registration;
      const kind = mode.replace(CHALLENGE, '');
      if (kind === 'self-custody') {
        const fields = Object.keys(Object(call.json));
        const isAlone = fields.join() === 'nonce';
        judgement.that('fields', isAlone, 'nonce', fields, 'register.self-custody.challenge.reply.only');
      } else judgement.equals('expires_in', nonceTtlSec, `register.${kind}.challenge.reply`);
      return issueTicket(state, at(call.json, 'nonce'), {
        kind: 'register',
        of: mode,
        name: String(call.body?.['name']),
      });
    }
    for (const { ticket } of [nonce, token, authorization]) if (ticket !== undefined) ticket.used = true;
    const [hash, key] = [at(call.json, 'hash'), at(call.json, 'api_key')];
    if (!isAgentHash.holds(hash) || typeof key !== 'string') return;
    const isNew = !state.agents.holds(String(hash).toLowerCase());
    judgement.that('hash', isNew, 'a new hash', hash, 'agent.field.hash', 'service.registers');
    judgement.that('api_key', !state.keys.holds(key), 'a new key', 'that of another agent', 'key.agent.bound');
    judgePayload(given, key, hash);
    const agent = adopt(given, facts, { written: String(hash), key });
    judgeAgentObject(given, facts, agent);
  },
  refused: ({ authorization }, { judgement }, row) => {
    // The lifetime of an authorization is a decision, so only its refusal is evidence.
    if (row === 'register/SPAWN_CONFLICT' && authorization.isLate === true && !authorization.isUsed)
      judgement.that('an authorization that expired', true, '', '', 'spawn.error.spawn-conflict.expired');
  },
};

const ACCEPTS: Readonly<Record<RegistrationMode, readonly string[]>> = {
  root: [
    'register.no-wallet.default',
    'register.no-wallet.body.name',
    'register.header.content-type',
    'register.header.authorization',
    'service.register.free',
  ],
  child: [
    'register.child.single-phase',
    'spawn.flow.register',
    'service.spawn',
    'register.child.auth',
    'register.child.body.name',
    'register.child.body.spawn-authorization',
    'register.header.authorization',
    'key.parent.register',
  ],
  'self-custody-challenge': ['register.self-custody.challenge'],
  'self-custody': ['register.self-custody.finalize', 'register.nonce.field'],
  'operator-challenge': ['register.operator.challenge'],
  operator: ['register.operator.finalize'],
  'ethereum-challenge': ['register.ethereum.challenge'],
  ethereum: ['register.ethereum.finalize', 'register.nonce.field'],
};
