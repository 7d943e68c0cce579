/** Beat chains: init, beats/submit, and the beats service with its receipts (sections 2.3 to 2.5, 4.4, 4.8, 4.9). */

import { hmac, same, sha256 } from './crypto.js';
import { GRACE, publishedReceiptBeats, receiptName as publishedReceiptName } from './published.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, HOUR_MS, isRecord, type World } from './world.js';

const ZEROS = '0'.repeat(64);

/**
 * The hash of the beat after `prev`. The text has no formula, and without that of docs/decisions.md (D-02) no client could prove
 * work here.
 */
export function beatHash(prev: string, index: number, anchorHash: string, difficulty: number): string {
  let hash = sha256(`${prev}:${index}::${anchorHash}`);
  for (let round = 0; round < difficulty; round += 1) hash = sha256(hash);
  return hash;
}

type Spot = { index: number; hash: string; prev: string };
/** A proof of section 2.4 or 2.5, once its form has been checked. */
interface Proof {
  readonly from: number;
  readonly to: number;
  readonly fromHash: string;
  readonly toHash: string;
  readonly beats: number;
  readonly anchorHash: string;
  readonly spots: readonly Spot[];
}

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const hex = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);

function spotsOf(value: unknown): Spot[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > 100) return null;
  const spots: Spot[] = [];
  for (const spot of value as unknown[]) {
    if (!isRecord(spot)) return null;
    const { index, hash, prev } = spot;
    if (!whole(index) || !hex(hash) || !hex(prev)) return null;
    spots.push({ index, hash: hash.toLowerCase(), prev: prev.toLowerCase() });
  }
  return spots;
}

/** Why a proof has not the form of section 2.4 (a work proof: of 2.5), or the proof. The anchor is one of the last 60. */
function readProof(world: World, body: unknown, form: 'proof' | 'work-proof'): Proof | string {
  if (!isRecord(body)) return 'The proof is an object.';
  const spots = spotsOf(body['spot_checks']);
  const { from_hash: fromHash, to_hash: toHash, anchor_hash: anchorHash, beats_computed: beats } = body;
  const anchor = form === 'proof' ? body['global_anchor'] : body['anchor_index'];
  if (spots === null) return 'spot_checks has 1 to 100 items of index, hash and prev.';
  if (!hex(fromHash) || !hex(toHash) || !hex(anchorHash))
    return 'from_hash, to_hash and anchor_hash are 64 hex digits.';
  if (!whole(anchor) || !whole(beats) || beats < 1) return 'The anchor and beats_computed are whole numbers.';
  // A work proof says where it ends by its last spot check alone.
  const last = Math.max(...spots.map(({ index }) => index));
  const [from, to] = form === 'proof' ? [body['from_beat'], body['to_beat']] : [last - beats, last];
  if (!whole(from) || !whole(to) || beats !== to - from) return 'beats_computed is to_beat - from_beat.';
  const { difficulty } = world.settings;
  if (form === 'work-proof' && body['difficulty'] !== difficulty) return `difficulty is ${difficulty}.`;
  const grace = world.settings.published ? GRACE : 60;
  if (anchor > world.anchor || anchor < world.anchor - grace) return `The anchor is none of the last ${grace}.`;
  if (world.anchorHash(anchor) !== anchorHash.toLowerCase()) return 'anchor_hash is not that of the anchor.';
  return {
    from,
    to,
    fromHash: fromHash.toLowerCase(),
    toHash: toHash.toLowerCase(),
    beats,
    anchorHash: anchorHash.toLowerCase(),
    spots,
  };
}

/** Why the spot checks of a proof do not hold, or null. */
function spotFault(world: World, proof: Proof): string | null {
  for (const { index, hash, prev } of proof.spots) {
    if (index <= proof.from || index > proof.to) return 'A spot check is outside of the proof.';
    if (beatHash(prev, index, proof.anchorHash, world.settings.difficulty) !== hash) return 'A spot check is no beat.';
    if (index === proof.from + 1 && prev !== proof.fromHash) return 'The first beat does not follow from_hash.';
  }
  return proof.spots.some(({ index, hash }) => index === proof.to && hash === proof.toHash)
    ? null
    : 'spot_checks has no entry of to_beat.';
}

/** POST /agent/init */
export function init(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit('init', agent.hash);
  const { chain } = agent;
  if (chain !== null) {
    return {
      body: {
        ok: true,
        already_initialized: true,
        agent_hash: agent.hash,
        genesis_hash: chain.genesis.hash,
        total_beats: chain.total,
        latest_hash: chain.latestHash,
        latest_beat: chain.latestBeat,
        status: agent.frozen ? 'frozen' : 'active',
      },
    };
  }
  const genesis = { index: 0, hash: sha256(`genesis ${agent.hash}`), prev: ZEROS, timestamp: world.now };
  agent.chain = { genesis, latestBeat: 0, latestHash: genesis.hash, total: 0 };
  agent.lastSync = world.anchor;
  return {
    body: {
      agent_hash: agent.hash,
      genesis,
      difficulty: world.settings.difficulty,
      status: 'active',
      _next_steps: {
        purchase_sigil: 'POST /api/v1/sigil gives the agent a name and a class.',
        heartbeat: 'POST /api/v1/agent/heartbeat shows that it lives.',
        spawn_children: 'POST /api/v1/agent/spawn makes children.',
        check_status: 'GET /api/v1/status/:hash shows its state.',
      },
    },
  };
}

