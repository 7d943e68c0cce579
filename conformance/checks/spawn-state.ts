import { spawnAuthorized, spawnFinalized } from '../../spec/endpoints/spawn.js';
import type { Reply } from '../assertions/reply.js';
import { fewest } from '../steps/resync-call.js';
import { authorizationFor, costBeats, makeChild, preflight, registerChild, spawn } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { chainEnd, chainProof } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 1, writes: true } as const;

const frozen: Check = {
  ...base,
  id: 'spawn/frozen',
  title: 'A frozen parent spawns no child',
  clauses: ['spawn.error.agent-frozen'],
  needs: ['beats', 'clock'],
  registers: 2,
  requests: 12,
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const asleep = await t.root({ init: true });
    await t.sleep({ anchors: fewest(t) });
    const awake = await t.root({ init: true });
    const beats = costBeats(t, 0, 0);
    t.refused(await preflight(t, asleep, t.word(), beats), 'spawn/AGENT_FROZEN');
    t.accepted(await preflight(t, awake, t.word(), beats), () => spawnAuthorized);
  },
};

const ttl: Check = {
  ...base,
  id: 'spawn/authorization-ttl',
  title: 'A spawn authorization is good for 300 seconds',
  clauses: ['spawn.authorization.ttl', 'spawn.error.spawn-conflict.expired'],
  needs: ['beats', 'clock'],
  registers: 4,
  requests: 12,
  refusal: true,
  waits: ({ spawn }) => ({ sec: spawn.authorizationTtlSec }),
  async run(t) {
    const [one, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const prepare = async (parent: Agent): Promise<() => Promise<Reply>> => {
      const name = t.word();
      const spawn_authorization = await authorizationFor(t, parent, name);
      return () => registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization });
    };
    const { authorizationTtlSec } = t.protocol.spawn;
    const startMs = t.nowMs();
    const [inTime, late] = [await prepare(one), await prepare(other)];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + authorizationTtlSec * 1_000, true);
    t.accepted(await inTime());
    await t.sleepUntil(madeMs + (authorizationTtlSec + 1) * 1_000);
    // That it expires is 4.8's, that it does so after 300 seconds a decision.
    t.refused(await late(), 'register/SPAWN_CONFLICT', 'D-31');
  },
};

/** As setup: so many beats of the agent's own chain are credited to it. */
async function credit(t: Trial, agent: Agent, beats: number): Promise<void> {
  const proof = await chainProof(t, await chainEnd(t, agent), beats);
  await t.setup('credited beats', async () =>
    t.accepted(await t.call('beats-submit', { key: agent.key, body: proof })),
  );
}

const credited: Check = {
  ...base,
  id: 'spawn/credited',
  title: 'Credited beats authorize a child without a receipt, are reserved for it, free again, and spent by its birth',
  clauses: [
    'spawn.credited.eligible',
    'spawn.credited.reserved',
    'spawn.credited.freed',
    'spawn.credited.spent',
    'spawn.probe.progress',
  ],
  needs: ['beats', 'clock'],
  registers: 2,
  requests: 12,
  refusal: true,
  waits: ({ spawn }) => ({ sec: spawn.authorizationTtlSec }),
  async run(t) {
    const parent = await t.root({ init: true });
    const beats = costBeats(t, 0, 0);
    await credit(t, parent, beats);
    const probe = (child_name: string): Promise<Reply> => spawn(t, parent, { child_name });
    const first = t.accepted(await probe(t.word()), () => spawnAuthorized);
    t.equal('receipt_based', first.get('receipt_based'), false);
    t.equal('required_beats', first.get('required_beats'), beats);
    const reserved = t.refused(await probe(t.word()), 'spawn/RECEIPT_REQUIRED');
    t.equal('deficit while the beats are reserved', reserved.get('deficit'), beats);
    await t.sleep({ sec: t.protocol.spawn.authorizationTtlSec + 1 });
    const name = t.word();
    const again = t.accepted(await probe(name), () => spawnAuthorized);
    const body = { name, parent: parent.hash, spawn_authorization: again.string('spawn_authorization') };
    t.accepted(await registerChild(t, parent.key, body));
    const spent = t.refused(await probe(t.word()), 'spawn/RECEIPT_REQUIRED');
    t.equal('required_beats', spent.get('required_beats'), costBeats(t, 0, 1));
    t.equal('deficit once they are spent', spent.get('deficit'), costBeats(t, 0, 1));
  },
};

const lineage: Check = {
  ...base,
  id: 'spawn/lineage',
  title: "Linking a child is recorded in its parent's lineage, and lookups lead from the child to the root",
  clauses: ['lineage.hash.spawned', 'register.child.lineage', 'lineage.place'],
  registers: 2,
  requests: 10,
  async run(t) {
    const parent = await t.root({ init: true });
    const hashNow = async (): Promise<unknown> =>
      (await t.call('beat-status', { params: { hash: parent.hash } })).get('heartbeat_epoch.lineage_chain_hash');
    const before = await hashNow();
    const child = await makeChild(t, parent);
    const after = await hashNow();
    t.decided('D-14', () =>
      t.that('lineage_chain_hash', before !== after, 'another value than before the child', String(after)),
    );
    const verified = t.accepted(await t.call('verify', { params: { hash: child.hash } }));
    t.shown(verified, 'agent.parent', parent.hash, 'D-20');
    t.shown(verified, 'agent.depth', 1, 'D-20');
    t.shown(verified, 'root.hash', parent.hash, 'D-20');
    t.shown(verified, 'lineage.0.hash', child.hash, 'D-20');
    t.shown(verified, 'lineage.1.hash', parent.hash, 'D-20');
  },
};

const childLives: Check = {
  ...base,
  id: 'spawn/child-init',
  title: 'A spawned child starts a beat chain of its own',
  clauses: ['spawn.child.init'],
  registers: 2,
  requests: 8,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }));
    const reply = t.accepted(await t.call('init', { key: child.key }));
    t.equal('agent_hash', reply.get('agent_hash'), child.hash);
    t.equal('status', reply.get('status'), 'active');
  },
};

const finalizes: Check = {
  ...base,
  id: 'spawn/finalize-without-name',
  title: 'The call that links a child may leave its name out',
  clauses: ['spawn.finalize.without-name'],
  registers: 2,
  requests: 7,
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent, { link: false });
    const reply = t.accepted(await spawn(t, parent, { child_hash: child.hash }), spawnFinalized);
    t.equal('child_hash', reply.get('child_hash'), child.hash);
  },
};

export const spawnStateChecks: readonly Check[] = [frozen, ttl, credited, lineage, childLives, finalizes];
