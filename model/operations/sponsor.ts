/** /agent/sponsor (4.13, 3.4): made and changed, ended, listed. */

import { nameOf } from '../../spec/endpoint-ids.js';
import { HOUR_MS } from '../../spec/time.js';
import type { Case, Operation } from '../case.js';
import { descends, epochOf, isActive, isExpired, usedInEpoch } from '../facts/rules.js';
import type { Agent, Sponsorship, State } from '../facts/state.js';
import { instantMs } from '../reading/field-tests.js';
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
    known: state.sponsorships.get(`${agent.hash} ${childHash}`),
    max: call.body?.['max_heartbeats_epoch'],
    hours: call.body?.['expires_in_hours'],
  };
}

/** Whether a sponsorship runs: it is active and has not expired. */
function isRunning(state: State, one: Sponsorship | undefined): Known {
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
    if (typeof hours === 'number' && hours > HOURS_SURE_MAX) return 'how far an expiry may lie is open';
    return (child !== undefined && child.frozen !== false) || child?.revoked === true
      ? 'whether a child that is frozen or revoked may be sponsored is open'
      : undefined;
  },
  accepts: ({ known, max, hours }, { state }) => {
    const terms = [
      ...(max === undefined ? [] : ['sponsor.post.body.max-heartbeats-epoch']),
      ...(hours === undefined ? [] : ['sponsor.post.body.expires-in-hours']),
    ];
    return [
      // Until the first is taken it is open whether any is.
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
      judgement.that(
        field('expires_at'),
        due === undefined ? undefined : isNear(expires, due),
        due,
        at(json, field('expires_at')),
        'sponsor.post.body.expires-in-hours',
        'sponsor.field.expires-at',
      );
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
      // One that is made again may be as old as it was.
      madeMs: known === undefined ? state.nowMs : running === true ? known.madeMs : undefined,
      decided: undefined,
      shown: running === true && known !== undefined ? { ...known.shown, updated: true } : {},
    });
  },
};

/** Below any bound of dates that a server may have. */
const HOURS_SURE_MAX = 1_000_000;
/** An instant may be cut to whole seconds. */
const NEAR_MS = 1_000;
const isNear = (one: number | undefined, other: number): boolean =>
  one !== undefined && Math.abs(one - other) <= NEAR_MS;

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
    // Section 7 does not say to which calls of the endpoint these rows apply.
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
      ? 'the standing of the sponsorship is not shown'
      : undefined,
  accepts: () => ['sponsor.transition.revoke', 'sponsor.delete.body'],
  accepted: ({ known }) => {
    if (known === undefined) return;
    known.status = 'revoked';
    known.endedBy = 'call';
  },
};

export const sponsorGet: Operation<Agent> = {
  ids: ['sponsor.get'],
  facts: ({ agent }) => agent,
  refusals: [
    {
      row: 'sponsor/WALLET_REQUIRED',
      clauses: [],
      decided: 'sponsor.wallet.post-only',
      when: ({ wallet }) => (wallet === null ? undefined : false),
    },
  ],
  open: ({ frozen }) => (frozen === false ? undefined : 'whether a sponsor that is frozen may list is open'),
  accepts: () => ['sponsor.get.body', 'sponsor.get.reply'],
  accepted: (agent, { state, call, judgement }) => {
    const rows = at(call.json, 'sponsorships');
    if (!Array.isArray(rows)) return judgement.that('sponsorships', false, 'an array', rows, 'sponsor.get.reply');
    const stray = rows.filter((row) => hashAt(row, 'parent_hash') !== agent.hash);
    judgement.that('sponsorships', stray.length === 0, 'those of the sponsor', stray, 'sponsor.get.reply');
    const own = state.sponsorships.keys().filter((key) => key.startsWith(`${agent.hash} `));
    const unknown = rows.filter(
      (row) => at(row, 'status') === 'active' && !own.includes(`${agent.hash} ${hashAt(row, 'child_hash')}`),
    );
    judgement.that('sponsorships', unknown.length === 0, 'those that were made', unknown, 'sponsor.get.reply');
    for (const key of own) {
      const one = state.sponsorships.get(key);
      if (one !== undefined) judgeRow(state, judgement, rows, one);
    }
  },
};

