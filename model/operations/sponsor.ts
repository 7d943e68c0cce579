/** POST and DELETE /agent/sponsor (4.13, 3.4): a sponsorship is made, changed and ended. Its listing is in sponsor-get.ts. */

import { HOUR_MS } from '../../spec/time.js';
import type { Case, Operation } from '../case.js';
import { descends, epochOf, isActive, isExpired, usedInEpoch } from '../facts/rules.js';
import type { Agent, Sponsorship, State } from '../facts/state.js';
import { instantMs, isNear } from '../reading/field-tests.js';
import { all, type Known, not } from '../reading/known.js';
import { at, hashAt } from '../reading/values.js';

interface Sponsoring {
  readonly agent: Agent;
  readonly childHash: string | undefined;
  readonly child: Agent | undefined;
  readonly known: Sponsorship | undefined;
  readonly max: unknown;
  readonly hours: unknown;
}

function factsOf({ state, call, agent }: Case): Sponsoring | undefined {
  if (agent === undefined) return undefined;
  const childHash = hashAt(call.body, 'child_hash');
  return {
    agent,
    childHash,
    child: childHash === undefined ? undefined : state.agents.get(childHash),
    known: childHash === undefined ? undefined : state.sponsorships.get(`${agent.hash} ${childHash}`),
    max: call.body?.['max_heartbeats_epoch'],
    hours: call.body?.['expires_in_hours'],
  };
}

/** Whether a sponsorship is active and has not expired. */
export function isRunning(state: State, one: Sponsorship | undefined): Known {
  return one === undefined ? false : all(isActive(state, one), not(isExpired(state, one)));
}

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

