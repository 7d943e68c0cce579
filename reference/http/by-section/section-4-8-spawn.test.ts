import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import {
  authorizationFor,
  childOf,
  linkWallet,
  proofOf,
  receiptOf,
  unlinkedChildOf,
} from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';

let deployment: Deployment;
let parent: TestAgent;

beforeEach(async () => {
  const limits = { spawn: { count: 1_000 }, sponsorPost: { count: 1_000 } };
  deployment = await Deployment.start({ overlay: { limits, beat: { difficulty: 1 }, work: { difficultyMin: 1 } } });
  parent = await deployment.agent();
});
afterEach(() => deployment.close());

const AGENT = 'ok hash api_key secret type parent depth name wallet_model wallet_chain metadata birth_tx'.split(' ');
const spawn = (body: object, as: TestAgent = parent) => ask(deployment, 'POST /agent/spawn', { as, body });
const register = (body: object, as: TestAgent | string = parent) => ask(deployment, 'POST /register', { as, body });
const statusOf = async (hash: string) => (await ask(deployment, `GET /status/${hash}`)).body;
const gestationOf = async (agent: TestAgent) =>
  (await ask(deployment, `GET /agent/beat-status/${agent.hash}`)).body.gestation;

/** Credits beats to the parent, by beats/submit. */
async function credit(beats: number): Promise<void> {
  const body = proofOf(deployment, parent, beats);
  expect(outcomeOf(await ask(deployment, 'POST /agent/beats/submit', { as: parent, body }))).toBe('200');
}

describe('the modes of a spawn call (4.8)', () => {
  it('[spawn.mode] [spawn.probe.reply] [spawn.probe.progress] a name alone asks the price', async () => {
    await credit(250);
    const reply = await spawn({ child_name: 'kid' });
    expect(reply.status).toBe(402);
    expect(reply.body).toEqual({
      error: expect.any(String),
      code: 'RECEIPT_REQUIRED',
      required_beats: 1_000,
      depth: 0,
      siblings: 0,
      eligible: false,
      progress_pct: 25,
      deficit: 750,
    });
  });

  it('[spawn.mode] [spawn.preflight.reply] [spawn.preflight.reply.eligible] [spawn.preflight.reply.spawn-authorization] [spawn.preflight.reply.receipt-based] a receipt earns an authorization', async () => {
    const reply = await spawn({ child_name: 'kid', beats_receipt: receiptOf(deployment, 1_000) });
    expect(reply.body).toEqual({
      ok: true,
      eligible: true,
      spawn_authorization: expect.stringMatching(/./),
      receipt_based: true,
      required_beats: 1_000,
    });
  });

  it('[spawn.mode] [spawn.finalize.reply] [spawn.finalize.reply.eligible] a hash links the child', async () => {
    const child = await unlinkedChildOf(deployment, parent, 'kid');
    const reply = await spawn({ child_name: 'kid', child_hash: child.hash });
    expect(reply.body).toEqual({ ok: true, eligible: true, child_hash: child.hash });
  });

  it('[spawn.finalize.without-name] may leave the name out (D-31)', async () => {
    const child = await unlinkedChildOf(deployment, parent, 'kid');
    expect((await spawn({ child_hash: child.hash })).body).toMatchObject({ ok: true, child_hash: child.hash });
  });

  it('[spawn.finalize.link] only then is the child a descendant for sponsorship (D-31)', async () => {
    const child = await unlinkedChildOf(deployment, parent, 'kid');
    const sponsor = () => ask(deployment, 'POST /agent/sponsor', { as: parent, body: { child_hash: child.hash } });
    expect(outcomeOf(await sponsor())).toBe('403 SPONSOR_NOT_ANCESTOR');
    expect(outcomeOf(await spawn({ child_hash: child.hash }))).toBe('200');
    expect(outcomeOf(await sponsor())).toBe('200');
  });

  it.each([
    ['[spawn.body.child-name]', 'a name that is a number', { child_name: 1 }],
    ['[spawn.body.child-name]', 'no name', {}],
    ['[spawn.body.beats-receipt]', 'a receipt that is a number', { child_name: 'kid', beats_receipt: 1 }],
    ['[spawn.body.beats-receipt]', 'a text in place of a receipt', { child_name: 'kid', beats_receipt: 'x' }],
    ['[spawn.body.child-hash]', 'a hash that is a number', { child_name: 'kid', child_hash: 1 }],
    ['[spawn.body.child-hash]', 'a hash of another form', { child_name: 'kid', child_hash: '0x12' }],
  ])('%s %s is 400 VALIDATION', async (_clause, _what, body) => {
    expect(outcomeOf(await spawn(body))).toBe('400 VALIDATION');
  });
});

