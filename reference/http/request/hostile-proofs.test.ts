import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, sendRaw } from '../../../test/fixtures/http.js';
import { latestAnchor } from '../../beats/anchor.js';
import { computeChain, genesisHash } from '../../beats/beat.js';
import { fingerprint } from '../../registry/fingerprint.js';
import type { Command } from '../../store/command.js';
import { replay } from '../server/replay.js';
import { type BeatPool, createBeatPool } from './beat-pool.js';
import { createHost } from './host.js';

const ZEROS = '0'.repeat(64);
const limits = { workProof: { count: 1_000 }, beatVerify: { count: 1_000 } };

let deployment: Deployment;
let longChain: ReturnType<typeof chain>;
beforeAll(async () => {
  longChain = chain(300);
  deployment = await Deployment.start({ overlay: { limits } });
});
afterAll(() => deployment.close());

/** Replaces the pool with which a deployment recomputes beats. */
function recomputeWith(at: Deployment, recompute: BeatPool['recompute']): void {
  Object.assign(at.host, { beatPool: { recompute, close: async () => undefined } });
}

function anchorOf(at: Deployment) {
  const anchor = latestAnchor(at.host.service.anchors);
  if (anchor === undefined) throw new Error('no anchor');
  return anchor;
}

/** A work proof at the highest difficulty with the most checks: 125,025 hashes to recompute. */
function hostileProof(at = deployment) {
  const { index, hash } = anchorOf(at);
  const run = { fromHash: ZEROS, fromIndex: 0, beats: 25, difficulty: 5_000, anchorHash: hash, keep: { every: 1 } };
  const { toHash, spotChecks } = computeChain(run);
  return {
    from_hash: ZEROS,
    to_hash: toHash,
    beats_computed: 25,
    difficulty: 5_000,
    anchor_hash: hash,
    anchor_index: index,
    spot_checks: spotChecks,
  };
}

function chain(beats: number) {
  const run = { fromHash: ZEROS, fromIndex: 0, beats, difficulty: 5_000, keep: { every: 1 } };
  return { mode: 'chain', difficulty: 5_000, beats: computeChain(run).spotChecks };
}

const workProof = (body: object, at = deployment) => at.send('POST', '/api/v1/beat/work-proof', { body }, 'beats');

