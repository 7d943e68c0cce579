import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protocol } from '../../../spec/protocol.js';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import { proofOf } from '../../../test/fixtures/family.js';
import { TestAgent } from '../../../test/fixtures/http.js';
import { Session } from '../../../test/fixtures/session.js';
import { createAnchorChain } from '../../beats/anchor.js';
import { FROZEN } from '../../registry/state.js';

// Clauses that no client can judge: they show in the state of the service alone. All others are judged by `aips conform self`,
// and the fold of the lineage by reference/registry/lineage.test.ts.

let session: Session;
beforeEach(async () => {
  session = await Session.start();
});
afterEach(() => session.close());

describe('what no client sees', () => {
  it('[service.register.records] a registration is the service’s own record and moves no lamport', async () => {
    const { ledger } = session.deployment.host.service;
    const { hash, row } = await session.walletless('recorded');
    expect(ledger.transactions.size).toBe(0);
    expect(session.registry.names[row]).toBe('recorded');
    expect(await session.ok(`GET /status/${hash}`)).toMatchObject({ exists: true, tx_signature: null });
  });

  it('[flag.field.target-hash] [flag.field.asserted-class] [flag.field.reason] a flag is kept as it was filed', async () => {
    const [reporter, target] = [await session.sigilAgent(), await session.root()];
    const body = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'acts alone' };
    const filed = await session.ok('POST /agent/flag', body, reporter.authorization);
    const kept = session.registry.flags.list.find(({ id }) => id === filed.flag_id);
    const row = { reporter: reporter.row, target: target.row, assertedClass: 'autonomous', reason: 'acts alone' };
    expect(kept).toMatchObject({ ...row, status: 'pending' });
  });

  it('[flag.transition.review] a flag waits for a review by the id that it was given', async () => {
    const [reporter, target] = [await session.sigilAgent(), await session.root()];
    const body = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'acts alone' };
    const { flag_id } = await session.ok('POST /agent/flag', body, reporter.authorization);
    const review = (id: string) => session.deployment.control('POST', `/flags/${id}/review`, { outcome: 'dismiss' });
    expect((await review('4f9f1c1e-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await review(flag_id)).status).toBe(200);
  });

  it('[heartbeat.interval.configurable] the minimum interval is that of the server’s settings', async () => {
    const other = await Session.start({ overlay: { heartbeat: { intervalBeatsMin: 3 } } });
    try {
      const agent = await other.sigilAgent();
      await other.heartbeat(agent);
      other.pass(2);
      expect((await other.heartbeat(agent)).body.next_eligible_beat).toBe(3);
      other.pass(1);
      expect((await other.heartbeat(agent)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('[resync.nonce.once] a nonce of a resync that was used is refused, while it has not expired', async () => {
    const cheap = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } };
    const other = await Session.start({ overlay: { ...cheap, limits: { resyncChallenge: { count: 9 } } } });
    try {
      const agent = await other.sigilAgent();
      other.pass(61);
      const { nonce } = (await other.ok('POST /agent/resync', { action: 'challenge' }, agent.authorization)).challenge;
      const prove = () =>
        other.outcome(
          'POST /agent/resync',
          { action: 'prove', challenge_nonce: nonce, proof: proofOf(other.deployment, agent, 6_100) },
          agent.authorization,
        );
      expect(await prove()).toBe('200');
      other.registry.agents.line.setStatus(agent.row, FROZEN);
      expect(await prove()).toBe('400 VALIDATION');
    } finally {
      await other.close();
    }
  });

  it('[beat-anchor.reply.before-first] before the first anchor there is none, and nothing on chain', async () => {
    const { service } = session.deployment.host;
    service.stalled = true;
    Object.assign(service.anchors, createAnchorChain({ domain: 'SERVICE_BEATS_V1', protocol }));
    const none = { anchor: null, on_chain: { anchored: false }, receipt: null };
    expect(await session.ok('GET /beat/anchor')).toMatchObject(none);
  });

  it('[passport.public-key.ethereum] a passport contains an Ethereum address with 0x', async () => {
    const { address, sign } = ethereumWallet(7);
    const { nonce } = await session.ok('POST /register', { action: 'challenge', wallet_chain: 'ethereum' });
    const wallet_signature = sign(`service-register-ethereum:${nonce}:${address}:chained`);
    const proof = { wallet_chain: 'ethereum', wallet_address: address, wallet_nonce: nonce, wallet_signature };
    const made = await session.ok('POST /register', { name: 'chained', ...proof });
    const chained = new TestAgent(session.deployment, session.freshKey(), made);
    // D-51: such an agent cannot pay for a SIGIL itself.
    session.registry.agents.line.setIdentityClass(chained.row, 1);
    const { passport } = await session.ok('GET /agent/passport', undefined, chained.authorization);
    expect(passport.agent_public_key).toBe(address);
  });

  it('a registration with a wallet, a birth and a timestamp are memos on the ledger, and a refused purchase writes none', async () => {
    const { ledger } = session.deployment.host.service;
    const memos = () => [...ledger.transactions.values()].flatMap((each) => (each.kind === 'memo' ? [each.text] : []));
    const agent = await session.root();
    const body = { identity_class: 'narrow_task', principal: 'acme', tier: 'ind', name: 'weather' };
    const buy = (payment_tx: string) => session.outcome('POST /sigil', { ...body, payment_tx }, agent.authorization);
    expect(await buy('x')).toBe('400 PAYMENT_INVALID');
    expect(memos()).toEqual([`registered ${agent.hash}`]);
    expect(await buy(agent.pay(50_000_000))).toBe('200');
    await session.ok('POST beats:/beat/timestamp', { hash: 'AB'.repeat(32) });
    expect(memos().slice(1)).toEqual([`sigil weather*acme*ind ${agent.hash}`, `timestamp ${'AB'.repeat(32)}`]);
  });
});
