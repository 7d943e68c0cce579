import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { Session } from '../../../test/fixtures/session.js';
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.js';

let session: Session;
let receiver: Receiver;
beforeEach(async () => {
  session = await Session.start({ policy: { allowLoopbackWebhooks: true } });
  receiver = await startReceiver(false);
});
afterEach(async () => {
  await session.close();
  await receiver.close();
});

const statusOf = async (agent: TestAgent): Promise<string> => (await session.status(agent)).status;
const chainStatus = async (agent: TestAgent): Promise<string> => (await session.status(agent)).beat_state?.status;
/** The status in both lookups, anchor by anchor. */
async function readings(agent: TestAgent, anchors: number): Promise<string[]> {
  session.pass(anchors);
  return [await statusOf(agent), await chainStatus(agent)];
}

describe('registered → active (3.1)', () => {
  it('[init.transition.active] by init with its key, and not by one without', async () => {
    const agent = await session.walletless();
    expect(await statusOf(agent)).toBe('registered');
    expect(await session.outcome('POST /agent/init', {})).toBe('401 AUTH_MISSING');
    expect(await statusOf(agent)).toBe('registered');
    expect((await session.ok('POST /agent/init', {}, agent.authorization)).status).toBe('active');
    expect(await statusOf(agent)).toBe('active');
  });

  it('[init.transition.genesis] creates the genesis beat', async () => {
    const agent = await session.walletless();
    const chain = async () => (await session.ok(`GET /agent/beat-status/${agent.hash}`)).heartbeat;
    expect(await chain()).toMatchObject({ genesis_hash: null, latest_beat: null, latest_hash: null });
    const { genesis } = await session.ok('POST /agent/init', {}, agent.authorization);
    expect(await chain()).toMatchObject({ genesis_hash: genesis.hash, latest_beat: 0, latest_hash: genesis.hash });
  });

  it('[init.transition.repeat] repeated returns the chain that exists, and changes nothing', async () => {
    const agent = await session.root();
    const proof = await session.proof(agent, 4);
    await session.ok('POST /agent/beats/submit', proof, agent.authorization);
    const before = await session.fingerprint();
    const again = await session.ok('POST /agent/init', {}, agent.authorization);
    expect(again).toMatchObject({ already_initialized: true, latest_beat: 4, latest_hash: proof.to_hash });
    expect(await session.fingerprint()).toBe(before);
  });
});

