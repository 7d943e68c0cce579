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

describe('no wallet → wallet linked (3.2)', () => {
  const walletOf = async (agent: TestAgent) => (await session.status(agent)).wallet;
  const nonceOf = async (agent: TestAgent): Promise<string> =>
    (await session.ok('POST /agent/wallet', { action: 'challenge' }, agent.authorization)).nonce;
  /** Finalizes with a nonce and a signed text, by default the right one. */
  function finalize(agent: TestAgent, nonce: string, signed?: string): Promise<string> {
    const { publicKeyHex } = agent.key;
    const text = signed ?? `service-link-wallet:${nonce}:${publicKeyHex}:${agent.hash}`;
    const body = { wallet_nonce: nonce, wallet_public_key: publicKeyHex, wallet_signature: agent.key.signHex(text) };
    return session.outcome('POST /agent/wallet', body, agent.authorization);
  }

  it('[wallet.state.none] without a wallet it reads null, and paid routes are closed to it', async () => {
    const agent = await session.walletless();
    expect(await session.status(agent)).toMatchObject({ wallet: null, wallet_chain: null });
    expect((await session.ok(`GET /verify/${agent.hash}`)).agent.wallet).toBeNull();
    const sigil = { identity_class: 'narrow_task', principal: 'acme', tier: 'org', payment_tx: agent.pay(50_000_000) };
    expect(await session.outcome('POST /sigil', sigil, agent.authorization)).toBe('403 WALLET_REQUIRED');
    await session.link(agent);
    expect(await session.outcome('POST /sigil', sigil, agent.authorization)).toBe('200');
  });

  it('[wallet.transition.linked] by a nonce of its own and a signature over it, and by nothing less', async () => {
    const [agent, other] = [await session.walletless(), await session.walletless()];
    const [nonce, foreign] = [await nonceOf(agent), await nonceOf(other)];
    expect(await finalize(agent, 'ab'.repeat(32))).toBe('400 NONCE_INVALID');
    expect(await finalize(agent, foreign)).toBe('400 NONCE_INVALID');
    expect(await finalize(agent, nonce, `service-link-wallet:${nonce}:${agent.key.publicKeyHex}:${other.hash}`)).toBe(
      '400 SIGNATURE_INVALID',
    );
    expect(await walletOf(agent)).toBeNull();
    expect(await finalize(agent, nonce)).toBe('200');
    expect(await walletOf(agent)).toBe(agent.key.publicKeyBase58);
  });

  it.each([
    [300_000, '200'],
    [300_001, '400 NONCE_INVALID'],
  ])('[wallet.transition.nonce] %i ms after the challenge: %s', async (ms, outcome) => {
    const agent = await session.walletless();
    const nonce = await nonceOf(agent);
    session.deployment.advance(ms);
    expect(await finalize(agent, nonce)).toBe(outcome);
  });

  it('[wallet.transition.again] and not again: 409, and the wallet stays', async () => {
    const agent = await session.walletless();
    const spare = await nonceOf(agent);
    await session.link(agent);
    const before = await session.fingerprint();
    const again = await session.outcome('POST /agent/wallet', { action: 'challenge' }, agent.authorization);
    expect(again).toBe('409 WALLET_ALREADY_LINKED');
    expect(await finalize(agent, spare)).toBe('409 WALLET_ALREADY_LINKED');
    expect(await session.fingerprint()).toBe(before);
    expect(await walletOf(agent)).toBe(agent.key.publicKeyBase58);
  });
});

