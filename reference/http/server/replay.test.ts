import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTROL_TOKEN, Deployment } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { totalLamports } from '../../ledger/ledger.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { catchUp } from '../../service.js';
import type { Command } from '../../store/command.js';
import { createHost } from '../request/host.js';
import { replay } from './replay.js';

let deployment: Deployment;
let commands: Command[];

beforeEach(async () => {
  deployment = await Deployment.start({ policy: { beatsRequired: false } });
  commands = [];
  // As a journal keeps them: as text.
  const record = (command: Command): unknown => commands.push(JSON.parse(JSON.stringify(command)) as Command);
  deployment.host.keeper = { record, settled: () => undefined };
});
afterEach(() => deployment.close());

/** A host with the same options to which the commands were applied, at the deployment's present time. */
function replayed() {
  const { clock, host } = deployment;
  const other = createHost({ ...host.service.options, seed: 7, startMs: 1_767_225_600_000 }, clock, {
    trustForwardedFor: true,
  });
  for (const command of commands) replay(other, command);
  catchUp(other.service, clock.nowMs());
  return other;
}

const control = (path: string, body: unknown) => deployment.control('POST', path, body);

describe('replaying what was accepted', () => {
  it('leads to the same state, refused calls and reads in between or not', async () => {
    const token = (await deployment.post('/register/token')).body.token as string;
    await deployment.post(
      '/register',
      { name: 'x', metadata: { a: [1e300, '\ud800'] } },
      { 'x-registration-token': token },
    );
    await deployment.post('/register', { name: '' });
    const address = 'So11111111111111111111111111111111111111112';
    await control('/ledger/wallets', { address, lamports: 1_000_000_000 });
    const agents = await Promise.all([1, 2, 3].map(() => deployment.register()));
    for (const agent of agents) {
      const from = agent.key.publicKeyBase58;
      await control('/ledger/wallets', { address: from, lamports: 100_000_000 });
      const to = deployment.host.service.paymentAddress;
      const pay = async (lamports: number): Promise<string> =>
        (await control('/ledger/transfers', { from, to, lamports })).body.signature as string;
      const sigil = { identity_class: 'narrow_task', principal: 'p', tier: 'org', payment_tx: await pay(50_000_000) };
      expect((await agent.post('/sigil', sigil)).status).toBe(200);
      expect((await agent.post('/sigil', sigil)).status).toBe(409);
      await agent.post('/agent/init');
      await control('/clock/advance', { ms: 600_001 });
      expect((await agent.post('/agent/heartbeat', { payment_tx: await pay(500_000) })).status).toBe(200);
      expect((await agent.post('/agent/reissue-proof', { payment_tx: await pay(200_000) })).status).toBe(200);
      await deployment.get(`/verify/${agent.hash}`);
    }
    await control('/clock/advance', { anchors: 70 });
    expect((await agents[0]?.post('/agent/resync'))?.status).toBe(200);
    await control('/anchors/stall', { on: true });
    await deployment.post('/register', { name: 'x', action: 'challenge' });
    await control('/clock/advance', { ms: 290_000 });
    await deployment.get('/beat/anchor');
    await control('/clock/advance', { ms: 20_000 });
    await deployment.get('/beat/anchor');
    await control(`/agents/${agents[1]?.hash}/revoke-key`, {});
    await control('/anchors/stall', { on: false });
    await control('/clock/advance', { ms: 59_999 });

    const again = replayed();
    expect(fingerprint(again.service.registry)).toBe(fingerprint(deployment.host.service.registry));
    expect(totalLamports(again.service.ledger)).toBe(totalLamports(deployment.host.service.ledger));
    expect([...again.service.ledger.transactions.keys()]).toEqual([
      ...deployment.host.service.ledger.transactions.keys(),
    ]);
    expect(again.service.anchors).toEqual(deployment.host.service.anchors);
  });

  it('goes through a reset', async () => {
    await deployment.register();
    await control('/clock/advance', { ms: 90_000 });
    await control('/reset', { seed: 11 });
    await deployment.register();
    const again = replayed();
    expect(again.service.options.seed).toBe(11);
    expect(fingerprint(again.service.registry)).toBe(fingerprint(deployment.host.service.registry));
  });

  it('keeps no credential but the token that a call used up', async () => {
    const token = (await deployment.post('/register/token')).body.token as string;
    const agent = await deployment.register();
    await agent.post('/agent/init');
    await deployment.post(
      '/register',
      { name: 'x' },
      { 'x-registration-token': token, 'x-registration-secret': 'S3CRET' },
    );
    const kept = JSON.stringify(commands);
    expect(kept).toContain(token);
    for (const secret of [agent.apiKey, CONTROL_TOKEN, 'S3CRET']) expect(kept).not.toContain(secret);
  });

  it('[dms.freeze] keeps the anchors and freezes that reads alone have seen, on a clock that runs by itself', async () => {
    let nowMs = GENESIS_MS;
    const clock = { nowMs: () => nowMs };
    const running = await Deployment.start({ clock });
    try {
      const agent = await running.register();
      expect((await agent.post('/agent/init')).status).toBe(200);
      const kept = () => running.commands.filter(({ name }) => name === 'clock:tick').map(({ at }) => at - GENESIS_MS);
      nowMs += 61 * 60_000 + 5;
      expect((await running.get(`/status/${agent.hash}`)).body.status).toBe('frozen');
      nowMs += 59_000;
      await running.get(`/status/${agent.hash}`);
      expect(kept()).toEqual([61 * 60_000 + 5]);
      nowMs += 1_000;
      expect((await running.get('/beat/anchor')).body.anchor.beat_index).toBe(62);
      expect(kept()).toEqual([61 * 60_000 + 5, 62 * 60_000 + 5]);
      const host = createHost({ ...running.host.service.options, startMs: GENESIS_MS }, clock, {
        trustForwardedFor: true,
      });
      for (const command of structuredClone(running.commands)) replay(host, command);
      expect(host.service.anchors).toEqual(running.host.service.anchors);
      expect(fingerprint(host.service.registry)).toBe(fingerprint(running.host.service.registry));
      nowMs += 7;
    } finally {
      await running.close();
    }
    expect(running.commands.at(-1)).toMatchObject({ at: GENESIS_MS + 62 * 60_000 + 12, name: 'clock:tick' });
  });

  it('keeps nothing of what changes nothing', async () => {
    const unknown = `0x${'ab'.repeat(32)}`;
    const beat = { index: 1, hash: '00'.repeat(32), prev: '00'.repeat(32) };
    expect((await deployment.post('/agent/checkin', {})).status).toBe(410);
    expect((await deployment.post('/verify/batch', { hashes: [unknown] })).status).toBe(200);
    for (const service of ['', 'beats:']) {
      expect((await deployment.call(`POST ${service}/beat/verify`, { beat })).status).toBe(200);
      expect((await deployment.call(`POST ${service}/beat/verify`, { mode: 'x' })).status).toBe(400);
    }
    expect(commands).toEqual([]);
  });

  it('keeps no ticks of a clock that is moved by calls', async () => {
    await control('/clock/advance', { anchors: 3 });
    deployment.advance(120_000);
    await deployment.get('/beat/anchor');
    expect(commands.map(({ name }) => name)).toEqual(['control:clock/advance']);
  });

  it('stops at a command that is refused now, or unknown', () => {
    const command = { at: 1_767_225_600_000, agent: -1, body: {}, given: {} };
    const fresh = () => createHost(deployment.host.service.options, deployment.clock, { trustForwardedFor: true });
    expect(() => replay(fresh(), { ...command, name: 'sponsor.patch' })).toThrow(/no command of this version/);
    const late = { ...command, name: 'register', body: { mode: 'child', name: 'x', spawn_authorization: 'x' } };
    expect(() => replay(fresh(), late)).toThrow(/accepted once and is refused now/);
  });
});
