/** POST /register in all its modes (4.2): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { keptName } from '../../spec/dialect-settings.js';
import { type RegistrationMode, registrationMode } from '../../spec/endpoints/register.js';
import { type OptionalMode, servesMode } from '../../spec/parts.js';
import type { Case, Operation } from '../case.js';
import { type Agent, newAgent, type State, type Wallet } from '../facts/state.js';
import { handOut, type TicketFacts, ticketOf } from '../facts/tickets.js';
import { badKeyClauses } from '../judge/reasons.js';
import { isAgentHash } from '../reading/field-tests.js';
import type { Known } from '../reading/known.js';
import { solanaAddress } from '../reading/signature.js';
import { at, parse } from '../reading/values.js';
import { provesWallet } from '../reading/wallet-proof.js';

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

const CHALLENGE = '-challenge';
const isChallenge = ({ mode }: Registration): boolean => mode.endsWith(CHALLENGE);

/** The clauses of the message that a mode signs. */
const MESSAGES: Partial<Record<RegistrationMode, readonly string[]>> = {
  'self-custody': ['register.self-custody.message', 'key.wallet-signature.ed25519'],
  operator: ['register.operator.message', 'register.chain.solana', 'key.wallet-signature.ed25519'],
  ethereum: ['register.ethereum.message', 'register.chain.ethereum', 'key.wallet-signature.ethereum'],
};

const SIGNING = ['key.wallet-signature.use', 'dialect.message-prefix'];
const WITH_METADATA = ['register.no-wallet.body.metadata', 'register.metadata.object', 'agent.optional-metadata'];

/** Whether a token decides anything: where a root may register with no credential, one may go unread. */
const readsTokens = ({ settings, readsTokens }: State): Known =>
  settings.mainnet || settings.needsSecret === true ? true : readsTokens;

/** Takes down whether tokens are read, by what becomes of the first registration with a bad one. */
function learnTokens({ state, call }: Case, { ticket, isUsed, isLate }: TicketFacts): void {
  if (ticket !== undefined && !isUsed && isLate !== true) return;
  if (call.status < 400) state.readsTokens ??= false;
  else if ([401, 403].includes(call.status)) state.readsTokens ??= true;
}

/** Where tokens go unread, what becomes of a bad one is a decision. */
const ofToken =
  (...musts: readonly string[]) =>
  (_: Registration, { call, state }: Case): readonly string[] => [
    ...(readsTokens(state) === true || call.status >= 400 ? musts : []),
    'register.error.auth-invalid.token',
  ];
const TOKEN = ['register.header.token', 'register-token.use.header', 'key.registration-token'];
const tokenClauses = (secret: string | undefined): readonly string[] => [
  ...TOKEN,
  ...(secret === undefined ? ['register-token.use.replaces-secret'] : []),
];

/** The clauses of a registration without what opens it, and of one that is refused so although it has it. */
function keyless({ isRoot, hasToken, mode, ...facts }: Registration, given: Case): readonly string[] {
  const { call, state } = given;
  if (!isRoot) {
    if (call.hasAuthorization && call.bearer === undefined) return badKeyClauses(given);
    const bad = call.hasAuthorization && facts.parent === undefined ? badKeyClauses(given) : [];
    const parent = ['register.child.auth', 'key.parent.register', 'register.header.authorization'];
    return [...parent, ...bad, 'register.error.auth-missing.parent'];
  }
  if (hasToken) return [...TOKEN, 'register-token.use.replaces-secret'];
  if (!state.settings.mainnet) return ['register.header.secret.devnet', 'key.registration-secret.devnet'];
  // 4.2 does not say in which of two phases it is needed.
  if (mode.endsWith(CHALLENGE)) return ['register.secret.both-phases'];
  const musts = ['register.header.secret.mainnet', 'key.registration-secret.mainnet'];
  return [...musts, 'register.error.auth-missing', ...(mode === 'root' ? [] : ['register.secret.both-phases'])];
}

const NAMED: Partial<Record<RegistrationMode, readonly string[]>> = {
  root: ['register.no-wallet.body.name'],
  child: ['register.child.body.name'],
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The bytes that an escape such as \u00e9 has more than its character. */
const ESCAPE_MORE = 5;

/** The most bytes that a serializer makes of a value: with spaces after commas and colons, and everything outside of ASCII escaped. */
function mostBytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  const countOf = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return text.length + countOf(/[,:]/g) + ESCAPE_MORE * countOf(/[^ -~]/g);
}

/** The fewest bytes that a KB may have, of those that it has by D-47. */
const LEAST_OF_KB = 1_000 / 1_024;

/** 2.2: any JSON object of at most 4 KB; how its size is counted near the bound is a decision. */
function metadataIsBad({ body }: Registration, { state, call }: Case): Known {
  const metadata = body['metadata'];
  if (metadata === undefined) return false;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return true;
  const { metadataBytesMax } = state.settings.protocol.registration;
  if (mostBytesOf(metadata) <= metadataBytesMax * LEAST_OF_KB) return false;
  return bytesOf(metadata) > metadataBytesMax && call.bodyBytes > metadataBytesMax ? true : undefined;
}

