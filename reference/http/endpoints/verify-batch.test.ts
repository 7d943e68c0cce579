import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childOf } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { complain, walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const UNKNOWN = `0x${'ab'.repeat(32)}`;
const batch = (hashes: unknown) => deployment.post('/verify/batch', { hashes });

/** The body of an accepted batch. */
async function asked(hashes: readonly string[]) {
  const reply = await batch(hashes);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}
const one = async (hash: string) => (await asked([hash])).results[0];

describe('a batch (4.14)', () => {
  it('[verify-batch.reply.results] [verify-batch.reply.order] answers each hash in its place', async () => {
    const [a, b] = [await walletless(deployment, 'a'), await walletless(deployment, 'b')];
    const body = await asked([b.hash, UNKNOWN, a.hash]);
    expect(Object.keys(body)).toEqual(['results', 'summary']);
    expect(body.results.map((each: { verified: boolean }) => each.verified)).toEqual([true, false, true]);
    expect([body.results[0].agent.name, body.results[1].hash, body.results[2].agent.name]).toEqual(['b', UNKNOWN, 'a']);
  });

  it.each([
    [1, 0],
    [0, 1],
    [2, 3],
  ])('[verify-batch.reply.summary] counts %i found and %i missing', async (found, missing) => {
    const { hash } = await walletless(deployment);
    const hashes = [...Array<string>(found).fill(hash), ...Array<string>(missing).fill(UNKNOWN)];
    expect((await asked(hashes)).summary).toEqual({ total: found + missing, verified: found, not_found: missing });
  });

  it('[verify-batch.reply.missing] returns for a missing agent its hash and the reason, and no more', async () => {
    expect(await one(UNKNOWN)).toEqual({ verified: false, hash: UNKNOWN, error: expect.stringMatching(/\S/) });
  });

  it('[verify-batch.repeat] [verify-batch.case] one hash, twice and in either case, gets the same result', async () => {
    const { hash } = await deployment.agent();
    const { results } = await asked([hash, `0x${hash.slice(2).toUpperCase()}`, hash]);
    expect(results[0].agent.hash).toBe(hash);
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });
});

describe('the result of a found agent (4.14)', () => {
  it('[verify-batch.reply.found] [verify-batch.reply.passport] has these fields, and here no passport', async () => {
    const agent = await deployment.agent();
    const found = await one(agent.hash);
    const fields = 'verified standing agent sigil passport beat_state network lineage root';
    expect(Object.keys(found)).toEqual(fields.split(' '));
    expect(found).toMatchObject({
      verified: true,
      standing: 'active',
      agent: { hash: agent.hash, wallet: agent.key.publicKeyBase58, depth: 0, parent: null },
      sigil: { principal: 'tests', tier: 'org', identity_class: 'narrow_task', generation: 1 },
      passport: null,
      beat_state: { status: 'active', total_heartbeats: 0 },
      root: { hash: agent.hash, registered: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('[verify-batch.reply.lineage] lists the lineage from the agent up to its root', async () => {
    const parent = await deployment.register('parent');
    const child = await childOf(deployment, parent, 'kid');
    const { lineage, root, agent } = await one(child.hash);
    expect(lineage.map((each: { hash: string; depth: number }) => [each.hash, each.depth])).toEqual([
      [child.hash, 1],
      [parent.hash, 0],
    ]);
    expect([root.hash, agent.parent]).toEqual([parent.hash, parent.hash]);
  });

  it('[verify-batch.reply.network] returns the latest anchor, and whether it is more than three intervals old', async () => {
    const { hash } = await walletless(deployment);
    deployment.advance(7 * MINUTE);
    expect((await one(hash)).network).toEqual({ current_anchor_index: 7, anchor_degraded: false });
    await deployment.control('POST', '/anchors/stall', { on: true });
    deployment.advance(3 * MINUTE);
    expect((await one(hash)).network).toEqual({ current_anchor_index: 7, anchor_degraded: false });
    deployment.advance(1);
    expect((await one(hash)).network).toEqual({ current_anchor_index: 7, anchor_degraded: true });
  });

  it('[agent.unstarted.beat-state] [agent.unstarted.standing] without a started chain: registered, no beat_state', async () => {
    const agent = await deployment.register();
    deployment.advance(100 * MINUTE);
    expect(await one(agent.hash)).toMatchObject({ standing: 'registered', beat_state: null });
    await agent.post('/agent/init');
    expect(await one(agent.hash)).toMatchObject({ standing: 'active', beat_state: { status: 'active' } });
  });

  it.each([
    [48, 'active'],
    [49, 'warning'],
    [60, 'warning'],
    [61, 'frozen'],
  ])('[agent.standing.values] after %i missed anchors stands %s', async (anchors, standing) => {
    const agent = await deployment.agent();
    deployment.advance(anchors * MINUTE);
    expect((await one(agent.hash)).standing).toBe(standing);
  });

  it('[agent.standing.values] [agent.standing.refused] refused wins over active and over frozen', async () => {
    const agent = await deployment.agent();
    const flag = await complain(deployment, agent);
    expect((await one(agent.hash)).standing).toBe('refused');
    deployment.advance(61 * MINUTE);
    expect(await one(agent.hash)).toMatchObject({ standing: 'refused', beat_state: { status: 'frozen' } });
    await deployment.control('POST', `/flags/${flag}/review`, { outcome: 'resolve' });
    expect((await one(agent.hash)).standing).toBe('frozen');
  });
});

const of = (count: number): string[] => Array<string>(count).fill(UNKNOWN);
const SIZE = 'verify-batch.body.hashes';
const rows: readonly RefusalRow[] = [
  ...[undefined, null, UNKNOWN, {}].map(
    (hashes): RefusalRow => ({
      ids: `verify-batch.error.invalid-input ${SIZE}`,
      what: `hashes ${JSON.stringify(hashes)}`,
      is: [400, 'INVALID_INPUT'],
      pair: async () => [batch(hashes), () => batch([UNKNOWN])],
    }),
  ),
  {
    ids: `verify-batch.error.invalid-input ${SIZE} constant.verify-batch-min`,
    what: 'no hash, where 1 is enough',
    is: [400, 'INVALID_INPUT'],
    pair: async () => [batch([]), () => batch(of(1))],
  },
  {
    ids: `verify-batch.error.batch-too-large ${SIZE} constant.verify-batch-max`,
    what: '51 hashes, where 50 pass',
    is: [400, 'BATCH_TOO_LARGE'],
    pair: async () => [batch(of(51)), () => batch(of(50))],
  },
  ...[UNKNOWN.slice(0, -1), `${UNKNOWN}0`, UNKNOWN.slice(2), UNKNOWN.replace('a', 'g'), 1, null].map(
    (bad): RefusalRow => ({
      ids: `verify-batch.error.invalid-hash ${SIZE}`,
      what: `the second of two is ${JSON.stringify(bad)}`,
      is: [400, 'INVALID_HASH'],
      pair: async () => [batch([UNKNOWN, bad]), () => batch(of(2))],
    }),
  ),
];

describeRefusals('verify/batch (7)', rows);
