import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { Session } from '../../../test/fixtures/session.js';

let session: Session;
let parent: TestAgent;
let child: TestAgent;
beforeEach(async () => {
  session = await Session.start();
  parent = await session.sigilAgent();
  child = await session.child(parent);
});
afterEach(() => session.close());

const listed = async () => (await session.sponsorships(parent))[0];
const outcome = (name: string, over: object = {}) =>
  session.outcome(name, { child_hash: child.hash, ...over }, parent.authorization);
/** A heartbeat of the child, paid from its parent's wallet. */
const sendHeartbeat = async (lamports = 500_000): Promise<string> => {
  const { status, body } = await session.heartbeat(child, lamports);
  return status === 200 ? '200' : `${status} ${body.code}`;
};

describe('none → active (3.4)', () => {
  it('[sponsor.transition.create] [service.sponsor] by a sponsor that may: then its wallet pays for the child', async () => {
    expect(await listed()).toBeUndefined();
    expect(await sendHeartbeat()).toBe('403 WALLET_REQUIRED');
    const { sponsorship } = await session.sponsor(parent, child);
    expect(sponsorship).toMatchObject({ status: 'active', max_heartbeats_epoch: 100, heartbeats_used_epoch: 0 });
    expect(await listed()).toMatchObject({ status: 'active', child_hash: child.hash });
    expect(await sendHeartbeat()).toBe('200');
    expect((await listed()).heartbeats_used_epoch).toBe(1);
  });

  it('[sponsor.transition.create] not by one that may not', async () => {
    const stranger = await session.root();
    const body = { child_hash: child.hash };
    expect(await session.outcome('POST /agent/sponsor', body, stranger.authorization)).toBe('403 SPONSOR_NOT_ANCESTOR');
    expect(await session.sponsorships(stranger)).toEqual([]);
    expect(await sendHeartbeat()).toBe('403 WALLET_REQUIRED');
  });
});

describe('active → active (3.4)', () => {
  it('[sponsor.transition.update] [sponsor.update.terms] [sponsor.update.use] [sponsor.update.created-at] by POST again: other terms, the same use and birth', async () => {
    await session.sponsor(parent, child, { max_heartbeats_epoch: 5, expires_in_hours: 1 });
    const before = await listed();
    expect(await sendHeartbeat()).toBe('200');
    session.deployment.advance(90_000);
    const { sponsorship } = await session.sponsor(parent, child, { max_heartbeats_epoch: 9, expires_in_hours: 3 });
    const after = {
      ...before,
      max_heartbeats_epoch: 9,
      heartbeats_used_epoch: 1,
      expires_at: '2026-01-01T03:01:30.000Z',
    };
    expect(await session.sponsorships(parent)).toEqual([after]);
    expect(after).toMatchObject({ status: 'active', created_at: '2026-01-01T00:00:00.000Z' });
    expect({ ...sponsorship, created_at: before.created_at }).toEqual(after);
  });

  it('[sponsor.update.terms] without terms goes back to 100 heartbeats and no end', async () => {
    await session.sponsor(parent, child, { max_heartbeats_epoch: 5, expires_in_hours: 1 });
    const { sponsorship } = await session.sponsor(parent, child);
    expect(sponsorship).toMatchObject({ max_heartbeats_epoch: 100, expires_at: null });
  });

  it('[sponsor.use.reset] by the next billing epoch, from 0', async () => {
    await session.close();
    session = await Session.start({ overlay: { heartbeat: { epochBeats: 20 } } });
    parent = await session.sigilAgent();
    child = await session.child(parent);
    await session.sponsor(parent, child, { max_heartbeats_epoch: 1 });
    expect([await sendHeartbeat(), (await listed()).heartbeats_used_epoch]).toEqual(['200', 1]);
    session.pass(19);
    expect([await sendHeartbeat(), (await listed()).heartbeats_used_epoch]).toEqual(['429 SPONSOR_CAP_REACHED', 1]);
    session.pass(1);
    expect((await listed()).heartbeats_used_epoch).toBe(0);
    expect([await sendHeartbeat(), (await listed()).heartbeats_used_epoch]).toEqual(['200', 1]);
  });
});

describe('active → revoked (3.4)', () => {
  it('[sponsor.transition.revoke] by DELETE, once', async () => {
    await session.sponsor(parent, child);
    expect(await outcome('DELETE /agent/sponsor')).toBe('200');
    expect((await listed()).status).toBe('revoked');
    expect(await sendHeartbeat()).toBe('403 WALLET_REQUIRED');
    expect(await outcome('DELETE /agent/sponsor')).toBe('404 SPONSOR_NOT_FOUND');
  });

  it('[sponsor.transition.frozen.parent] by the freeze of the parent', async () => {
    await session.sponsor(parent, child);
    session.pass(40);
    expect(await sendHeartbeat()).toBe('200');
    session.pass(20);
    expect((await listed()).status).toBe('active');
    session.pass(1);
    expect((await session.status(parent)).status).toBe('frozen');
    expect((await session.status(child)).status).toBe('active');
    expect((await listed()).status).toBe('revoked');
    expect(await sendHeartbeat()).toBe('403 SPONSOR_PARENT_FROZEN');
    await session.resync(parent);
    expect((await listed()).status).toBe('revoked');
  });

  it('[sponsor.transition.frozen.child] by the freeze of the child', async () => {
    await session.sponsor(parent, child);
    session.pass(40);
    expect((await session.heartbeat(parent)).status).toBe(200);
    session.pass(20);
    expect((await listed()).status).toBe('active');
    session.pass(1);
    expect((await session.status(child)).status).toBe('frozen');
    expect((await session.status(parent)).status).toBe('active');
    expect((await listed()).status).toBe('revoked');
  });

  it("[sponsor.transition.key-revoked] by the revocation of the child's key, not by that of another child", async () => {
    const other = await session.child(parent, 'other');
    await session.sponsor(parent, child);
    await session.control(`/agents/${other.hash}/revoke-key`);
    expect((await listed()).status).toBe('active');
    await session.control(`/agents/${child.hash}/revoke-key`);
    expect((await listed()).status).toBe('revoked');
  });

  it('[sponsor.transition.revoke] and back by POST', async () => {
    await session.sponsor(parent, child);
    expect(await outcome('DELETE /agent/sponsor')).toBe('200');
    await session.sponsor(parent, child);
    expect([(await listed()).status, await sendHeartbeat()]).toEqual(['active', '200']);
  });
});

describe('active → expired (D-30)', () => {
  it.each([
    [3_600_000, 'active', '200'],
    [3_600_001, 'expired', '403 WALLET_REQUIRED'],
  ])(
    '[sponsor.expired.status] [sponsor.expired.unused] %i ms after one of an hour: %s, %s',
    async (ms, status, paid) => {
      await session.sponsor(parent, child, { expires_in_hours: 1 });
      // The anchors are stalled, so that no agent freezes within the hour.
      await session.control('/anchors/stall', { on: true });
      session.deployment.advance(ms);
      expect((await listed()).status).toBe(status);
      expect(await sendHeartbeat()).toBe(paid);
    },
  );
});
