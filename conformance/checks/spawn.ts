/** Checks of POST /agent/spawn: its three modes, the price of a child, and its refusals. Checks of changes over time are in spawn-state. */

import { keptName } from '../../spec/dialect-settings.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { spawn } from '../moves/spawn.js';
import { listSponsorships, sponsor } from '../moves/sponsor.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { costBeats, fundedPreflight, makeChild, preflight, registerChild } from '../steps/spawn-call.js';

import { windowOf } from '../steps/waits.js';
import { type Receipt, receiptOf, spendWork, tampered } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = { needs: ['beats'] } as const;

/** Requests the price of the next child. */
const probe = (t: Trial, parent: Agent): Promise<Reply> => t.send(spawn(parent, { child_name: t.word() }));

/** Registers a child with the authorization of its preflight. */
function registerAuthorized(t: Trial, parent: Agent, name: string, granted: Reply): Promise<Reply> {
  const spawn_authorization = granted.get('spawn_authorization');
  return registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization });
}

const flow: WrittenCheck = {
  ...base,
  id: 'spawn/flow',
  title: 'Probe, preflight, registration and link of a child are accepted in turn',
  async run(t) {
    const parent = await t.root({ init: true });
    const child_name = t.word();
    await probe(t, parent);
    await latestAnchor(t);
    const granted = await fundedPreflight(t, parent, child_name, costBeats(t, 0, 0));
    const child = t.accepted(await registerAuthorized(t, parent, child_name, granted), 'service.spawn');
    await t.send(spawn(parent, { child_name, child_hash: child.get('hash') }));
    await probe(t, parent);
  },
};

/** Registers `count` children of a root, without the lineage link. */
async function registerChildren(t: Trial, parent: Agent, count: number, before = 0): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (let siblings = before; siblings < before + count; siblings += 1)
    hashes.push((await makeChild(t, parent, { siblings, link: false })).hash);
  return hashes;
}

const siblings: WrittenCheck = {
  ...base,
  id: 'spawn/cost-siblings',
  title: 'The children of a root cost 1,000, 1,200, 1,440 and 1,728 beats',
  async run(t) {
    // Other checks probe the first price, since a parent has only five spawn calls an hour.
    const parent = await t.root({ init: true });
    const hashes = [...(await registerChildren(t, parent, 1))];
    await probe(t, parent);
    hashes.push(...(await registerChildren(t, parent, 2, 1)));
    await probe(t, parent);
    await t.send(verifyBatch(hashes));
  },
};

const fifth: WrittenCheck = {
  ...base,
  id: 'spawn/cost-fifth-child',
  title: 'The fifth child of a root costs 2,073 beats',
  async run(t) {
    const parent = await t.root({ init: true });
    await registerChildren(t, parent, 4);
    await probe(t, parent);
  },
};

const depth: WrittenCheck = {
  ...base,
  id: 'spawn/cost-depth',
  title: 'A child costs 1,500 beats at depth 1, then 1,800, and 2,250 at depth 2',
  async run(t) {
    const root = await t.root({ init: true });
    await probe(t, root);
    const child = await makeChild(t, root);
    for (const parent of [child, root]) await probe(t, parent);
    const grandchild = await makeChild(t, child, { depth: 1 });
    // A grandchild is not a sibling of the root's next child.
    for (const parent of [child, root, grandchild]) await probe(t, parent);
    await preflight(t, grandchild, t.word(), costBeats(t, 2, 0));
  },
};

const deep: WrittenCheck = {
  ...base,
  id: 'spawn/cost-depth-and-siblings',
  title: 'The fourth child of an agent at depth 2 costs 3,888 beats',
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    const parent = await makeChild(t, child, { depth: 1 });
    for (let siblings = 0; siblings < 3; siblings += 1) await makeChild(t, parent, { depth: 2, siblings, link: false });
    await probe(t, parent);
    await preflight(t, parent, t.word(), costBeats(t, 2, 3));
  },
};

/** The generations of the longest lineage that is made: its last parent is at depth 4. */
const GENERATIONS = 6;

const lineageOfSix: WrittenCheck = {
  ...base,
  id: 'spawn/lineage-of-six',
  title: 'A child of a parent at depth 4 costs 5,062 beats, and lookups lead from it to its root',
  async run(t) {
    const { depthMax } = t.protocol.agent;
    if (depthMax > 0 && depthMax < GENERATIONS) throw unreachable(`no agent is deeper than ${depthMax}`);
    const root = await t.walletRoot({ init: true });
    const child = await makeChild(t, root);
    t.accepted(await fundedPreflight(t, child, t.word(), costBeats(t, 1, 0)), 'lineage.depth-unlimited');
    const line: Agent[] = [child, root];
    for (let depth = 1; depth < GENERATIONS - 1; depth += 1) {
      const parent = line[0] as Agent;
      if (depth === GENERATIONS - 2) await probe(t, parent);
      line.unshift(await makeChild(t, parent, { depth, init: true }));
    }
    const [youngest, last] = line as [Agent, Agent];
    for (const parent of [last, youngest]) await probe(t, parent);
    for (const { hash } of line.slice(0, -1)) await t.send(sponsor(root, hash));
    await t.send(listSponsorships(root));
    await look(t, 'verify', youngest.hash);
    await t.send(verifyBatch(line.map(({ hash }) => hash)));
  },
};

