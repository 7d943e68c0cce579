/** Checks of POST /beat/verify: single beats, chains and proofs, on the registry and on the beats service. */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { at } from '../../model/reading/values.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, unreachable } from '../assertions/unjudged.js';
import { asBeatProof, type BeatProof, type Chain, computeChain, proofOf, spotCheck } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { chainOf } from './work-proof.js';

/** A service that serves beat/verify. Both serve it in the same way (D-08). */
interface Service {
  readonly word: 'registry' | 'beats';
  readonly id: 'beat-verify' | 'beats.beat-verify';
  readonly needs: NonNullable<WrittenCheck['needs']>;
  /** The clauses that are about the route as a whole. */
  readonly route: readonly string[];
  readonly limit: string;
}

const services: readonly Service[] = [
  {
    word: 'registry',
    id: 'beat-verify',
    needs: [],
    route: ['beat-verify.route', 'beat-verify.purpose', 'auth.public.beat-verify'],
    limit: 'limit.beat-verify',
  },
  {
    word: 'beats',
    id: 'beats.beat-verify',
    needs: ['beats'],
    route: ['beat-verify.route.beats'],
    limit: 'limit.beat-verify.beats',
  },
];

/** The difficulty of the beats to verify: the lowest that the target accepts. */
function difficultyOf({ facts, protocol }: Trial, least = 3): number {
  return facts.dialect.difficulty === 'clamped' ? protocol.work.difficultyMin : least;
}

/** A chain over an invented anchor: beat/verify judges single beats and chains without looking up their anchor. */
function smallChain(t: Trial, beats: number, difficulty = difficultyOf(t)): Chain {
  return computeChain(t.hex(32), beats, { index: 0, hash: t.hex(32) }, { difficulty });
}

/** The n-th beat of a chain, as a field of the request. */
const beatOf = (chain: Chain, n: number) => ({ ...spotCheck(chain, n), anchor_hash: chain.anchor.hash });
const beatsOf = (chain: Chain) => chain.hashes.slice(1).map((_, index) => beatOf(chain, index + 1));

/** Asserts that the reply names the mode of the request, and that its verdict is `valid` (D-10). */
function assertVerdict(t: Trial, reply: Reply, mode: 'beat' | 'chain' | 'proof', valid: boolean): void {
  const clause = `beat-verify.mode.${mode}`;
  t.accepted(reply, clause);
  t.shows('beat-verify.reply').field(reply, 'mode', mode);
  t.shows(clause).field(reply, 'valid', valid);
}

/**
 * Asserts that the route judges proofs (4.1). D-10 defines request and reply: if no reply names a mode and none finds a valid proof valid, the
 * service may have misunderstood the requests, and the replies are no evidence.
 */
function assertPurpose(t: Trial, route: readonly string[], verdicts: readonly (readonly [Reply, boolean])[]): void {
  const understood = verdicts.some(
    ([reply, valid]) => at(reply.json, 'mode') !== undefined || (valid && at(reply.json, 'valid') === true),
  );
  for (const one of route.filter((own) => own.endsWith('.purpose'))) {
    if (!understood) t.shows(one).unjudged(notFollowed('D-10', 'no reply names its mode or finds a valid proof valid'));
    else for (const [reply, valid] of verdicts) t.shows(one).field(reply, 'valid', valid, 'D-10');
  }
}