/** The clauses that invalid metadata breaks. */
function boundsOf(metadata: unknown, { settings: { protocol } }: State): readonly string[] {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return ['register.metadata.object'];
  const isByBytes = JSON.stringify(metadata).length <= protocol.registration.metadataBytesMax;
  return [...groups.metadataSize, ...(isByBytes ? ['register.metadata.bytes'] : [])];
}

export const register: Operation<Registration> = {
  ids: ['register'],
  facts: (given) => {
    const { call, state, agent } = given;
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
      clauses: ofToken('register-token.use.header', 'key.registration-token'),
      when: ({ isRoot, hasToken, token }) => isRoot && hasToken && token.ticket === undefined,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ofToken('register-token.use.once', 'key.registration-token', 'register.token.spent'),
      decided: 'register.token.spent',
      when: ({ isRoot, token }) => isRoot && token.isUsed,
    },
    {
      row: 'register/AUTH_INVALID',
      clauses: ofToken(...groups.tokenTtl, 'key.registration-token'),
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
      // Whether other modes take any is open: there it must not be kept.
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
      // Whether the first phase refuses it already is open.
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
      decided: ({ nonce }) => (nonce.mayEndEarly ? 'register.nonce.ttl' : undefined),
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
      when: (facts) => isWallet(facts) && isKeptOtherwise(facts) && undefined,
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
      decided: ({ authorization }) => (authorization.mayEndEarly ? 'spawn.authorization.ttl' : undefined),
      when: ({ authorization }) => authorization.isLate,
    },
    {
      row: 'register/SPAWN_CONFLICT',
      also: ({ body, authorization }) => [
        'spawn.authorization.parent',
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
    if (hasToken && mode in MESSAGES) return 'which of two phases uses a token up is open';
    if (mode === 'operator') return 'the field that carries the nonce is not shown';
    if (mode === 'child' && body['parent'] === undefined) return 'whether a child may leave out its parent is open';
    if (mode === 'child' && parent !== undefined && (parent.frozen !== false || !parent.started))
      return 'whether a parent that is not active may register is open';
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
      judgement.leave('a root may register without a token here, and one may go unread', ...tokenClauses(undefined));
    if (isChallenge(facts)) {
      const { nonceTtlSec } = state.settings.protocol.registration;
      const kind = mode.replace(CHALLENGE, '');
      if (kind === 'self-custody') {
        const fields = Object.keys(Object(call.json));
        judgement.that(
          'fields',
          fields.join() === 'nonce',
          'nonce',
          fields,
          'register.self-custody.challenge.reply.only',
        );
      } else judgement.equals('expires_in', nonceTtlSec, `register.${kind}.challenge.reply`);
      return handOut(state, at(call.json, 'nonce'), { kind: 'register', of: mode, name: String(call.body?.['name']) });
    }
    for (const { ticket } of [nonce, token, authorization]) if (ticket !== undefined) ticket.used = true;
    const [hash, key] = [at(call.json, 'hash'), at(call.json, 'api_key')];
    if (!isAgentHash.holds(hash) || typeof key !== 'string') return;
    const isNew = !state.agents.has(String(hash).toLowerCase());
    judgement.that('hash', isNew, 'a new hash', hash, 'agent.field.hash', 'service.registers');
    judgement.that('api_key', !state.keys.has(key), 'a new key', 'that of another agent', 'key.agent.bound');
    judgePayload(given, key, hash);
    const agent = adopt(given, facts, { written: String(hash), key });
    judgeAgentObject(given, facts, agent);
  },
  refused: ({ authorization }, { judgement }, row) => {
    // How long an authorization lasts is a decision: one that is taken later shows nothing.
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

/** D-15: what a key says of its agent. */
function judgePayload({ judgement }: Case, key: string, hash: unknown): void {
  const [, encoded] = /^pvn_([^.]+)\./.exec(key) ?? [];
  if (encoded === undefined) return;
  const payload = parse(Buffer.from(encoded, 'base64url').toString());
  const isWhole = at(payload, 'h') === hash && ['k', 'iat'].every((field) => at(payload, field) !== undefined);
  judgement.that('the payload of api_key', isWhole, '{h, k, iat}', 'another form', 'key.agent.payload');
}

/** The agent as its registration shows it (2.1). */
function judgeAgentObject({ call, judgement }: Case, { mode, body }: Registration, agent: Agent): void {
  const { json } = call;
  const { metadata } = body;
  const birth = at(json, 'birth_tx');
  const fields = {
    type: agent.parent === null ? 'root' : 'agent',
    parent: agent.parent,
    depth: agent.depth,
    name: agent.name,
    wallet_model: agent.wallet?.kind === 'operator' ? 'operator' : 'self-custody',
    wallet_chain: agent.wallet === null ? null : agent.wallet.kind === 'ethereum' ? 'ethereum' : 'solana',
  };
  const decided = { 'self-custody': 'register.self-custody.reply.fields', child: 'register.child.reply' };
  if (mode === 'child' || mode === 'self-custody') {
    for (const [field, value] of Object.entries(fields)) judgement.equals(field, value, decided[mode]);
    const isOlder = mode === 'self-custody';
    judgement.equals('ok', isOlder ? undefined : true, decided[mode]);
    judgement.that('birth_tx', isOlder === (birth === undefined), 'only in the newer form', birth, decided[mode]);
  }
  const shown = at(json, 'name');
  if (shown !== undefined || mode === 'root')
    judgement.that('name', isOf(String(body['name']), shown), body['name'], shown, 'agent.field.name');
  if (body['name'] === call.body?.['name']) judgement.shown('name', agent.name, 'name.text');
  else if (typeof shown === 'string')
    judgement.that('name', shown.trim() === agent.name, agent.name, shown, 'dialect.name.characters');
  if (mode === 'child') judgement.equals('type', 'agent', 'agent.child.type');
  // 2.1: which registrations with a wallet have the older reply, without some of the fields, is open.
  const judged = mode === 'root' ? 'equals' : 'shown';
  if (mode !== 'self-custody' && mode !== 'child') judgement[judged]('ok', true, 'agent.field.ok');
  const root = agent.parent === null ? ['lineage.root'] : [];
  judgement[judged]('depth', agent.depth, 'agent.field.depth', ...root);
  judgement[judged]('parent', agent.parent, 'agent.field.parent', ...root);
  if (typeof birth === 'string')
    judgement.that(
      'birth_tx',
      /^rec_[0-9a-f]{32}$/.test(birth),
      'rec_ and 32 hex characters',
      birth,
      'agent.birth-tx.form',
    );
  if (metadata === undefined) judgement.shown('metadata', {}, 'agent.metadata.absent');
  else if (agent.metadata?.unfit.length === 0)
    judgement.shown('metadata', metadata, 'agent.field.metadata', 'register.metadata.free');
}

/**
 * 2.1: whether a name may be that which was given. Which characters one may have is open: a server may leave some out, and write
 * others in another form of Unicode. It adds none.
 */
function isOf(given: string, kept: unknown): boolean {
  const letters = [...given.normalize('NFKD')];
  let place = 0;
  const isLeft = (letter: string): boolean => {
    place = letters.indexOf(letter, place) + 1;
    return place > 0;
  };
  return typeof kept === 'string' && [...kept.normalize('NFKD')].every(isLeft);
}

/** The nonce of a second phase: for an operator it may be in any field. */
function nonceIn({ tickets }: State, mode: RegistrationMode, body: Body): unknown {
  const named = body['wallet_nonce'];
  if (mode !== 'operator') return named;
  return Object.values(body).find((value) => typeof value === 'string' && tickets.has(value)) ?? named;
}

/** Mainnet enforces the secret by the text; elsewhere the server's own policy does. */
const needsSecret = (mainnet: boolean, needs: boolean | undefined): Known =>
  mainnet ? true : needs === true ? undefined : needs;

/** 4.2 does not say whether the message holds a name with its spaces, and a key in capitals, or what the server keeps of them. */
const isKeptOtherwise = ({ mode, body }: Registration): boolean =>
  String(body['name']) !== String(body['name']).trim() ||
  (mode === 'self-custody' && /[A-F]/.test(String(body['wallet_public_key'])));

/** Longer names may be too long for a service: the text has no bound. */
const NAME_SURE_MAX = 32;

/** D-16: 1 to 64 characters after trimming. The text only wants a string. */
function nameIsBad(mode: RegistrationMode, name: unknown, most: number): Known {
  if (mode === 'ethereum-challenge' && name === undefined) return false;
  if (typeof name !== 'string') return false;
  const { length } = [...name.trim()];
  if (length < 1 || length > most) return true;
  // Which characters it may have, and how short it may be, is a decision.
  return length > 1 && /^[\w .-]+$/.test(name) ? false : undefined;
}

function wellFormed(mode: RegistrationMode, shown: string): Known {
  if (mode === 'self-custody') return /^[0-9a-f]*$/i.test(shown) ? shown.length !== 64 : undefined;
  if (mode === 'ethereum') return /^0x[0-9a-f]{40}$/i.test(shown) ? false : undefined;
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(shown) ? false : undefined;
}

function adopt(
  given: Case,
  facts: Registration,
  { written, key }: { readonly written: string; readonly key: string },
): Agent {
  const { state, call } = given;
  const { mode, body, parent, authorization } = facts;
  const hash = written.toLowerCase();
  const unfit = mode === 'root' || metadataIsBad(facts, given) !== true ? [] : boundsOf(body['metadata'], state);
  // Whether a mode takes metadata that its reply does not return is open.
  const isTaken = mode === 'root' || at(call.json, 'metadata') !== undefined;
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
      metadata: body['metadata'] === undefined ? undefined : { value: body['metadata'], unfit, isTaken },
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
