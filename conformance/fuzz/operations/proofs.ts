/** Right and wrong work at the beats service and at POST /beat/verify (2.5, 4.1, 4.8). Receipts that are spent are in spawn.ts. */

import * as fc from 'fast-check';
import { at } from '../../assertions/reply.js';
import { computeChain, spotCheck } from '../../protocol/beats.js';
import { Mismatch, settle } from '../expectation.js';
import { mostly, type Operation, request } from '../operation.js';

const otherDigit = (hex: string): string => hex.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));

interface Working {
  readonly beats: number;
  readonly wrong: 'nothing' | 'hash' | 'prev' | 'count' | 'end' | 'anchor';
}

/** POST /beat/work-proof: work that is not there earns no receipt. */
export const workProof: Operation = request<Working>(
  'work-proof',
  { beats: fc.integer({ min: 6, max: 30 }), wrong: mostly('nothing', 'hash', 'prev', 'count', 'end', 'anchor') },
  async (player, { beats, wrong }) => {
    const right = await player.work(beats);
    const checks = right.spot_checks.map((each, nth) => {
      if (nth !== 1 || (wrong !== 'hash' && wrong !== 'prev')) return each;
      return { ...each, [wrong]: otherDigit(each[wrong]) };
    });
    const work_proof = {
      ...right,
      beats_computed: wrong === 'count' ? beats - 3 : beats,
      spot_checks: wrong === 'end' ? checks.slice(0, -1) : checks,
      anchor_hash: wrong === 'anchor' ? otherDigit(right.anchor_hash) : right.anchor_hash,
    };
    return {
      request: { method: 'POST', path: '/beat/work-proof', service: 'beats', body: { work_proof } },
      judge: (state, answer) => {
        const receipt = at(answer.json, 'receipt');
        if (wrong === 'nothing') {
          if (receipt === undefined || at(answer.json, 'ok') !== true)
            throw new Mismatch(`${answer.name} answered right work with ${answer.status} ${answer.text}`);
          state.receipts.push({ receipt, beats, madeAnchor: state.anchor, used: false });
        } else if (receipt !== undefined && receipt !== null) {
          throw new Mismatch(`${answer.name} gives a receipt for work that is wrong (${wrong})`);
        }
      },
    };
  },
);

/** POST /beat/verify of one beat (D-10): where a verdict is given, it is the right one. */
export const verifyBeat: Operation = request<{ readonly wrong: 'nothing' | 'hash' | 'prev' | 'index' }>(
  'beat-verify',
  { wrong: mostly('nothing', 'hash', 'prev', 'index') },
  (player, { wrong }) => {
    const { difficulty } = player.state.protocol.beat;
    const anchor = { index: 0, hash: player.draws.hex(32) };
    const { index, hash, prev } = spotCheck(computeChain(player.draws.hex(32), 1, anchor, { difficulty }), 1);
    const beat = {
      index: wrong === 'index' ? index + 1 : index,
      hash: wrong === 'hash' ? otherDigit(hash) : hash,
      prev: wrong === 'prev' ? otherDigit(prev) : prev,
      anchor_hash: anchor.hash,
    };
    return {
      request: { method: 'POST', path: '/beat/verify', body: { mode: 'beat', beat, difficulty } },
      judge: (state, answer) => {
        if (!settle(state, answer, { faults: [], open: ['the form of the question is open'] })) return;
        const verdict = at(answer.json, 'valid');
        if (typeof verdict === 'boolean' && verdict !== (wrong === 'nothing'))
          throw new Mismatch(`${answer.name} says ${String(verdict)} of a beat (${wrong} is wrong)`);
      },
    };
  },
);
