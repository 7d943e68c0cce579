import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { adminKey, walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, expectAccepted, expectRefusal, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
let agent: TestAgent;
let admin: { readonly Authorization: string };
beforeEach(async () => {
  deployment = await Deployment.start();
  agent = await deployment.agent();
  admin = await adminKey(deployment);
});
afterEach(() => deployment.close());

const PATH = '/api/v1/admin/agent/subsidy';
const NOBODY = `0x${'ab'.repeat(32)}`;
const MINUTE = 60_000;
type Headers = Readonly<Record<string, string>>;
const grant = (more: object = {}, headers: Headers = admin) => {
  const body = { agent_hash: agent.hash, fee_type: 'heartbeat', discount_bps: 5_000, reason: 'launch', ...more };
  return deployment.send('POST', PATH, { headers, body });
};
const end = (more: object = {}, headers: Headers = admin) =>
  deployment.send('DELETE', PATH, { headers, body: { agent_hash: agent.hash, fee_type: 'heartbeat', ...more } });
const accepted = async (more: object = {}) => {
  const reply = await grant(more);
  expectAccepted(reply);
  return reply.body.subsidy;
};
const setFees = async (fees: object) => {
  const set = await deployment.control('PUT', '/fees', fees);
  expect(set.status, set.text).toBe(200);
  return set.body.fees;
};
const reissue = (from: TestAgent, lamports: number) =>
  from.post('/agent/reissue-proof', { payment_tx: from.pay(lamports) });

/** The cost of an agent's next heartbeat: a lamport more is refused, and this is accepted. */
async function heartbeatCosts(from: TestAgent, lamports: number): Promise<void> {
  expect((await from.heartbeat(lamports + 1)).body.code).toBe('PAYMENT_INVALID');
  const paid = await from.heartbeat(lamports);
  expect(paid.status, paid.text).toBe(200);
  expect(paid.body.fee).toMatchObject({ amount_lamports: lamports, tier: 1 });
  deployment.advance(10 * MINUTE);
}

describe('a subsidy (4.17)', () => {
  it('[subsidy.post.reply] [subsidy.post.reply.no-created] [subsidy.post.body.floor-lamports] [constant.subsidy-floor] answers what was granted, with the floor 5000 where none was sent', async () => {
    const { body } = await grant();
    expect(body).toEqual({
      ok: true,
      subsidy: {
        agent_hash: agent.hash,
        fee_type: 'heartbeat',
        discount_bps: 5_000,
        floor_lamports: 5_000,
        reason: 'launch',
        valid_until: null,
      },
    });
    expect(await accepted({ floor_lamports: 1 })).toMatchObject({ floor_lamports: 1 });
  });

  it('[subsidy.post.body.valid-until] [fee.subsidy.expired] holds through the moment of valid_until', async () => {
    const valid_until = '2026-01-01T01:10:00+01:00';
    expect(await accepted({ valid_until })).toMatchObject({ valid_until: '2026-01-01T00:10:00.000Z' });
    await heartbeatCosts(agent, 250_000);
    await heartbeatCosts(agent, 250_000);
    await heartbeatCosts(agent, 500_000);
  });

  it.each([
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['9999-12-31T13:59:59.999-10:00', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T14:00:00-10:00', undefined],
    ['9999-12-31T23:59:59-14:00', undefined],
  ])('[subsidy.field.valid-until] %s is told as %s: a year has four digits', async (valid_until, told) => {
    if (told === undefined) expectRefusal(await grant({ valid_until }), [400, 'SUBSIDY_INVALID']);
    else expect(await accepted({ valid_until })).toMatchObject({ valid_until: told });
  });

  it.each([
    [5_000, 250_000],
    [1, 499_950],
    [2_500, 375_000],
  ])(
    '[subsidy.post.discount] [subsidy.post.body.discount-bps] of %i ten-thousandths leaves %i of 500,000 lamports',
    async (discount_bps, lamports) => {
      await accepted({ discount_bps });
      await heartbeatCosts(agent, lamports);
    },
  );

  it('[subsidy.scope] lowers one type of fee of one agent and no other', async () => {
    const other = await deployment.agent();
    await accepted();
    await heartbeatCosts(other, 500_000);
    expect((await reissue(agent, 100_000)).body.code).toBe('PAYMENT_INVALID');
    expect((await reissue(agent, 200_000)).status).toBe(200);
    await heartbeatCosts(agent, 250_000);
  });

  it.each(['sigil', 'heartbeat', 'reissuance'])('[subsidy.post.body.fee-type] may be of %s', async (fee_type) => {
    expect(await accepted({ fee_type })).toMatchObject({ fee_type });
  });

  it('[subsidy.post.body.fee-type] of a SIGIL and of a reissue lower these', async () => {
    const buyer = await deployment.register();
    await accepted({ agent_hash: buyer.hash, fee_type: 'sigil' });
    const body = { identity_class: 'narrow_task', principal: 'acme', tier: 'org' };
    const bought = await buyer.post('/sigil', { ...body, payment_tx: buyer.pay(25_000_000) });
    expect(bought.body.fee.amount_lamports).toBe(25_000_000);
    await accepted({ agent_hash: buyer.hash, fee_type: 'reissuance', discount_bps: 1_000 });
    expect((await reissue(buyer, 180_000)).body.fee.amount_lamports).toBe(180_000);
  });

  it('[subsidy.post.upsert] is replaced by the next for the same agent and type', async () => {
    await accepted();
    await accepted({ discount_bps: 1_000 });
    await heartbeatCosts(agent, 450_000);
    expectAccepted(await end());
    expectRefusal(await end(), [404, 'SUBSIDY_NOT_FOUND']);
  });

  it('[subsidy.delete.reply] [subsidy.delete.body] ends when it is deleted', async () => {
    await accepted();
    const reply = await end();
    expectAccepted(reply);
    expect(reply.body).toEqual({ ok: true, deleted: true, agent_hash: agent.hash, fee_type: 'heartbeat' });
    await heartbeatCosts(agent, 500_000);
  });

  it('[fee.subsidy.tier] leaves the tier that of the count', async () => {
    await accepted();
    const { line } = deployment.host.service.registry.agents;
    line.setEpochHeartbeats(agent.row, 100);
    const paid = await agent.heartbeat(150_000);
    expect(paid.body.fee).toMatchObject({ tier: 2, amount_lamports: 150_000 });
  });
});

describe('what a fee follows from (4.17)', () => {
  it('[fee.resolution.default] the built-in one where nothing overrides it', async () => {
    await heartbeatCosts(agent, 500_000);
    expect((await reissue(agent, 200_000)).status).toBe(200);
  });

  it('[fee.resolution.environment] the environment comes before the built-in', async () => {
    const policy = { feeOverrides: { heartbeat_tier1: 400_000 } };
    await deployment.close();
    deployment = await Deployment.start({ policy });
    const made = await deployment.agent();
    await heartbeatCosts(made, 400_000);
    expect((await reissue(made, 200_000)).status).toBe(200);
  });

  it('[fee.resolution.table] [fee.table.control] the fee table comes before both', async () => {
    await deployment.close();
    deployment = await Deployment.start({ policy: { feeOverrides: { heartbeat_tier1: 400_000 } } });
    const made = await deployment.agent();
    expect(await setFees({ heartbeat_tier1: 600_000, reissuance: 100_000 })).toMatchObject({
      heartbeat_tier1: 600_000,
      reissuance: 100_000,
    });
    await heartbeatCosts(made, 600_000);
    expect((await reissue(made, 100_000)).status).toBe(200);
    await setFees({});
    await heartbeatCosts(made, 400_000);
  });

  it("[fee.resolution.subsidy] an agent's subsidy comes before the fee table", async () => {
    await setFees({ heartbeat_tier1: 600_000 });
    await accepted();
    await heartbeatCosts(agent, 300_000);
  });

  it.each([
    ['fee.floor.default', 500_000, {}, 10_000, 5_000],
    ['fee.floor.default', 500_000, {}, 9_900, 5_000],
    ['fee.floor.default', 500_000, {}, 9_899, 5_050],
    ['fee.floor', 500_000, { floor_lamports: 300_000 }, 5_000, 300_000],
    ['fee.floor', 500_000, { floor_lamports: 0 }, 10_000, 1],
    ['fee.subsidy.formula', 500_000, { floor_lamports: 600_000 }, 5_000, 500_000],
    ['fee.subsidy.formula', 9_999, { floor_lamports: 0 }, 3_333, 6_666],
    ['fee.subsidy.formula', 4_000, {}, 5_000, 4_000],
  ])('[%s] of %i lamports with %j and %i bps: %i', async (_id, base, floor, discount_bps, lamports) => {
    await setFees({ heartbeat_tier1: base });
    await accepted({ discount_bps, ...floor });
    await heartbeatCosts(agent, lamports);
  });
});

/** A row in which one field of the body has the fault. */
const field = (ids: string, fault: object, mended: object = {}): RefusalRow => ({
  ids,
  what: JSON.stringify(fault),
  is: [400, 'SUBSIDY_INVALID'],
  pair: async () => [grant(fault), () => grant(mended)],
});
const BPS = 'subsidy.error.subsidy-invalid.discount-bps subsidy.post.body.discount-bps';
const VALID = 'subsidy.error.subsidy-invalid.valid-until subsidy.post.body.valid-until';

const ofPost: readonly RefusalRow[] = [
  ...[undefined, 'x', 1].map((agent_hash) => field('subsidy.post.body.agent-hash', { agent_hash })),
  ...[undefined, 'spawn', 1].map((fee_type) =>
    field('subsidy.error.subsidy-invalid subsidy.post.body.fee-type', { fee_type }),
  ),
  field(BPS, { discount_bps: 0 }, { discount_bps: 1 }),
  field(BPS, { discount_bps: 10_001 }, { discount_bps: 10_000 }),
  ...[undefined, 1.5, '100'].map((discount_bps) => field(BPS, { discount_bps })),
  ...[undefined, '', ' ', 1].map((reason) =>
    field('subsidy.error.subsidy-invalid.reason subsidy.post.body.reason', { reason }),
  ),
  ...[-1, 0.5, '1'].map((floor_lamports) => field('subsidy.post.body.floor-lamports', { floor_lamports })),
  field(VALID, { valid_until: '2025-12-31T23:59:59.999Z' }, { valid_until: '2026-01-01T00:00:00.000Z' }),
  ...['tomorrow', 1_900_000_000_000].map((valid_until) => field('subsidy.post.body.valid-until', { valid_until })),
  {
    ids: 'subsidy.error.agent-not-found',
    what: 'an agent that does not exist',
    is: [404, 'AGENT_NOT_FOUND'],
    pair: async () => [grant({ agent_hash: NOBODY }), () => grant()],
  },
];

const ofDelete: readonly RefusalRow[] = [
  ...[{ agent_hash: undefined }, { fee_type: undefined }, { fee_type: 'spawn' }].map(
    (fault): RefusalRow => ({
      ids: 'subsidy.delete.body',
      what: `DELETE with ${JSON.stringify(fault)}`,
      is: [400, 'SUBSIDY_INVALID'],
      pair: async () => {
        await accepted();
        return [end(fault), () => end()];
      },
    }),
  ),
  {
    ids: 'subsidy.error.agent-not-found',
    what: 'DELETE for an agent that does not exist',
    is: [404, 'AGENT_NOT_FOUND'],
    pair: async () => {
      await accepted();
      return [end({ agent_hash: NOBODY }), () => end()];
    },
  },
  {
    ids: 'subsidy.error.subsidy-not-found',
    what: 'DELETE where there is none',
    is: [404, 'SUBSIDY_NOT_FOUND'],
    pair: async () => {
      const refused = await end();
      await accepted();
      return [refused, () => end()];
    },
  },
];

const KEY = 'key.admin subsidy.auth';
const ofKeys = (call: typeof grant): readonly RefusalRow[] => [
  {
    ids: `subsidy.error.auth-missing ${KEY}`,
    what: 'no admin key',
    is: [401, 'AUTH_MISSING'],
    pair: async () => [call({}, {}), () => call()],
  },
  ...[`pva_${'0'.repeat(64)}`, 'pvn_x.00'].map(
    (key): RefusalRow => ({
      ids: `subsidy.error.auth-invalid ${KEY}`,
      what: `the key ${key.slice(0, 8)}`,
      is: [401, 'AUTH_INVALID'],
      pair: async () => [call({}, { Authorization: `Bearer ${key}` }), () => call()],
    }),
  ),
  {
    ids: `subsidy.error.auth-invalid ${KEY}`,
    what: "an agent's own key",
    is: [401, 'AUTH_INVALID'],
    pair: async () => [call({}, (await walletless(deployment)).authorization), () => call()],
  },
  {
    ids: 'subsidy.error.auth-invalid.expired',
    what: 'a key that has expired',
    is: [401, 'AUTH_INVALID'],
    pair: async () => {
      const old = await adminKey(deployment);
      await deployment.control('POST', '/admin-keys/expire', { key: old.Authorization.slice('Bearer '.length) });
      return [call({}, old), () => call()];
    },
  },
];

describeRefusals('subsidy, POST (7)', ofPost);
describeRefusals('subsidy, DELETE (7)', ofDelete);
describeRefusals('the key of a subsidy (5, 7)', ofKeys(grant));

it('[key.admin] [subsidy.auth] an admin key begins with pva_', async () => {
  expect(admin.Authorization).toMatch(/^Bearer pva_\S+$/);
  expectAccepted(await grant());
  expectRefusal(await end({}, {}), [401, 'AUTH_MISSING']);
  expectAccepted(await end());
});
