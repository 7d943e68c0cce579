/** The events in the life of an agent, each with the contexts in which its consequences differ. The requests after an event are in probes.ts. */

import { HOUR_SEC } from '../../spec/time.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { submitBeats } from '../moves/beats-submit.js';
import { complaint } from '../moves/flag.js';
import { lookup } from '../moves/lookup.js';
import { change } from '../moves/metadata.js';
import { reissue } from '../moves/reissue-proof.js';
import { spawn } from '../moves/spawn.js';
import { endSponsorship, sponsor } from '../moves/sponsor.js';
import { endSubsidy } from '../moves/subsidy.js';
import { adminKey, revokeKey } from '../steps/keys.js';
import { proveBack } from '../steps/resync-call.js';
import { chainEnd, chainProof } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import {
  beat,
  buyClass,
  buyLater,
  flagged,
  freeze,
  inHours,
  parentOf,
  resyncFrozen,
  review,
  revoked,
  subsidise,
  whileFrozen,
} from './acts.js';
import { type ContextName, childOf, giveWallet, pay, type Row, root } from './cast.js';

/** An event, and the contexts in which it happens. */
export interface Event extends Pick<WrittenCheck, 'controls'> {
  /** A noun phrase after the word "After" of a title: "a heartbeat of its own". */
  readonly title: string;
  readonly contexts: readonly ContextName[];
  /** Needs in addition to a clock, payments and the beats service. */
  readonly needs?: WrittenCheck['needs'];
  readonly run: (row: Row) => Promise<unknown>;
}