describe('active → frozen (3.1, D-24)', () => {
  it('[dms.freeze] [dms.when] [dms.count.init] [service.dms] with the 61st anchor missed since init, not with the 60th', async () => {
    session.pass(7);
    const agent = await session.root();
    expect(await readings(agent, 60)).toEqual(['warning', 'active']);
    expect(await readings(agent, 1)).toEqual(['frozen', 'frozen']);
  });

  it('[dms.count.heartbeat] counts from the last heartbeat', async () => {
    const agent = await session.sigilAgent();
    session.pass(30);
    expect((await session.heartbeat(agent)).status).toBe(200);
    expect(await readings(agent, 60)).toEqual(['warning', 'active']);
    expect(await readings(agent, 1)).toEqual(['frozen', 'frozen']);
  });

  it('[dms.count.resync] counts from the last resync', async () => {
    const agent = await session.root();
    session.pass(90);
    await session.resync(agent);
    expect(await readings(agent, 60)).toEqual(['warning', 'active']);
    expect(await readings(agent, 1)).toEqual(['frozen', 'frozen']);
  });

  it('[dms.unstarted] never before the chain has started', async () => {
    const agent = await session.walletless();
    session.pass(500);
    expect(await statusOf(agent)).toBe('registered');
    await session.ok('POST /agent/init', {}, agent.authorization);
    expect(await readings(agent, 60)).toEqual(['warning', 'active']);
    expect(await readings(agent, 1)).toEqual(['frozen', 'frozen']);
  });

  it('[dms.stalled] never while no anchor is issued', async () => {
    const agent = await session.root();
    session.pass(60);
    await session.control('/anchors/stall', { on: true });
    expect(await readings(agent, 1_000)).toEqual(['warning', 'active']);
    await session.control('/anchors/stall', { on: false });
    expect(await readings(agent, 1)).toEqual(['frozen', 'frozen']);
  });

  it('[agent.status.values] [agent.beat-state.status] and nothing else: neither when it is late nor when it is refused', async () => {
    const [agent, reporter] = [await session.sigilAgent(), await session.sigilAgent()];
    const body = { target_hash: agent.hash, asserted_class: 'autonomous', reason: 'r' };
    const { flag_id } = await session.ok('POST /agent/flag', body, reporter.authorization);
    await session.control(`/flags/${flag_id}/review`, { outcome: 'sustain' });
    const told = [];
    for (const anchors of [0, 48, 1, 11, 1, 200]) {
      session.pass(anchors);
      const { status } = await session.ok('POST /agent/init', {}, agent.authorization);
      told.push(`${status} ${await chainStatus(agent)} ${await statusOf(agent)}`);
    }
    const active = 'active active refused';
    expect(told).toEqual([active, active, active, active, 'frozen frozen refused', 'frozen frozen refused']);
  });

  it('[dms.freeze.event] emits agent.frozen, once', async () => {
    const agent = await session.rootUnder(await session.partner({ url: receiver.url, events: ['agent.frozen'] }));
    session.pass(60);
    await session.status(agent);
    expect(await session.delivered(receiver)).toEqual([]);
    session.pass(100);
    await session.status(agent);
    const data = { missed_anchors: 61, last_global_sync: 0, frozen_at_beat: 61 };
    const occurred_at = '2026-01-01T01:01:00.000Z';
    expect(await session.delivered(receiver)).toMatchObject([
      { event: 'agent.frozen', agent_hash: agent.hash, occurred_at, data },
    ]);
  });

  it('[dms.freeze.sponsorships] revokes what it gave and what it was given, and no other', async () => {
    const root = await session.sigilAgent();
    const middle = await session.child(root, 'middle');
    await session.link(Object.assign(middle, { key: session.freshKey() }));
    const leaf = await session.child(middle, 'leaf');
    const other = await session.child(root, 'other');
    for (const [from, to] of [
      [root, middle],
      [middle, leaf],
      [root, other],
      [root, leaf],
    ] as const) {
      await session.sponsor(from, to);
    }
    session.pass(40);
    expect((await session.heartbeat(root)).status).toBe(200);
    for (const alive of [leaf, other]) {
      const payment_tx = root.pay(500_000);
      await session.ok('POST /agent/heartbeat', { payment_tx }, alive.authorization);
    }
    session.pass(21);
    expect(await statusOf(middle)).toBe('frozen');
    const told = [...(await session.sponsorships(root)), ...(await session.sponsorships(middle))];
    expect(told.map(({ child_hash, status }) => [child_hash, status])).toEqual([
      [middle.hash, 'revoked'],
      [other.hash, 'active'],
      [leaf.hash, 'active'],
      [leaf.hash, 'revoked'],
    ]);
  });

  it('[dms.freeze.heartbeats] has its heartbeats refused from then on', async () => {
    const agent = await session.sigilAgent();
    session.pass(60);
    expect((await session.heartbeat(agent)).status).toBe(200);
    session.pass(61);
    const refused = await session.heartbeat(agent);
    expect([refused.status, refused.body.code]).toEqual([403, 'AGENT_FROZEN']);
    expect(await statusOf(agent)).toBe('frozen');
  });
});

describe('a frozen agent (D-49)', () => {
  /** Every call with an agent's key, and its outcome. */
  const calls: readonly (readonly [call: string, outcome: string, body: (agent: TestAgent) => unknown])[] = [
    ['POST /agent/heartbeat', '403 AGENT_FROZEN', (agent) => ({ payment_tx: agent.pay(500_000) })],
    ['POST /agent/beats/submit', '403 AGENT_FROZEN', (agent) => session.proof(agent, 5)],
    [
      'POST /agent/spawn',
      '403 AGENT_FROZEN',
      async () => ({ child_name: 'x', beats_receipt: await session.receipt(9_000) }),
    ],
    ['POST /agent/sponsor', '403 SPONSOR_PARENT_FROZEN', () => ({ child_hash: child.hash })],
    ['DELETE /agent/sponsor', '404 SPONSOR_NOT_FOUND', () => ({ child_hash: child.hash })],
    ['GET /agent/sponsor', '200', () => undefined],
    ['POST /agent/init', '200', () => ({})],
    ['POST /agent/reissue-proof', '200', (agent) => ({ payment_tx: agent.pay(200_000) })],
    ['PATCH /agent/metadata', '200', () => ({ capability: 'analyst' })],
    ['GET /agent/passport', '200', () => undefined],
    ['POST /agent/flag', '200', () => ({ target_hash: child.hash, asserted_class: 'autonomous', reason: 'r' })],
    ['POST /agent/wallet', '409 WALLET_ALREADY_LINKED', () => ({ action: 'challenge' })],
    ['POST /agent/resync', '200', async () => ({ beats_receipt: await session.receipt(6_100) })],
  ];
  let child: TestAgent;

  it.each(calls)('[agent.frozen.open] %s: %s', async (name, outcome, body) => {
    const agent = await session.sigilAgent();
    child = await session.child(agent);
    session.pass(61);
    expect(await statusOf(agent)).toBe('frozen');
    expect(await session.outcome(name, await body(agent), agent.authorization)).toBe(outcome);
  });

  it('[agent.frozen.open] buys a SIGIL and links a wallet', async () => {
    const agent = await session.walletless();
    await session.ok('POST /agent/init', {}, agent.authorization);
    session.pass(61);
    await session.link(agent);
    await session.buySigil(agent);
    expect(await statusOf(agent)).toBe('frozen');
  });
});

