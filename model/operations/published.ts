/** Public calls without an agent: anchors, the authority key, receipts of work, beats, and the retired check-in. */

import type { Operation } from '../case.js';
import { receiptKey, shownBeatsHold, workProofHolds } from '../facts/proof.js';
import { anchorOf } from '../reading/anchor.js';
import { beatHash } from '../reading/chain.js';
import { sameMeaning } from '../reading/compare.js';
import type { Known } from '../reading/known.js';
import { publicKeysIn } from '../reading/places.js';
import { at, numberAt } from '../reading/values.js';

export const authorityKey: Operation<object> = {
  ids: ['authority-key'],
  facts: () => ({}),
  refusals: [],
  accepts: () => ['authority-key.purpose'],
  accepted: (_, { state, call, judgement }) => {
    const hex = at(call.json, 'authority_public_key_hex') ?? publicKeysIn(call.json)[0];
    const { keyHex } = state.authority;
    if (keyHex !== undefined)
      judgement.that('the authority key', sameMeaning(hex, keyHex), keyHex, hex, 'authority-key.purpose');
    if (typeof hex === 'string') state.authority.keyHex ??= hex;
  },
};

export const beatAnchor: Operation<object> = {
  ids: ['beat-anchor', 'beats.beat-anchor'],
  facts: () => ({}),
  refusals: [],
  accepts: (_, { call }) =>
    call.endpoint.service === 'registry' ? ['beat-anchor.purpose'] : ['beat-anchor.route.beats'],
  accepted: (_, { state, call, judgement }) => {
    const { index, hash, issuedMs } = anchorOf({ json: call.json });
    if (index === undefined) return;
    const clause = call.endpoint.service === 'registry' ? 'beat-anchor.purpose' : 'beat-anchor.route.beats';
    if (state.anchor !== undefined)
      judgement.that('the latest anchor', index === state.anchor, state.anchor, index, clause, 'spawn.flow.anchor');
    // Without a clock, the next anchor may already be issued.
    if (state.nowMs !== undefined) state.anchor ??= index;
    if (index === state.anchor) state.anchorMs = issuedMs;
    if (hash === undefined) return;
    const known = state.anchors.get(String(index));
    if (known !== undefined) judgement.that('the hash of an anchor', hash === known.hash, known.hash, hash, clause);
    else state.anchors.set(String(index), { hash });
  },
};

interface Work {
  readonly proof: unknown;
  readonly holds: Known;
  /** Whether the proof is valid by the text, even if a dialect replaces the rule. */
  readonly holdsByText: Known;
}

export const workProof: Operation<Work> = {
  ids: ['work-proof.post'],
  facts: ({ state, call }) => {
    const proof = call.body?.['work_proof'] ?? call.body;
    const holdsByText = workProofHolds(state, proof);
    const isShown = state.settings.dialect.workProofChecks === 'shown-beats';
    return { proof, holds: isShown ? shownBeatsHold(state, proof) : holdsByText, holdsByText };
  },
  refusals: [],
  open: ({ holds }) => (holds === true ? undefined : 'the text does not say how an invalid proof is refused'),
  accepts: ({ holds }) => (holds === true ? ['spawn.flow.receipt'] : []),
  accepted: ({ proof, holds, holdsByText }, { state, call, judgement }) => {
    const receipt = at(call.json, 'receipt');
    if (holds !== undefined)
      judgement.that(
        'receipt of a work proof',
        holds === (receipt !== undefined),
        holds ? 'a receipt' : 'none',
        receipt,
        ...(holds === holdsByText ? ['work-proof.reply.receipt', 'work-proof.reply'] : ['dialect.work-proof.checks']),
      );
    const verdict = state.settings.dialect.workProofReply === 'valid-alone' ? 'valid' : 'ok';
    if (at(call.json, verdict) !== true || receipt === undefined) return;
    const [beats, anchor, difficulty] = ['beats_computed', 'anchor_index', 'difficulty'].map((field) =>
      numberAt(proof, field),
    );
    if (beats !== undefined)
      state.receipts.set(receiptKey(receipt), { beats, anchor, difficulty, used: false, tried: false });
  },
};

/** POST /beat/verify (D-10): the verdict about a single beat must be right. The form of the request is a decision. */
export const beatVerify: Operation<{ readonly holds: boolean; readonly isClamped: boolean }> = {
  ids: ['beat-verify', 'beats.beat-verify'],
  facts: ({ call: { body }, state }) => {
    const { protocol, dialect } = state.settings;
    const [beat, asked] = [at(body, 'beat'), at(body, 'difficulty') ?? protocol.beat.difficulty];
    const { difficultyMin, difficultyMax } = protocol.work;
    const isTaken = dialect.difficulty === undefined || body?.['difficulty'] === undefined;
    const difficulty = isTaken ? asked : Math.min(Math.max(Math.floor(Number(asked)), difficultyMin), difficultyMax);
    const [index, hash, prev, anchor] = ['index', 'hash', 'prev', 'anchor_hash'].map((field) => at(beat, field));
    const isBeat = at(beat, 'nonce') === undefined && [hash, prev, anchor].every((each) => typeof each === 'string');
    if (!isBeat || typeof index !== 'number' || typeof asked !== 'number') return undefined;
    const holds = beatHash(String(prev), index, String(anchor), Number(difficulty)) === hash;
    return { holds, isClamped: difficulty !== asked };
  },
  refusals: [],
  open: () => 'the text does not give the form of a beat',
  accepts: () => ['beat-verify.route'],
  accepted: ({ holds, isClamped }, { state, call, judgement }) => {
    const valid = at(call.json, 'valid');
    if (typeof valid !== 'boolean') return;
    // The form of a beat is a decision: a server that has found no beat valid yet may read another form.
    state.readsBeats ||= holds === true && valid;
    const isRight = valid === holds;
    if (isClamped) return judgement.that('valid', isRight, holds, valid, 'dialect.difficulty.beat-verify');
    judgement.that('valid', isRight, holds, valid, 'beat-verify.mode.beat');
    judgement.that('valid', state.readsBeats ? isRight : undefined, holds, valid, 'beat-verify.purpose');
  },
};

export const checkin: Operation<object> = {
  ids: ['checkin'],
  facts: () => ({}),
  refusals: [
    {
      row: 'checkin/GONE',
      also: ['checkin.gone', 'checkin.route', 'versioning.checkin'],
      when: (_, { call }) => call.hasAuthorization || undefined,
    },
  ],
  accepts: () => [],
  accepted: () => undefined,
  refused: (_, { judgement }) => judgement.equals('deprecated', true, 'checkin.reply.deprecated'),
};
