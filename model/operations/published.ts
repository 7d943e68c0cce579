/** The service's publications: anchors, its key, receipts, and the retired check-in. */

import { anchorOf } from '../../conformance/assertions/anchor.js';
import { publicKeysIn } from '../../conformance/assertions/places.js';
import { at } from '../../conformance/assertions/reply.js';
import type { Known } from '../evidence.js';
import { receiptKey, workProofHolds } from '../reading/proof.js';
import { numberAt } from '../reading/values.js';
import type { Operation } from '../settle.js';

export const authorityKey: Operation<object> = {
  ids: ['authority-key'],
  facts: () => ({}),
  refusals: [],
  accepts: () => ['authority-key.purpose'],
  accepted: (_, { state, call, judgement }) => {
    const hex = at(call.json, 'authority_public_key_hex') ?? publicKeysIn(call.json)[0];
    const { keyHex } = state.authority;
    if (keyHex !== undefined) judgement.that('the authority key', hex === keyHex, keyHex, hex, 'authority-key.purpose');
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
    const { index, hash } = anchorOf({ json: call.json });
    if (index === undefined) return;
    const clause = call.endpoint.service === 'registry' ? 'beat-anchor.purpose' : 'beat-anchor.route.beats';
    if (state.anchor !== undefined)
      judgement.that('the latest anchor', index === state.anchor, state.anchor, index, clause, 'spawn.flow.anchor');
    state.anchor ??= index;
    if (hash === undefined) return;
    const known = state.anchors.get(String(index));
    if (known !== undefined) judgement.that('the hash of an anchor', hash === known.hash, known.hash, hash, clause);
    else state.anchors.set(String(index), { hash });
  },
};

interface Work {
  readonly proof: unknown;
  readonly holds: Known;
}

export const workProof: Operation<Work> = {
  ids: ['work-proof.post'],
  facts: ({ state, call }) => {
    const proof = call.body?.['work_proof'] ?? call.body;
    return { proof, holds: workProofHolds(state, proof) };
  },
  refusals: [],
  open: ({ holds }) => (holds === true ? undefined : 'how a proof that does not hold is refused is open'),
  accepts: ({ holds }) => (holds === true ? ['spawn.flow.receipt'] : []),
  accepted: ({ proof, holds }, { state, call, judgement }) => {
    const receipt = at(call.json, 'receipt');
    if (holds !== undefined)
      judgement.that(
        'receipt of a work proof',
        holds === (receipt !== undefined),
        holds ? 'a receipt' : 'none',
        receipt,
        'work-proof.reply.receipt',
        'work-proof.reply',
      );
    if (at(call.json, 'ok') !== true || receipt === undefined) return;
    const [beats, anchor, difficulty] = ['beats_computed', 'anchor_index', 'difficulty'].map((field) =>
      numberAt(proof, field),
    );
    if (beats !== undefined) state.receipts.set(receiptKey(receipt), { beats, anchor, difficulty, used: false });
  },
};

export const checkin: Operation<object> = {
  ids: ['checkin'],
  facts: () => ({}),
  refusals: [{ row: 'checkin/GONE', clauses: ['checkin.gone', 'checkin.error.gone'], when: () => true }],
  accepts: () => [],
  accepted: () => undefined,
  refused: (_, { call, judgement }) => judgement.equals(call.json, 'deprecated', true, 'checkin.reply.deprecated'),
};