describe('frozen → active (3.1)', () => {
  it.each(['receipt', 'proof'])(
    '[resync.transition.active] [resync.transition.last-global-sync] [service.resync] by resync with a %s for the penalty',
    async (by) => {
      const agent = await session.root();
      session.pass(64);
      expect(await statusOf(agent)).toBe('frozen');
      const sync = async () => (await session.ok(`GET /agent/beat-status/${agent.hash}`)).whitelist.last_global_sync;
      expect(await sync()).toBe(0);
      const attempt = async (beats: number): Promise<string> => {
        if (by === 'receipt') {
          const body = { beats_receipt: await session.receipt(beats) };
          return session.outcome('POST /agent/resync', body, agent.authorization);
        }
        const { challenge } = await session.ok('POST /agent/resync', { action: 'challenge' }, agent.authorization);
        const body = { action: 'prove', challenge_nonce: challenge.nonce, proof: await session.proof(agent, beats) };
        return session.outcome('POST /agent/resync', body, agent.authorization);
      };
      expect(await attempt(6_399)).toBe(by === 'receipt' ? '402 INVALID_RECEIPT' : '400 VALIDATION');
      expect(await statusOf(agent)).toBe('frozen');
      expect(await attempt(6_400)).toBe('200');
      expect([await statusOf(agent), await chainStatus(agent), await sync()]).toEqual(['active', 'active', 64]);
    },
  );

  it('[service.beats.resync] by beats that it has proved', async () => {
    const agent = await session.root();
    session.pass(61);
    const { challenge } = await session.ok('POST /agent/resync', { action: 'challenge' }, agent.authorization);
    const proof = await session.proof(agent, challenge.required_beats);
    const spoiled = { ...proof, to_hash: 'ee'.repeat(32) };
    const prove = (each: object) =>
      session.outcome(
        'POST /agent/resync',
        { action: 'prove', challenge_nonce: challenge.nonce, proof: each },
        agent.authorization,
      );
    expect([await prove(spoiled), await statusOf(agent)]).toEqual(['400 VALIDATION', 'frozen']);
    expect([await prove(proof), await statusOf(agent)]).toEqual(['200', 'active']);
  });

  it('[resync.transition.event] emits agent.unfrozen', async () => {
    const agent = await session.rootUnder(await session.partner({ url: receiver.url, events: ['agent.unfrozen'] }));
    session.pass(61);
    expect(await session.delivered(receiver)).toEqual([]);
    await session.resync(agent);
    const data = { gap_anchors: 61, beats_proven: 10_000 };
    expect(await session.delivered(receiver)).toMatchObject([
      { event: 'agent.unfrozen', agent_hash: agent.hash, data },
    ]);
  });

  it.each(['registered', 'active'])(
    '[resync.transition.not-frozen] not from %s: 409, and nothing changes',
    async (from) => {
      const agent = from === 'active' ? await session.root() : await session.walletless();
      session.pass(60);
      const receipt = await session.receipt(10_000);
      const before = await session.fingerprint();
      for (const body of [{}, { beats_receipt: receipt }, { action: 'challenge' }]) {
        const refused = await session.call('POST /agent/resync', body, agent.authorization);
        expect([refused.status, refused.body.code]).toEqual([409, 'AGENT_WRONG_STATE']);
      }
      expect(await session.fingerprint()).toBe(before);
    },
  );
});
