import { beforeEach, describe, expect, it } from 'vitest';
import {
  anchorsTo,
  codeOfOutcome,
  GENESIS_MS,
  payment,
  receipt,
  testChild,
  testRegistry,
  walletRoot,
  withSigil,
} from '../../test/fixtures/registry.js';
import { heartbeat } from './heartbeat.js';
import { init } from './init.js';
import { revokeKey } from './keys.js';
import { registerRoot } from './register.js';
import { resync } from './resync.js';
import { spawn } from './spawn.js';
import { type SponsorInput, sponsor, sponsorshipStatus, sponsorshipsOf, unsponsor, usedInEpoch } from './sponsor.js';
import type { Registry } from './state.js';

const HOUR_MS = 3_600_000;

let registry: Registry;
let parent: number;
let wallet: number;
let child: number;

beforeEach(() => {
  registry = testRegistry();
  ({ agent: parent, wallet } = walletRoot(registry, 'parent'));
  child = testChild(registry, parent, { name: 'child' });
});

const give = (input: Partial<SponsorInput> = {}, nowMs = registry.anchorAtMs) =>
  sponsor(registry, { agent: parent, child, ...input }, nowMs);
const sendHeartbeat = (agent: number, sender: number, lamports = 500_000) =>
  codeOfOutcome(heartbeat(registry, { agent, payment: payment(sender, lamports) }, registry.anchorAtMs));
const only = () => {
  const [given] = sponsorshipsOf(registry, parent);
  if (given === undefined) throw new Error('no sponsorship');
  return given;
};
/** Lets time pass and keeps an agent from freezing. */
function on(anchors: number, ...alive: number[]): number {
  const nowMs = anchorsTo(registry, registry.anchorIndex + anchors);
  for (const agent of alive) registry.agents.line.setLastSyncAnchor(agent, registry.anchorIndex);
  return nowMs;
}

describe('who may sponsor whom', () => {
  it.each<[string, () => Partial<SponsorInput>, string]>([
    ['a parent its child', () => ({}), 'ok'],
    ['nobody', () => ({ child: -1 }), 'AGENT_NOT_FOUND'],
    ['itself', () => ({ child: parent }), 'SPONSOR_INVALID'],
    ['a stranger', () => ({ child: walletRoot(registry, 'stranger').agent }), 'SPONSOR_NOT_ANCESTOR'],
    ['a child its parent', () => ({ agent: child, child: parent }), 'SPONSOR_NOT_ANCESTOR'],
    ['a grandparent a grandchild', () => ({ child: testChild(registry, child, { name: 'grandchild' }) }), 'ok'],
    [
      'a child before its finalize call',
      () => ({ child: testChild(registry, parent, { name: 'new', link: false }) }),
      'SPONSOR_NOT_ANCESTOR',
    ],
    [
      'a wallet-less parent',
      () => ({ agent: child, child: testChild(registry, child, { name: 'grandchild' }) }),
      'WALLET_REQUIRED',
    ],
  ])('%s', (_name, input, code) => {
    expect(codeOfOutcome(give(input()))).toBe(code);
  });

  it('no frozen parent, and no parent whose wallet is on Ethereum', () => {
    registry.agents.line.setStatus(parent, 2);
    expect(codeOfOutcome(give())).toBe('SPONSOR_PARENT_FROZEN');
    registry.agents.line.setStatus(parent, 1);
    registry.agents.columns.walletChain[parent] = 1;
    expect(codeOfOutcome(give())).toBe('WALLET_REQUIRED');
  });

  it('a grandchild is no descendant while a link above it is missing', () => {
    const unlinked = testChild(registry, parent, { name: 'unlinked', link: false });
    const grandchild = testChild(registry, unlinked, { name: 'grandchild' });
    expect(codeOfOutcome(give({ child: grandchild }))).toBe('SPONSOR_NOT_ANCESTOR');
    spawn(registry, { agent: parent, child: unlinked }, GENESIS_MS);
    expect(codeOfOutcome(give({ child: grandchild }))).toBe('ok');
  });
});

describe('a sponsorship', () => {
  it('is for 100 heartbeats and without end by default', () => {
    const outcome = give();
    expect(outcome.ok && outcome.sponsorship).toMatchObject({ heartbeatsEpochMax: 100, expiresAtMs: null, used: 0 });
  });

  it('counts through its last millisecond and reads expired after', () => {
    give({ expiresInHours: 1 });
    expect(sponsorshipStatus(only(), GENESIS_MS + HOUR_MS)).toBe('active');
    expect(sponsorshipStatus(only(), GENESIS_MS + HOUR_MS + 1)).toBe('expired');
    const late = GENESIS_MS + HOUR_MS + 1;
    expect(codeOfOutcome(unsponsor(registry, { agent: parent, child }, late))).toBe('SPONSOR_NOT_FOUND');
    const refused = heartbeat(registry, { agent: child, payment: payment(wallet, 500_000) }, late);
    expect(codeOfOutcome(refused)).toBe('WALLET_REQUIRED');
  });

  it('is renewed in place: cap and expiry change, use and creation stay', () => {
    give({ heartbeatsEpochMax: 5, expiresInHours: 1 });
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    give({ heartbeatsEpochMax: 7 }, GENESIS_MS + 1_000);
    expect(sponsorshipsOf(registry, parent)).toHaveLength(1);
    expect(only()).toMatchObject({ heartbeatsEpochMax: 7, expiresAtMs: null, createdAtMs: GENESIS_MS, used: 1 });
  });

  it('ends by DELETE, once, and can be given again', () => {
    give();
    const end = () => codeOfOutcome(unsponsor(registry, { agent: parent, child }, GENESIS_MS));
    expect(codeOfOutcome(unsponsor(registry, { agent: parent, child: -1 }, GENESIS_MS))).toBe('AGENT_NOT_FOUND');
    expect([end(), end()]).toEqual(['ok', 'SPONSOR_NOT_FOUND']);
    expect(sponsorshipStatus(only(), GENESIS_MS)).toBe('revoked');
    expect(sendHeartbeat(child, wallet)).toBe('WALLET_REQUIRED');
    give();
    expect(sponsorshipStatus(only(), GENESIS_MS)).toBe('active');
  });
});