export const sponsorPost: Operation<Sponsoring> = {
  ids: ['sponsor.post'],
  facts: factsOf,
  refusals: [
    {
      row: 'sponsor/VALIDATION',
      also: ['sponsor.post.body.child-hash'],
      when: ({ childHash }) => childHash === undefined,
    },
    {
      row: 'sponsor/VALIDATION',
      cause: 'parameters',
      also: ['sponsor.post.body.max-heartbeats-epoch'],
      when: ({ max }, { state }) => {
        const { heartbeatsEpochMin, heartbeatsEpochMax } = state.settings.protocol.sponsor;
        return max !== undefined && (max === null ? undefined : !isWithin(max, heartbeatsEpochMin, heartbeatsEpochMax));
      },
    },
    {
      row: 'sponsor/VALIDATION',
      clauses: ['sponsor.cap.whole'],
      when: ({ max }) => typeof max === 'number' && !Number.isInteger(max),
    },
    {
      row: 'sponsor/VALIDATION',
      cause: 'parameters',
      also: ['sponsor.post.body.expires-in-hours'],
      when: ({ hours }, { state }) =>
        hours !== undefined &&
        (hours === null
          ? undefined
          : !isWithin(hours, state.settings.protocol.sponsor.expiresHoursMin, Number.POSITIVE_INFINITY)),
    },
    {
      row: 'sponsor/AGENT_NOT_FOUND',
      when: ({ childHash, child }) => childHash !== undefined && child === undefined,
    },
    {
      row: 'sponsor/SPONSOR_PARENT_FROZEN',
      also: ['sponsor.rule.not-frozen'],
      when: ({ agent }) => agent.frozen,
    },
    {
      row: 'sponsor/SPONSOR_INVALID',
      also: ['sponsor.rule.not-self'],
      when: ({ agent, childHash }) => childHash === agent.hash,
    },
    {
      row: 'sponsor/SPONSOR_NOT_ANCESTOR',
      also: ['sponsor.rule.descendant'],
      when: ({ agent, child }, { state }) => {
        if (child === undefined || child.hash === agent.hash) return false;
        const below = descends(state, child, agent.hash);
        return below === undefined ? undefined : !below;
      },
    },
    {
      row: 'sponsor/SPONSOR_NOT_ANCESTOR',
      clauses: ['spawn.finalize.link'],
      when: ({ agent, child }, { state }) => child !== undefined && descends(state, child, agent.hash) === undefined,
    },
    {
      row: 'sponsor/WALLET_REQUIRED',
      also: ['sponsor.rule.wallet'],
      when: ({ agent }) => agent.wallet === null,
    },
    {
      row: 'sponsor/WALLET_REQUIRED',
      clauses: ['sponsor.wallet.solana'],
      when: ({ agent }) => agent.wallet?.kind === 'ethereum',
    },
  ],
  open: ({ child, hours }) => {
    if (typeof hours === 'number' && hours > HOURS_SURE_MAX) return 'the text does not say how late an expiry may be';
    return (child !== undefined && child.frozen !== false) || child?.revoked === true
      ? 'the text does not say whether a frozen or revoked child may be sponsored'
      : undefined;
  },
  accepts: ({ known, max, hours }, { state }) => {
    const terms = [
      ...(max === undefined ? [] : ['sponsor.post.body.max-heartbeats-epoch']),
      ...(hours === undefined ? [] : ['sponsor.post.body.expires-in-hours']),
    ];
    return [
      // Until the first sponsorship is accepted, the target may accept none at all.
      ...(state.sponsorships.keys().length === 0 ? ['key.parent.sponsor'] : []),
      ...(terms.length === 1 ? terms : []),
      isRunning(state, known) === true ? 'sponsor.transition.update' : 'sponsor.transition.create',
      ...terms,
      'sponsor.auth',
      'key.parent.sponsor',
      'sponsor.post.body.child-hash',
      'sponsor.rule.descendant',
      'spawn.flow.finalize',
    ];
  },
  accepted: ({ agent, childHash, known, max, hours }, { state, call, judgement }) => {
    if (childHash === undefined) return;
    const { json } = call;
    const running = isRunning(state, known);
    const field = (name: string): string => `sponsorship.${name}`;
    judgement.equals(
      field('parent_hash'),
      agent.hash,
      'sponsor.field.parent-hash',
      'sponsor.post.reply',
      'sponsor.auth',
      'key.parent.sponsor',
    );
    judgement.equals(field('child_hash'), childHash, 'sponsor.field.child-hash', 'sponsor.post.reply');
    judgement.equals(
      field('status'),
      'active',
      'sponsor.field.status',
      running === true ? 'sponsor.transition.update' : 'sponsor.transition.create',
    );
    const { heartbeatsEpochDefault } = state.settings.protocol.sponsor;
    const cap = [
      ...(max === undefined ? ['sponsor.post.body.max-heartbeats-epoch.default'] : []),
      ...(running === true ? ['sponsor.update.terms'] : []),
      'sponsor.post.body.max-heartbeats-epoch',
      'sponsor.field.max-heartbeats-epoch',
    ];
    valued(judgement, json, field('max_heartbeats_epoch'), max ?? heartbeatsEpochDefault, ...cap);
    const noted = at(json, field('created_at'));
    judgement.that(field('created_at'), noted === undefined, 'nothing', noted, 'sponsor.created-at.listing');
    if (hours === undefined) judgement.equals(field('expires_at'), null, 'sponsor.expires-at.none');
    if (typeof hours === 'number') {
      const expires = instantMs(at(json, field('expires_at')));
      const due = state.nowMs === undefined ? undefined : state.nowMs + hours * HOUR_MS;
      const isDue = due === undefined ? undefined : isNear(expires, due, state.slackMs);
      const clauses = ['sponsor.post.body.expires-in-hours', 'sponsor.field.expires-at'];
      judgement.that(field('expires_at'), isDue, due, at(json, field('expires_at')), ...clauses);
    }
    if (known === undefined)
      judgement.equals(field('heartbeats_used_epoch'), 0, 'sponsor.field.heartbeats-used-epoch', 'sponsor.post.reply');
    else if (running === true)
      judgement.equals(field('heartbeats_used_epoch'), usedInEpoch(state, known), 'sponsor.update.use');
    const [shownMax, shownUsed, shownExpiry] = ['max_heartbeats_epoch', 'heartbeats_used_epoch', 'expires_at'].map(
      (name) => at(json, field(name)),
    );
    state.sponsorships.set(`${agent.hash} ${childHash}`, {
      parent: agent.hash,
      child: childHash,
      max: typeof shownMax === 'number' ? shownMax : Number(max ?? heartbeatsEpochDefault),
      used: typeof shownUsed === 'number' ? shownUsed : undefined,
      epoch: epochOf(state),
      expiresMs: shownExpiry == null ? (hours === undefined ? null : undefined) : instantMs(shownExpiry),
      status: 'active',
      endedBy: 'call',
      anchor: state.anchor,
      // A sponsorship that is made again may keep its first created_at.
      madeMs: known === undefined ? state.nowMs : running === true ? known.madeMs : undefined,
      decided: undefined,
      paid: running === true && known !== undefined ? known.paid : { epoch: undefined, count: 0 },
      shown: running === true && known !== undefined ? { ...known.shown, updated: true } : {},
    });
  },
};

