/**
 * Differences of the published service from the text, by the table of facts in docs/decisions.md (D-57) alone: its beats
 * service, and the calls that its clients make. The rules of the text are in the other files, which ask where they differ.
 */

import { createHash, sign } from 'node:crypto';
import { beatHash } from './beats.js';
import { ed25519Key, ed25519Public, sha256 } from './crypto.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, find, HOUR_MS, isRecord, MINUTE_MS, type World } from './world.js';

const DIFFICULTY = { min: 100, max: 5_000 };
const CHECKS = { min: 3, max: 25 };
/** Anchors before the latest that a proof may weave. */
export const GRACE = 5;
const CHAIN_BEATS_MAX = 1_000;
const BODY_BYTES_MAX = 256;
const DAY_MS = 24 * HOUR_MS;
const EXPLORER = 'https://explorer.solana.com/tx/';

export const DEPTH_MAX = 10;
/** The characters of a name that are kept. */
export const keptName = (name: string): string => name.replace(/[^a-zA-Z0-9_\-. ]/g, '');
/** The cost of a child, computed in doubles. */
export const doubleCost = (depth: number, siblings: number): number =>
  Math.floor(Math.floor(1000 * 1.5 ** depth) * 1.2 ** siblings);

/** Appends an event to the lineage of an agent: the chain is the hash of all hashes of events. */
export function noteEvent(world: World, agent: Agent, type: string): void {
  const before = agent.events.at(-1) ?? `0x${'0'.repeat(64)}`;
  agent.events.push(`0x${sha256(`${agent.hash}:${type}:${world.anchor}:${before}`)}`);
  agent.lineage = `0x${sha256(agent.events.join(':'))}`;
}

