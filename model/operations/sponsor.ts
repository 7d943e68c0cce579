/** /agent/sponsor (4.13, 3.4): made and changed, ended, listed. */

import { HOUR_MS } from '../../spec/time.js';
import { all, type Known, not } from '../evidence.js';
import { instantMs } from '../reading/field-tests.js';
import { at, hashAt } from '../reading/values.js';
import { descends, epochOf, isActive, isExpired, usedInEpoch } from '../rules.js';
import type { Case, Operation } from '../settle.js';
import type { Agent, Sponsorship, State } from '../state.js';

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
      clauses: ['sponsor.post.body.child-hash', 'sponsor.error.validation'],
      when: ({ childHash }) => childHash === undefined,
    },
    {
      row: 'sponsor/VALIDATION',
      clauses: ['sponsor.post.body.max-heartbeats-epoch', 'sponsor.error.validation.parameters'],
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
      clauses: ['sponsor.post.body.expires-in-hours', 'sponsor.error.validation.parameters'],
      when: ({ hours }, { state }) =>
        hours !== undefined &&
        (hours === null
          ? undefined
          : !isWithin(hours, state.settings.protocol.sponsor.expiresHoursMin, Number.POSITIVE_INFINITY)),
    },
    {
      row: 'sponsor/AGENT_NOT_FOUND',
      clauses: ['sponsor.error.agent-not-found'],
      when: ({ childHash, child }) => childHash !== undefined && child === undefined,
    },
    {
      row: 'sponsor/SPONSOR_PARENT_FROZEN',
      clauses: ['sponsor.rule.not-frozen', 'sponsor.error.sponsor-parent-frozen'],
      when: ({ agent }) => agent.frozen,
    },
    {
      row: 'sponsor/SPONSOR_INVALID',
      clauses: ['sponsor.rule.not-self', 'sponsor.error.sponsor-invalid'],
      when: ({ agent, childHash }) => childHash === agent.hash,
    },
    {
      row: 'sponsor/SPONSOR_NOT_ANCESTOR',
      clauses: ['sponsor.rule.descendant', 'sponsor.error.sponsor-not-ancestor'],
      when: ({ agent, child }, { state }) => {
        if (child === undefined || child.hash === agent.hash) return false;
        const below = descends(state, child, agent.hash);
        return below === undefined ? undefined : !below;
      },
    },
    {
      row: 'sponsor/WALLET_REQUIRED',
      clauses: ['sponsor.rule.wallet', 'sponsor.error.wallet-required'],
      when: ({ agent }) => agent.wallet === null,
    },
  ],
  open: ({ agent, child, hours }) => {
    if (agent.wallet?.kind === 'ethereum') return 'whether an Ethereum wallet may sponsor is open';
    if (typeof hours === 'number' && hours > HOURS_SURE_MAX) return 'how far an expiry may lie is open';
    return (child !== undefined && child.frozen !== false) || child?.revoked === true
      ? 'whether a child that is frozen or revoked may be sponsored is open'
      : undefined;
  },
  accepts: ({ known }, { state }) => [
    isRunning(state, known) === true ? 'sponsor.transition.update' : 'sponsor.transition.create',
  ],
  accepted: ({ agent, childHash, known, max, hours }, { state, call, judgement }) => {
    if (childHash === undefined) return;
    const { json } = call;
    const running = isRunning(state, known);
    const field = (name: string): string => `sponsorship.${name}`;
    judgement.equals(json, 'ok', true, 'sponsor.post.reply');
    judgement.equals(json, field('parent_hash'), agent.hash, 'sponsor.field.parent-hash', 'sponsor.post.reply');
    judgement.equals(json, field('child_hash'), childHash, 'sponsor.field.child-hash', 'sponsor.post.reply');
    judgement.equals(
      json,
      field('status'),
      'active',
      'sponsor.field.status',
      running === true ? 'sponsor.transition.update' : 'sponsor.transition.create',
    );
    const { heartbeatsEpochDefault } = state.settings.protocol.sponsor;
    if (max !== undefined)
      judgement.equals(
        json,
        field('max_heartbeats_epoch'),
        max,
        'sponsor.field.max-heartbeats-epoch',
        'sponsor.post.body.max-heartbeats-epoch',
      );
    else if (running === false)
      judgement.equals(
        json,
        field('max_heartbeats_epoch'),
        heartbeatsEpochDefault,
        'sponsor.post.body.max-heartbeats-epoch.default',
      );
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
      judgement.equals(
        json,
        field('heartbeats_used_epoch'),
        0,
        'sponsor.field.heartbeats-used-epoch',
        'sponsor.post.reply',
      );
    else if (running === true)
      judgement.equals(json, field('heartbeats_used_epoch'), usedInEpoch(state, known), 'sponsor.update.use');
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
      byFreeze: false,
      shown: known?.shown ?? {},
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
      clauses: ['sponsor.delete.body', 'sponsor.error.validation'],
      when: ({ childHash }) => childHash === undefined,
    },
    {
      row: 'sponsor/AGENT_NOT_FOUND',
      clauses: ['sponsor.error.agent-not-found'],
      when: ({ childHash, child }) => childHash !== undefined && child === undefined,
    },
    {
      row: 'sponsor/SPONSOR_NOT_FOUND',
      clauses: ['sponsor.error.sponsor-not-found'],
      when: ({ childHash, known }, { state }) => {
        const running = isRunning(state, known);
        return childHash !== undefined && (running === undefined ? undefined : !running);
      },
    },
  ],
  open: ({ agent, childHash, child, known }, { state }) => {
    if (known?.status === 'active' && isRunning(state, known) !== true)
      return 'the standing of an expired sponsorship is not shown';
    if (childHash !== undefined && (child === undefined || descends(state, child, agent.hash) !== true))
      return 'which refusal a stranger gets is open';
    return agent.frozen !== false || agent.wallet === null
      ? 'whether a sponsor that is frozen or without a wallet may revoke is open'
      : undefined;
  },
  accepts: () => ['sponsor.transition.revoke'],
  accepted: ({ known }, { call, judgement }) => {
    judgement.equals(call.json, 'ok', true, 'sponsor.delete.reply');
    judgement.equals(call.json, 'revoked', true, 'sponsor.delete.reply');
    if (known !== undefined) known.status = 'revoked';
  },
};

