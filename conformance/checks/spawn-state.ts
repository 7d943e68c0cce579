/** Checks of spawning over time: frozen parents, the life of authorizations, and the effects of credited beats and links. */

import { DAY_SEC } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed } from '../assertions/unjudged.js';
import { submitBeats } from '../moves/beats-submit.js';
import { lookup as lookupMove } from '../moves/lookup.js';
import { change, FINE } from '../moves/metadata.js';
import { spawn } from '../moves/spawn.js';
import { buy, heartbeat, purchase } from '../steps/paid.js';
import { lapse } from '../steps/resync-call.js';
import { authorizationFor, costBeats, makeChild, preflight, registerChild } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import { chainEnd, chainProof, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { type Agent, sigilPriceLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = { needs: ['beats'] } as const;

const frozen: WrittenCheck = {
  ...base,
  id: 'spawn/frozen',
  title: 'Spawn calls of a frozen parent are refused',
  needs: ['beats', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const asleep = await t.root({ init: true });
    await lapse(t, asleep);
    for (const parent of [asleep, await t.root({ init: true })])
      await preflight(t, parent, t.word(), costBeats(t, 0, 0));
  },
};

/** Prepares a valid, authorized registration; the returned function sends it. */
async function prepareRegistration(t: Trial, parent: Agent): Promise<() => Promise<Reply>> {
  const name = t.word();
  const spawn_authorization = await authorizationFor(t, parent, name);
  return () => registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization });
}

const ttl: WrittenCheck = {
  ...base,
  id: 'spawn/authorization-ttl',
  title: 'A spawn authorization is accepted within 300 seconds and refused after them',
  needs: ['beats', 'clock'],
  waits: ({ spawn }) => ({ sec: spawn.authorizationTtlSec }),
  async run(t) {
    const [one, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const { authorizationTtlSec } = t.protocol.spawn;
    const startMs = t.nowMs();
    const [inTime, late] = [await prepareRegistration(t, one), await prepareRegistration(t, other)];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + authorizationTtlSec * 1_000 - 1, true);
    // If an authorization expires earlier than D-31 says, the rest of the check still judges that it expires.
    await t.part(async () => void t.accepted(await inTime(), 'spawn.authorization.ttl'));
    await t.sleepUntil(madeMs + (authorizationTtlSec + 1) * 1_000);
    const reply = await late();
    t.refused(reply, 'register/SPAWN_CONFLICT', 'spawn.authorization.ttl', 'register.error.spawn-conflict');
    if (reply.status < 400) await judgeLateExpiry(t);
    else t.refused(reply, '4xx', 'spawn.error.spawn-conflict.expired');
  },
};

/**
 * Judges an authorization that lives longer than 300 seconds: section 7 says that authorizations expire, only a decision says when. Uses one just
 * before its parent is frozen, and another after a week. That refusal may also be because the parent is frozen, so only a conflict counts.
 */
async function judgeLateExpiry(t: Trial): Promise<void> {
  if (!t.session.offers.has('clock')) t.need(undefined, 'an authorization that expires within an hour', 'D-31');
  const clause = 'spawn.error.spawn-conflict.expired';
  const send = await prepareRegistration(t, await t.root({ init: true }));
  const sendLater = await prepareRegistration(t, await t.root({ init: true }));
  await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
  const anHourLater = await send();
  if (anHourLater.status >= 400) {
    t.refused(anHourLater, '4xx', clause);
    return;
  }
  await t.sleep({ sec: 7 * DAY_SEC });
  const aWeekLater = await sendLater();
  if (aWeekLater.status < 400 || aWeekLater.status === 409) t.refused(aWeekLater, '4xx', clause);
  else t.shows(clause).unjudged('an authorization is valid for over an hour, and the parent is frozen a week later');
}

/** Credits beats of the agent's own chain. */
async function credit(t: Trial, agent: Agent, beats: number): Promise<void> {
  const proof = await chainProof(t, await chainEnd(t, agent), beats);
  await workTaken(t, await t.send(submitBeats(agent, proof)));
}

