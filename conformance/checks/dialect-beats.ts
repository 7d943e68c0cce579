/**
 * Checks of the facts of a dialect about work proofs and beat/verify (D-57). They run only where the dialect has the fact; what
 * else the beats service shows is in dialect-anchors.ts.
 */

import { beatHash, chainHashes } from '../../model/reading/chain.js';
import { is } from '../../model/reading/compare.js';
import { isAbsent, isFilled, within } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import { proveWork } from '../moves/work-proof.js';
import { type Chain, computeChain, proofOf, spotCheck, type WorkProof } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { receiptIn, withOneWrong } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';
import type { Trial } from '../trial/trial.js';
import { chainOf } from './work-proof.js';

const base = { needs: ['beats'] } as const;

/** Asserts whether a work proof earns a receipt, in any form of the reply. */
function earns(t: Trial, reply: Reply, what: string, expected: boolean, clause: string): void {
  const earned = receiptIn(reply) !== undefined;
  t.shows(clause).that(what, earned === expected, expected ? 'a receipt' : 'no receipt', reply.excerpt(), reply);
}

/** The proof with one shown beat that was not computed. */
function forged(t: Trial, proof: WorkProof): WorkProof {
  return { ...proof, spot_checks: withOneWrong(t, proof.spot_checks) };
}

const reply: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-reply',
  title: 'The reply to a work proof has valid, a receipt or a reason, and no ok',
  async run(t) {
    const proof = proofOf(await chainOf(t, 8));
    const reported = t.shows('dialect.work-proof.reply');
    const good = await t.send(proveWork(proof));
    const bad = await t.send(proveWork(forged(t, proof)));
    for (const [answer, valid] of [
      [good, true],
      [bad, false],
    ] as const) {
      reported.that('status', answer.status === 200, '200', answer.status, answer);
      reported.field(answer, 'valid', valid);
      reported.field(answer, 'ok', isAbsent);
      earns(
        t,
        answer,
        valid ? 'receipt of a valid proof' : 'receipt of an invalid proof',
        valid,
        'dialect.work-proof.reply',
      );
    }
    reported.field(bad, 'reason', isFilled);
  },
};

/** The proof with a second beat that is computed correctly, but from another first beat. */
function stray({ anchor, difficulty, hashes }: Chain, prev: string, proof: WorkProof): WorkProof {
  const chain = { anchor, difficulty, hashes, fromIndex: 0 };
  const unlinked = { index: 2, prev, hash: beatHash(prev, 2, anchor.hash, difficulty) };
  return { ...proof, spot_checks: [spotCheck(chain, 1), unlinked, spotCheck(chain, 3)] };
}

const checked: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-checks',
  title: 'Only the shown beats of a work proof and their span are checked',
  async run(t) {
    const clause = 'dialect.work-proof.checks';
    const chain = await chainOf(t, 8);
    const good = proofOf(chain);
    const three = { ...good, to_hash: chain.hashes[3] ?? '', beats_computed: 3 };
    const twice = [...good.spot_checks, spotCheck(chain, 8)];
    const taken: readonly (readonly [what: string, proof: WorkProof])[] = [
      ['receipt of a proof with another to_hash', { ...good, to_hash: t.hex(32) }],
      ['receipt of a proof with another from_hash', { ...good, from_hash: t.hex(32) }],
      ['receipt of a proof that shows a beat twice', { ...good, spot_checks: twice }],
      ['receipt of a proof with neighbouring spot checks that do not link', stray(chain, t.hex(32), three)],
      ['receipt of a proof without a spot check of its last beat', { ...good, beats_computed: 20 }],
    ];
    for (const [what, proof] of taken) earns(t, await t.send(proveWork(proof)), what, true, clause);
    earns(
      t,
      await t.send(proveWork(forged(t, good))),
      'receipt of a proof with a beat that was not computed',
      false,
      clause,
    );
    const short = { ...good, beats_computed: 5 };
    earns(
      t,
      await t.send(proveWork(short)),
      'receipt of a proof of fewer beats than its spot checks span',
      false,
      clause,
    );
  },
};

const anchorless: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-anchor',
  title: 'A work proof may weave the hash of another anchor, or no hash',
  async run(t) {
    const clause = 'dialect.work-proof.anchor';
    const anchor = await latestAnchor(t);
    const difficulty = t.protocol.work.difficultyMin;
    const other = computeChain(t.hex(32), 4, { ...anchor, hash: t.hex(32) }, { difficulty });
    earns(t, await t.send(proveWork(proofOf(other))), 'receipt of a proof that weaves another hash', true, clause);
    const hashes = chainHashes({ from: t.hex(32), beats: 4, fromIndex: 0, anchorHash: null, difficulty });
    const { anchor_hash: _, ...proof } = proofOf({ hashes, fromIndex: 0, anchor, difficulty });
    const bare = await t.send(proveWork(proof));
    earns(t, bare, 'receipt of a proof that weaves no hash', true, clause);
    // A receipt may be a string; another check reads the fields of that form.
    if (typeof receiptIn(bare) === 'object') t.shows(clause).field(bare, 'receipt.anchor_hash', is(null));
  },
};

const shape: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-shape',
  title: 'A work proof with more than 25 spot checks, without one, or of 0 beats gets 400',
  async run(t) {
    const clause = 'dialect.work-proof.shape';
    const { spotChecksMax } = t.protocol.proof;
    const chain = await chainOf(t, spotChecksMax + 1);
    const most = proofOf(chain, spotChecksMax + 1, spotChecksMax);
    const faulty = [proofOf(chain, spotChecksMax + 1, spotChecksMax + 1), { ...most, spot_checks: [] }];
    for (const proof of [...faulty, { ...most, beats_computed: 0 }]) {
      t.refused(await t.send(proveWork(proof)), 400, clause);
    }
    earns(t, await t.send(proveWork(most)), `receipt of a proof with ${spotChecksMax} spot checks`, true, clause);
  },
};

