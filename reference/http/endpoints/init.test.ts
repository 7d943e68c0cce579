import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start();
  agent = await deployment.register();
});
afterEach(() => deployment.close());

describe('POST /agent/init (2.3, 4.4)', () => {
  it('starts the chain with its genesis beat', async () => {
    deployment.advance(5_000);
    expect((await agent.post('/agent/init')).body).toEqual({
      agent_hash: agent.hash,
      genesis: {
        index: 0,
        hash: createHash('sha256').update(`beats:genesis:v1:${agent.hash}`).digest('hex'),
        prev: '0'.repeat(64),
        timestamp: 1_767_225_605_000,
      },
      difficulty: 1_000,
      status: 'active',
      _next_steps: {
        purchase_sigil: expect.any(String),
        heartbeat: expect.any(String),
        spawn_children: expect.any(String),
        check_status: expect.any(String),
      },
    });
  });

  it('repeated changes nothing and returns the chain as it is', async () => {
    const { genesis } = (await agent.post('/agent/init')).body;
    const state = async () => (await deployment.control('GET', '/fingerprint')).body.sha256;
    const before = await state();
    const repeated = (await agent.post('/agent/init')).body;
    expect(await state()).toBe(before);
    expect(repeated).toEqual({
      ok: true,
      already_initialized: true,
      agent_hash: agent.hash,
      genesis_hash: genesis.hash,
      total_beats: 0,
      latest_hash: genesis.hash,
      latest_beat: 0,
      status: 'active',
      difficulty: 1_000,
      last_heartbeat_beat: 0,
    });
  });

  it('does not thaw a frozen agent', async () => {
    await agent.post('/agent/init');
    deployment.advance(61 * 60_000);
    expect((await agent.post('/agent/init')).body).toMatchObject({ already_initialized: true, status: 'frozen' });
    expect((await agent.get(`/status/${agent.hash}`)).body.status).toBe('frozen');
  });
});