describe('what a child costs (4.8, D-31)', () => {
  it.each([
    ['[spawn.cost.depth] [spawn.cost.check.0-0]', 0, 0, 1_000],
    ['[spawn.cost.siblings] [spawn.cost.check.0-1]', 0, 1, 1_200],
    ['[spawn.cost.exact] [spawn.cost.exact.0-3]', 0, 3, 1_728],
    ['[spawn.cost.depth] [spawn.cost.check.1-0]', 1, 0, 1_500],
    ['[spawn.cost.siblings] [spawn.cost.check.1-1]', 1, 1, 1_800],
    ['[spawn.cost.depth] [spawn.cost.check.2-0]', 2, 0, 2_250],
    ['[spawn.cost.exact] [spawn.cost.check.2-3]', 2, 3, 3_888],
  ])('%s at depth %i with %i siblings: %i beats, and not one less', async (_clause, depth, siblings, beats) => {
    const { columns, line } = deployment.host.service.registry.agents;
    line.setDepth(parent.row, depth);
    columns.children[parent.row] = siblings;
    expect((await spawn({ child_name: 'kid' })).body).toMatchObject({ required_beats: beats, depth, siblings });
    const short = { child_name: 'kid', beats_receipt: receiptOf(deployment, beats - 1) };
    expect(outcomeOf(await spawn(short))).toBe('400 INSUFFICIENT_BEATS');
    const enough = { child_name: 'kid', beats_receipt: receiptOf(deployment, beats) };
    expect(outcomeOf(await spawn(enough))).toBe('200');
  });

  it("[spawn.cost.depth-of] [spawn.cost.siblings-of] goes by the parent's own depth and by the children registered so far", async () => {
    const first = await childOf(deployment, parent, 'first');
    expect((await spawn({ child_name: 'next' })).body).toMatchObject({ depth: 0, siblings: 1, required_beats: 1_200 });
    expect((await spawn({ child_name: 'next' }, first)).body).toMatchObject({ depth: 1, required_beats: 1_500 });
    await authorizationFor(deployment, parent, 'second');
    expect((await spawn({ child_name: 'next' })).body).toMatchObject({ siblings: 1 });
    await unlinkedChildOf(deployment, parent, 'third');
    expect((await spawn({ child_name: 'next' })).body).toMatchObject({ siblings: 2 });
  });
});

describe('credited beats (D-31)', () => {
  it('[spawn.credited.eligible] [spawn.credited.reserved] pay like a receipt, and are promised to one child', async () => {
    await credit(1_999);
    expect((await spawn({ child_name: 'kid' })).body).toMatchObject({ ok: true, receipt_based: false });
    expect((await gestationOf(parent)).beats_accumulated).toBe(999);
    expect((await spawn({ child_name: 'two' })).body).toMatchObject({ code: 'RECEIPT_REQUIRED', deficit: 1 });
  });

  it('[spawn.credited.spent] are spent when the child registers', async () => {
    await credit(1_500);
    const { spawn_authorization } = (await spawn({ child_name: 'kid' })).body;
    expect(outcomeOf(await register({ name: 'kid', spawn_authorization }))).toBe('200');
    deployment.advance(300_001);
    expect((await gestationOf(parent)).beats_accumulated).toBe(500);
  });

  it('[spawn.credited.freed] are free again when the authorization expires', async () => {
    await credit(1_000);
    await spawn({ child_name: 'kid' });
    deployment.advance(300_000);
    expect((await gestationOf(parent)).beats_accumulated).toBe(0);
    deployment.advance(1);
    expect((await gestationOf(parent)).beats_accumulated).toBe(1_000);
  });
});