describe('a hostile proof', () => {
  it('is judged like any other, whether it is valid or not', async () => {
    const proof = hostileProof();
    expect((await workProof(proof)).body).toMatchObject({ ok: true, valid: true });
    const [first, ...rest] = proof.spot_checks;
    const forged = { ...proof, spot_checks: [{ ...first, prev: 'a'.repeat(64) }, ...rest] };
    expect((await workProof(forged)).body).toEqual({ ok: false, valid: false, reason: 'spot_check_failed' });
    const [second] = rest;
    const nonce = { ...proof, spot_checks: [first, { ...second, nonce: 'x' }, ...rest.slice(1)] };
    expect((await workProof(nonce)).body).toEqual({ ok: false, valid: false, reason: 'spot_check_failed' });
  });

  it('does not hold up requests that come after it', async () => {
    const order: string[] = [];
    const verified = ['registry', 'beats'].map(async (app) => {
      const reply = await deployment.send(
        'POST',
        '/api/v1/beat/verify',
        { body: longChain },
        app as 'registry' | 'beats',
      );
      order.push(app);
      return reply.body;
    });
    for (let i = 0; i < 5; i++) {
      expect((await deployment.send('GET', '/api/v1/beat/anchor', {}, 'beats')).status).toBe(200);
      order.push('anchor');
    }
    const valid = { ok: true, mode: 'chain', valid: true, beats_checked: 300 };
    expect(await Promise.all(verified)).toEqual([valid, valid]);
    expect(order.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'anchor'));
  });

  it('a chain that breaks late is invalid, with the count of recomputed beats', async () => {
    const { beats, ...rest } = chain(40);
    const broken = beats.map((beat, i) => (i === 30 ? { ...beat, hash: 'b'.repeat(64) } : beat));
    const linked = broken.map((beat, i) => (i === 31 ? { ...beat, prev: 'b'.repeat(64) } : beat));
    const reply = await deployment.send('POST', '/api/v1/beat/verify', { body: { ...rest, beats: linked } }, 'beats');
    const verdict = { ok: true, mode: 'chain', valid: false, beats_checked: 31, reason: 'hash_mismatch' };
    expect(reply.body).toEqual(verdict);
  });

  it('whose sender leaves leaves nothing behind', async () => {
    const text = JSON.stringify(longChain);
    const head = `POST /api/v1/beat/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
    const gone = await sendRaw(deployment.port('beats'), head + text, 20).catch((error: Error) => error.message);
    expect(gone).toBe('no answer within 20 ms');
    expect((await workProof(hostileProof())).body).toMatchObject({ valid: true });
  });
});

describe('while a proof is recomputed', () => {
  let own: Deployment;
  afterEach(() => own.close());

  it('the caller is authenticated again: a key that was revoked meanwhile is refused, and nothing is recorded', async () => {
    own = await Deployment.start();
    const { agent, proof } = await submission(own);
    const commands: Command[] = [];
    own.host.keeper = { record: (command) => commands.push(command), settled: () => undefined };
    const pool = createBeatPool();
    recomputeWith(own, async (claims, gone) => {
      expect((await own.control('POST', `/agents/${agent.hash}/revoke-key`, {})).status).toBe(200);
      return pool.recompute(claims, gone);
    });
    const reply = await agent.post('/agent/beats/submit', proof);
    await pool.close();
    expect([reply.status, reply.body.code]).toEqual([401, 'AUTH_MISSING']);
    expect(commands.map(({ name }) => name)).not.toContain('beats-submit');
  });

  it('and the anchors move on past it, it is stale', async () => {
    own = await Deployment.start({ overlay: { limits } });
    const proof = hostileProof(own);
    const pool = createBeatPool();
    recomputeWith(own, async (claims, gone) => {
      own.advance(5 * 60_000);
      return pool.recompute(claims, gone);
    });
    const reply = await workProof(proof, own);
    await pool.close();
    expect(reply.body).toEqual({ ok: false, valid: false, reason: 'stale_anchor' });
  });

  it('and too many others are, it is refused with when to come again', async () => {
    own = await Deployment.start();
    recomputeWith(own, async () => 'overloaded');
    const reply = await workProof(hostileProof(own), own);
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '1']);
    expect(reply.body).toMatchObject({ code: 'RATE_LIMITED', retry_after_ms: 1_000 });
  });

  it('only what passed the limit of its address is', async () => {
    own = await Deployment.start();
    let asked = 0;
    const pool = createBeatPool();
    recomputeWith(own, (claims, gone) => {
      asked += 1;
      return pool.recompute(claims, gone);
    });
    const body = hostileProof(own);
    const sent = { headers: { 'X-Forwarded-For': '192.0.2.1' }, body };
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      statuses.push((await own.send('POST', '/api/v1/beat/work-proof', sent, 'beats')).status);
    }
    await pool.close();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    expect(asked).toBe(10);
  });
});

/** An agent with a proof of 25 beats of its chain, all of them checked: enough for threads to be used. */
async function submission(at: Deployment) {
  const agent = await at.register('prover');
  expect((await agent.post('/agent/init')).status).toBe(200);
  const { index, hash: anchorHash } = anchorOf(at);
  const fromHash = genesisHash(agent.hash);
  const run = { fromHash, fromIndex: 0, beats: 25, difficulty: 1_000, anchorHash, keep: { every: 1 } };
  const { toHash, spotChecks } = computeChain(run);
  const proof = {
    from_beat: 0,
    to_beat: 25,
    from_hash: fromHash,
    to_hash: toHash,
    beats_computed: 25,
    global_anchor: index,
    anchor_hash: anchorHash,
    spot_checks: spotChecks,
  };
  return { agent, proof };
}

it('a journal with proofs that threads recomputed is replayed to the same state', async () => {
  const own = await Deployment.start();
  const commands: Command[] = [];
  own.host.keeper = { record: (command) => commands.push(structuredClone(command)), settled: () => undefined };
  const { agent, proof } = await submission(own);
  const answers = await Promise.all([
    agent.post('/agent/beats/submit', proof),
    agent.post('/agent/beats/submit', { proof }),
    own.post('/register', { name: 'meanwhile' }),
  ]);
  own.close();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
  expect(commands.filter(({ name }) => name === 'beats-submit')).toHaveLength(1);
  const again = createHost(own.host.service.options, own.clock, { trustForwardedFor: true });
  for (const command of commands) replay(again, command);
  expect(fingerprint(again.service.registry)).toBe(fingerprint(own.host.service.registry));
});
