/** /agent/sponsor (4.13): made, changed, ended and listed. */

import * as fc from 'fast-check';
import { HOUR_MS } from '../../../spec/time.js';
import { alike, equals, type Fault, Mismatch, settle } from '../expectation.js';
import { mostly, type Operation, place, request } from '../operation.js';
import {
  type AgentState,
  descends,
  epochOf,
  isLinked,
  type SponsorshipState,
  type State,
  usedInEpoch,
} from '../state.js';
import { keyFault } from './init.js';

const isRunning = ({ state, expiresMs }: SponsorshipState, nowMs: number): boolean =>
  state === 'active' && (expiresMs === null || nowMs < expiresMs);

interface Sponsoring {
  readonly agent: number;
  readonly child: number;
  readonly unknown: 'known' | 'unknown' | 'malformed';
  /** Under changed bounds, in words; absent in place of what the service chooses. */
  readonly max: 'least' | 'two' | 'most' | 'too-low' | 'too-high' | 'broken' | undefined;
  readonly hours: number | undefined;
}

function childFaults(state: State, index: number, childIndex: number, unknown: Sponsoring['unknown']): Fault[] {
  const own = state.agents[index] as AgentState;
  if (unknown === 'unknown')
    return [...keyFault(own), { why: 'there is no such child', status: 404, code: 'AGENT_NOT_FOUND' }];
  if (unknown === 'malformed')
    return [...keyFault(own), { why: 'child_hash is none', status: 400, code: 'VALIDATION' }];
  if (index === childIndex)
    return [...keyFault(own), { why: 'it sponsors itself', status: 400, code: 'SPONSOR_INVALID' }];
  return keyFault(own);
}

const hashOf = (known: string, drawn: string, unknown: Sponsoring['unknown']): string =>
  ({ known, unknown: drawn, malformed: known.slice(0, -1) })[unknown];

/** POST */
export const sponsor: Operation = request<Sponsoring>(
  'sponsor',
  {
    agent: place,
    child: place,
    unknown: mostly('known', 'unknown', 'malformed'),
    max: fc.constantFrom(undefined, undefined, 'least', 'two', 'most', 'too-low', 'too-high', 'broken'),
    hours: fc.constantFrom(undefined, undefined, 1, 48, 0),
  },
  (player, { agent: who, child, unknown, max: word, hours }) => {
    const { heartbeatsEpochMin: least, heartbeatsEpochMax: most, ...bounds } = player.state.protocol.sponsor;
    const max = word && { least, two: 2, most, 'too-low': least - 1, 'too-high': most + 1, broken: least + 0.5 }[word];
    const index = who % player.state.agents.length;
    const childIndex = child % player.state.agents.length;
    const child_hash = hashOf(player.agent(childIndex).hash, player.unknownHash(), unknown);
    const body = { child_hash, max_heartbeats_epoch: max, expires_in_hours: hours };
    return {
      request: { method: 'POST', path: '/agent/sponsor', key: player.agent(index).key, body },
      judge: (state, answer) => {
        const own = state.agents[index] as AgentState;
        const invalid: Fault = { why: 'a parameter is out of its bounds', status: 400, code: 'VALIDATION' };
        const faults = childFaults(state, index, childIndex, unknown);
        const isCap = max === undefined || (max >= least && max <= most && Number.isInteger(max));
        if (!isCap || (hours !== undefined && hours < bounds.expiresHoursMin)) faults.push(invalid);
        if (unknown === 'known' && index !== childIndex && !descends(state, childIndex, index)) {
          faults.push({ why: 'it is no descendant', status: 403, code: 'SPONSOR_NOT_ANCESTOR' });
        }
        if (own.wallet === null)
          faults.push({ why: 'the sponsor has no wallet', status: 403, code: 'WALLET_REQUIRED' });
        if (own.frozen) faults.push({ why: 'the sponsor is frozen', status: 403, code: 'SPONSOR_PARENT_FROZEN' });
        const gone = state.agents[childIndex];
        const open = gone?.frozen === true || gone?.revoked === true ? ['the child is frozen or its key revoked'] : [];
        if (!isLinked(state, childIndex, index)) open.push('a link to the child was not made');
        const counted = [[`sponsor ${index}`, state.protocol.limits.sponsorPost]] as const;
        if (!settle(state, answer, { faults, open, counted })) return;
        const mine = (each: SponsorshipState): boolean => each.sponsor === index && each.child === childIndex;
        const running = state.sponsorships.find((each) => mine(each) && isRunning(each, state.nowMs));
        const ran = running === undefined && state.sponsorships.some((each) => mine(each) && each.state === 'active');
        const expiresMs = hours === undefined ? null : state.nowMs + hours * HOUR_MS;
        equals(answer, 'ok', true);
        equals(answer, 'sponsorship.parent_hash', own.hash);
        equals(answer, 'sponsorship.child_hash', child_hash);
        equals(answer, 'sponsorship.status', 'active');
        const cap = max ?? bounds.heartbeatsEpochDefault;
        if (max !== undefined || running === undefined) equals(answer, 'sponsorship.max_heartbeats_epoch', cap);
        const shown = (answer.json as { readonly sponsorship: Readonly<Record<string, unknown>> }).sponsorship;
        const reported = shown['expires_at'];
        if (expiresMs !== null && Date.parse(String(reported)) !== expiresMs) {
          throw new Mismatch(
            `${answer.name}: expires_at is ${String(reported)}, ${hours} hours after ${state.nowMs} are expected`,
          );
        }
        const atMs = typeof reported === 'string' ? Date.parse(reported) : null;
        if (running !== undefined) {
          equals(answer, 'sponsorship.heartbeats_used_epoch', usedInEpoch(state, running));
          running.max = Number(shown['max_heartbeats_epoch']);
          running.expiresMs = atMs;
          return;
        }
        const before = state.sponsorships.some(mine) && !ran;
        if (!before && !ran) equals(answer, 'sponsorship.heartbeats_used_epoch', 0);
        for (const each of state.sponsorships) if (mine(each)) each.state = 'revoked';
        state.sponsorships.push({
          sponsor: index,
          child: childIndex,
          max: Number(shown['max_heartbeats_epoch']),
          used: Number(shown['heartbeats_used_epoch']),
          epoch: epochOf(state),
          expiresMs: atMs,
          state: 'active',
        });
      },
    };
  },
);