/** A server can represent any date within this many hours. */
const HOURS_SURE_MAX = 1_000_000;
export const sponsorDelete: Operation<Sponsoring> = {
  ids: ['sponsor.delete'],
  facts: factsOf,
  refusals: [
    {
      row: 'sponsor/VALIDATION',
      also: ['sponsor.delete.body'],
      when: ({ childHash }) => childHash === undefined,
    },
    {
      row: 'sponsor/AGENT_NOT_FOUND',
      when: ({ childHash, child }) => childHash !== undefined && child === undefined,
    },
    {
      row: 'sponsor/SPONSOR_NOT_FOUND',
      also: ({ known, childHash }, { state }) => [
        ...(known?.status === 'revoked' && known.endedBy === 'call' ? ['sponsor.transition.revoke'] : []),
        ...(known === undefined && state.sponsorships.keys().some((key) => key.endsWith(` ${childHash}`))
          ? ['sponsor.auth', 'key.parent.sponsor']
          : []),
      ],
      when: ({ childHash, known }, { state }) => {
        const running = isRunning(state, known);
        return childHash !== undefined && (running === undefined ? undefined : !running);
      },
    },
    // Section 7 does not say whether these rows apply to POST alone.
    {
      row: 'sponsor/SPONSOR_NOT_ANCESTOR',
      clauses: [],
      when: ({ agent, childHash, child }, { state }) =>
        childHash !== undefined && (child === undefined || descends(state, child, agent.hash) !== true)
          ? undefined
          : false,
    },
    {
      row: 'sponsor/SPONSOR_INVALID',
      clauses: [],
      when: ({ agent, childHash }) => (childHash === agent.hash ? undefined : false),
    },
    { row: 'sponsor/SPONSOR_PARENT_FROZEN', clauses: [], when: ({ agent }) => agent.frozen !== false && undefined },
    { row: 'sponsor/WALLET_REQUIRED', clauses: [], when: ({ agent }) => (agent.wallet === null ? undefined : false) },
  ],
  open: ({ known }, { state }) =>
    known !== undefined && known.status !== 'revoked' && isRunning(state, known) !== true
      ? 'no reply shows whether the sponsorship is active'
      : undefined,
  accepts: () => ['sponsor.transition.revoke', 'sponsor.delete.body'],
  accepted: ({ known }) => {
    if (known === undefined) return;
    known.status = 'revoked';
    known.endedBy = 'call';
  },
};

/** Compares a value that has one clause for number and type. */
export function valued(
  judgement: Case['judgement'],
  json: unknown,
  path: string,
  expected: unknown,
  ...clauses: readonly string[]
): void {
  const actual = at(json, path);
  judgement.that(path, expected === undefined ? undefined : actual === expected, expected, actual, ...clauses);
}
