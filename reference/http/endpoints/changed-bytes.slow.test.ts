import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isoOf } from '../../../spec/formats.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { latestAnchor } from '../../beats/anchor.js';
import { checkBeatInline, computeChain, genesisHash } from '../../beats/beat.js';
import { type ReceiptPayload, receiptInForm, signReceipt } from '../../beats/receipt.js';
import { fingerprint } from '../../registry/fingerprint.js';
import type { HandlerResult, Route } from '../request/route.js';
import { beatsSubmitRoute } from './beats-submit.js';
import { resyncRoute } from './resync.js';
import { spawnRoute } from './spawn.js';
import { workProofPostRoute } from './work-proof.js';

/** Beats of the lowest difficulty, so that many proofs can be checked; the scheme is the same at any. */
const DIFFICULTY = 100;

let deployment: Deployment;
let agent: TestAgent;
let frozen: TestAgent;
let nonce: string;
beforeAll(async () => {
  deployment = await Deployment.start({ overlay: { beat: { difficulty: DIFFICULTY } } });
  frozen = await deployment.register('frozen');
  await frozen.post('/agent/init');
  deployment.advance(61 * 60_000);
  agent = await deployment.register('active');
  await agent.post('/agent/init');
  nonce = (await frozen.post('/agent/resync', { action: 'challenge' })).body.challenge.nonce;
});
afterAll(() => deployment.close());

/** Schemas are built once. */
const schemas = new Map<Route, z.ZodType>();

function schemaOf(route: Route): z.ZodType {
  const known = schemas.get(route);
  if (known !== undefined) return known;
  const { protocol, dialect } = deployment.host.service.registry;
  const schema = route.endpoint.body?.({ protocol, dialect });
  if (schema === undefined) throw new Error(`${route.endpoint.id} takes no body`);
  schemas.set(route, schema);
  return schema;
}

/** The endpoint's answer to a body as text; undefined for one that is not JSON or that its schema refuses. */
function answerTo(route: Route, text: string, from: TestAgent): HandlerResult | undefined {
  const { service } = deployment.host;
  const { registry } = service;
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const parsed = schemaOf(route).safeParse(sent);
  if (!parsed.success) return undefined;
  const given = {
    hash: '',
    header: () => undefined,
    checkBeat: checkBeatInline,
    payment: () => 'missing' as const,
    writeMemo: () => 'memo',
  };
  const caller = { agent: from.row, partner: -1, ...given };
  const nowMs = deployment.clock.nowMs();
  return route.handle({ service, registry, nowMs, ...caller, body: parsed.data as never });
}

/** The beats service answers an invalid proof with 200 (D-08). */
function isTaken(answer: HandlerResult | undefined): boolean {
  return answer?.ok === true && !('valid' in answer.body && answer.body.valid === false);
}

/** Replacements for a byte of JSON: digits of numbers and hashes, and characters that end or break either. */
const OTHERS = [...'012789abf', 'g', 'A', '-', '.', ' ', '"', ',', '}', '\\'];
/** Replacements for a character of base64url. */
const BASE64 = [...'ABCDEFQRSgwx019-_='];

/** Every text that differs from this one in one byte, or lacks one, with the place of the change. */
function* changed(text: string, others: readonly string[]): Generator<readonly [at: number, text: string]> {
  for (let at = 0; at < text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    yield [at, before + after];
    for (const other of others) if (other !== text[at]) yield [at, before + other + after];
  }
}

/** The name of the field whose value, in the JSON of a flat object, is at this place: the last name before it. */
function fieldAt(text: string, at: number): string {
  const names = [...text.slice(0, at).matchAll(/"([a-z_]+)":/g)];
  return names.at(-1)?.[1] ?? '';
}

/** The fields in whose values a change of one byte was accepted. */
function takenIn(route: Route, text: string, from = agent): string[] {
  const taken = new Set<string>();
  for (const [at, other] of changed(text, OTHERS)) {
    if (isTaken(answerTo(route, other, from))) taken.add(fieldAt(text, at));
  }
  return [...taken];
}

