import { spawnAuthorized, spawnFinalized } from '../../spec/endpoints/spawn.js';
import { judgeLimit } from '../steps/limit.js';
import { costBeats, makeChild, preflight, receiptOf, registerChild, spawn } from '../steps/spawn-call.js';
import { windowOf } from '../steps/waits.js';
import { tampered } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 1, writes: true } as const;

/** Asks what the next child costs: 402 with the cost, the parent's depth and its children so far. */
async function costs(t: Trial, parent: Agent, beats: number, depth: number, siblings: number): Promise<void> {
  const probe = t.refused(await spawn(t, parent, { child_name: t.word() }), 'spawn/RECEIPT_REQUIRED');
  t.equal(`required_beats at ${depth}/${siblings}`, probe.get('required_beats'), beats);
  t.equal(`depth at ${depth}/${siblings}`, probe.get('depth'), depth);
  t.equal(`siblings at ${depth}/${siblings}`, probe.get('siblings'), siblings);
}

const flow: Check = {
  ...base,
  id: 'spawn/flow',
  title: 'A parent asks the price, proves the work, registers the child and links it',
  clauses: [
    'spawn.route',
    'spawn.auth',
    'spawn.mode',
    'spawn.body.child-name',
    'spawn.body.beats-receipt',
    'spawn.body.child-hash',
    'spawn.probe.reply',
    'spawn.probe.progress',
    'spawn.preflight.reply',
    'spawn.preflight.reply.eligible',
    'spawn.preflight.reply.spawn-authorization',
    'spawn.preflight.reply.receipt-based',
    'spawn.finalize.reply',
    'spawn.finalize.reply.eligible',
    'spawn.flow.probe',
    'spawn.flow.anchor',
    'spawn.flow.compute',
    'spawn.flow.receipt',
    'spawn.flow.preflight',
    'spawn.flow.register',
    'spawn.flow.finalize',
    'spawn.cost.check.0-0',
    'spawn.error.receipt-required',
    'service.spawn',
    'service.beats.spawn',
    'key.parent.spawn',
  ],
  registers: 2,
  requests: 9,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const child_name = t.word();
    const probe = t.refused(await spawn(t, parent, { child_name }), 'spawn/RECEIPT_REQUIRED');
    const beats = costBeats(t, 0, 0);
    const price = ['spawn.probe.reply', 'spawn.cost.check.0-0'];
    t.about(price, () => t.equal('required_beats', probe.get('required_beats'), beats));
    t.fields(probe, '', { depth: 0, siblings: 0 });
    t.decided('D-31', () => {
      t.equal('eligible', probe.get('eligible'), false);
      t.equal('progress_pct', probe.get('progress_pct'), 0);
      t.equal('deficit', probe.get('deficit'), beats);
    });
    const granted = t.accepted(await preflight(t, parent, child_name, beats), () => spawnAuthorized);
    t.fields(granted, '', { receipt_based: true, required_beats: beats });
    const spawn_authorization = granted.string('spawn_authorization');
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const child_hash = t.accepted(await registerChild(t, parent.key, body)).string('hash');
    const linked = t.accepted(await spawn(t, parent, { child_name, child_hash }), spawnFinalized);
    t.fields(linked, '', { child_hash });
  },
};

const siblings: Check = {
  ...base,
  id: 'spawn/cost-siblings',
  title: 'The children of a root cost 1,000, 1,200, 1,440 and 1,728 beats',
  clauses: [
    'spawn.cost.siblings',
    'spawn.cost.check.0-0',
    'spawn.cost.check.0-1',
    'spawn.cost.siblings-of',
    'spawn.cost.exact',
    'spawn.cost.exact.0-3',
  ],
  registers: 4,
  requests: 18,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    for (let born = 0; born < 3; born += 1) {
      // The first price is told by the probe of other checks: a parent has five spawn calls an hour.
      if (born === 1) await costs(t, parent, costBeats(t, 0, 1), 0, 1);
      const name = t.word();
      const granted = t.accepted(await preflight(t, parent, name, costBeats(t, 0, born)), () => spawnAuthorized);
      t.equal(`required_beats at 0/${born}`, granted.get('required_beats'), costBeats(t, 0, born));
      const spawn_authorization = granted.string('spawn_authorization');
      t.accepted(await registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization }));
    }
    const probe = t.refused(await spawn(t, parent, { child_name: t.word() }), 'spawn/RECEIPT_REQUIRED');
    t.decided('D-31', () => t.equal('required_beats at 0/3', probe.get('required_beats'), costBeats(t, 0, 3)));
    t.equal('siblings', probe.get('siblings'), 3);
  },
};

const depth: Check = {
  ...base,
  id: 'spawn/cost-depth',
  title: 'A child costs 1,500 beats at depth 1, then 1,800, and 2,250 at depth 2',
  clauses: [
    'spawn.cost.depth',
    'spawn.cost.siblings',
    'spawn.cost.check.1-0',
    'spawn.cost.check.1-1',
    'spawn.cost.check.2-0',
    'spawn.cost.depth-of',
  ],
  registers: 3,
  requests: 18,
  refusal: true,
  async run(t) {
    const root = await t.root({ init: true });
    const child = await makeChild(t, root);
    await costs(t, child, costBeats(t, 1, 0), 1, 0);
    const grandchild = await makeChild(t, child, { depth: 1 });
    await costs(t, child, costBeats(t, 1, 1), 1, 1);
    await costs(t, grandchild, costBeats(t, 2, 0), 2, 0);
    const granted = await preflight(t, grandchild, t.word(), costBeats(t, 2, 0));
    t.accepted(granted, () => spawnAuthorized);
  },
};

