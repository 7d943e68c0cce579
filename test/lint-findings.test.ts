import { ed25519 } from '@noble/curves/ed25519.js';
import { afterEach, describe, expect, it } from 'vitest';
import { heartbeat } from '../reference/registry/heartbeat.js';
import { resync } from '../reference/registry/resync.js';
import type { Registry } from '../reference/registry/state.js';
import { factsOf, lint } from '../spec/lint/index.js';
import { passportFields } from '../spec/vocabulary.js';
import { codeOf, nowMsOf, passAnchors, payment, testAgent, testRegistry } from './fixtures/registry.js';
import { Session } from './fixtures/session.js';

const found = lint(factsOf()).map(({ id }) => id);

let session: Session | undefined;
const start = async (...setUp: Parameters<typeof Session.start>): Promise<Session> => {
  session = await Session.start(...setUp);
  return session;
};
afterEach(async () => {
  await session?.close();
  session = undefined;
});

/** A test of this title, which `aips spec lint` must find too. */
function happens(id: string, what: string, test: () => void | Promise<void>): void {
  it(`${id}: ${what}`, async () => {
    expect(found).toContain(id);
    await test();
  });
}

/** Heartbeats at regular anchors at the fee that is due, until one is refused or the anchors are over. */
function beatUntilRefused(registry: Registry, agent: number, every: number, anchors: number) {
  const wallet = registry.agents.line.wallet(agent);
  const fees: number[] = [];
  for (let passed = 0; passed < anchors; passed += every) {
    const fee = fees.length < 100 ? 500_000 : fees.length < 1_000 ? 300_000 : 200_000;
    const result = heartbeat(registry, { agent, payment: payment(wallet, fee) }, nowMsOf(registry));
    if (!result.ok) return { fees, refusal: codeOf(result) };
    fees.push(fee);
    passAnchors(registry, every);
  }
  return { fees, refusal: null };
}

describe('what the specification as it stands lets happen: rules alone', () => {
  happens('class-cap/narrow-task', 'who beats as seldom as it may is frozen in the sixth week', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    const { fees, refusal } = beatUntilRefused(registry, agent, 60, 100_000);
    expect([fees.length, refusal]).toEqual([1_000, 'heartbeat/VOLUME_CAP_REACHED']);
    expect(registry.anchorIndex).toBe(60_000);
    expect(passAnchors(registry, 1)).toEqual([agent]);
  });

  happens('unreachable/cap-orchestrator', 'an epoch of heartbeats at the least interval is half the cap', () => {
    const registry = testRegistry();
    const agent = testAgent(registry, { sigil: 'orchestrator' });
    const { fees, refusal } = beatUntilRefused(registry, agent, 10, 100_000);
    expect([fees.length, refusal, registry.anchorIndex]).toEqual([10_000, null, 100_000]);
  });

  happens('unreachable/tier-3-narrow-task', 'the heartbeat that tier 3 would begin with is refused', () => {
    const registry = testRegistry();
    const { fees, refusal } = beatUntilRefused(registry, testAgent(registry), 10, 20_000);
    expect([fees.length, Math.min(...fees), refusal]).toEqual([1_000, 300_000, 'heartbeat/VOLUME_CAP_REACHED']);
  });

  happens('saturation/resync-penalty', 'a month costs what 100 minutes cost', () => {
    const required = [61, 100, 43_200].map((anchors) => {
      const registry = testRegistry();
      const agent = testAgent(registry);
      passAnchors(registry, anchors);
      const result = resync(registry, { agent }, nowMsOf(registry));
      return result.ok ? null : result.fields?.['required_beats'];
    });
    expect(required).toEqual([6_100, 10_000, 10_000]);
  });
});