const receipts: WrittenCheck = {
  ...base,
  id: 'spawn/receipts',
  title: 'A receipt authorizes one child that costs at most its beats, even after a refusal for a more expensive child',
  async run(t) {
    const [dear, cheap] = [await t.root({ init: true }), await t.root({ init: true })];
    await makeChild(t, dear);
    let beats_receipt: Receipt | undefined;
    await spendWork(t, costBeats(t, 0, 0), t.row('spawn/VALIDATION').code, (receipt) => {
      beats_receipt = receipt;
      return t.send(spawn(dear, { child_name: t.word(), beats_receipt }));
    });
    for (let n = 0; n < 2; n += 1) await t.send(spawn(cheap, { child_name: t.word(), beats_receipt }));
    const fresh = await t.root({ init: true });
    await probe(t, fresh);
    // A receipt may prove more than the child costs.
    for (const lacking of [1, 0, -1]) await preflight(t, fresh, t.word(), costBeats(t, 0, 0) - lacking);
  },
};

const registered: WrittenCheck = {
  ...base,
  id: 'spawn/child-registered',
  title: 'A preflight for a child that is registered already is refused, whether it is linked or not',
  async run(t) {
    for (const link of [true, false]) {
      const parent = await t.root({ init: true });
      const { name } = await makeChild(t, parent, { link });
      for (const word of [name, t.word()]) await preflight(t, parent, word, costBeats(t, 0, 1));
    }
  },
};

const notItsOwn: WrittenCheck = {
  ...base,
  id: 'spawn/finalize-other-parent',
  title: 'A link of a child by a stranger, its grandparent or the child itself is refused',
  async run(t) {
    const [root, stranger] = [await t.root({ init: true }), await t.root({ init: true })];
    const parent = await makeChild(t, root, { init: true });
    const child = await makeChild(t, parent, { depth: 1, link: false });
    for (const agent of [stranger, root, child, parent])
      await t.send(spawn(agent, { child_name: child.name, child_hash: child.hash }));
  },
};

const modes: WrittenCheck = {
  ...base,
  id: 'spawn/finalize-forms',
  title: 'The call that links a child is accepted without the name, and also with a receipt',
  async run(t) {
    const parent = await t.root({ init: true });
    const [one, other] = [
      await makeChild(t, parent, { link: false }),
      await makeChild(t, parent, { siblings: 1, link: false }),
    ];
    await t.send(spawn(parent, { child_hash: one.hash }));
    const beats_receipt = await receiptOf(t, costBeats(t, 0, 2));
    await t.send(spawn(parent, { child_name: other.name, child_hash: other.hash, beats_receipt }));
  },
};

const nameAsSent: WrittenCheck = {
  ...base,
  id: 'spawn/name-as-sent',
  title: 'A name in capitals and combining characters names one child in every step',
  async run(t) {
    const parent = await t.root({ init: true });
    // Two combining characters, one of which has a composed form, without the characters that the dialect removes.
    const child_name = keptName(t.facts.dialect, `Zoe\u0301 Zo\u00eb ${t.word().toUpperCase()}`);
    const granted = await preflight(t, parent, child_name, costBeats(t, 0, 0));
    const child_hash = (await registerAuthorized(t, parent, child_name, granted)).get('hash');
    await t.send(spawn(parent, { child_name, child_hash }));
    // The child of that name is registered, but not under this parent.
    await preflight(t, await t.root({ init: true }), child_name, costBeats(t, 0, 0));
  },
};

const malformed: WrittenCheck = {
  ...base,
  id: 'spawn/malformed',
  title: 'A spawn call without fields, with an invalid field, or with an altered receipt is refused',
  async run(t) {
    const beats = costBeats(t, 0, 0);
    const child_name = t.word();
    const forged = tampered(await receiptOf(t, beats), { beats_verified: 10 * beats });
    // A parent has five spawn calls an hour.
    for (const bodies of [
      [{}, { child_name: 7 }, { child_name, beats_receipt: 7 }],
      [
        { child_name, child_hash: 7 },
        { child_name, child_hash: 'none' },
        { child_name, beats_receipt: forged },
      ],
    ]) {
      const parent = await t.root({ init: true });
      for (const body of bodies) await t.send(spawn(parent, body));
      await preflight(t, parent, t.word(), beats);
    }
  },
};

const limit: WrittenCheck = {
  ...base,
  id: 'spawn/limit',
  title: 'The sixth spawn call of an agent in an hour is refused',
  needs: ['clock'],
  waits: windowOf('spawn'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = ({ key }: Agent) => t.send(spawn({ key }, { child_name: t.word() }), { mayLimit: true });
    await judgeLimit(t, {
      limit: 'spawn',
      clause: 'limit.spawn',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      elsewhere: otherPaths(t, agent.key, 'spawn'),
    });
  },
};

export const spawnChecks: readonly WrittenCheck[] = [
  flow,
  siblings,
  fifth,
  depth,
  deep,
  lineageOfSix,
  receipts,
  registered,
  notItsOwn,
  modes,
  nameAsSent,
  malformed,
  limit,
];