describe('a heartbeat that is paid by another', () => {
  it('is charged to the sponsorship up to its cap', () => {
    give({ heartbeatsEpochMax: 2 });
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    on(10, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    on(10, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('SPONSOR_CAP_REACHED');
    expect(usedInEpoch(registry, only())).toBe(2);
  });

  it('is refused from a stranger, known or unknown', () => {
    give();
    const stranger = walletRoot(registry, 'stranger').wallet;
    expect(sendHeartbeat(child, stranger)).toBe('PAYMENT_SENDER_MISMATCH');
    expect(sendHeartbeat(child, -1)).toBe('PAYMENT_SENDER_MISMATCH');
    expect(usedInEpoch(registry, only())).toBe(0);
  });

  it('of a child with a wallet of its own is charged by who pays', () => {
    give();
    registry.agents.line.setWallet(child, wallet + 1);
    expect(sendHeartbeat(child, wallet + 1)).toBe('ok');
    expect(only().used).toBe(0);
    on(10, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    expect(only().used).toBe(1);
  });

  it('starts again with the billing epoch', () => {
    registry = testRegistry({ overlay: { heartbeat: { epochBeats: 20 } } });
    ({ agent: parent, wallet } = walletRoot(registry, 'parent'));
    child = testChild(registry, parent, { name: 'child' });
    give({ heartbeatsEpochMax: 1 });
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    on(19, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('SPONSOR_CAP_REACHED');
    on(1, parent, child);
    expect(usedInEpoch(registry, only())).toBe(0);
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    expect(usedInEpoch(registry, only())).toBe(1);
  });

  it('is charged to the nearest ancestor with room, where one wallet sponsors through several', () => {
    registry.agents.line.setWallet(child, wallet);
    const grandchild = testChild(registry, child, { name: 'grandchild' });
    give({ child: grandchild });
    sponsor(registry, { agent: child, child: grandchild, heartbeatsEpochMax: 1 }, GENESIS_MS);
    const used = () => [parent, child].map((row) => usedInEpoch(registry, sponsorshipsOf(registry, row)[0] ?? only()));
    expect(sendHeartbeat(grandchild, wallet)).toBe('ok');
    expect(used()).toEqual([0, 1]);
    on(10, parent, child, grandchild);
    expect(sendHeartbeat(grandchild, wallet)).toBe('ok');
    expect(used()).toEqual([1, 1]);
  });

  it('without the wallet policy anyone may pay for a wallet-less child, and a sponsor is still charged', () => {
    registry = testRegistry({ policy: { byoWallet: false } });
    ({ agent: parent, wallet } = walletRoot(registry, 'parent'));
    child = testChild(registry, parent, { name: 'child' });
    give({ heartbeatsEpochMax: 1 });
    expect(sendHeartbeat(child, -1)).toBe('ok');
    expect(only().used).toBe(0);
    on(10, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('ok');
    on(10, parent, child);
    expect(sendHeartbeat(child, wallet)).toBe('SPONSOR_CAP_REACHED');
  });
});

describe('revocation', () => {
  it('by the freeze of the sponsor: its payments are told so while it is frozen', () => {
    give();
    on(60, child);
    registry.agents.line.setLastSyncAnchor(child, registry.anchorIndex);
    on(1, child);
    expect(registry.agents.line.status(parent)).toBe(2);
    expect(sponsorshipStatus(only(), registry.anchorAtMs)).toBe('revoked');
    expect(sendHeartbeat(child, wallet)).toBe('SPONSOR_PARENT_FROZEN');
    expect(sendHeartbeat(child, -1)).toBe('PAYMENT_SENDER_MISMATCH');
    const { anchorIndex, anchorAtMs } = registry;
    const back = resync(registry, { agent: parent, receipt: receipt({ beats: 10_000, anchorIndex }) }, anchorAtMs);
    expect(codeOfOutcome(back)).toBe('ok');
    expect(sendHeartbeat(child, wallet)).toBe('WALLET_REQUIRED');
  });

  it('by the freeze of the child', () => {
    give();
    registry.agents.line.setLastSyncAnchor(parent, 30);
    on(61);
    expect(registry.agents.line.status(child)).toBe(2);
    expect(registry.agents.line.status(parent)).toBe(1);
    expect(sponsorshipStatus(only(), registry.anchorAtMs)).toBe('revoked');
  });

  it("by the revocation of the child's key, not of the parent's", () => {
    give();
    revokeKey(registry, parent, GENESIS_MS);
    expect(sponsorshipStatus(only(), GENESIS_MS)).toBe('active');
    revokeKey(registry, child, GENESIS_MS);
    expect(sponsorshipStatus(only(), GENESIS_MS)).toBe('revoked');
  });
});

it('a wallet-less root is refused, whoever pays', () => {
  const { agent } = registerRoot(registry, { name: 'bare' }, GENESIS_MS);
  init(registry, { agent }, GENESIS_MS);
  registry.agents.line.setIdentityClass(agent, 1);
  expect(sendHeartbeat(agent, wallet)).toBe('WALLET_REQUIRED');
  withSigil(registry, { agent: parent });
  expect(sendHeartbeat(parent, wallet)).toBe('ok');
});
