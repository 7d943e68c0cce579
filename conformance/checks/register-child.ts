/** Registration of children (4.2, mode 5) with an authorization. The authorization itself is checked in spawn.ts. */

import type { Reply } from '../assertions/reply.js';
import { lookup } from '../moves/lookup.js';
import { unfitMetadata } from '../moves/register.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { authorizationFor, costBeats, makeChild, registerChild as sendChild } from '../steps/spawn-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'] } as const;

/** A valid child registration. */
interface Birth {
  readonly parent: Agent;
  readonly body: { readonly name: string; readonly parent: string; readonly spawn_authorization: string };
}

/** A started parent, and the registration of a child that it is authorized for. */
async function birth(t: Trial, given?: Agent, costs?: number): Promise<Birth> {
  const parent = given ?? (await t.root({ init: true }));
  const name = t.word();
  const spawn_authorization = await authorizationFor(t, parent, name, costs);
  return { parent, body: { name, parent: parent.hash, spawn_authorization } };
}

const registerChild: WrittenCheck = {
  ...base,
  id: 'register/child',
  title: 'An authorized child is registered under its parent, without a wallet, and may link one',
  async run(t) {
    // A child has no wallet though its parent has one.
    const { parent, body } = await birth(t, await t.walletRoot({ init: true }));
    const metadata = { mark: t.word(), list: [1, { a: null }] };
    const reply = t.mustSucceed(await sendChild(t, parent.key, { ...body, metadata }));
    const textOf = (field: string): string => {
      const value = reply.get(field);
      return t.need(typeof value === 'string' ? value : undefined, `${field} of a registered child`, 'D-16');
    };
    const hash = textOf('hash');
    for (const id of ['status', 'verify'] as const) await t.call(id, { params: { hash } });
    await t.send(verifyBatch([hash]));
    t.accepted(await linkWith(t, { ...parent, hash, key: textOf('api_key') }), 'wallet.purpose');
  },
};

const registerChildParentOptional: WrittenCheck = {
  ...base,
  id: 'register/child-parent-optional',
  title: 'A child registration may leave its parent out',
  async run(t) {
    const { parent, body } = await birth(t);
    const { parent: hash, ...short } = body;
    const reply = t.accepted(await sendChild(t, parent.key, short), 'register.child.parent-optional');
    t.shows('register.child.parent-optional').field(reply, 'parent', hash);
  },
};

const registerChildRefused: WrittenCheck = {
  ...base,
  id: 'register/child-refused',
  title:
    'A child registration without name, key or authorization, or with those of another child or parent, is refused',
  async run(t) {
    const root = await t.root({ init: true });
    const [child, other] = [await makeChild(t, root), await t.root()];
    const { parent, body } = await birth(t, root, costBeats(t, 0, 1));
    const { name, spawn_authorization } = body;
    const faulty: readonly (readonly [key: string | undefined, body: object])[] = [
      [undefined, body],
      [other.key, body],
      [parent.key, { parent: parent.hash, spawn_authorization }],
      [parent.key, { name, parent: parent.hash }],
      [parent.key, { ...body, spawn_authorization: t.hex(32) }],
      [parent.key, { ...body, name: t.word() }],
      [other.key, { ...body, parent: other.hash }],
      [parent.key, { ...body, parent: other.hash }],
      [parent.key, { ...body, parent: child.hash }],
      [parent.key, { ...body, parent: `0x${t.hex(t.protocol.agent.hashBytes)}` }],
    ];
    for (const [key, sent] of faulty) await sendChild(t, key, sent, { mayMiss: true });
    t.mustSucceed(await sendChild(t, parent.key, body));
  },
};

const registerChildMetadata: WrittenCheck = {
  ...base,
  id: 'register/child-metadata',
  title: 'A child registration does not keep metadata that is over 4 KB or not an object',
  async run(t) {
    let last: Reply | undefined;
    for (const metadata of [...Object.values(unfitMetadata(t.protocol)), undefined]) {
      const { parent, body } = await birth(t);
      last = await sendChild(t, parent.key, { ...body, metadata });
      const hash = last.get('hash');
      if (typeof hash === 'string') await t.send(lookup('status', hash));
    }
    t.mustSucceed(t.need(last, 'a reply'));
  },
};

const registerChildAuthorizationOnce: WrittenCheck = {
  ...base,
  id: 'register/child-authorization-once',
  title: 'A spawn authorization is accepted once, and the next child needs another one',
  async run(t) {
    const { parent, body } = await birth(t);
    t.mustSucceed(await sendChild(t, parent.key, body));
    await sendChild(t, parent.key, body);
    await sendChild(t, parent.key, { ...body, name: t.word() });
    const next = await birth(t, parent, costBeats(t, 0, 1));
    for (const spawn_authorization of [undefined, t.hex(32)])
      await sendChild(t, parent.key, { ...next.body, spawn_authorization });
    t.accepted(await sendChild(t, parent.key, next.body), 'register.child.body.spawn-authorization');
  },
};

export const registerChildChecks: readonly WrittenCheck[] = [
  registerChild,
  registerChildParentOptional,
  registerChildRefused,
  registerChildMetadata,
  registerChildAuthorizationOnce,
];