const credited: WrittenCheck = {
  ...base,
  id: 'spawn/credited',
  title:
    'Credited beats replace a receipt: an authorization reserves them, its expiry releases them, and the registration spends them',
  needs: ['beats', 'clock'],
  waits: ({ spawn }) => ({ sec: spawn.authorizationTtlSec }),
  async run(t) {
    const parent = await t.root({ init: true });
    const beats = costBeats(t, 0, 0);
    await credit(t, parent, beats);
    const probe = (child_name: string): Promise<Reply> => t.send(spawn(parent, { child_name }));
    const expiring = t.word();
    const first = t.accepted(await probe(expiring), 'spawn.credited.eligible');
    t.shows('spawn.credited.eligible').field(first, 'eligible', true);
    t.shows('spawn.credited.eligible').field(first, 'receipt_based', false);
    t.shows('spawn.credited.eligible').field(first, 'required_beats', beats);
    const reserved = await probe(t.word());
    t.refused(reserved, 'spawn/RECEIPT_REQUIRED', 'spawn.credited.reserved');
    t.shows('spawn.credited.reserved', 'spawn.probe.progress').field(reserved, 'deficit', beats);
    await t.sleep({ sec: t.protocol.spawn.authorizationTtlSec + 1 });
    const name = t.word();
    const again = t.accepted(await probe(name), 'spawn.credited.freed');
    const body = { name, parent: parent.hash, spawn_authorization: again.string('spawn_authorization') };
    t.accepted(await registerChild(t, parent.key, body), 'spawn.credited.eligible');
    const spent = await probe(t.word());
    t.refused(spent, 'spawn/RECEIPT_REQUIRED', 'spawn.credited.spent');
    t.shows('spawn.credited.spent').field(spent, 'required_beats', costBeats(t, 0, 1));
    t.shows('spawn.credited.spent', 'spawn.probe.progress').field(spent, 'deficit', costBeats(t, 0, 1));
    // The first authorization has expired.
    const spawn_authorization = first.string('spawn_authorization');
    await registerChild(t, parent.key, { name: expiring, parent: parent.hash, spawn_authorization });
  },
};

const lineage: WrittenCheck = {
  ...base,
  id: 'spawn/lineage',
  title: "Linking a child is recorded in its parent's lineage, and lookups lead from the child to the root",
  async run(t) {
    const parent = await t.root({ init: true, metadata: { mark: t.word() } });
    const hashNow = async (): Promise<unknown> => {
      const reply = t.mustSucceed(await t.send(lookupMove('beat-status', parent.hash)));
      return t.need(reply.get('heartbeat_epoch.lineage_chain_hash'), `lineage_chain_hash in ${reply.name}`, 'D-21');
    };
    let before: unknown;
    await t.part(async () => {
      before = await hashNow();
    });
    const child = await makeChild(t, parent);
    await t.part(async () => {
      const after = await hashNow();
      const changed = t.shows('lineage.hash.spawned');
      if (before === undefined) changed.unjudged(notFollowed('D-21', 'no lineage_chain_hash is shown'));
      else changed.that('lineage_chain_hash after a birth', before !== after, 'another hash', 'the same');
    });
    for (const lookup of ['verify', 'status'] as const) await look(t, lookup, child.hash);
  },
};

const childInit: WrittenCheck = {
  ...base,
  id: 'spawn/child-init',
  title: 'A spawned child starts a beat chain of its own, before it is linked',
  async run(t) {
    const parent = await t.root({ init: true });
    // The child exists and has its key before its parent links it.
    const child = await makeChild(t, parent, { link: false });
    const musts = ['spawn.child.init', 'init.transition.active'];
    const reply = t.accepted(await t.call('init', { key: child.key }), ...musts);
    t.shows('spawn.child.init').field(reply, 'agent_hash', child.hash);
    // 2.3 and 3.1: its chain begins now, as that of a root does.
    t.shows(...musts).field(reply, 'genesis.index', 0);
    t.shows(...musts).field(reply, 'status', 'active');
    const linking = { child_name: child.name, child_hash: child.hash };
    t.accepted(await t.send(spawn(parent, linking)), 'spawn.flow.finalize');
  },
};

const childIdentity: WrittenCheck = {
  ...base,
  id: 'spawn/child-identity',
  title: 'A child links a wallet, sends heartbeats without a SIGIL, buys one, and may then do what a root may',
  needs: ['beats', 'payments'],
  async run(t) {
    // The child does not inherit the class of its parent.
    const child = await makeChild(t, await t.walletRoot({ sigil: 'autonomous' }), { init: true });
    const agent = { ...child, wallet: t.wallet() };
    await linkWith(t, child, agent.wallet);
    await t.fund(agent.wallet, 2 * sigilPriceLamports(t.protocol, 'narrow_task'));
    await heartbeat(t, agent);
    await buy(t, agent, purchase(t));
    await t.send(change(child, FINE));
    await t.call('passport', { key: child.key });
  },
};

export const spawnStateChecks: readonly WrittenCheck[] = [frozen, ttl, credited, lineage, childInit, childIdentity];
