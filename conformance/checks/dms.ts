import { heartbeat, reissue } from '../steps/paid.js';
import { tidied } from '../steps/tidied.js';
import { untilFrozen } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { registers: 0, writes: true } as const;

/** What init says of an agent whose chain has started: active or frozen (2.3, 3.1). */
async function statusOf(t: Trial, key: string): Promise<unknown> {
  return t.accepted(await t.call('init', { key })).get('status');
}

const afterHeartbeat: Check = {
  ...base,
  id: 'dms/after-heartbeat',
  title: 'An agent lives through 60 missed anchors after its heartbeat and is frozen by the 61st',
  clauses: [
    'dms.freeze',
    'dms.freeze.heartbeats',
    'dms.count.heartbeat',
    'dms.when',
    'constant.dms-threshold',
    'service.dms',
    'heartbeat.error.agent-frozen',
    'checkin.replacement',
    'agent.status.values',
  ],
  needs: ['payments', 'clock'],
  walletRegisters: 4,
  requests: 28,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => 2 * sigil.narrowTaskFeeLamports + 5 * tier1FeeLamports,
  refusal: true,
  waits: untilFrozen(30),
  async run(t) {
    const [saved, lost] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    // Past the start of the chain, so that only the heartbeat counts.
    await t.sleep({ anchors: 30 });
    t.accepted(await heartbeat(t, saved));
    t.accepted(await heartbeat(t, lost));
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
    t.accepted(await heartbeat(t, saved, 2));
    t.equal('status after 60 missed anchors', await statusOf(t, lost.key), 'active');
    await t.sleep({ anchors: 1 });
    t.equal('status after 61 missed anchors', await statusOf(t, lost.key), 'frozen');
    t.refused(await heartbeat(t, lost, 2), 'heartbeat/AGENT_FROZEN');
    t.equal('status of the agent that sent a heartbeat', await statusOf(t, saved.key), 'active');
  },
};

const afterInit: Check = {
  ...base,
  id: 'dms/after-init',
  title: 'Without a heartbeat the missed anchors count from init',
  clauses: ['dms.count.init', 'dms.when'],
  needs: ['clock'],
  registers: 1,
  requests: 8,
  waits: untilFrozen(),
  async run(t) {
    const agent = await t.root({ init: true });
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
    t.equal('status after 60 missed anchors', await statusOf(t, agent.key), 'active');
    await t.sleep({ anchors: 1 });
    t.equal('status after 61 missed anchors', await statusOf(t, agent.key), 'frozen');
  },
};

const unstarted: Check = {
  ...base,
  id: 'dms/unstarted',
  title: 'An agent whose chain has not started is not frozen',
  clauses: ['dms.unstarted', 'agent.unstarted.standing'],
  needs: ['clock'],
  registers: 1,
  requests: 4,
  waits: untilFrozen(),
  async run(t) {
    const { hash, key } = await t.root();
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax + 1 });
    const status = await t.call('status', { params: { hash } });
    t.equal('status', status.get('status'), 'registered');
    t.equal('status of init', await (await t.call('init', { key })).get('status'), 'active');
  },
};

const standings: Check = {
  ...base,
  id: 'dms/standings',
  title: 'Status reads registered, active, warning from 49 anchors behind, and frozen',
  clauses: [
    'status.reply.status',
    'status.reply.status.warning',
    'agent.standing.values',
    'agent.beat-state.status',
    'beat-status.reply.whitelist',
  ],
  needs: ['clock'],
  registers: 1,
  requests: 24,
  waits: untilFrozen(),
  async run(t) {
    const { hash, key } = await t.root();
    const reads = async (word: string, when: string): Promise<void> => {
      const status = t.accepted(await t.call('status', { params: { hash } }));
      t.equal(`status ${when}`, status.get('status'), word);
      const verify = t.accepted(await t.call('verify', { params: { hash } }));
      t.equal(`standing ${when}`, verify.get('standing'), word);
      const beat = t.accepted(await t.call('beat-status', { params: { hash } }));
      t.equal(`whitelist.standing ${when}`, beat.get('whitelist.standing'), word);
      const state = word === 'registered' ? undefined : word === 'frozen' ? 'frozen' : 'active';
      t.equal(`beat_state.status ${when}`, status.get('beat_state.status'), state);
    };
    await reads('registered', 'before init');
    t.accepted(await t.call('init', { key }));
    const { warningAnchors, missedAnchorsMax } = t.protocol.dms;
    await t.sleep({ anchors: warningAnchors });
    await reads('active', `${warningAnchors} anchors behind`);
    await t.sleep({ anchors: 1 });
    await reads('warning', `${warningAnchors + 1} anchors behind`);
    await t.sleep({ anchors: missedAnchorsMax - warningAnchors - 1 });
    await reads('warning', `${missedAnchorsMax} anchors behind`);
    await t.sleep({ anchors: 1 });
    await reads('frozen', `${missedAnchorsMax + 1} anchors behind`);
  },
};

const open: Check = {
  ...base,
  id: 'dms/frozen-open',
  title: 'A frozen agent still buys a reissue, fetches its passport and is looked up',
  clauses: ['agent.frozen.open'],
  needs: ['payments', 'clock'],
  walletRegisters: 2,
  requests: 16,
  lamports: ({ sigil, reissue: { feeLamports } }) => sigil.narrowTaskFeeLamports + feeLamports,
  waits: untilFrozen(),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax + 1 });
    t.equal('status', await statusOf(t, agent.key), 'frozen');
    t.accepted(await reissue(t, agent));
    t.accepted(await t.call('passport', { key: agent.key }));
    t.equal('standing', (await t.call('verify', { params: { hash: agent.hash } })).get('standing'), 'frozen');
  },
};

const stalled: Check = {
  ...base,
  id: 'dms/stalled',
  title: 'While no anchors are issued, nobody misses one',
  clauses: ['dms.stalled', 'verify.reply.anchor-degraded'],
  needs: ['clock', 'control'],
  sleeps: 5,
  controls: ['anchors/stall'],
  registers: 1,
  requests: 14,
  exclusive: true,
  async run(t) {
    const { hash, key } = await t.root({ init: true });
    const degraded = async (): Promise<unknown> =>
      (await t.call('verify', { params: { hash } })).get('network.anchor_degraded');
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    // So that the age of the latest anchor is known to the millisecond.
    await t.sleep({ anchors: 1 });
    await t.control('POST anchors/stall', { on: true });
    await tidied(
      async () => {
        await t.sleep({ sec: degradedIntervals * intervalSec });
        t.equal(`anchor_degraded ${degradedIntervals} intervals after the last anchor`, await degraded(), false);
        await t.sleep({ sec: 1 });
        t.equal('anchor_degraded a second later', await degraded(), true);
        await t.sleep({ sec: 2 * t.protocol.dms.missedAnchorsMax * intervalSec });
        t.equal('status', await statusOf(t, key), 'active');
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
        // Until the next anchor lookups call the chain degraded, and other runs would see that.
        await t.sleep({ sec: t.protocol.anchor.intervalSec });
      },
    );
  },
};

export const dmsChecks: readonly Check[] = [afterHeartbeat, afterInit, unstarted, standings, open, stalled];
