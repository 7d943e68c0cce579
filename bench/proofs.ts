/** Measures verification of work proofs, alone and under hostile load. Computing beats is measured in beats.ts. */

import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { median, quantile } from 'simple-statistics';
import { computeBeat, computeChain } from '../reference/beats/beat.js';
import { checkWorkProof } from '../reference/beats/work-proof.js';
import { type BeatPool, claimsOf, createBeatPool } from '../reference/http/request/beat-pool.js';
import { startReference } from '../runs/server/reference-process.js';
import type { WorkProof } from '../spec/endpoints/proof-schemas.js';
import { ZERO_HASH } from '../spec/formats.js';
import { protocol } from '../spec/protocol.js';

const ROUNDS = 25;
const BEATS = 10_000;

/** A genuine work proof, with a spot check at the first beat and at each `every`-th. */
function proofOf(beats: number, difficulty: number, every: number, anchor: { index: number; hash: string }): WorkProof {
  const run = { fromHash: ZERO_HASH, fromIndex: 0, beats, difficulty, anchorHash: anchor.hash, keep: { every } };
  const { toHash, spotChecks } = computeChain(run);
  return {
    from_hash: ZERO_HASH,
    to_hash: toHash,
    beats_computed: beats,
    difficulty,
    anchor_hash: anchor.hash,
    anchor_index: anchor.index,
    spot_checks: spotChecks,
  };
}

/**
 * Verifies a proof of 10,000 beats with 25 checks as the beats service does, and computes beats, alternately. `ratio` is the time
 * of a verification divided by that of one beat.
 */
export async function benchVerify() {
  const anchor = { index: 0, hash: 'a1'.repeat(32) };
  const proof = proofOf(BEATS, protocol.beat.difficulty, BEATS / protocol.proof.spotChecksMax, anchor);
  const pool = createBeatPool();
  const verifying: number[] = [];
  const beating: number[] = [];
  // The first rounds start the threads and are not counted.
  for (let round = -5; round < ROUNDS; round += 1) {
    const verify = await timed(() => verified(pool, proof));
    const beat = await timed(() => computeBeats(proof.spot_checks.length, anchor.hash));
    if (round >= 0) verifying.push(verify);
    if (round >= 0) beating.push(beat / proof.spot_checks.length);
  }
  await pool.close();
  return {
    ratio: Number((median(verifying) / median(beating)).toFixed(2)),
    verify_ms: Number(median(verifying).toFixed(3)),
    beat_ms: Number(median(beating).toFixed(4)),
    beats: BEATS,
    spot_checks: proof.spot_checks.length,
    cores: availableParallelism(),
    note: `a ratio under ${proof.spot_checks.length} takes a second core that is free: the beats are shared out among threads`,
  };
}

async function verified(pool: BeatPool, proof: WorkProof): Promise<void> {
  const terms = { protocol, anchorHash: proof.anchor_hash };
  const checkBeat = await pool.recompute(claimsOf((asked) => checkWorkProof(proof, { ...terms, checkBeat: asked })));
  if (typeof checkBeat === 'string') throw new Error(`the threads are ${checkBeat}`);
  if (!checkWorkProof(proof, { ...terms, checkBeat }).ok) throw new Error('a true proof does not hold');
}

/** Computes as many beats as a verification recomputes, so that both take a similar time. */
function computeBeats(count: number, anchorHash: string): void {
  let prev = ZERO_HASH;
  for (let index = 1; index <= count; index += 1) {
    prev = computeBeat({ prev, index, anchorHash, difficulty: protocol.beat.difficulty });
  }
}

async function timed(run: () => unknown): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}

const HOSTILE_PER_S = 4;
const PHASE_S = 6;

/**
 * Starts a server in another process and requests the anchor a hundred times a second: idle, then under four proofs a second
 * with 25 checks at difficulty 5,000, then under as many of the largest chains, which are more than beat/verify can recompute.
 */
export async function benchHostile() {
  const server = await startReference({ seed: 1 });
  const beatsUrl = String(server.target.beatsUrl);
  try {
    const { anchor } = (await (await fetch(`${beatsUrl}/api/v1/beat/anchor`)).json()) as {
      anchor: { beat_index: number; hash: string };
    };
    const { difficultyMax } = protocol.work;
    const proof = proofOf(25, difficultyMax, 1, { index: anchor.beat_index, hash: anchor.hash });
    const chain = proofOf(protocol.beatVerify.chainBeatsMax, difficultyMax, 1, { index: 0, hash: '' });
    const ask = { mode: 'chain', difficulty: difficultyMax, beats: chain.spot_checks };
    const idle = await phase(beatsUrl, undefined);
    const proofs = await phase(beatsUrl, { path: 'work-proof', text: JSON.stringify(proof) });
    const chains = await phase(beatsUrl, { path: 'verify', text: JSON.stringify(ask) });
    const judged = proofs.hostile.filter(({ valid }) => valid);
    if (judged.length !== HOSTILE_PER_S * PHASE_S) throw new Error(`${judged.length} hostile proofs were verified`);
    return {
      p99_ms: rounded(quantile(proofs.anchorMs, 0.99)),
      p50_ms: rounded(median(proofs.anchorMs)),
      idle_p99_ms: rounded(quantile(idle.anchorMs, 0.99)),
      chains_p99_ms: rounded(quantile(chains.anchorMs, 0.99)),
      hostile_proofs: judged.length,
      hostile_proofs_p50_ms: rounded(median(judged.map(({ ms }) => ms))),
    };
  } finally {
    await server.stop();
  }
}

interface Hostile {
  readonly path: string;
  readonly text: string;
}

interface Phase {
  readonly anchorMs: readonly number[];
  readonly hostile: readonly { readonly ms: number; readonly valid: boolean }[];
}

let addresses = 0;

/** Another client address for each request, so that no limit by address applies. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
}

async function phase(beatsUrl: string, hostile: Hostile | undefined): Promise<Phase> {
  const anchorMs: number[] = [];
  const sent: Promise<{ ms: number; valid: boolean }>[] = [];
  const startMs = performance.now();
  for (let tick = 0; tick < PHASE_S * 100; tick += 1) {
    if (hostile !== undefined && tick % (100 / HOSTILE_PER_S) === 0) sent.push(attack(beatsUrl, hostile));
    anchorMs.push(
      await timed(async () => (await fetch(`${beatsUrl}/api/v1/beat/anchor`, { headers: elsewhere() })).json()),
    );
    await new Promise((done) => setTimeout(done, Math.max(0, startMs + (tick + 1) * 10 - performance.now())));
  }
  return { anchorMs, hostile: await Promise.all(sent) };
}

async function attack(beatsUrl: string, { path, text }: Hostile): Promise<{ ms: number; valid: boolean }> {
  const startMs = performance.now();
  const headers = { 'content-type': 'application/json', ...elsewhere() };
  const reply = await fetch(`${beatsUrl}/api/v1/beat/${path}`, { method: 'POST', headers, body: text });
  const { valid } = (await reply.json()) as { valid?: boolean };
  return { ms: performance.now() - startMs, valid: valid === true };
}

function rounded(ms: number): number {
  return Number(ms.toFixed(2));
}
