/** Registration of children (4.2, mode 5), from the authorization on. How it is got is in spawn.ts. */

import { isAgentHash, isFilled } from '../../model/reading/field-tests.js';
import type { ErrorKey } from '../../spec/errors.js';
import type { Reply } from '../assertions/reply.js';
import { lookupsReturn, UNFIT_METADATA, unfitMetadata, unfitNotKept } from '../steps/register-call.js';
import { authorizationFor, costBeats, makeChild, registerChild as sendChild } from '../steps/spawn-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 2, writes: true } as const;

/** A child registration that lacks nothing. */
interface Birth {
  readonly parent: Agent;
  readonly body: { readonly name: string; readonly parent: string; readonly spawn_authorization: string };
}

/** As setup: a started parent, and the registration of a child that it was authorized for. */
async function birth(t: Trial, given?: Agent): Promise<Birth> {
  const parent = given ?? (await t.root({ init: true }));
  const name = t.word();
  const spawn_authorization = await authorizationFor(t, parent, name);
  return { parent, body: { name, parent: parent.hash, spawn_authorization } };
}

/** Clauses for which an accepted child registration is evidence. */
const taken = [
  'register.child.auth',
  'register.child.single-phase',
  'register.child.body.name',
  'register.child.body.parent',
  'register.child.body.spawn-authorization',
  'register.header.authorization',
  'key.parent.register',
] as const;

const registerChild: Check = {
  ...base,
  id: 'register/child',
  title: 'An authorized child is registered under its parent, without a wallet',
  clauses: [
    ...taken,
    'register.child.reply',
    'register.child.lineage',
    'register.child.no-wallet',
    'agent.child.type',
    'lineage.place',
    'verify-batch.reply.found',
    'wallet.purpose',
    'register.metadata.returned.status',
    'register.metadata.returned.verify',
  ],
  walletRegisters: 2,
  requests: 15,
  async run(t) {
    // A child has no wallet though its parent has one.
    const { parent, body } = await birth(t, await t.walletRoot({ init: true }));
    const metadata = { mark: t.word(), list: [1, { a: null }] };
    const reply = t.accepted(await sendChild(t, parent.key, { ...body, metadata }), ...taken);
    const agentObject = t.shows('register.child.reply');
    agentObject.field(reply, 'ok', true);
    agentObject.fieldIs(reply, 'hash', isAgentHash);
    agentObject.fieldIs(reply, 'api_key', isFilled);
    agentObject.fieldIs(reply, 'secret', isFilled);
    agentObject.field(reply, 'parent', parent.hash);
    agentObject.field(reply, 'depth', 1);
    agentObject.exactField(reply, 'name', body.name);
    agentObject.exactField(reply, 'metadata', metadata);
    agentObject.field(reply, 'wallet_model', 'self-custody');
    agentObject.field(reply, 'wallet_chain', null);
    agentObject.fieldIs(reply, 'birth_tx', isFilled);
    t.shows('agent.child.type').field(reply, 'type', 'agent');
    const hash = t.need(textOf(reply, 'hash'), 'the hash of a child in the reply of its registration', 'D-16');
    const status = t.accepted(await t.call('status', { params: { hash } }));
    const inLineage = t.shows('register.child.lineage', 'lineage.place');
    inLineage.through('D-19').field(status, 'depth', 1);
    t.shows('register.child.no-wallet').through('D-19').field(status, 'wallet', null);
    const verified = t.accepted(await t.call('verify', { params: { hash } }));
    inLineage.through('D-20').field(verified, 'agent.parent', parent.hash);
    inLineage.through('D-20').field(verified, 'root.hash', parent.hash);
    const batch = t.accepted(await t.call('verify-batch', { body: { hashes: [hash] } }));
    const found = t.shows('verify-batch.reply.found');
    // The form of a root is not shown. Where it names an agent, it is the first of the lineage.
    const root = JSON.stringify(batch.get('results.0.root') ?? null).toLowerCase();
    const names = (own: string): boolean => root.includes(own.slice(2).toLowerCase());
    if (!names(parent.hash) && !names(hash)) found.notFollowed('D-20', 'root names no agent by its hash');
    else found.of(batch, 'root of a child', names(parent.hash), 'its parent', root);
    const key = t.need(textOf(reply, 'api_key'), 'the key of a child in the reply of its registration', 'D-16');
    t.accepted(await linkWith(t, { ...parent, hash, key }), 'wallet.purpose');
    await lookupsReturn(t, reply, metadata);
  },
};