export const sponsorGet: Operation<Agent> = {
  ids: ['sponsor.get'],
  facts: ({ agent }) => agent,
  refusals: [],
  open: (agent) =>
    agent.frozen !== false || agent.wallet === null
      ? 'whether a sponsor that is frozen or without a wallet may list is open'
      : undefined,
  accepts: () => ['sponsor.get.reply'],
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
    judgement.equals(
      active,
      'max_heartbeats_epoch',
      one.max,
      'sponsor.field.max-heartbeats-epoch',
      'sponsor.get.reply',
    );
    judgement.equals(
      active,
      'heartbeats_used_epoch',
      usedInEpoch(state, one),
      'sponsor.field.heartbeats-used-epoch',
      'sponsor.get.reply',
      'sponsor.use.reset',
      ...((state.agents.get(one.child)?.heartbeats ?? 0) > 0 ? ['heartbeat.sender.charged'] : []),
    );
    const created = at(active, 'created_at');
    if ('created_at' in one.shown)
      judgement.equals(active, 'created_at', one.shown['created_at'], 'sponsor.update.created-at');
    else one.shown['created_at'] = created;
  } else if (one.status === 'revoked') {
    const clause = one.byFreeze ? 'sponsor.transition.frozen.parent' : 'sponsor.transition.revoke';
    judgement.that('a sponsorship that ended', active === undefined, 'not active', active, clause);
  }
}
