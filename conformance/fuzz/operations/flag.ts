/** POST /agent/flag (4.16), and the review of a flag, which the control API makes. */

import * as fc from 'fast-check';
import { classesOf } from '../../../spec/parts.js';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request, sequence } from '../operation.js';
import { type AgentState, type Counted, revokeSponsorships } from '../state.js';
import { keyFault } from './init.js';

interface Flagging {
  readonly agent: number;
  readonly target: number;
  readonly unknown: boolean;
  readonly asserted: string;
  /** How many characters, in words: under changed bounds they are others. */
  readonly reason: 'some' | 'least' | 'most' | 'too-few' | 'too-many' | 'number';
  readonly address: number | null;
}

/** POST /agent/flag */
export const flag: Operation = request<Flagging>(
  'flag',
  {
    agent: place,
    target: place,
    unknown: mostly(false, true),
    asserted: mostly('orchestrator', 'narrow_task', 'autonomous', 'worker'),
    reason: mostly('some', 'least', 'most', 'too-few', 'too-many', 'number'),
    address: fc.option(fc.nat(1), { freq: 2 }),
  },
  (player, { agent: who, target: other, unknown, asserted, reason: kind, address: nth }) => {
    const index = who % player.state.agents.length;
    const targetIndex = other % player.state.agents.length;
    const target_hash = unknown ? player.unknownHash() : player.agent(targetIndex).hash;
    const address = nth === null ? player.address() : `10.253.0.${nth}`;
    const { reasonCharsMin: least, reasonCharsMax: most } = player.state.protocol.flag;
    const some = Math.min(Math.max(20, least), most);
    const chars = { some, least, most, 'too-few': least - 1, 'too-many': most + 1, number: -1 }[kind];
    const body = { target_hash, asserted_class: asserted, reason: chars < 0 ? 7 : 'r'.repeat(chars) };
    return {
      request: { method: 'POST', path: '/agent/flag', key: player.agent(index).key, address, body },
      judge: (state, answer) => {
        const own = state.agents[index] as AgentState;
        const faults: Fault[] = [...keyFault(own)];
        const isClass = classesOf(state.protocol).includes(asserted);
        if (!isClass || chars < least || chars > most) {
          faults.push({ why: 'asserted_class or reason is invalid', status: 400, code: 'VALIDATION' });
        }
        if (unknown) faults.push({ why: 'there is no such target', status: 404, code: 'FLAG_TARGET_NOT_FOUND' });
        else if (index === targetIndex) faults.push({ why: 'it flags itself', status: 400, code: 'FLAG_SELF' });
        if (own.sigil === null || own.sigil.tier === 'sbx') {
          faults.push({
            why: 'the reporter has no SIGIL but a sandbox',
            status: 403,
            code: 'FLAG_REPORTER_INELIGIBLE',
          });
        }
        const pending = state.flags.filter(({ status }) => status === 'pending');
        if (!unknown && pending.some((each) => each.reporter === index && each.target === targetIndex)) {
          faults.push({ why: 'a flag is pending', status: 409, code: 'FLAG_DUPLICATE' });
        }
        const open = own.frozen || own.revoked ? ['the reporter is frozen'] : [];
        const { limits } = state.protocol;
        const counted: Counted[] = [
          [`flag ${address}`, limits.flag],
          [`flag-reporter ${index}`, limits.flagReporter, 'accepted'],
        ];
        if (!unknown) counted.push([`flag-target ${targetIndex}`, limits.flagTarget, 'accepted']);
        const since = state.nowMs - state.protocol.flag.breakerWindowSec * 1_000;
        const { breakerPendingMax } = state.protocol.flag;
        if (pending.filter(({ atMs }) => atMs > since).length > breakerPendingMax) {
          faults.push({ why: 'more than 20 flags of a day are pending' });
        }
        if (!settle(state, answer, { faults, open, counted })) return;
        equals(answer, 'flagged', true);
        equals(answer, 'status', 'pending');
        that(answer, 'flag_id', 'a UUID', (value) =>
          /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value)),
        );
        const id = String(at(answer.json, 'flag_id'));
        if (state.flags.some((each) => each.id === id)) that(answer, 'flag_id', 'a new id', () => false);
        state.flags.push({ id, reporter: index, target: targetIndex, atMs: state.nowMs, status: 'pending' });
      },
    };
  },
);

/** The latest flag is reviewed: sustained, dismissed, or resolved after it was sustained. */
export const review: Operation = sequence<{ readonly outcome: 'sustain' | 'dismiss' }>(
  'review',
  { outcome: fc.constantFrom('sustain', 'sustain', 'dismiss') },
  async (player, { outcome }) => {
    const last = player.state.flags.findLast(({ status }) => status !== 'closed');
    if (last === undefined || !player.calls.has('flags/:id/review')) return;
    const next = last.status === 'sustained' ? 'resolve' : outcome;
    await player.control('POST', `flags/${last.id}/review`, { outcome: next });
    last.status = next === 'sustain' ? 'sustained' : 'closed';
  },
);

/** A key is revoked, and with it the sponsorships of its agent. */
export const revokeKey: Operation = sequence<{ readonly agent: number }>(
  'revoke-key',
  { agent: place },
  async (player, action) => {
    const index = action.agent % player.state.agents.length;
    const agent = player.agent(index);
    // The first two agents stay: a run in which nobody can do anything shows nothing.
    if (index < 2 || agent.revoked || !player.calls.has('agents/:hash/revoke-key')) return;
    await player.control('POST', `agents/${agent.hash}/revoke-key`, {});
    agent.revoked = true;
    revokeSponsorships(player.state, index, 'revoked');
  },
);
