/** Checks of POST /beat/work-proof: which proofs earn a receipt, and the fields of a receipt. Reasons of failure are in work-proof-reasons.ts. */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { canonicalJson } from '../../model/reading/canonical.js';
import { chainHashes } from '../../model/reading/chain.js';
import { isString } from '../../model/reading/field-tests.js';
import { verifiesBase64 } from '../../model/reading/signature.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { proveWork } from '../moves/work-proof.js';
import { type Chain, computeChain, proofOf, type WorkProof } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import { payloadOf, receiptFor, receiptIn, withOneWrong, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'] } as const;

/** Computes a chain over the latest anchor. */
export async function chainOf(
  t: Trial,
  beats: number,
  difficulty = t.protocol.work.difficultyMin,
  fromIndex = 0,
): Promise<Chain> {
  return computeChain(t.hex(32), beats, await latestAnchor(t), {
    difficulty,
    fromIndex,
    spotChecks: sureSpotChecks(t.protocol),
  });
}

const valid: WrittenCheck = {
  ...base,
  id: 'work-proof/valid',
  title: 'A good work proof earns a receipt',
  async run(t) {
    const proof = proofOf(await chainOf(t, 8, t.protocol.beat.difficulty));
    const reply = await workTaken(
      t,
      await t.send(proveWork(proof)),
      'work-proof.body',
      'service.beats-service',
      'service.beats.proven',
      'beat.step',
      ...workFields.map(({ clause }) => clause),
      ...['beat.seed', 'beat.seed.nonce', 'beat.seed.anchor', 'beat.hash', 'proof.anchor.every-beat'],
    );
    t.shows('work-proof.reply.valid').field(reply, 'valid', true);
    const earned = receiptIn(reply) !== undefined;
    t.shows('work-proof.reply.receipt', 'service.beats-service').that('receipt', earned, 'one', reply.excerpt(), reply);
  },
};

/** The fields of a work proof (2.5), and the clause of each. */
const workFields = (
  ['from_hash', 'to_hash', 'beats_computed', 'difficulty', 'anchor_hash', 'anchor_index', 'spot_checks'] as const
).map((field) => ({ field, clause: `work-proof.field.${field.replaceAll('_', '-')}` }));

/** The fields that are not checked where only the shown beats are recomputed (D-57). */
const UNCHECKED: ReadonlySet<string> = new Set(['from_hash', 'to_hash', 'anchor_hash']);

/** Asserts that an invalid proof earns no receipt, in any form of the reply. */
function earnsNone(t: Trial, reply: Reply, what: string, ...clauses: readonly string[]): void {
  t.shows(...clauses).that(what, receiptIn(reply) === undefined, 'no receipt', reply.get('receipt'), reply);
}

const madeUp: WrittenCheck = {
  ...base,
  id: 'work-proof/made-up',
  title: 'A work proof with beats that were not computed earns no receipt',
  async run(t) {
    const chain = await chainOf(t, 8, t.protocol.beat.difficulty);
    const good = proofOf(chain);
    await workTaken(t, await t.send(proveWork(good)), 'service.beats.proven', 'beat.step');
    // Random hashes instead of computed beats.
    const hashes = chain.hashes.map(() => t.hex(32));
    const chance = await t.send(proveWork(proofOf({ ...chain, hashes })));
    earnsNone(t, chance, 'receipt of work with random hashes', 'service.beats.proven', 'beat.step');
    const one = await t.send(proveWork({ ...good, spot_checks: withOneWrong(t, good.spot_checks) }));
    earnsNone(t, one, 'receipt of work with one random spot check', 'beat.step', 'work-proof.field.spot-checks');
    const end = await t.send(proveWork({ ...good, to_hash: t.hex(32) }));
    earnsNone(t, end, 'receipt of work with a random to_hash', 'work-proof.field.to-hash');
    const anchor = await t.send(proveWork({ ...good, anchor_hash: t.hex(32) }));
    earnsNone(t, anchor, 'receipt of work over an invented anchor hash', 'work-proof.field.anchor-hash');
    t.shows('beat.seed.anchor').that(
      'receipt of work over an invented anchor hash',
      receiptIn(anchor) === undefined,
      'none',
      '',
      anchor,
    );
    const unknown = await t.send(proveWork({ ...good, anchor_index: good.anchor_index + 1_000 }));
    earnsNone(t, unknown, 'receipt of work over an anchor that is not issued yet', 'work-proof.field.anchor-index');
    const from = chain.hashes[0] ?? '';
    const { difficulty, fromIndex } = chain;
    const unwoven = { ...chain, hashes: chainHashes({ from, beats: 8, fromIndex, anchorHash: null, difficulty }) };
    const none = await t.send(proveWork({ ...proofOf(unwoven), anchor_index: good.anchor_index + 1_000 }));
    earnsNone(t, none, 'receipt of work over an anchor that no beat weaves', 'work-proof.field.anchor-index');
    const easier = await t.send(proveWork({ ...good, difficulty: good.difficulty + 1 }));
    earnsNone(t, easier, 'receipt of work with an overstated difficulty', 'beat.hash');
    // The last beat has index 8, so there are at most nine beats. A server that checks only the shown beats does not check this count.
    if (t.facts.dialect.workProofChecks === 'shown-beats') return;
    for (const beats_computed of [10, 5_000]) {
      const more = await t.send(proveWork({ ...good, beats_computed }));
      const what = 'receipt of work with an overstated number of beats';
      earnsNone(t, more, what, 'work-proof.field.beats-computed', 'service.beats.proven');
    }
  },
};

const receipt: WrittenCheck = {
  ...base,
  id: 'work-proof/receipt',
  title: 'A receipt shows the proved work, signed with the published work-proof key',
  async run(t) {
    const proof = proofOf(await chainOf(t, 8));
    const made = await receiptFor(t, proof);
    t.shows('dialect.receipt-form').equal('type of a receipt', typeof made, t.facts.dialect.receiptForm);
    const read = payloadOf(made);
    t.shows('receipt.string').that('a receipt', read !== undefined, 'base64url of a JSON object', made);
    const payload = t.need(read, 'the payload of a receipt', 'D-09');
    const { signature, ...rest } = payload;
    const { from_hash, to_hash, difficulty, anchor_hash, anchor_index, beats_computed } = proof;
    const reported = { from_hash, to_hash, difficulty, anchor_hash, anchor_index, type: 'work_proof' };
    for (const [field, value] of Object.entries({ ...reported, beats_verified: beats_computed })) {
      t.shows('receipt.payload').equal(`${field} of a receipt`, rest[field], value);
    }
    const keys = t.mustSucceed(await t.call('beat-key'));
    t.shows('beat-key.reply').field(keys, 'keys.work_proof.public_key_hex', isString);
    const key = keys.string('keys.work_proof.public_key_hex');
    const holds = verifiesBase64(String(signature), canonicalJson(rest), key);
    t.shows('receipt.signature').that('signature of a receipt', holds, 'a signature by the work-proof key', 'another');
  },
};

const flat: WrittenCheck = {
  ...base,
  id: 'work-proof/flat',
  title: 'A work proof is accepted as the whole body, and from any start index',
  async run(t) {
    const { difficultyMin } = t.protocol.work;
    await t.part(async () => {
      const body = proofOf(await chainOf(t, 4));
      await workTaken(t, await t.call('work-proof.post', { body }), 'work-proof.body.flat');
    });
    const later = proofOf(await chainOf(t, 4, difficultyMin, 1_000_000));
    await workTaken(t, await t.send(proveWork(later)), 'work-proof.chain-start');
  },
};

const few: WrittenCheck = {
  ...base,
  id: 'work-proof/two-beats',
  title: 'A work proof of 2 beats with 2 spot checks is accepted',
  async run(t) {
    await workTaken(t, await t.send(proveWork(proofOf(await chainOf(t, 2)))), 'proof.spot-checks.min');
  },
};

const malformed = (
  [
    ['no-proof', () => ({})],
    ['no-spot-checks', ({ spot_checks: _, ...rest }: WorkProof) => ({ work_proof: rest })],
    ['count-text', (proof: WorkProof) => ({ work_proof: { ...proof, beats_computed: 'eight' } })],
    ['hash-malformed', (proof: WorkProof) => ({ work_proof: { ...proof, from_hash: 'no hash' } })],
  ] as const
).map(
  ([word, body]): WrittenCheck => ({
    ...base,
    id: `work-proof/malformed-${word}`,
    title: `A malformed work-proof body is refused: ${word.replace('-', ' ')}`,
    async run(t) {
      const proof = proofOf(await chainOf(t, 4));
      const reply = await t.call('work-proof.post', { body: body(proof) });
      t.refused(reply, 'work-proof/VALIDATION', 'work-proof.malformed');
      await workTaken(t, await t.send(proveWork(proof)), 'work-proof.malformed');
    },
  }),
);

const incomplete: WrittenCheck = {
  ...base,
  id: 'work-proof/field-missing',
  title: 'A work proof without one of its fields earns no receipt',
  async run(t) {
    const proof = proofOf(await chainOf(t, 4, t.protocol.beat.difficulty));
    await workTaken(t, await t.send(proveWork(proof)));
    for (const { field, clause } of workFields) {
      // A target may ignore fields that it does not check.
      if (t.facts.dialect.workProofChecks === 'shown-beats' && UNCHECKED.has(field)) continue;
      const reply = await t.send(proveWork({ ...proof, [field]: undefined }));
      earnsNone(t, reply, `receipt of a proof without ${field}`, clause);
      t.refused(reply, 'work-proof/VALIDATION', 'work-proof.malformed');
    }
  },
};

/** A valid proof of four beats over the latest anchor, since an older anchor may be too old by then. */
const whole = async (t: Trial): Promise<WorkProof> => proofOf(await chainOf(t, 4, t.protocol.beat.difficulty));

const checksIncomplete: WrittenCheck = {
  ...base,
  // With a single address, these would use up the low limit that other checks need.
  needs: [...base.needs, 'client-ip'],
  id: 'work-proof/check-field-missing',
  title: 'A work proof without one field of its spot checks earns no receipt',
  async run(t) {
    for (const field of ['index', 'hash', 'prev'] as const) {
      const proof = await whole(t);
      const spot_checks = proof.spot_checks.map((check) => ({ ...check, [field]: undefined }));
      const reply = await t.send(proveWork({ ...proof, spot_checks }));
      earnsNone(t, reply, `receipt of spot checks without ${field}`, 'work-proof.field.spot-checks');
      t.refused(reply, 'work-proof/VALIDATION', 'work-proof.malformed');
    }
    await workTaken(t, await t.send(proveWork(await whole(t))));
  },
};

/** The fields of a work proof that are numbers (2.5). */
const workNumbers = ['beats_computed', 'difficulty', 'anchor_index'] as const;

const numbersAsText: WrittenCheck = {
  ...base,
  // With a single address, these would use up the low limit that other checks need.
  needs: [...base.needs, 'client-ip'],
  id: 'work-proof/number-as-text',
  title: 'A work proof with a string of digits instead of a number earns no receipt',
  async run(t) {
    for (const field of [...workNumbers, 'spot_checks'] as const) {
      const proof = await whole(t);
      const spoilt =
        field === 'spot_checks'
          ? { spot_checks: proof.spot_checks.map((check) => ({ ...check, index: String(check.index) })) }
          : { [field]: String(proof[field]) };
      const reply = await t.send(proveWork({ ...proof, ...spoilt }));
      const clause = `work-proof.field.${field.replaceAll('_', '-')}`;
      earnsNone(t, reply, `receipt of a proof with digits in ${field}`, clause);
      t.refused(reply, 'work-proof/VALIDATION', 'work-proof.malformed');
    }
    await workTaken(t, await t.send(proveWork(await whole(t))));
  },
};

const info: WrittenCheck = {
  ...base,
  id: 'work-proof/info',
  title: 'GET work-proof shows the bounds of a proof',
  async run(t) {
    t.accepted(await t.call('work-proof.get'), 'work-proof.route.get');
  },
};

const limit: WrittenCheck = {
  ...base,
  id: 'work-proof/limit',
  title: 'The 11th work proof from an address in a minute is refused',
  needs: ['beats', 'clock', 'client-ip'],
  runsAlone: true,
  waits: windowOf('workProof'),
  async run(t) {
    const other = t.newAddress();
    const send = (address?: string): Promise<Reply> => t.send(proveWork({}), { mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'workProof',
      clause: 'limit.work-proof',
      send: () => send(),
      other: other === undefined ? undefined : () => send(other),
    });
  },
};

const forwarded: WrittenCheck = {
  ...base,
  id: 'work-proof/limit-forwarded',
  title: 'The limit of work proofs counts by the first address of X-Forwarded-For',
  needs: ['beats', 'clock', 'client-ip'],
  async run(t) {
    const [client, proxy] = [t.newAddress(), t.newAddress()];
    const send = (address: string): Promise<Reply> => t.send(proveWork({}), { mayLimit: true, address });
    const { count } = t.protocol.limits.workProof;
    // If every address is refused, addresses cannot be distinguished.
    if (count === 0) throw unreachable('limits.workProof.count of 0 refuses every address');
    needReachableCount(count, REACH.bucket, 'requests fill limits.workProof');
    await Promise.all(Array.from({ length: count }, () => send(`${client}, ${proxy}`)));
    t.refused(await send(`${client}`), 'any/RATE_LIMITED', 'limit.client-ip.forwarded');
    const other = await send(`${proxy}, ${client}`);
    const free = !isRateLimited(other);
    t.shows('limit.client-ip.forwarded').that(
      'a request of the proxy',
      free,
      'not rate limited',
      `${other.status}`,
      other,
    );
  },
};

export const workProofChecks: readonly WrittenCheck[] = [
  valid,
  madeUp,
  receipt,
  flat,
  few,
  ...malformed,
  incomplete,
  info,
  limit,
  forwarded,
  lookupLimit('work-proof.get', 'limit.work-proof.get', 'work-proof/limit-info'),
  checksIncomplete,
  numbersAsText,
];