/** All events, by the word of their rows. */
export const events: Readonly<Record<string, Event>> = {
  heartbeat: {
    title: 'a heartbeat',
    contexts: ['root', 'child', 'child-with-wallet', 'grandchild'],
    run: (row) => beat(row, row.subject),
  },
  sandbox: { title: 'a SIGIL in a sandbox', contexts: ['plain'], run: (row) => buyClass(row, 'narrow_task', 'sbx') },
  sigil: {
    title: 'a SIGIL of its own, a freeze and a resync by challenge',
    contexts: ['child'],
    run: async (row) => {
      await buyLater(row, 1);
      await beat(row, row.subject);
      await row.t.send(change(row.subject, { capability: 'witness', generation_trigger: row.t.word() }));
      await freeze(row, row.subject, row.subject.line);
      await proveBack(row.t, row.subject);
      await beat(row, row.subject);
    },
  },
  'largest-class': {
    title: 'a SIGIL of the largest class',
    contexts: ['child-with-wallet'],
    run: (row) => buyLater(row, -1),
  },
  reissue: {
    title: 'a reissued passport',
    contexts: ['root'],
    run: async (row) => {
      await beat(row, row.subject);
      await row.t.send(reissue(row.subject, await pay(row, row.subject, 'reissuance')));
    },
  },
  metadata: {
    title: 'a change of its metadata',
    contexts: ['root'],
    run: ({ t, subject }) => t.send(change(subject, { capability: 'witness', generation_trigger: t.word() })),
  },
  beats: {
    title: 'a submission of beats',
    contexts: ['root', 'child'],
    run: async ({ t, subject }) => t.send(submitBeats(subject, await chainProof(t, await chainEnd(t, subject), 4))),
  },
  wallet: { title: 'a linked wallet of its own', contexts: ['bare'], run: ({ t, subject }) => giveWallet(t, subject) },
  'wallet-of-operator': {
    title: 'a linked wallet of its operator',
    contexts: ['child'],
    run: ({ t, subject }) => giveWallet(t, subject, 'operator'),
  },
  spawn: {
    title: 'a child of its own, linked twice',
    contexts: ['root'],
    run: async ({ t, subject }) => {
      const { name: child_name, hash: child_hash } = await childOf(t, subject);
      await t.send(spawn(subject, { child_name, child_hash }));
    },
  },
  sponsoring: {
    title: 'a sponsorship of another agent by it',
    contexts: ['root'],
    run: async ({ t, subject }) => {
      const { hash } = await childOf(t, subject);
      await t.sleep({ anchors: 1 });
      await t.send(sponsor(subject, hash, { max_heartbeats_epoch: 2, expires_in_hours: 2 }));
    },
  },
  'flag-pending': { title: 'a pending complaint', contexts: ['child'], ...flagged, run: review() },
  'flag-of-parent': {
    title: "its parent's pending complaint about the same agent",
    contexts: ['child'],
    ...flagged,
    run: async (row) => {
      await buyLater(row, 0);
      await row.flags.file(parentOf(row), complaint(row.stranger));
    },
  },
  'flag-dismissed': { title: 'a dismissed complaint', contexts: ['root'], ...flagged, run: review('dismiss') },
  'flag-of-two': {
    title: 'two complaints and the dismissal of one',
    contexts: ['root'],
    ...flagged,
    run: async ({ t, flags, stranger, subject }) => {
      const other = await root(t, 'narrow_task');
      const filed = await flags.file(stranger, complaint(subject));
      for (const by of [other, stranger]) await flags.file(by, complaint(subject));
      await flags.review(filed, 'dismiss');
      for (const by of [other, stranger]) await flags.file(by, complaint(subject));
    },
  },
  'flag-sustained': { title: 'a sustained complaint', contexts: ['root', 'child'], ...flagged, run: review('sustain') },
  'flag-resolved': {
    title: 'a resolved complaint',
    contexts: ['root'],
    ...flagged,
    run: review('sustain', 'resolve'),
  },
  'flag-through-freeze': {
    title: 'a freeze and a resync under a sustained complaint',
    contexts: ['child'],
    ...flagged,
    run: async (row) => {
      await review('sustain')(row);
      await whileFrozen(async ({ t, subject }) => {
        for (const id of ['status', 'verify'] as const) await t.send(lookup(id, subject.hash));
      })(row);
    },
  },
  'parent-flag-sustained': {
    title: 'a sustained complaint about its parent',
    contexts: ['child-with-wallet'],
    ...flagged,
    run: async (row) => row.flags.review(await row.flags.file(row.stranger, complaint(parentOf(row))), 'sustain'),
  },
  subsidies: { title: 'subsidies of all fees', contexts: ['child'], needs: ['admin'], run: (row) => subsidise(row) },
  'subsidies-ended': {
    title: 'the end of its subsidies',
    contexts: ['plain'],
    needs: ['admin'],
    run: async (row) => {
      await subsidise(row);
      for (const type of feeTypes) await row.t.send(endSubsidy(await adminKey(row.t), row.subject, type));
    },
  },
  'subsidies-expired': {
    title: 'the last day of its subsidies',
    contexts: ['root'],
    needs: ['admin'],
    run: async (row) => {
      await subsidise(row, { valid_until: inHours(row.t, 0.25) });
      await row.t.sleep({ sec: HOUR_SEC / 4 + 1 });
    },
  },
  'subsidies-frozen': {
    title: 'subsidies from before and during a freeze',
    contexts: ['root'],
    needs: ['admin'],
    run: async (row) => {
      await subsidise(row);
      await whileFrozen(() => subsidise(row))(row);
    },
  },
  freeze: {
    title: 'its freeze',
    contexts: ['root', 'child'],
    run: (row) => freeze(row, row.subject, row.subject.line),
  },
  resync: {
    title: 'two freezes and resyncs between two heartbeats',
    contexts: ['root'],
    run: async (row) => {
      await beat(row, row.subject);
      await row.t.send(change(row.subject, { generation_trigger: row.t.word() }));
      for (let n = 0; n < 2; n += 1) await whileFrozen()(row);
      await beat(row, row.subject);
    },
  },
  'complaint-while-frozen': {
    title: 'a complaint sustained during a freeze',
    contexts: ['root', 'child'],
    ...flagged,
    run: whileFrozen(review('sustain')),
  },
  'sponsored-while-frozen': {
    title: 'a sponsorship made during a freeze',
    contexts: ['child', 'child-with-wallet'],
    run: whileFrozen((row) => row.t.send(sponsor(parentOf(row), row.subject.hash))),
  },
  'parent-freeze': {
    title: 'the freeze of its parent',
    contexts: ['child', 'child-with-wallet', 'grandchild'],
    run: (row) => freeze(row, parentOf(row), [row.subject, ...row.subject.line.slice(1)]),
  },
  'parent-resync': {
    title: 'the freeze and resync of its parent',
    contexts: ['child'],
    run: async (row) => resyncFrozen(row, parentOf(row), await freeze(row, parentOf(row), [row.subject])),
  },
  'key-revoked': {
    title: 'the revocation of its key',
    contexts: ['root', 'child'],
    ...revoked,
    run: (row) => revokeKey(row.t, row.subject),
  },
  'parent-key-revoked': {
    title: "the revocation of its parent's key",
    contexts: ['child'],
    ...revoked,
    run: (row) => revokeKey(row.t, parentOf(row)),
  },
  'sponsor-changed': {
    title: 'a change of its sponsorship at the cap',
    contexts: ['child'],
    run: async (row) => {
      const terms = { max_heartbeats_epoch: 1 };
      await row.t.send(sponsor(parentOf(row), row.subject.hash, terms));
      await beat(row, row.subject);
      await row.t.send(sponsor(parentOf(row), row.subject.hash, { ...terms, expires_in_hours: 24 }));
    },
  },
  'sponsor-cap': {
    title: 'the last heartbeat under the cap of its sponsorship',
    contexts: ['child', 'grandchild-of-one-wallet'],
    run: async (row) => {
      for (const by of row.subject.line) await row.t.send(sponsor(by, row.subject.hash, { max_heartbeats_epoch: 1 }));
      await beat(row, row.subject);
    },
  },
  'sponsor-ended': {
    title: 'the end of its sponsorship',
    contexts: ['grandchild'],
    run: (row) => row.t.send(endSponsorship(parentOf(row), row.subject.hash)),
  },
  'sponsor-expired': {
    title: 'the last hour of its sponsorship',
    contexts: ['child'],
    run: async (row) => {
      const { t, subject } = row;
      const hours = Math.max(1, t.protocol.sponsor.expiresHoursMin);
      const half = { sec: (hours * HOUR_SEC) / 2 + 1 };
      await t.send(sponsor(parentOf(row), subject.hash, { expires_in_hours: hours }));
      await t.sleep(half);
      for (const one of [subject, parentOf(row)]) await beat(row, one);
      await t.sleep(half);
    },
  },
};