/** A sponsorship in a listing: one that runs is there with its numbers, one that ended is not active. */
function judgeRow(state: State, judgement: Case['judgement'], rows: readonly unknown[], one: Sponsorship): void {
  const mine = rows.filter((row) => hashAt(row, 'child_hash') === one.child);
  const active = mine.find((row) => at(row, 'status') === 'active');
  const running = isRunning(state, one);
  if (running === true) {
    judgement.that('a sponsorship that runs', active !== undefined, 'active', mine, 'sponsor.get.reply');
    if (active === undefined) return;
    const cap = ['sponsor.field.max-heartbeats-epoch', 'sponsor.post.body.max-heartbeats-epoch', 'sponsor.get.reply'];
    const updated = one.shown['updated'] === true ? ['sponsor.transition.update', 'sponsor.update.terms'] : [];
    valued(judgement, active, 'max_heartbeats_epoch', one.max, ...cap, ...updated);
    const count = mine.filter((row) => at(row, 'status') === 'active').length;
    judgement.that('sponsorships of one child', count === 1, '1', count, 'sponsor.transition.update');
    const isNext = one.epoch !== undefined && one.epoch !== epochOf(state);
    if (one.decided === undefined || isNext)
      valued(
        judgement,
        active,
        'heartbeats_used_epoch',
        usedInEpoch(state, one),
        'sponsor.field.heartbeats-used-epoch',
        'sponsor.get.reply',
        ...(isNext ? ['sponsor.use.reset'] : one.used === 0 ? [] : ['heartbeat.sender.charged']),
      );
    else valued(judgement, active, 'heartbeats_used_epoch', one.decided, 'sponsor.nearest');
    if (one.expiresMs != null) {
      const expires = at(active, 'expires_at');
      judgement.that(
        'expires_at',
        isNear(instantMs(expires), one.expiresMs),
        one.expiresMs,
        expires,
        'sponsor.field.expires-at',
        ...updated,
      );
    }
    judgeCreated(judgement, active, one);
  } else if (one.status === 'revoked') {
    const clauses = {
      call: ['sponsor.transition.revoke'],
      parent: ['sponsor.transition.frozen.parent', 'dms.freeze.sponsorships'],
      child: ['sponsor.transition.frozen.child', 'dms.freeze.sponsorships'],
      key: ['sponsor.transition.key-revoked'],
    }[one.endedBy];
    if (one.endedBy === 'call' && active !== undefined)
      judgement.lacksEffect(nameOf('sponsor.delete'), 'a sponsorship that is not active', active, ...clauses);
    else judgement.that('a sponsorship that ended', active === undefined, 'not active', active, ...clauses);
    if (one.endedBy === 'call' && active === undefined) {
      const isShown = mine.some((row) => at(row, 'status') === 'revoked');
      judgement.that('a sponsorship that ended', isShown, 'revoked', mine, 'sponsor.get.all');
    }
  } else if (isExpired(state, one) === true) {
    const isShown = mine.some((row) => at(row, 'status') === 'expired');
    judgement.that('a sponsorship that expired', isShown, 'expired', mine, 'sponsor.expired.status');
  }
}

/** The time of a sponsorship: when it was made, whatever became of its terms. */
function judgeCreated(judgement: Case['judgement'], row: unknown, { shown, madeMs }: Sponsorship): void {
  const created = at(row, 'created_at');
  judgement.that('created_at', created !== undefined, 'a time', created, 'sponsor.created-at.listing');
  const [ms, before] = [instantMs(created), shown['created_at']];
  const clause = shown['updated'] === true ? 'sponsor.update.created-at' : 'sponsor.field.created-at';
  if (before !== undefined) judgement.that('created_at', ms === before, before, created, clause);
  else if (madeMs !== undefined && shown['updated'] !== true)
    judgement.that('created_at', isNear(ms, madeMs), madeMs, created, 'sponsor.field.created-at');
  shown['created_at'] = ms;
}

/** Compares a value whose clause is broken by another number as well as by another type. */
function valued(
  judgement: Case['judgement'],
  json: unknown,
  path: string,
  expected: unknown,
  ...clauses: readonly string[]
): void {
  const actual = at(json, path);
  judgement.that(path, expected === undefined ? undefined : actual === expected, expected, actual, ...clauses);
}