/** JSON with keys in order and without spaces: what the beats service signs. */
function canonical(value: Record<string, unknown>): string {
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

const keyOf = (world: World, use: string) => ed25519Key(sha256(`${use} ${world.settings.seed}`));
const signed = (world: World, use: string, value: Record<string, unknown>): string =>
  sign(null, Buffer.from(canonical(value)), keyOf(world, use)).toString('base64');

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const hex = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
const clamped = (value: number): number => Math.min(DIFFICULTY.max, Math.max(DIFFICULTY.min, value));
const malformed = (): Refusal => new Refusal(400, null, 'That is no work proof.');

/** A beat, with the anchor that it weaves if it weaves one. */
interface Beat {
  readonly index: number;
  readonly hash: string;
  readonly prev: string;
}
const isBeat = (value: unknown): value is Beat =>
  isRecord(value) && whole(value['index']) && hex(value['hash']) && hex(value['prev']);

/** Whether a beat follows from the one before it. */
function holds({ index, hash, prev }: Beat, anchor: string | null, difficulty: number): boolean {
  if (anchor !== null) return beatHash(prev, index, anchor, difficulty) === hash.toLowerCase();
  let value = createHash('sha256').update(`${prev}:${index}:`).digest('hex');
  for (let round = 0; round < difficulty; round += 1) value = sha256(value);
  return value === hash.toLowerCase();
}

/** Why the beats that a proof shows do not hold: each is recomputed, and their span is held against the count. */
function faultOf(spots: readonly Beat[], beats: number, anchor: string | null, difficulty: number): string | null {
  if (spots.length < Math.min(CHECKS.min, beats)) return 'insufficient_spot_checks';
  const indexes = spots.map(({ index }) => index);
  if (Math.max(...indexes) - Math.min(...indexes) + 1 > beats) return 'count_mismatch';
  return spots.every((spot) => holds(spot, anchor, difficulty)) ? null : 'spot_check_failed';
}

/** POST /beat/work-proof */
function workProof(world: World, call: Call): Reply {
  world.count(`work-proof ${call.ip}`, 10, MINUTE_MS);
  const proof = isRecord(call.body['work_proof']) ? call.body['work_proof'] : call.body;
  const { from_hash: from, to_hash: to, beats_computed: beats, difficulty, anchor_index: index } = proof;
  const { anchor_hash: woven = null, spot_checks: spots } = proof;
  if (!hex(from) || !hex(to) || !whole(beats) || !whole(difficulty) || !whole(index)) throw malformed();
  if (beats === 0 || !(woven === null || hex(woven)) || !Array.isArray(spots) || !spots.every(isBeat))
    throw malformed();
  if (spots.length === 0 || spots.length > CHECKS.max) throw malformed();
  const invalid = (reason: string): Reply => ({ body: { valid: false, reason } });
  if (difficulty < DIFFICULTY.min) return invalid('insufficient_difficulty');
  if (index > world.anchor || index < world.anchor - GRACE) return invalid('stale_anchor');
  const taken = clamped(difficulty);
  const anchor = woven === null ? null : woven.toLowerCase();
  const fault = faultOf(spots, beats, anchor, taken);
  if (fault !== null) return invalid(fault);
  const payload = {
    type: 'work_proof',
    beats_verified: beats,
    difficulty: taken,
    anchor_index: index,
    anchor_hash: anchor,
    from_hash: from.toLowerCase(),
    to_hash: to.toLowerCase(),
    utc: new Date(world.now).toISOString(),
  };
  return { body: { valid: true, receipt: { ...payload, signature: signed(world, 'work-proof', payload) } } };
}

/** The payload of a receipt that the beats service signed, in either form; null for anything else. */
function payloadOf(world: World, receipt: unknown): Record<string, unknown> | null {
  let value: unknown = receipt;
  if (typeof receipt === 'string') {
    const text = Buffer.from(receipt, 'base64url').toString();
    // A string that is no base64url of an object is no receipt.
    value = /^\{.*\}$/s.test(text) ? JSON.parse(text) : null;
  }
  if (!isRecord(value)) return null;
  const { signature, ...payload } = value;
  return signature === signed(world, 'work-proof', payload) ? payload : null;
}

/** By which a receipt is known: its two ends. */
export const receiptName = (world: World, receipt: unknown): string => {
  const payload = payloadOf(world, receipt);
  return `${String(payload?.['from_hash'])} ${String(payload?.['to_hash'])}`;
};

/** The beats of a receipt that has not been used and is not old, or null. */
export function publishedReceiptBeats(world: World, receipt: unknown): number | null {
  const payload = payloadOf(world, receipt);
  if (payload === null || world.receiptsUsed.has(receiptName(world, receipt))) return null;
  return Number(payload['anchor_index']) >= world.anchor - 60 ? Number(payload['beats_verified']) : null;
}

/** GET /beat/work-proof */
const workProofInfo = (): Reply => ({
  body: {
    public_caps: {
      min_difficulty: DIFFICULTY.min,
      max_difficulty: DIFFICULTY.max,
      min_spot_checks: CHECKS.min,
      max_spot_checks: CHECKS.max,
      anchor_grace_window: GRACE,
    },
  },
});

/** POST /beat/verify: a beat, a sample of a chain, or a proof over whatever anchor. */
function verifyBeats(world: World, call: Call): Reply {
  world.count(`beat-verify ${call.ip}`, 10, MINUTE_MS);
  const {
    mode = 'beat',
    beat,
    beats,
    proof,
    difficulty: given = world.settings.difficulty,
    spot_checks: asked = 3,
  } = call.body;
  if (!whole(given)) throw malformed();
  const difficulty = clamped(given);
  const says = (valid: boolean, checked: number): Reply => ({
    body: { ok: valid, mode, valid, beats_checked: checked },
  });
  if (mode === 'beat') {
    if (!isBeat(beat)) throw malformed();
    return says(holds(beat, wovenBy(beat), difficulty), 1);
  }
  if (mode === 'chain') {
    if (!Array.isArray(beats) || !beats.every(isBeat) || beats.length === 0 || beats.length > CHAIN_BEATS_MAX) {
      throw malformed();
    }
    const linked = beats.every((each, at) => {
      const before = beats[at - 1];
      return before === undefined || (before.index + 1 === each.index && before.hash === each.prev);
    });
    const count = Math.min(beats.length, Math.max(2, Number(asked)), CHECKS.max);
    const places = Array.from({ length: count }, (_, n) =>
      Math.round((n * (beats.length - 1)) / Math.max(1, count - 1)),
    );
    const sampled = places.every((at) => holds(beats[at] as Beat, wovenBy(beats[at]), difficulty));
    return says(linked && sampled, count);
  }
  if (mode !== 'proof' || !isRecord(proof) || !Array.isArray(proof['spot_checks'])) throw malformed();
  const spots = proof['spot_checks'] as unknown[];
  const count = proof['beats_computed'];
  if (!spots.every(isBeat) || spots.length === 0 || !whole(count)) throw malformed();
  const own = whole(proof['difficulty']) ? clamped(proof['difficulty']) : difficulty;
  return says(faultOf(spots as Beat[], count, wovenBy(proof), own) === null, spots.length);
}

function wovenBy(value: unknown): string | null {
  const anchor = isRecord(value) ? value['anchor_hash'] : null;
  return typeof anchor === 'string' ? anchor.toLowerCase() : null;
}

/** GET /beat/anchor, of either service: every anchor is a memo on the ledger. */
function latestAnchor(world: World): Reply {
  const index = world.anchor;
  const hash = world.anchorHash(index);
  const tx = `memo${sha256(`anchor memo ${hash}`).slice(0, 40)}`;
  return {
    body: {
      anchor: {
        type: 'anchor',
        beat_index: index,
        hash,
        prev_hash: world.anchorHash(index - 1),
        utc: world.anchorAt,
        difficulty: world.anchorDifficulty,
        epoch: Math.floor(index / 100),
        tx_signature: tx,
        solana_entropy: sha256(`entropy ${hash}`),
      },
      on_chain: { tx_signature: tx, explorer_url: `${EXPLORER}${tx}`, anchored: true },
      anchor_interval_sec: 60,
    },
  };
}

/** POST /beat/timestamp */
function timestamp(world: World, call: Call): Reply {
  if (call.bytes > BODY_BYTES_MAX) throw new Refusal(413, null, `A body has at most ${BODY_BYTES_MAX} bytes.`);
  world.count(`timestamp ${call.ip}`, 5, MINUTE_MS);
  const { hash } = call.body;
  if (!hex(hash)) throw new Refusal(400, null, 'hash is 64 hex digits.');
  world.count(`timestamp-day ${call.ip}`, 10, DAY_MS);
  const tx = `memo${world.random(20)}`;
  const stamped = {
    hash: hash.toLowerCase(),
    anchor_index: world.anchor,
    anchor_hash: world.anchorHash(world.anchor),
    utc: world.now,
    tx_signature: tx,
  };
  const receipt = {
    signature: signed(world, 'timestamp', stamped),
    public_key: ed25519Public(keyOf(world, 'timestamp')),
  };
  return {
    body: {
      timestamp: stamped,
      on_chain: { tx_signature: tx, explorer_url: `${EXPLORER}${tx}` },
      receipt,
      tier: 'free',
    },
  };
}

/** GET /beat/key */
function beatKeys(world: World): Reply {
  const shown = (use: string) => ({
    public_key_hex: ed25519Public(keyOf(world, use)),
    algorithm: 'Ed25519',
    signing_context: `provenonce:beats:${use === 'timestamp' ? 'timestamp-receipt' : use}:v1`,
  });
  return { body: { algorithm: 'Ed25519', keys: { timestamp: shown('timestamp'), work_proof: shown('work-proof') } } };
}

/** GET /api/health */
function health(world: World): Reply {
  const old = world.now - world.anchorAt > 3 * MINUTE_MS;
  return { body: { status: old ? 'degraded' : 'ok' } };
}

/** GET and POST /skill/bootstrap */
function bootstrap(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  return {
    body: { ok: true, hash: agent.hash, status: agent.frozen ? 'frozen' : 'active', _hint: 'Send a heartbeat.' },
  };
}

/** GET /agent/lineage/:hash */
function lineage(world: World, call: Call): Reply {
  const agent = find(world, call.rest);
  if (agent === undefined) throw new Refusal(404, null, 'There is no such agent.');
  const line: Agent[] = [];
  for (let each: Agent | null = agent; each !== null; each = each.parent) line.push(each);
  const shown = line.map(({ hash, name, depth }) => ({ hash, name, depth }));
  return { body: { ok: true, hash: agent.hash, lineage_chain_hash: agent.lineage, lineage: shown } };
}

/** A call of which only the refusal of an empty body is there. */
function needsBody(world: World, call: Call): Reply {
  world.agentOf(call.headers.authorization);
  throw new Refusal(400, null, 'The body lacks its fields.');
}

const authorityFile = (world: World): Reply => ({ body: { authority_public_key: world.authorityPublic } });

type Handler = (world: World, call: Call) => Reply;

/** Further routes of the registry, by method and whole path. */
export const PUBLISHED_REGISTRY: Readonly<Record<string, Handler>> = {
  'GET /api/v1/beat/anchor': latestAnchor,
  'POST /api/v1/beat/verify': verifyBeats,
  'GET /api/v1/skill/bootstrap': bootstrap,
  'POST /api/v1/skill/bootstrap': bootstrap,
  'GET /api/v1/agent/lineage/:hash': lineage,
  'POST /api/v1/agent/heartbeat/batch': needsBody,
  'POST /api/v1/sigil/check': needsBody,
  'GET /.well-known/provenonce-authority.json': authorityFile,
};

/** The beats service, by method and whole path. */
export const PUBLISHED_BEATS: Readonly<Record<string, Handler>> = {
  'GET /api/v1/beat/anchor': latestAnchor,
  'POST /api/v1/beat/verify': verifyBeats,
  'GET /api/v1/beat/work-proof': workProofInfo,
  'POST /api/v1/beat/work-proof': workProof,
  'GET /api/v1/beat/key': beatKeys,
  'POST /api/v1/beat/timestamp': timestamp,
  'GET /api/health': health,
};
