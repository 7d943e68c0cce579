/** GET /agent/sponsor (4.13): judges the listed sponsorships of a parent by their terms, use and status. */

import { nameOf } from '../../spec/endpoint-ids.js';
import type { Case, Operation } from '../case.js';
import { epochOf, isExpired, usedInEpoch } from '../facts/rules.js';
import type { Agent, Sponsorship, State } from '../facts/state.js';
import { instantMs, isNear } from '../reading/field-tests.js';
import { at, hashAt } from '../reading/values.js';
import { isRunning, valued } from './sponsor.js';

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
  open: ({ frozen }) => (frozen === false ? undefined : 'the text does not say whether a frozen sponsor may list'),
  accepts: () => ['sponsor.get.body', 'sponsor.get.reply'],
  accepted: (agent, { state, call, judgement }) => {
    const rows = at(call.json, 'sponsorships');
    if (!Array.isArray(rows)) return judgement.that('sponsorships', false, 'an array', rows, 'sponsor.get.reply');
    // A sponsor from before the traffic may have made more.
    if (agent.isPartial) return;
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

/** Judges one sponsorship in a listing: an active one is listed with its numbers, an ended one is not listed as active. */
function judgeRow(state: State, judgement: Case['judgement'], rows: readonly unknown[], one: Sponsorship): void {
  const mine = rows.filter((row) => hashAt(row, 'child_hash') === one.child);
  const active = mine.find((row) => at(row, 'status') === 'active');
  const running = isRunning(state, one);
  // A revoked key ends a sponsorship (3.4), and is seen only if the state knows what administrators do.
  if (running === true && active === undefined && !state.isWhole) return;
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
    judgeCreated(state, judgement, active, one);
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

/** Judges created_at: later changes of the terms do not change it. */
function judgeCreated(
  { slackMs }: State,
  judgement: Case['judgement'],
  row: unknown,
  { shown, madeMs }: Sponsorship,
): void {
  const created = at(row, 'created_at');
  judgement.that('created_at', created !== undefined, 'a time', created, 'sponsor.created-at.listing');
  const [ms, before] = [instantMs(created), shown['created_at']];
  const clause = shown['updated'] === true ? 'sponsor.update.created-at' : 'sponsor.field.created-at';
  if (before !== undefined) judgement.that('created_at', ms === before, before, created, clause);
  else if (madeMs !== undefined && shown['updated'] !== true)
    judgement.that('created_at', isNear(ms, madeMs, slackMs), madeMs, created, 'sponsor.field.created-at');
  shown['created_at'] = ms;
}