/** The string at a path of a reply of which the text shows nothing. */
function textOf(reply: Reply, path: string): string | undefined {
  const value = reply.get(path);
  return typeof value === 'string' ? value : undefined;
}

const registerChildParentOptional: Check = {
  ...base,
  id: 'register/child-parent-optional',
  title: 'A child registration may leave its parent out',
  clauses: ['register.child.parent-optional'],
  requests: 6,
  async run(t) {
    const { parent, body } = await birth(t);
    const { name, spawn_authorization } = body;
    const sent = await sendChild(t, parent.key, { name, spawn_authorization });
    const reply = t.accepted(sent, 'register.child.parent-optional');
    t.shows('register.child.parent-optional').field(reply, 'parent', parent.hash);
  },
};

/** One fault of a child registration. */
interface Fault {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly refusal: ErrorKey;
  /** Another agent is made for it: a root, or a child of the parent. */
  readonly needsOther?: 'root' | 'child';
  readonly spoil: (
    t: Trial,
    birth: Birth,
    other: Agent | undefined,
  ) => { readonly key?: string; readonly body: object };
}

const faults: readonly Fault[] = [
  {
    word: 'key-missing',
    title: "without the parent's key is refused",
    clauses: ['register.child.auth', 'register.error.auth-missing.parent'],
    refusal: 'register/AUTH_MISSING',
    spoil: (_t, { body }) => ({ body }),
  },
  {
    word: 'key-of-another',
    title: 'with the key of an agent that is not the parent is refused',
    clauses: ['register.child.auth', 'key.parent.register', 'key.agent.bound'],
    refusal: 'register/SPAWN_CONFLICT',
    needsOther: 'root',
    spoil: (_t, { body }, other) => ({ key: other?.key ?? '', body }),
  },
  {
    word: 'name-missing',
    title: 'without a name is refused',
    clauses: ['register.child.body.name', 'register.error.validation'],
    refusal: 'register/VALIDATION',
    spoil: (_t, { parent, body: { name: _, ...body } }) => ({ key: parent.key, body }),
  },
  {
    word: 'authorization-missing',
    title: 'without spawn_authorization is refused',
    clauses: ['register.child.body.spawn-authorization', 'register.error.validation.form'],
    refusal: 'register/VALIDATION',
    spoil: (_t, { parent, body: { name } }) => ({ key: parent.key, body: { name, parent: parent.hash } }),
  },
  {
    word: 'authorization-unknown',
    title: 'with an authorization that nobody gave is refused',
    clauses: ['register.child.body.spawn-authorization', 'register.error.spawn-conflict'],
    refusal: 'register/SPAWN_CONFLICT',
    spoil: (t, { parent, body }) => ({ key: parent.key, body: { ...body, spawn_authorization: t.hex(32) } }),
  },
  {
    word: 'other-name',
    title: 'under another name than was authorized is refused',
    clauses: ['spawn.authorization.name'],
    refusal: 'register/SPAWN_CONFLICT',
    spoil: (t, { parent, body }) => ({ key: parent.key, body: { ...body, name: t.word() } }),
  },
  {
    word: 'other-parent',
    title: "with another parent's authorization is refused",
    clauses: ['spawn.authorization.parent', 'register.error.spawn-conflict'],
    refusal: 'register/SPAWN_CONFLICT',
    needsOther: 'root',
    spoil: (_t, { body }, other) => ({ key: other?.key ?? '', body: { ...body, parent: other?.hash } }),
  },
  {
    word: 'names-another',
    title: 'that names another parent than the one whose key it carries is refused',
    clauses: ['register.child.auth', 'register.child.body.parent', 'register.error.validation.parent'],
    refusal: 'register/VALIDATION',
    needsOther: 'root',
    spoil: (_t, { parent, body }, other) => ({ key: parent.key, body: { ...body, parent: other?.hash } }),
  },
  {
    word: 'names-own-child',
    title: 'that names a child of the agent whose key it carries as the parent is refused',
    clauses: ['register.child.auth', 'register.child.body.parent', 'register.error.validation.parent'],
    refusal: 'register/VALIDATION',
    needsOther: 'child',
    spoil: (_t, { parent, body }, other) => ({ key: parent.key, body: { ...body, parent: other?.hash } }),
  },
  {
    word: 'parent-unknown',
    title: 'that names a parent who does not exist is refused',
    clauses: ['register.error.agent-not-found'],
    refusal: 'register/AGENT_NOT_FOUND',
    spoil: (t, { parent, body }) => ({
      key: parent.key,
      body: { ...body, parent: `0x${t.hex(t.protocol.agent.hashBytes)}` },
    }),
  },
];