function currentAnchor() {
  const anchor = latestAnchor(deployment.host.service.anchors);
  if (anchor === undefined) throw new Error('no anchor');
  return anchor;
}

/** A run of beats from a hash, and the checks at these places, counted from 1. */
function runOf(fromHash: string, fromIndex: number, beats: number, places: readonly number[]) {
  const keep = { indexes: places.map((place) => fromIndex + place) };
  const { hash: anchorHash } = currentAnchor();
  return computeChain({ fromHash, fromIndex, beats, difficulty: DIFFICULTY, anchorHash, keep });
}

function workProof(fromIndex: number, beats: number, places: readonly number[]): string {
  const fromHash = 'b2'.repeat(32);
  const { toHash, spotChecks } = runOf(fromHash, fromIndex, beats, places);
  const { index, hash } = currentAnchor();
  return JSON.stringify({
    from_hash: fromHash,
    to_hash: toHash,
    beats_computed: beats,
    difficulty: DIFFICULTY,
    anchor_hash: hash,
    anchor_index: index,
    spot_checks: spotChecks,
  });
}

function beatProof(from: TestAgent, beats: number, places: readonly number[]) {
  const fromHash = genesisHash(from.hash);
  const { toHash, spotChecks } = runOf(fromHash, 0, beats, places);
  const { index, hash } = currentAnchor();
  return {
    from_beat: 0,
    to_beat: beats,
    from_hash: fromHash,
    to_hash: toHash,
    beats_computed: beats,
    global_anchor: index,
    anchor_hash: hash,
    spot_checks: spotChecks,
  };
}

/** A count of beats, and two places between the first and the last of them. */
const shapes = fc
  .integer({ min: 5, max: 40 })
  .chain((beats) =>
    fc.record({ beats: fc.constant(beats), between: fc.subarray(placesTo(beats), { minLength: 2, maxLength: 2 }) }),
  );

/** Places that touch neither the first beat, nor the second, nor the last. */
function placesTo(beats: number): number[] {
  return Array.from({ length: beats - 3 }, (_, i) => i + 3);
}

const runs = { numRuns: 3, endOnFailure: true };

/**
 * The limits of the scheme (docs/proofs.md): only its checks bind the length of a work proof, and only a check at its
 * first beat binds its `from_hash`. `fewer` and `more` tell which other counts are accepted.
 */
const UNSEEN = {
  'work proof, first beat checked': ['beats_computed'],
  'work proof, first beat not checked': ['from_hash', 'beats_computed'],
  'beat proof': [],
  receipt: [],
} as const;

describe('a byte of a work proof changed is refused', () => {
  it('but for a larger count, where the first beat is checked', () => {
    fc.assert(
      fc.property(shapes, fc.nat(1_000), ({ beats, between }, fromIndex) => {
        const text = workProof(fromIndex, beats, [1, ...between, beats]);
        expect(isTaken(answerTo(workProofPostRoute, text, agent))).toBe(true);
        const seen = UNSEEN['work proof, first beat checked'];
        expect(seen).toEqual(expect.arrayContaining(takenIn(workProofPostRoute, text)));
        for (let count = 0; count <= beats + 3; count++) {
          const other = text.replace(`"beats_computed":${beats}`, `"beats_computed":${count}`);
          const startsBefore0 = fromIndex + beats - count + 1 < 0;
          expect([count, isTaken(answerTo(workProofPostRoute, other, agent))]).toEqual([
            count,
            count >= beats && !startsBefore0,
          ]);
        }
      }),
      runs,
    );
  });

  it('but for from_hash and the count, where it is not', () => {
    fc.assert(
      fc.property(shapes, ({ beats, between }) => {
        const text = workProof(1_000, beats, [...between, beats]);
        expect(takenIn(workProofPostRoute, text).toSorted()).toEqual(
          [...UNSEEN['work proof, first beat not checked']].toSorted(),
        );
      }),
      runs,
    );
  });

  it('wrapped or flat, and with every beat checked', () => {
    const every = workProof(7, 3, [1, 2, 3]);
    expect(takenIn(workProofPostRoute, `{"work_proof":${every}}`)).toEqual(['beats_computed']);
  });
});