const hard: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-difficulty',
  title: 'A work proof of difficulty 5,001 counts as one of 5,000',
  async run(t) {
    const clause = 'dialect.difficulty.work-proof';
    const { difficultyMax } = t.protocol.work;
    const proof = proofOf(await chainOf(t, 3, difficultyMax));
    const answer = await t.send(proveWork({ ...proof, difficulty: difficultyMax + 1 }));
    earns(t, answer, 'receipt of work with a difficulty above the maximum', true, clause);
    if (typeof receiptIn(answer) === 'object') t.shows(clause).field(answer, 'receipt.difficulty', difficultyMax);
  },
};

/** Calls beat/verify of the beats service, and asserts its verdict. */
async function verdictIs(t: Trial, body: object, what: string, valid: boolean, clause: string): Promise<Reply> {
  const answer = await t.call('beats.beat-verify', { body });
  t.shows(clause).that(what, answer.get('valid') === valid, `valid ${valid}`, answer.excerpt(), answer);
  return answer;
}

const verifyDifficulty: WrittenCheck = {
  ...base,
  id: 'dialect/beat-verify-difficulty',
  title: 'beat/verify counts a difficulty outside 100 to 5,000 as the nearer bound',
  async run(t) {
    const { difficultyMin, difficultyMax } = t.protocol.work;
    for (const [given, taken] of [
      [difficultyMin - 1, difficultyMin],
      [difficultyMax + 1, difficultyMax],
    ] as const) {
      const chain = computeChain(t.hex(32), 1, { index: 0, hash: t.hex(32) }, { difficulty: taken });
      const beat = { ...spotCheck(chain, 1), anchor_hash: chain.anchor.hash };
      const body = { mode: 'beat', beat, difficulty: given };
      const what = `a beat of ${taken === difficultyMin ? 'the least' : 'the highest'} difficulty`;
      await verdictIs(t, body, what, true, 'dialect.difficulty.beat-verify');
    }
  },
};

const CHAIN_BEATS = 30;

const verifyChain: WrittenCheck = {
  ...base,
  id: 'dialect/beat-verify-chain',
  title: 'beat/verify recomputes the ends of a chain, not every beat between them',
  async run(t) {
    const clause = 'dialect.beat-verify.chain';
    const difficulty = t.protocol.work.difficultyMin;
    const chain = computeChain(t.hex(32), CHAIN_BEATS, { index: 0, hash: t.hex(32) }, { difficulty });
    const beats = chain.hashes
      .slice(1)
      .map((_, at) => ({ ...spotCheck(chain, at + 1), anchor_hash: chain.anchor.hash }));
    const judge = (list: readonly object[], what: string, valid: boolean): Promise<Reply> =>
      verdictIs(t, { mode: 'chain', beats: list, difficulty }, what, valid, clause);
    const whole = await judge(beats, 'a chain', true);
    t.shows(clause).field(whole, 'beats_checked', within(2, CHAIN_BEATS - 1), 'D-10');
    for (const [end, what] of [
      [0, 'a chain with an invalid first beat'],
      [CHAIN_BEATS - 1, 'a chain with an invalid last beat'],
    ] as const) {
      await judge(beats.with(end, { ...beats[end], hash: t.hex(32) } as (typeof beats)[number]), what, false);
    }
  },
};

const verifyProof: WrittenCheck = {
  ...base,
  id: 'dialect/beat-verify-proof',
  title: 'beat/verify accepts a proof over an old anchor',
  needs: ['beats', 'clock'],
  waits: ({ anchor }) => ({ anchors: anchor.graceAnchors + 1 }),
  async run(t) {
    const clause = 'dialect.beat-verify.proof';
    const proof = proofOf(await chainOf(t, 6));
    await t.sleep({ anchors: t.protocol.anchor.graceAnchors + 1 });
    await verdictIs(t, { mode: 'proof', proof }, 'a proof over an old anchor', true, clause);
    await verdictIs(t, { mode: 'proof', proof: forged(t, proof) }, 'an invalid proof', false, clause);
  },
};

const lastAddress: WrittenCheck = {
  ...base,
  id: 'dialect/client-ip-last',
  title: 'A limit counts by the last address of X-Forwarded-For',
  needs: ['beats', 'client-ip'],
  async run(t) {
    const clause = 'dialect.client-ip.last';
    const [client, proxy] = [t.newAddress(), t.newAddress()];
    const send = (address: string): Promise<Reply> => t.send(proveWork({}), { mayLimit: true, address });
    const { count } = t.protocol.limits.workProof;
    await Promise.all(Array.from({ length: count }, () => send(`${proxy}, ${client}`)));
    const over = await send(`${client}`);
    t.shows(clause).that('a request of the client', isRateLimited(over), 'a rate limit', `${over.status}`, over);
    const other = await send(`${client}, ${proxy}`);
    t.shows(clause).that('a request of the proxy', !isRateLimited(other), 'not rate limited', `${other.status}`, other);
  },
};

export const dialectBeatsChecks: readonly WrittenCheck[] = [
  reply,
  checked,
  anchorless,
  shape,
  hard,
  verifyDifficulty,
  verifyChain,
  verifyProof,
  lastAddress,
];