const faulty = faults.map(
  ({ word, title, clauses, refusal, needsOther, spoil }): Check => ({
    ...base,
    id: `register/child-${word}`,
    title: `A child registration ${title}`,
    clauses,
    registers: needsOther === undefined ? 3 : 4,
    requests: needsOther === 'child' ? 15 : 8,
    refusal: true,
    async run(t) {
      const made = await birth(t);
      const makes = { root: () => t.root(), child: () => makeChild(t, made.parent) };
      const other = needsOther === undefined ? undefined : await makes[needsOther]();
      const { key, body } = spoil(t, made, other);
      const mayMiss = refusal === 'register/AGENT_NOT_FOUND';
      t.refused(await sendChild(t, key, body, { mayMiss }), refusal, ...clauses);
      t.accepted(await sendChild(t, made.parent.key, made.body));
    },
  }),
);

const registerChildMetadata: Check = {
  ...base,
  id: 'register/child-metadata',
  title: 'Neither more than 4 KB nor what is no object is kept as metadata of a child',
  clauses: UNFIT_METADATA,
  registers: 8,
  requests: 30,
  async run(t) {
    for (const metadata of unfitMetadata(t)) {
      const { parent, body } = await birth(t);
      await unfitNotKept(t, metadata, await sendChild(t, parent.key, { ...body, metadata }));
    }
    const { parent, body } = await birth(t);
    t.accepted(await sendChild(t, parent.key, body));
  },
};

const registerChildAuthorizationOnce: Check = {
  ...base,
  id: 'register/child-authorization-once',
  title: 'A spawn authorization makes one child',
  clauses: [
    'spawn.authorization.once',
    'spawn.authorization.name',
    'register.error.spawn-conflict',
    'register.child.body.spawn-authorization',
  ],
  registers: 7,
  requests: 14,
  refusal: true,
  async run(t) {
    const { parent, body } = await birth(t);
    t.accepted(await sendChild(t, parent.key, body));
    const again = await sendChild(t, parent.key, body);
    t.refused(again, 'register/SPAWN_CONFLICT', 'spawn.authorization.once', 'register.error.spawn-conflict');
    const other = await sendChild(t, parent.key, { ...body, name: t.word() });
    t.refused(other, 'register/SPAWN_CONFLICT', 'spawn.authorization.once', 'spawn.authorization.name');
    // A parent needs another authorization for the next child, as for the first.
    const name = t.word();
    const unpaid = { name, parent: parent.hash };
    for (const given of [unpaid, { ...unpaid, spawn_authorization: t.hex(32) }]) {
      t.shows('register.child.body.spawn-authorization').refuses(await sendChild(t, parent.key, given));
    }
    const spawn_authorization = await authorizationFor(t, parent, name, costBeats(t, 0, 1));
    const next = await sendChild(t, parent.key, { ...unpaid, spawn_authorization });
    t.accepted(next, 'register.child.body.spawn-authorization');
  },
};

export const registerChildChecks: readonly Check[] = [
  registerChild,
  registerChildParentOptional,
  ...faulty,
  registerChildMetadata,
  registerChildAuthorizationOnce,
];
