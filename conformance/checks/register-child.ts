import { registeredAgent } from '../../spec/endpoints/register.js';
import type { ErrorKey } from '../../spec/errors.js';
import { authorizationFor, registerChild } from '../steps/spawn-call.js';
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
async function birth(t: Trial): Promise<Birth> {
  const parent = await t.root({ init: true });
  const name = t.word();
  const spawn_authorization = await authorizationFor(t, parent, name);
  return { parent, body: { name, parent: parent.hash, spawn_authorization } };
}

const child: Check = {
  ...base,
  id: 'register/child',
  title: 'An authorized child is registered under its parent, without a wallet',
  clauses: [
    'register.child.auth',
    'register.child.single-phase',
    'register.child.body.name',
    'register.child.body.parent',
    'register.child.body.spawn-authorization',
    'register.child.reply',
    'register.child.lineage',
    'register.child.no-wallet',
    'register.header.authorization',
    'agent.child.type',
    'key.parent.register',
    'lineage.place',
  ],
  requests: 8,
  async run(t) {
    const { parent, body } = await birth(t);
    const reply = t.accepted(await registerChild(t, parent.key, body));
    t.decided('D-16', () => {
      t.accepted(reply, registeredAgent);
      t.equal('type', reply.get('type'), 'agent');
      t.equal('parent', reply.get('parent'), parent.hash);
      t.equal('depth', reply.get('depth'), 1);
      t.equal('name', reply.get('name'), body.name);
      t.equal('wallet_chain', reply.get('wallet_chain'), null);
    });
    const hash = reply.string('hash');
    reply.string('api_key');
    const status = t.accepted(await t.call('status', { params: { hash } }));
    t.shown(status, 'depth', 1, 'D-19');
    t.shown(status, 'wallet', null, 'D-19');
    const verified = t.accepted(await t.call('verify', { params: { hash } }));
    t.shown(verified, 'agent.parent', parent.hash, 'D-20');
  },
};

const parentOptional: Check = {
  ...base,
  id: 'register/child-parent-optional',
  title: 'A child registration may leave its parent out',
  clauses: ['register.child.parent-optional'],
  requests: 6,
  async run(t) {
    const { parent, body } = await birth(t);
    const { name, spawn_authorization } = body;
    const reply = t.accepted(await registerChild(t, parent.key, { name, spawn_authorization }));
    t.equal('parent', reply.get('parent'), parent.hash);
  },
};

/** One fault of a child registration. */
interface Fault {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly refusal: ErrorKey;
  /** Another parent's agent is registered for it. */
  readonly needsOther?: true;
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
    needsOther: true,
    spoil: (_t, { body }, other) => ({ key: other?.key ?? '', body: { ...body, parent: other?.hash } }),
  },
  {
    word: 'names-another',
    title: 'that names another parent than the one whose key it carries is refused',
    clauses: ['register.error.validation.parent'],
    refusal: 'register/VALIDATION',
    needsOther: true,
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
    registers: needsOther === true ? 4 : 3,
    requests: 8,
    refusal: true,
    async run(t) {
      const made = await birth(t);
      const other = needsOther === true ? await t.root() : undefined;
      const { key, body } = spoil(t, made, other);
      t.refused(await registerChild(t, key, body, { mayMiss: refusal === 'register/AGENT_NOT_FOUND' }), refusal);
      t.accepted(await registerChild(t, made.parent.key, made.body));
    },
  }),
);

const once: Check = {
  ...base,
  id: 'register/child-authorization-once',
  title: 'A spawn authorization makes one child',
  clauses: ['spawn.authorization.once', 'register.error.spawn-conflict'],
  registers: 3,
  requests: 7,
  refusal: true,
  async run(t) {
    const { parent, body } = await birth(t);
    t.accepted(await registerChild(t, parent.key, body));
    t.refused(await registerChild(t, parent.key, body), 'register/SPAWN_CONFLICT');
  },
};

export const registerChildChecks: readonly Check[] = [child, parentOptional, ...faulty, once];