/** DELETE */
export const sponsorDelete: Operation = request<Pick<Sponsoring, 'agent' | 'child' | 'unknown'>>(
  'sponsor-delete',
  { agent: place, child: place, unknown: mostly('known', 'unknown', 'malformed') },
  (player, { agent: who, child, unknown }) => {
    const index = who % player.state.agents.length;
    const childIndex = child % player.state.agents.length;
    const child_hash = hashOf(player.agent(childIndex).hash, player.unknownHash(), unknown);
    return {
      request: { method: 'DELETE', path: '/agent/sponsor', key: player.agent(index).key, body: { child_hash } },
      judge: (state, answer) => {
        const active = state.sponsorships.find(
          (each) => each.sponsor === index && each.child === childIndex && each.state === 'active',
        );
        const faults = childFaults(state, index, childIndex, unknown);
        const none: Fault = { why: 'there is no active sponsorship', status: 404, code: 'SPONSOR_NOT_FOUND' };
        const notAncestor: Fault = { why: 'it is no ancestor', status: 403, code: 'SPONSOR_NOT_ANCESTOR' };
        if (active === undefined) faults.push(none);
        if (active === undefined && !descends(state, childIndex, index)) faults.push(notAncestor);
        const open = active !== undefined && !isRunning(active, state.nowMs) ? ['it has run out'] : [];
        const own = state.agents[index] as AgentState;
        if (own.frozen || own.wallet === null) open.push('the sponsor is frozen, or without a wallet');
        const counted = [[`sponsor-delete ${index}`, state.protocol.limits.sponsorDelete]] as const;
        if (!settle(state, answer, { faults, open, counted })) return;
        equals(answer, 'ok', true);
        equals(answer, 'revoked', true);
        if (active !== undefined) active.state = 'revoked';
      },
    };
  },
);

/** GET: what runs has to be listed, with its numbers; what else is listed is open. */
export const sponsorList: Operation = request<{ readonly agent: number }>(
  'sponsor-list',
  { agent: place },
  (player, action) => {
    const index = action.agent % player.state.agents.length;
    return {
      request: { method: 'GET', path: '/agent/sponsor', key: player.agent(index).key },
      judge: (state, answer) => {
        const own = state.agents[index] as AgentState;
        const open = own.frozen || own.wallet === null ? ['the sponsor is frozen, or without a wallet'] : [];
        const counted = [[`sponsor-list ${index}`, state.protocol.limits.sponsorGet]] as const;
        if (!settle(state, answer, { faults: keyFault(own), open, counted })) return;
        equals(answer, 'ok', true);
        const { sponsorships: rows } = answer.json as { readonly sponsorships: readonly Record<string, unknown>[] };
        if (!Array.isArray(rows)) throw new Mismatch(`${answer.name}: sponsorships is no list`);
        const stray = rows.find((row) => !alike(row['parent_hash'], own.hash));
        if (stray !== undefined)
          throw new Mismatch(`${answer.name} lists a sponsorship of ${String(stray['parent_hash'])}`);
        const mine = state.sponsorships.filter(({ sponsor: by }) => by === index);
        for (const each of mine.filter((one) => isRunning(one, state.nowMs))) {
          const hash = state.agents[each.child]?.hash;
          const row = rows.find((one) => alike(one['child_hash'], hash) && one['status'] === 'active');
          const numbers = [row?.['max_heartbeats_epoch'], row?.['heartbeats_used_epoch']];
          if (!alike(numbers, [each.max, usedInEpoch(state, each)])) {
            throw new Mismatch(
              `${answer.name} shows max and used of ${hash} as ${numbers}, not ${each.max},${usedInEpoch(state, each)}`,
            );
          }
        }
        for (const row of rows.filter((one) => one['status'] === 'active')) {
          const known = mine.some(
            (each) => each.state === 'active' && alike(state.agents[each.child]?.hash, row['child_hash']),
          );
          if (!known)
            throw new Mismatch(`${answer.name} shows the sponsorship of ${String(row['child_hash'])} as active`);
        }
      },
    };
  },
);