/** POST /agent/beats/submit */
export function submitBeats(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit('beatsSubmit', agent.hash);
  if (agent.chain === null) throw new Refusal(409, null, 'Call POST /api/v1/agent/init first.');
  const proof = creditedProof(world, agent, call.body);
  return {
    body: {
      ok: true,
      agent_hash: agent.hash,
      beats_accepted: proof.beats,
      total_beats: agent.chain.total,
      latest_beat_index: agent.chain.latestBeat,
      global_anchor: world.anchor,
      spot_checks_verified: proof.spots.length,
    },
  };
}

/** Appends a proof to an agent's chain, or refuses it with 400. */
export function creditedProof(world: World, agent: Agent, body: unknown, least = 1): Proof {
  const proof = readProof(world, body, 'proof');
  const { chain } = agent;
  const fault = typeof proof === 'string' ? proof : spotFault(world, proof);
  if (typeof proof === 'string' || fault !== null) throw new Refusal(400, null, fault ?? 'The proof does not hold.');
  if (chain === null || proof.from !== chain.latestBeat || proof.fromHash !== chain.latestHash) {
    throw new Refusal(400, null, "The proof does not start at the chain's latest beat.");
  }
  if (proof.beats < least) throw new Refusal(400, null, `The proof has fewer than ${least} beats.`);
  chain.latestBeat = proof.to;
  chain.latestHash = proof.toHash;
  chain.total += proof.beats;
  return proof;
}

/** POST {beats_url}/api/v1/beat/work-proof */
export function workProof(world: World, call: Call): Reply {
  world.limit('workProof', call.ip);
  const proof = readProof(world, call.body['work_proof'], 'work-proof');
  if (typeof proof === 'string') throw new Refusal(400, 'WORK_PROOF', proof);
  const fault = spotFault(world, proof);
  if (fault !== null) throw new Refusal(400, 'WORK_PROOF', fault);
  const payload = Buffer.from(
    JSON.stringify({ beats: proof.beats, until: world.now + HOUR_MS, id: world.random(12) }),
  ).toString('base64url');
  return { body: { ok: true, receipt: `${payload}.${hmac(`receipts ${world.settings.seed}`, payload)}` } };
}

/** By which a receipt is known. */
export const receiptName = (world: World, receipt: unknown): string =>
  world.settings.published ? publishedReceiptName(world, receipt) : String(receipt);

/** The beats of a receipt that has not been used, or null. */
export function receiptBeats(world: World, receipt: unknown): number | null {
  if (world.settings.published) return publishedReceiptBeats(world, receipt);
  if (typeof receipt !== 'string' || world.receiptsUsed.has(receipt)) return null;
  const [payload, signature, ...rest] = receipt.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return null;
  if (!same(signature, hmac(`receipts ${world.settings.seed}`, payload))) return null;
  const about: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return isRecord(about) && Number(about['until']) > world.now ? Number(about['beats']) : null;
}

/** GET /beat/anchor */
export function latestAnchor(world: World): Reply {
  const index = world.anchor;
  return { body: { anchor: { index, hash: world.anchorHash(index) }, degraded: world.stalled } };
}

/** POST /beat/verify: whether beats are what they claim. The shape is that of docs/decisions.md, since the text has none. */
export function verifyBeats(world: World, call: Call): Reply {
  const { mode, beat, beats, difficulty = world.settings.difficulty } = call.body;
  const list: unknown = mode === 'beat' ? [beat] : beats;
  if (!whole(difficulty) || difficulty > 1000) throw new Refusal(400, 'PROOF', 'difficulty is at most 1000.');
  if (!Array.isArray(list) || list.length === 0 || list.length > 200)
    throw new Refusal(400, 'PROOF', 'Send 1 to 200 beats.');
  let before: { index: number; hash: string } | null = null;
  for (const each of list as unknown[]) {
    if (!isRecord(each)) throw new Refusal(400, 'PROOF', 'A beat is an object.');
    const { index, hash, prev, anchor_hash: anchorHash } = each;
    if (!whole(index) || !hex(hash) || !hex(prev) || !hex(anchorHash)) {
      throw new Refusal(400, 'PROOF', 'A beat has index, hash, prev and anchor_hash.');
    }
    const linked = before === null || (before.index + 1 === index && before.hash === prev);
    if (!linked || beatHash(prev, index, anchorHash, difficulty) !== hash) return { body: { valid: false } };
    before = { index, hash };
  }
  return { body: { valid: true } };
}