describe('what the specification as it stands lets happen: requests', () => {
  happens(
    'unreachable/sponsor-parent-frozen',
    'no listing ever shows an active sponsorship of a frozen parent',
    async () => {
      const { sigilAgent, child, sponsor, sponsorships, status, pass } = bound(await start());
      const parent = await sigilAgent();
      const kid = await child(parent);
      await sponsor(parent, kid);
      const seen: string[] = [];
      for (let step = 0; step < 9; step++) {
        seen.push(`${(await status(parent)).status}/${(await sponsorships(parent))[0].status}`);
        pass(step < 3 ? 20 : 1);
      }
      expect([...new Set(seen)]).toEqual(['active/active', 'warning/active', 'frozen/revoked']);
    },
  );

  happens('early-default/sponsorship', 'a sponsored child is frozen on the fifth day', async () => {
    const here = await start();
    const parent = await here.sigilAgent('autonomous');
    const kid = await here.child(parent);
    await here.sponsor(parent, kid);
    for (let count = 0; count < 100; count++) {
      expect((await here.heartbeat(kid)).status).toBe(200);
      here.pass(30);
      expect((await here.heartbeat(parent, 500_000)).status).toBe(200);
      here.pass(30);
    }
    const days = (here.deployment.clock.nowMs() - 1_767_225_600_000) / 86_400_000;
    expect(Math.round(days * 100)).toBe(417);
    expect((await here.heartbeat(kid, 300_000)).body.code).toBe('SPONSOR_CAP_REACHED');
    here.pass(1);
    expect([(await here.status(kid)).status, (await here.sponsorships(parent))[0].status]).toEqual([
      'frozen',
      'revoked',
    ]);
  });

  happens('hash-rate/resync-nonce', 'at 20,000 hashes a second the nonce is gone before the work is done', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    here.pass(100);
    const { challenge } = await here.ok('POST /agent/resync', { action: 'challenge' }, agent.authorization);
    expect(challenge).toMatchObject({ required_beats: 10_000, difficulty: 1_000 });
    here.deployment.advance(((10_000 * 1_001) / 20_000) * 1_000);
    const body = { action: 'prove', challenge_nonce: challenge.nonce, proof: await here.proof(agent, 10_000) };
    expect(await here.outcome('POST /agent/resync', body, agent.authorization)).toBe('400 VALIDATION');
  });

  happens('stopped-flow/spawn', 'a second child is registered and cannot be linked', async () => {
    const here = await start();
    const parent = await here.root('parent');
    const spawn = (body: object) => here.outcome('POST /agent/spawn', body, parent.authorization);
    const outcomes: string[] = [];
    for (const name of ['first', 'second']) {
      outcomes.push(await spawn({ child_name: name }));
      const body = { child_name: name, beats_receipt: await here.receipt(2_000) };
      const { spawn_authorization } = await here.ok('POST /agent/spawn', body, parent.authorization);
      const made = await here.ok(
        'POST /register',
        { name, parent: parent.hash, spawn_authorization },
        parent.authorization,
      );
      outcomes.push(await spawn({ child_name: name, child_hash: made.hash }));
    }
    expect(outcomes).toEqual(['402 RECEIPT_REQUIRED', '200', '402 RECEIPT_REQUIRED', '429 RATE_LIMITED']);
  });

  happens('dominated-price/reissue', 'the free passport says what the paid one says', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    const free = (await here.ok('GET /agent/passport', undefined, agent.authorization)).passport;
    const paid = (await here.reissue(agent)).body;
    expect([paid.fee.amount_lamports, paid.passport]).toEqual([200_000, free]);
    expect(await verified(here, free)).toBe(true);
  });

  happens(
    'dominated-price/passport-without-heartbeat',
    'a frozen agent gets a passport for the next 24 hours',
    async () => {
      const here = await start();
      const agent = await here.sigilAgent();
      here.pass(5_000);
      expect((await here.status(agent)).status).toBe('frozen');
      const { passport } = await here.ok('GET /agent/passport', undefined, agent.authorization);
      expect(passport.valid_until - here.deployment.clock.nowMs()).toBe(86_400_000);
      expect(await verified(here, passport)).toBe(true);
    },
  );

  happens(
    'dominated-price/heartbeat',
    'ten rounds of freeze and resync keep an agent alive and cost no lamport',
    async () => {
      const here = await start();
      const agent = await here.sigilAgent();
      const balance = () => here.deployment.host.service.ledger.transactions.size;
      const paid = balance();
      for (let round = 0; round < 10; round++) {
        here.pass(61);
        const body = { beats_receipt: await here.receipt(6_100) };
        expect(await here.outcome('POST /agent/resync', body, agent.authorization)).toBe('200');
        expect((await here.status(agent)).status).toBe('active');
      }
      expect(balance()).toBe(paid);
    },
  );

  happens('dominated-price/sigil', 'a child of a root without a SIGIL beats and has a passport', async () => {
    const here = await start();
    const parent = await here.root('parent');
    expect((await here.heartbeat(parent)).body.code).toBe('SIGIL_REQUIRED');
    const kid = await here.child(parent);
    await here.sponsor(parent, kid);
    const { status, body } = await here.heartbeat(kid);
    expect([status, body.passport.agent_hash]).toEqual([200, kid.hash]);
  });

  happens('dominated-price/difficulty', 'init says 1,000, and work at 100 buys a child', async () => {
    const here = await start();
    const parent = await here.root('parent');
    expect((await here.status(parent)).beat_state.difficulty).toBe(1_000);
    const work_proof = await here.workProof(1_000);
    expect(work_proof.difficulty).toBe(100);
    const { receipt } = await here.ok('POST beats:/beat/work-proof', { work_proof });
    const body = { child_name: 'kid', beats_receipt: receipt };
    expect(await here.outcome('POST /agent/spawn', body, parent.authorization)).toBe('200');
  });

  happens('dominated-price/proof', 'three computed beats pay the highest penalty', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    here.pass(100);
    const work_proof = await here.workProof(10_000);
    expect(work_proof.spot_checks).toHaveLength(3);
    const { receipt } = await here.ok('POST beats:/beat/work-proof', { work_proof });
    const reply = await here.ok('POST /agent/resync', { beats_receipt: receipt }, agent.authorization);
    expect([reply.required_beats, reply.beats_proven, reply.status]).toEqual([10_000, 10_000, 'active']);
  });

  happens('penalty-loop/flag-sustained', 'who may not beat is frozen again an hour after each resync', async () => {
    const here = await start();
    const [reporter, target] = [await here.sigilAgent(), await here.sigilAgent()];
    const flag = { target_hash: target.hash, asserted_class: 'orchestrator', reason: 'r' };
    const { flag_id } = await here.ok('POST /agent/flag', flag, reporter.authorization);
    await here.control(`/flags/${flag_id}/review`, { outcome: 'sustain' });
    for (let round = 0; round < 3; round++) {
      expect((await here.heartbeat(target)).body.code).toBe('HEARTBEAT_REFUSED');
      here.pass(61);
      const body = { beats_receipt: await here.receipt(6_100) };
      const reply = await here.ok('POST /agent/resync', body, target.authorization);
      expect([reply.gap_anchors, reply.required_beats]).toEqual([61, 6_100]);
    }
  });

  happens(
    'outlived-right/passport',
    'the passport of a frozen agent verifies offline for 22 hours and 59 minutes more',
    async () => {
      const here = await start();
      const agent = await here.sigilAgent();
      const { passport } = (await here.heartbeat(agent)).body;
      here.pass(61);
      expect((await here.status(agent)).status).toBe('frozen');
      expect([await verified(here, passport), passport.valid_until - here.deployment.clock.nowMs()]).toEqual([
        true,
        82_740_000,
      ]);
    },
  );

  happens('outlived-right/receipt', 'a penalty that was worked off before the freeze ends it at once', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    here.pass(2);
    const beats_receipt = await here.receipt(6_100);
    here.pass(58);
    expect(await here.outcome('POST /agent/resync', { beats_receipt }, agent.authorization)).toBe(
      '409 AGENT_WRONG_STATE',
    );
    here.pass(1);
    expect(await here.outcome('POST /agent/resync', { beats_receipt }, agent.authorization)).toBe('200');
  });

  happens('no-exit/key-revoked', 'an agent whose key is revoked can do nothing and is frozen', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    await here.control(`/agents/${agent.hash}/revoke-key`);
    const calls = ['POST /agent/heartbeat', 'POST /agent/wallet', 'POST /agent/resync', 'GET /agent/passport'];
    for (const call of calls) {
      const body = call.startsWith('GET') ? undefined : {};
      expect(await here.outcome(call, body, agent.authorization)).toBe('401 AUTH_MISSING');
    }
    here.pass(61);
    expect((await here.status(agent)).status).toBe('frozen');
  });

  happens('cheap-identity/flag-breaker', 'one narrow_task SIGIL stops the complaints of everybody', async () => {
    const here = await start();
    const [cheap, dear] = [await here.sigilAgent(), await here.sigilAgent('orchestrator')];
    const file = (from: typeof cheap, target_hash: string) =>
      here.outcome('POST /agent/flag', { target_hash, asserted_class: 'autonomous', reason: 'r' }, from.authorization);
    for (let count = 0; count < 21; count++) {
      if (count > 0 && count % 3 === 0) here.deployment.advance(3_600_000);
      expect(await file(cheap, (await here.walletless()).hash)).toBe('200');
    }
    expect(await file(dear, cheap.hash)).toBe('429 RATE_LIMITED');
    here.deployment.advance(17 * 3_600_000);
    expect(await file(dear, cheap.hash)).toBe('429 RATE_LIMITED');
  });

  happens(
    'cheap-identity/flag-shield',
    'four agents that paid nothing keep every complaint from a target',
    async () => {
      const here = await start();
      const [honest, target] = [await here.sigilAgent(), await here.sigilAgent()];
      const file = (from: typeof honest) =>
        here.outcome(
          'POST /agent/flag',
          { target_hash: target.hash, asserted_class: 'autonomous', reason: 'r' },
          from.authorization,
        );
      for (let agent = 0; agent < 4; agent++) {
        const free = await here.walletless();
        for (let count = 0; count < 3; count++) {
          expect(await file(free)).toBe(agent * 3 + count < 10 ? '403 FLAG_REPORTER_INELIGIBLE' : '429 RATE_LIMITED');
        }
      }
      expect(await file(honest)).toBe('429 RATE_LIMITED');
    },
  );

  happens('below-cost/floor', 'a floor of one lamport makes a fee of twenty', async () => {
    const here = await start();
    const agent = await here.sigilAgent();
    const body = {
      agent_hash: agent.hash,
      fee_type: 'reissuance',
      discount_bps: 9_999,
      reason: 'r',
      floor_lamports: 1,
    };
    await here.ok('POST /admin/agent/subsidy', body, await here.admin());
    const reply = await here.ok('POST /agent/reissue-proof', { payment_tx: agent.pay(20) }, agent.authorization);
    expect(reply.fee.amount_lamports).toBe(20);
  });
});

/** The methods of a session that a test takes apart. */
function bound(here: Session) {
  return {
    sigilAgent: () => here.sigilAgent(),
    child: here.child.bind(here),
    sponsor: here.sponsor.bind(here),
    sponsorships: here.sponsorships.bind(here),
    status: here.status.bind(here),
    pass: (anchors: number) => here.pass(anchors),
  };
}

/** Whether a passport verifies offline, with the published key alone. */
async function verified(here: Session, passport: Record<string, unknown>): Promise<boolean> {
  const { authority_public_key_hex } = await here.ok('GET /.well-known/authority-key');
  const text = JSON.stringify(Object.fromEntries(passportFields.map((field) => [field, passport[field]])));
  const hex = (value: unknown) => Buffer.from(String(value), 'hex');
  return ed25519.verify(hex(passport['service_signature']), Buffer.from(text), hex(authority_public_key_hex));
}