const deep: Check = {
  ...base,
  id: 'spawn/cost-depth-and-siblings',
  title: 'The fourth child of an agent at depth 2 costs 3,888 beats',
  clauses: ['spawn.cost.check.2-3', 'spawn.cost.siblings', 'spawn.cost.depth'],
  registers: 6,
  requests: 28,
  refusal: true,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    const parent = await makeChild(t, child, { depth: 1 });
    for (let born = 0; born < 3; born += 1) await makeChild(t, parent, { depth: 2, siblings: born, link: false });
    await costs(t, parent, costBeats(t, 2, 3), 2, 3);
    t.accepted(await preflight(t, parent, t.word(), costBeats(t, 2, 3)), () => spawnAuthorized);
  },
};

const unlimited: Check = {
  ...base,
  id: 'spawn/depth-unlimited',
  title: 'A child may have children of its own',
  clauses: ['lineage.depth-unlimited'],
  registers: 2,
  requests: 10,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    t.accepted(await preflight(t, child, t.word(), costBeats(t, 1, 0)), () => spawnAuthorized);
  },
};

const insufficient: Check = {
  ...base,
  id: 'spawn/insufficient-beats',
  title: 'A receipt one beat short of the price is refused, one with that beat accepted',
  clauses: ['spawn.error.insufficient-beats', 'spawn.cost.check.0-0'],
  requests: 8,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const name = t.word();
    t.refused(await preflight(t, parent, name, costBeats(t, 0, 0) - 1), 'spawn/INSUFFICIENT_BEATS');
    t.accepted(await preflight(t, parent, name, costBeats(t, 0, 0)), () => spawnAuthorized);
  },
};

const registered: Check = {
  ...base,
  id: 'spawn/child-registered',
  title: 'A preflight for a child that is registered already is refused',
  clauses: ['spawn.error.spawn-conflict'],
  registers: 2,
  requests: 13,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const { name } = await makeChild(t, parent);
    const beats = costBeats(t, 0, 1);
    t.refused(await preflight(t, parent, name, beats), 'spawn/SPAWN_CONFLICT');
    t.accepted(await preflight(t, parent, t.word(), beats), () => spawnAuthorized);
  },
};

const usedReceipt: Check = {
  ...base,
  id: 'spawn/receipt-used',
  title: 'A receipt authorizes one child',
  clauses: ['spawn.error.spawn-conflict.receipt', 'receipt.once'],
  requests: 9,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const beats_receipt = await receiptOf(t, costBeats(t, 0, 0));
    t.accepted(await spawn(t, parent, { child_name: t.word(), beats_receipt }), () => spawnAuthorized);
    t.refused(await spawn(t, parent, { child_name: t.word(), beats_receipt }), 'spawn/SPAWN_CONFLICT', 'D-31');
    t.accepted(await preflight(t, parent, t.word(), costBeats(t, 0, 0)), () => spawnAuthorized);
  },
};

const forged: Check = {
  ...base,
  id: 'spawn/receipt-forged',
  title: 'A receipt whose beats were raised under the old signature authorizes nothing',
  clauses: ['spawn.error.validation.receipt', 'receipt.signature'],
  requests: 8,
  refusal: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const beats = costBeats(t, 0, 0);
    const beats_receipt = tampered(await receiptOf(t, 3), { beats_verified: beats });
    t.refused(await spawn(t, parent, { child_name: t.word(), beats_receipt }), 'spawn/VALIDATION');
    t.accepted(await preflight(t, parent, t.word(), beats), () => spawnAuthorized);
  },
};

const malformed = (
  [
    ['nothing', 'A spawn call without any field is refused', {}],
    ['name-type', 'A spawn call whose child_name is no string is refused', { child_name: 7 }],
    ['hash-form', 'A spawn call whose child_hash is no agent hash is refused', { child_hash: 'none' }],
  ] as const
).map(
  ([word, title, body]): Check => ({
    ...base,
    id: `spawn/malformed-${word}`,
    title,
    clauses: ['spawn.error.validation', 'spawn.body.child-name', 'spawn.body.child-hash'],
    requests: 6,
    refusal: true,
    async run(t) {
      const parent = await t.root({ init: true });
      t.refused(await spawn(t, parent, body), 'spawn/VALIDATION');
      t.accepted(await preflight(t, parent, t.word(), costBeats(t, 0, 0)), () => spawnAuthorized);
    },
  }),
);

const limit: Check = {
  ...base,
  id: 'spawn/limit',
  title: 'An agent makes 5 spawn calls an hour',
  clauses: ['limit.spawn', 'limit.error.rate-limited', 'limit.window', 'auth.rate-bucket.agent'],
  needs: ['clock'],
  registers: 2,
  requests: 14,
  refusal: true,
  waits: windowOf('spawn'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = ({ key }: Agent) => t.call('spawn', { key, body: { child_name: t.word() }, mayLimit: true });
    await judgeLimit(t, { limit: 'spawn', send: () => send(agent), other: () => send(other) });
  },
};

export const spawnChecks: readonly Check[] = [
  flow,
  siblings,
  depth,
  deep,
  unlimited,
  insufficient,
  registered,
  usedReceipt,
  forged,
  ...malformed,
  limit,
];
