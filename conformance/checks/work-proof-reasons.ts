/** The reasons for which POST /beat/work-proof refuses a proof, one by one (D-07, D-08). */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { beatHash } from '../../model/reading/chain.js';
import { proveWork } from '../moves/work-proof.js';
import { type Chain, computeChain, proofOf, spotCheck, type WorkProof } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { receiptIn, withOneWrong, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { chainOf } from './work-proof.js';

const base = { needs: ['beats'] } as const;

/** The check that a well-formed proof fails for one reason, and that its valid counterpart passes. A failed proof gets 200 with ok false, not a 4xx. */
function failing(
  word: string,
  title: string,
  clauses: readonly string[],
  reason: string,
  proofs: (t: Trial) => Promise<{ readonly bad: WorkProof; readonly good: WorkProof }>,
  more: Partial<WrittenCheck> = {},
): WrittenCheck {
  return {
    ...base,
    id: `work-proof/${word}`,
    title,
    ...more,
    async run(t) {
      const { bad, good } = await proofs(t);
      const reply = await t.send(proveWork(bad));
      const refused = t.shows('work-proof.refused');
      refused.that('status', reply.status === 200, '200', reply.status, reply);
      refused.field(reply, 'ok', false);
      refused.field(reply, 'valid', false);
      const [reasons, rules] = [true, false].map((asked) => clauses.filter((id) => REASON.test(id) === asked));
      t.shows(...(reasons?.length ? reasons : ['work-proof.refused'])).field(reply, 'reason', reason);
      const none = receiptIn(reply) === undefined;
      if (rules?.length)
        t.shows(...rules).that('receipt of an invalid proof', none, 'no receipt', reply.get('receipt'), reply);
      await workTaken(t, await t.send(proveWork(good)), ...(rules ?? []));
    },
  };
}

/** Clauses that name a reason, in addition to those that define a valid proof. */
const REASON = /^work-proof\.reason\./;

/** A proof of a short chain, with some fields replaced. */
async function altered(t: Trial, beats: number, change: (chain: Chain, proof: WorkProof) => Partial<WorkProof>) {
  const chain = await chainOf(t, beats);
  const good = proofOf(chain);
  return { bad: { ...good, ...change(chain, good) }, good };
}

export const workProofReasonChecks: readonly WrittenCheck[] = [
  failing(
    'difficulty-low',
    'Work of difficulty 99 earns no receipt, of 100 it does',
    ['work-proof.difficulty.min', 'work-proof.reason.insufficient-difficulty'],
    'insufficient_difficulty',
    async (t) => {
      const { difficultyMin } = t.protocol.work;
      return {
        bad: proofOf(await chainOf(t, 4, difficultyMin - 1)),
        good: proofOf(await chainOf(t, 4, difficultyMin)),
      };
    },
  ),
  failing(
    'difficulty-high',
    'Work of difficulty 5001 earns no receipt, of 5000 it does',
    ['work-proof.difficulty.max'],
    'insufficient_difficulty',
    async (t) => {
      const { difficultyMax } = t.protocol.work;
      return {
        bad: proofOf(await chainOf(t, 3, difficultyMax + 1)),
        good: proofOf(await chainOf(t, 3, difficultyMax)),
      };
    },
  ),
  failing(
    'spot-checks-few',
    'A work proof of more than 2 beats with fewer than 3 spot checks fails',
    ['proof.spot-checks.min', 'work-proof.reason.insufficient-spot-checks'],
    'insufficient_spot_checks',
    async (t) => {
      const chain = await chainOf(t, 8);
      const { spotChecksMin } = t.protocol.proof;
      return { bad: proofOf(chain, 8, spotChecksMin - 1), good: proofOf(chain, 8, spotChecksMin) };
    },
  ),
  failing(
    'spot-checks-many',
    'A work proof with 26 spot checks fails',
    ['proof.spot-checks.max', 'work-proof.reason.insufficient-spot-checks.others'],
    'insufficient_spot_checks',
    async (t) => {
      const { spotChecksMax } = t.protocol.proof;
      const chain = await chainOf(t, spotChecksMax + 3);
      const beats = spotChecksMax + 3;
      return { bad: proofOf(chain, beats, spotChecksMax + 1), good: proofOf(chain, beats, spotChecksMax) };
    },
    { replacedBy: 'proofShape' },
  ),
  failing(
    'spot-checks-twice',
    'A work proof that shows a beat twice fails',
    ['proof.spot-checks.unique', 'work-proof.reason.insufficient-spot-checks.others'],
    'insufficient_spot_checks',
    (t) => altered(t, 8, (chain, { spot_checks }) => ({ spot_checks: [...spot_checks, spotCheck(chain, 8)] })),
    { replacedBy: 'workProofChecks' },
  ),
  failing(
    'count',
    'A work proof whose spot checks are outside its count fails',
    ['work-proof.reason.count-mismatch', 'work-proof.span', 'proof.spot-checks.range'],
    'count_mismatch',
    (t) => altered(t, 8, () => ({ beats_computed: 5 })),
  ),
  failing(
    'anchor-hash',
    'A work proof with another hash than that of its anchor fails',
    ['work-proof.reason.stale-anchor'],
    'stale_anchor',
    async (t) => {
      const anchor = await latestAnchor(t);
      const { difficulty } = t.protocol.beat;
      const chain = (hash: string): Chain =>
        computeChain(t.hex(32), 4, { ...anchor, hash }, { difficulty, spotChecks: sureSpotChecks(t.protocol) });
      return { bad: proofOf(chain(t.hex(32))), good: proofOf(chain(anchor.hash)) };
    },
    { replacedBy: 'workProofChecks' },
  ),
  failing(
    'spot-check-hash',
    'A work proof with a spot check whose hash does not follow from its prev fails',
    ['work-proof.reason.spot-check-failed', 'proof.spot-checks.recomputed'],
    'spot_check_failed',
    (t) => altered(t, 8, (_, { spot_checks }) => ({ spot_checks: withOneWrong(t, spot_checks) })),
  ),
  failing(
    'spot-check-last',
    'A work proof whose last spot check has another hash than to_hash fails',
    ['work-proof.end', 'proof.spot-checks.last'],
    'spot_check_failed',
    (t) => altered(t, 8, () => ({ to_hash: t.hex(32) })),
    { replacedBy: 'workProofChecks' },
  ),
  failing(
    'spot-check-first',
    'A work proof whose first spot check has another prev than from_hash fails',
    ['proof.spot-checks.first'],
    'spot_check_failed',
    (t) => altered(t, 8, () => ({ from_hash: t.hex(32) })),
  ),
  failing(
    'spot-check-neighbours',
    'A work proof whose neighbouring spot checks do not link fails',
    ['proof.spot-checks.neighbours'],
    'spot_check_failed',
    async (t) => {
      const chain = await chainOf(t, 3);
      const { anchor, difficulty } = chain;
      const good = proofOf(chain);
      // The second beat is computed correctly, but from another first beat.
      const prev = t.hex(32);
      const [first, , last] = good.spot_checks;
      const stray = { index: 2, prev, hash: beatHash(prev, 2, anchor.hash, difficulty) };
      return { bad: { ...good, spot_checks: [first, stray, last].flatMap((check) => check ?? []) }, good };
    },
  ),
  failing(
    'anchor-grace',
    'A work proof over the sixth latest anchor fails, over the fifth latest it passes',
    ['proof.anchor.grace', 'work-proof.reason.stale-anchor'],
    'stale_anchor',
    async (t) => {
      const chains = [await chainOf(t, 4)];
      await t.sleep({ anchors: 1 });
      chains.push(await chainOf(t, 4));
      await t.sleep({ anchors: t.protocol.anchor.graceAnchors - 1 });
      const [bad, good] = chains.map((chain) => proofOf(chain)) as [WorkProof, WorkProof];
      return { bad, good };
    },
    { needs: ['beats', 'clock'], waits: ({ anchor }) => ({ anchors: anchor.graceAnchors }) },
  ),
];