describe('a byte of a beat proof changed is refused', () => {
  it.each([
    ['with a check at the first beat', [1, 4, 9]],
    ['without', [3, 6, 9]],
    ['with all beats checked', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('in beats/submit, %s', (_name, places) => {
    const { registry } = deployment.host.service;
    const before = fingerprint(registry);
    const proof = beatProof(agent, 9, places);
    expect(takenIn(beatsSubmitRoute, JSON.stringify(proof))).toEqual(UNSEEN['beat proof']);
    expect(takenIn(beatsSubmitRoute, JSON.stringify({ proof }))).toEqual(UNSEEN['beat proof']);
    expect(fingerprint(registry)).toBe(before);
  });

  it('in an answer to a resync challenge, whose nonce and action count too', () => {
    const { registry } = deployment.host.service;
    const proof = beatProof(frozen, 6_100, [1, 3_000, 6_100]);
    const text = JSON.stringify({ action: 'prove', challenge_nonce: nonce, proof });
    const before = fingerprint(registry);
    expect(takenIn(resyncRoute, text, frozen)).toEqual(UNSEEN['beat proof']);
    expect(fingerprint(registry)).toBe(before);
    expect(isTaken(answerTo(resyncRoute, text, frozen))).toBe(true);
  });

  it('and unchanged it is accepted', () => {
    expect(isTaken(answerTo(beatsSubmitRoute, JSON.stringify(beatProof(agent, 9, [3, 6, 9])), agent))).toBe(true);
  });
});

describe('a byte of a receipt changed is refused', () => {
  /** A receipt whose text has, or has not, a length at which base64 leaves spare bits at the end. */
  function receiptOf(beats: number, fromHash = 'c3'.repeat(32)): ReceiptPayload {
    const { index, hash } = currentAnchor();
    const claim = { type: 'work_proof', beats_verified: beats, difficulty: DIFFICULTY, anchor_index: index } as const;
    const hashes = { anchor_hash: hash, from_hash: fromHash, to_hash: 'd4'.repeat(32) };
    const utc = isoOf(deployment.clock.nowMs());
    return signReceipt({ ...claim, ...hashes, utc }, deployment.host.service.workProofKey);
  }
  const spawning = (receipt: string): string => `{"child_name":"kid","beats_receipt":${receipt}}`;

  it.each([1_000, 10_000, 100_000])('as an object and as a string, of %i beats', (beats) => {
    const { registry } = deployment.host.service;
    const before = fingerprint(registry);
    const receipt = receiptOf(beats);
    const object = JSON.stringify(receipt);
    const text = String(receiptInForm(receipt, 'string'));
    const taken: string[] = [];
    for (const [, other] of changed(object, OTHERS)) {
      if (isTaken(answerTo(spawnRoute, spawning(other), agent))) taken.push(other);
    }
    for (const [, other] of changed(text, BASE64)) {
      if (isTaken(answerTo(spawnRoute, spawning(`"${other}"`), agent))) taken.push(other);
    }
    expect(taken).toEqual(UNSEEN.receipt);
    expect(fingerprint(registry)).toBe(before);
  });

  it.each(['object', 'string'] as const)('and unchanged it is taken, as %s', (form) => {
    // A pair of hashes is accepted once (D-09).
    const receipt = receiptInForm(receiptOf(2_000, (form === 'object' ? 'e5' : 'f6').repeat(32)), form);
    expect(isTaken(answerTo(spawnRoute, spawning(JSON.stringify(receipt)), agent))).toBe(true);
  });
});