describe('no SIGIL → SIGIL issued (3.3)', () => {
  const purchase = (agent: TestAgent, over: object = {}) => ({
    identity_class: 'narrow_task',
    principal: 'acme',
    tier: 'org',
    payment_tx: agent.pay(50_000_000),
    ...over,
  });
  const buy = (agent: TestAgent, over: object = {}) =>
    session.outcome('POST /sigil', purchase(agent, over), agent.authorization);
  const sigilOf = async (agent: TestAgent) => (await session.status(agent)).sigil;

  it('[sigil.transition.issued] by a valid payment and valid fields, and by nothing less', async () => {
    const agent = await session.root();
    expect(await buy(agent, { payment_tx: agent.pay(49_999_999) })).toBe('400 PAYMENT_INVALID');
    expect(await buy(agent, { payment_tx: 'nothing' })).toBe('400 PAYMENT_INVALID');
    expect(await buy(agent, { tier: 'king' })).toBe('400 VALIDATION');
    expect(await sigilOf(agent)).toBeNull();
    expect(await buy(agent)).toBe('200');
    expect(await sigilOf(agent)).toMatch(/^auto-[0-9a-f]{8}\*acme\*org$/);
  });

  it('[sigil.transition.passport] returns a passport that names class and beat', async () => {
    session.pass(5);
    const agent = await session.root();
    const { passport } = await session.ok('POST /sigil', purchase(agent), agent.authorization);
    const fields = { agent_hash: agent.hash, identity_class: 'narrow_task', sigil_issued_at_beat: 5 };
    expect(passport).toMatchObject(fields);
  });

  it('[sigil.transition.event] emits sigil.purchased', async () => {
    const agent = await session.rootUnder(await session.partner({ url: receiver.url, events: ['sigil.purchased'] }));
    const body = purchase(agent, { name: 'weather' });
    expect(await buy(agent, { payment_tx: 'nothing' })).toBe('400 PAYMENT_INVALID');
    expect(await session.delivered(receiver)).toEqual([]);
    await session.ok('POST /sigil', body, agent.authorization);
    const bought = { sigil: 'weather*acme*org', identity_class: 'narrow_task', tier: 'org', fee_lamports: 50_000_000 };
    const data = { ...bought, payment_tx: body.payment_tx };
    expect(await session.delivered(receiver)).toMatchObject([
      { event: 'sigil.purchased', agent_hash: agent.hash, data },
    ]);
  });

  it('[sigil.transition.again] and not again: 409, nothing changes, and the payment stays unused', async () => {
    const agent = await session.sigilAgent();
    const over = { identity_class: 'orchestrator', name: 'other', payment_tx: agent.pay(350_000_000) };
    const fields = purchase(agent, over);
    const [sigil, before] = [await sigilOf(agent), await session.fingerprint()];
    expect(await session.outcome('POST /sigil', fields, agent.authorization)).toBe('409 SIGIL_ALREADY_EXISTS');
    expect([await sigilOf(agent), await session.fingerprint()]).toEqual([sigil, before]);
  });
});

describe('a flag (3.5)', () => {
  let reporter: TestAgent;
  let target: TestAgent;
  beforeEach(async () => {
    [reporter, target] = [await session.sigilAgent(), await session.sigilAgent()];
  });
  const file = async (by = reporter): Promise<string> => {
    const body = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'acts alone' };
    return (await session.ok('POST /agent/flag', body, by.authorization)).flag_id;
  };
  const statusOf = (id: string) => session.registry.flags.list.find((flag) => flag.id === id)?.status;
  const review = (id: string, outcome: string) => session.control(`/flags/${id}/review`, { outcome });
  const sendHeartbeat = async (): Promise<string> => {
    session.pass(10);
    const { status, body } = await session.heartbeat(target);
    return status === 200 ? '200' : `${status} ${body.code}`;
  };

  it('[flag.transition.pending] none → pending, while the target goes on', async () => {
    const id = await file();
    expect(statusOf(id)).toBe('pending');
    expect(await sendHeartbeat()).toBe('200');
  });

  it('[flag.transition.review] waits for a review from then on, by the id that it was given', async () => {
    const asked = (id: string) => session.deployment.control('POST', `/flags/${id}/review`, { outcome: 'dismiss' });
    expect((await asked('4f9f1c1e-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await asked(await file())).status).toBe(200);
  });

  it('[flag.review.sustain] [flag.transition.sustained] [flag.review.resolve] pending → sustained → resolved: no heartbeats between', async () => {
    const id = await file();
    await review(id, 'sustain');
    expect(statusOf(id)).toBe('sustained');
    expect(await sendHeartbeat()).toBe('403 HEARTBEAT_REFUSED');
    expect((await session.status(target)).heartbeat_refused).toBe(true);
    await review(id, 'resolve');
    expect(statusOf(id)).toBe('resolved');
    expect(await sendHeartbeat()).toBe('200');
    expect((await session.status(target)).heartbeat_refused).toBe(false);
  });

  it('[flag.review.dismiss] pending → dismissed, while the target goes on', async () => {
    const id = await file();
    await review(id, 'dismiss');
    expect(statusOf(id)).toBe('dismissed');
    expect(await sendHeartbeat()).toBe('200');
  });

  it.each([
    ['flag.review.sustain', ['dismiss'], 'sustain'],
    ['flag.review.sustain', ['sustain', 'resolve'], 'sustain'],
    ['flag.review.dismiss', ['sustain'], 'dismiss'],
    ['flag.review.resolve', [], 'resolve'],
    ['flag.review.resolve', ['dismiss'], 'resolve'],
  ])('[%s] after %j there is no %s', async (_clause, before, outcome) => {
    const id = await file();
    for (const each of before) await review(id, each);
    const status = statusOf(id);
    const refused = await session.deployment.control('POST', `/flags/${id}/review`, { outcome });
    expect([refused.status, statusOf(id)]).toEqual([409, status]);
  });

  it('[flag.refused.any] refuses heartbeats until the last sustained one is resolved', async () => {
    const [first, second] = [await file(), await file(await session.sigilAgent())];
    await review(first, 'sustain');
    await review(second, 'sustain');
    expect(await sendHeartbeat()).toBe('403 HEARTBEAT_REFUSED');
    await review(first, 'resolve');
    expect(await sendHeartbeat()).toBe('403 HEARTBEAT_REFUSED');
    await review(second, 'resolve');
    expect(await sendHeartbeat()).toBe('200');
  });
});
