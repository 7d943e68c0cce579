import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { expectRefusal } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const GONE = [410, 'GONE', { deprecated: true }] as const;

describe('the retired check-in (4.15, 7)', () => {
  it('[checkin.gone] [checkin.error.gone] [checkin.reply.deprecated] answers 410 {error, deprecated: true}', async () => {
    const agent = await deployment.agent();
    expectRefusal(await agent.post('/agent/checkin', { any: 'thing' }), GONE);
  });

  it.each([undefined, 'pvn_x.00'])('[checkin.no-key] with the key %s too', async (key) => {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    expectRefusal(await deployment.post('/agent/checkin', {}, headers), GONE);
  });

  it('[checkin.replacement] keeps no agent from freezing, as a heartbeat does', async () => {
    const [beating, checking] = [await deployment.agent(), await deployment.agent()];
    deployment.advance(30 * MINUTE);
    expect((await beating.heartbeat()).status).toBe(200);
    await checking.post('/agent/checkin');
    deployment.advance(31 * MINUTE);
    const standing = async (hash: string) => (await deployment.get(`/verify/${hash}`)).body.standing;
    expect([await standing(beating.hash), await standing(checking.hash)]).toEqual(['active', 'frozen']);
  });
});