function checksOf({ word, id, needs, route, limit }: Service): readonly WrittenCheck[] {
  const base = { needs } as const;
  const ask = (t: Trial, body: object): Promise<Reply> => t.call(id, { body });

  const single: WrittenCheck = {
    ...base,
    id: `beat-verify/beat-${word}`,
    title: `beat/verify judges a single beat, without a credential: ${word}`,
    async run(t) {
      const beat = beatOf(smallChain(t, 1), 1);
      const difficulty = difficultyOf(t);
      const good = await ask(t, { mode: 'beat', beat, difficulty });
      // D-10 defines the request; section 5 only says that no credential is needed.
      const refused = good.status === 401 || good.status === 403;
      const actual = `${good.status} ${good.excerpt()}`;
      for (const open of route.filter((one) => one.startsWith('auth.'))) {
        t.shows(open).that('status without a credential', !refused, 'no 401 and no 403', actual, good);
      }
      assertVerdict(t, good, 'beat', true);
      const made = await ask(t, { beat: { ...beat, hash: t.hex(32) }, difficulty });
      assertVerdict(t, made, 'beat', false);
      assertPurpose(t, route, [
        [good, true],
        [made, false],
      ]);
      const moved = await ask(t, { beat: { ...beat, index: 2 }, difficulty });
      assertVerdict(t, moved, 'beat', false);
      t.shows('beat.seed').field(moved, 'valid', false);
      const unwoven = await ask(t, { beat: { ...beat, anchor_hash: t.hex(32) }, difficulty });
      assertVerdict(t, unwoven, 'beat', false);
      t.shows('beat.seed.anchor').field(unwoven, 'valid', false);
      const harder = await ask(t, { beat, difficulty: difficulty + 1 });
      assertVerdict(t, harder, 'beat', false);
      t.shows('beat.hash').field(harder, 'valid', false);
      t.shows('beat.seed', 'beat.hash', 'beat.seed.anchor').field(good, 'valid', true);
      const usual = beatOf(smallChain(t, 1, t.protocol.beat.difficulty), 1);
      assertVerdict(t, await ask(t, { beat: usual }), 'beat', true);
    },
  };

  const chain: WrittenCheck = {
    ...base,
    id: `beat-verify/chain-${word}`,
    title: `beat/verify judges a chain of beats: ${word}`,
    replacedBy: 'beatVerify',
    async run(t) {
      const whole = smallChain(t, 4);
      const beats = beatsOf(whole);
      const verdicts: [Reply, boolean][] = [];
      const judge = async (list: readonly object[], valid: boolean): Promise<void> => {
        const reply = await ask(t, { mode: 'chain', beats: list, difficulty: difficultyOf(t) });
        assertVerdict(t, reply, 'chain', valid);
        verdicts.push([reply, valid]);
      };
      // Each beat is valid alone; the fault is that they do not follow from one another.
      const part = (from: string, fromIndex: number) =>
        beatsOf(computeChain(from, 2, whole.anchor, { difficulty: difficultyOf(t), fromIndex }));
      await judge([...beats.slice(0, 2), ...part(t.hex(32), 2)], false);
      await judge([...beats.slice(0, 2), ...part(whole.hashes[2] ?? '', 3)], false);
      await judge(beats, true);
      await judge([...beats.slice(0, 1), ...beats.slice(2)], false);
      await judge(beats.toReversed(), false);
      await judge([...beats.slice(0, 3), { ...beats[3], hash: t.hex(32) }], false);
      assertPurpose(t, route, verdicts);
    },
  };

  const length: WrittenCheck = {
    ...base,
    id: `beat-verify/chain-length-${word}`,
    title: `beat/verify accepts a chain of 1000 beats and refuses a longer one: ${word}`,
    async run(t) {
      const difficulty = difficultyOf(t, 1);
      const beats = beatsOf(smallChain(t, t.protocol.beatVerify.chainBeatsMax + 1, difficulty));
      const { proofBytesMax } = t.protocol.body;
      const bytes = JSON.stringify({ mode: 'chain', beats, difficulty }).length;
      if (bytes > proofBytesMax)
        throw unreachable(
          `a chain of ${beats.length} beats takes ${bytes} bytes, and body.proofBytesMax is ${proofBytesMax}`,
        );
      const send = (list: readonly object[]): Promise<Reply> => ask(t, { mode: 'chain', beats: list, difficulty });
      t.refused(await send(beats), 'beat-verify/VALIDATION', 'beat-verify.mode.chain');
      assertVerdict(t, await send(beats.slice(1)), 'chain', true);
    },
  };

  const proof: WrittenCheck = {
    ...base,
    id: `beat-verify/proof-${word}`,
    title: `beat/verify judges work proofs and beat proofs by their spot checks: ${word}`,
    replacedBy: 'beatVerify',
    async run(t) {
      const worked = proofOf(await chainOf(t, 6));
      assertVerdict(t, await ask(t, { mode: 'proof', proof: worked }), 'proof', true);
      assertVerdict(t, await ask(t, { mode: 'proof', proof: { ...worked, to_hash: t.hex(32) } }), 'proof', false);
      const own = await beatProof(t);
      assertVerdict(t, await ask(t, { mode: 'proof', proof: own }), 'proof', true);
      const stale = { ...own, anchor_hash: t.hex(32) };
      assertVerdict(t, await ask(t, { mode: 'proof', proof: stale }), 'proof', false);
    },
  };

  const malformed: WrittenCheck = {
    ...base,
    id: `beat-verify/malformed-${word}`,
    title: `beat/verify refuses a body that is no beat, no chain and no proof: ${word}`,
    async run(t) {
      const beat = beatOf(smallChain(t, 1), 1);
      const faulty = [
        ['beat', {}],
        ['chain', { mode: 'chain', beats: [] }],
        ['proof', { mode: 'proof', proof: beat }],
        ['beat', { beat: { ...beat, prev: 7 } }],
      ] as const;
      for (const [mode, body] of faulty) {
        t.refused(await ask(t, body), 'beat-verify/VALIDATION', `beat-verify.mode.${mode}`);
      }
      assertVerdict(t, await ask(t, { beat, difficulty: difficultyOf(t) }), 'beat', true);
    },
  };

  const limited: WrittenCheck = {
    ...base,
    id: `beat-verify/limit-${word}`,
    title: `The 11th beat/verify call from an address in a minute is refused: ${word}`,
    needs: [...needs, 'clock', 'client-ip'],
    runsAlone: true,
    waits: windowOf('beatVerify'),
    async run(t) {
      const elsewhere = t.newAddress();
      const send = (address?: string): Promise<Reply> => t.call(id, { body: {}, mayLimit: true, address });
      await judgeLimit(t, {
        limit: 'beatVerify',
        clause: limit,
        send: () => send(),
        other: elsewhere === undefined ? undefined : () => send(elsewhere),
      });
    },
  };

  return [single, chain, length, proof, malformed, limited];
}

/** A beat proof (2.4) over the latest anchor, at the difficulty of agents' chains. */
async function beatProof(t: Trial): Promise<BeatProof> {
  const chain = computeChain(t.hex(32), 4, await latestAnchor(t), {
    difficulty: t.protocol.beat.difficulty,
    spotChecks: sureSpotChecks(t.protocol),
  });
  return asBeatProof(chain);
}

export const beatVerifyChecks: readonly WrittenCheck[] = services.flatMap(checksOf);