describe('the registration of a child (4.2, mode 5)', () => {
  it('[register.child.single-phase] [register.child.reply] [register.child.lineage] [register.child.no-wallet] takes one phase and makes an agent one deeper, without a wallet', async () => {
    const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
    const { body } = await register({ name: 'kid', parent: parent.hash, spawn_authorization });
    expect(Object.keys(body).toSorted()).toEqual(AGENT.toSorted());
    expect(body).toMatchObject({ ok: true, type: 'agent', parent: parent.hash, depth: 1, wallet_chain: null });
    expect(await statusOf(body.hash)).toMatchObject({ wallet: null, depth: 1, registered_by: parent.hash });
    const { lineage, root } = (await ask(deployment, `GET /verify/${body.hash}`)).body;
    expect(lineage.map(({ hash }: { hash: string }) => hash)).toEqual([body.hash, parent.hash]);
    expect(root.hash).toBe(parent.hash);
  });

  it("[register.child.auth] [register.header.authorization] is made with the parent's key, while a root's says nothing", async () => {
    const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
    const body = { name: 'kid', spawn_authorization };
    expect(outcomeOf(await ask(deployment, 'POST /register', { body }))).toBe('401 AUTH_MISSING');
    expect(outcomeOf(await register(body, 'pvn_x.00'))).toBe('401 AUTH_MISSING');
    expect(outcomeOf(await register(body))).toBe('200');
    for (const key of [parent.apiKey, 'pvn_x.00']) {
      expect((await register({ name: 'root' }, key)).body).toMatchObject({ type: 'root', parent: null, depth: 0 });
    }
  });

  it.each([
    ['[register.child.body.name]', 'no name', { name: undefined }, '400 VALIDATION'],
    ['[register.child.body.name]', 'a name that is a number', { name: 1 }, '400 VALIDATION'],
    ['[register.child.body.parent]', 'a parent of another form', { parent: 'kid' }, '400 VALIDATION'],
    [
      '[register.child.body.parent]',
      'a parent that nobody is',
      { parent: `0x${'0'.repeat(64)}` },
      '404 AGENT_NOT_FOUND',
    ],
    [
      '[register.child.body.spawn-authorization]',
      'no authorization',
      { spawn_authorization: undefined },
      '400 VALIDATION',
    ],
    [
      '[register.child.body.spawn-authorization]',
      'an authorization that nobody gave',
      { spawn_authorization: 'ab'.repeat(32) },
      '409 SPAWN_CONFLICT',
    ],
  ])('%s with %s it is refused, and mended it is taken', async (_clause, _what, fault, outcome) => {
    const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
    const body = { name: 'kid', parent: parent.hash, spawn_authorization };
    expect(outcomeOf(await register({ ...body, ...fault }))).toBe(outcome);
    expect(outcomeOf(await register(body))).toBe('200');
  });

  it('[register.child.parent-optional] may leave its parent out (D-40)', async () => {
    const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
    expect((await register({ name: 'kid', spawn_authorization })).body.parent).toBe(parent.hash);
  });

  it('[register.error.validation.parent] names no other parent than its authorization (D-40)', async () => {
    const other = await deployment.register();
    const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
    const body = { name: 'kid', parent: other.hash, spawn_authorization };
    expect(outcomeOf(await register(body))).toBe('400 VALIDATION');
  });
});

describe('a spawn authorization (D-31)', () => {
  const used = (spawn_authorization: string, name = 'kid', as = parent) =>
    register({ name, spawn_authorization }, as).then(outcomeOf);

  it('[spawn.authorization.ttl] is valid for 300 s', async () => {
    const last = await authorizationFor(deployment, parent, 'kid');
    const late = await authorizationFor(deployment, parent, 'two');
    deployment.advance(300_000);
    expect(await used(last)).toBe('200');
    deployment.advance(1);
    expect(await used(late, 'two')).toBe('409 SPAWN_CONFLICT');
  });

  it('[spawn.authorization.once] makes one child', async () => {
    const authorization = await authorizationFor(deployment, parent, 'kid');
    expect(await used(authorization)).toBe('200');
    const again = await register({ name: 'kid', spawn_authorization: authorization });
    expect(outcomeOf(again)).toBe('409 SPAWN_CONFLICT');
    // The name is taken as well by now, but the authorization has to be refused first.
    expect(again.body.error).toMatch(/^spawn_authorization: /);
    expect(deployment.host.service.registry.oneTime.has(authorization)).toBe(false);
    expect((await gestationOf(parent)).children_spawned).toBe(1);
  });

  it('[spawn.authorization.parent] [spawn.authorization.name] serves no other parent and no other name', async () => {
    const other = await deployment.register();
    const authorization = await authorizationFor(deployment, parent, 'kid');
    expect(await used(authorization, 'kid', other)).toBe('409 SPAWN_CONFLICT');
    expect(await used(authorization, 'two')).toBe('409 SPAWN_CONFLICT');
    expect(await used(authorization)).toBe('200');
  });
});

describe('a spawned child (4.8)', () => {
  it('[spawn.child.init] [spawn.child.heartbeat] [heartbeat.sigil.child] [spawn.child.sigil] starts its chain, heartbeats without a SIGIL, and may buy one', async () => {
    const child = await unlinkedChildOf(deployment, parent, 'kid');
    expect((await ask(deployment, 'POST /agent/init', { as: child, body: {} })).body.genesis.index).toBe(0);
    await linkWallet(deployment, child);
    const heartbeatBody = { payment_tx: child.pay(500_000) };
    const reply = await ask(deployment, 'POST /agent/heartbeat', { as: child, body: heartbeatBody });
    expect([reply.status, reply.body.passport?.identity_class]).toEqual([200, null]);
    const terms = { identity_class: 'narrow_task', principal: 'acme', tier: 'org', name: 'kid' };
    const body = { ...terms, payment_tx: child.pay(50_000_000) };
    const { sigil } = (await ask(deployment, 'POST /sigil', { as: child, body })).body;
    expect(sigil.sigil).toBe('kid*acme*org');
  });
});
