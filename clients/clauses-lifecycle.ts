/** The clauses for clients about children, freezing and resync, sponsorship, complaints, batches and additional fields of replies. */

import { after, type ClientClause, each, usedOnce, withoutRefusal } from './evidence.js';
import {
  accepted,
  callsOf,
  codeOf,
  type Exchange,
  heartbeatsOf,
  resyncsOf,
  spawnsOf,
  type WatchedRun,
} from './exchange.js';

/** The first request that was refused because the agent is frozen; none if there is none. */
const firstFrozen = (run: WatchedRun): readonly Exchange[] =>
  run.exchanges.filter((each) => codeOf(each) === 'AGENT_FROZEN').slice(0, 1);

export const lifecycleClauses: readonly ClientClause[] = [
  {
    id: 'client.spawn.enough',
    section: '4.8',
    text: 'A receipt for a child has as many beats as the child costs.',
    look: (run) =>
      withoutRefusal(
        spawnsOf(run).filter(({ body }) => body['beats_receipt'] !== undefined),
        ['INSUFFICIENT_BEATS'],
        'it has too few beats',
      ),
  },
  {
    id: 'client.spawn.finalized',
    section: '3.6',
    text: 'A registered child is linked to its parent by a last call of spawn.',
    look: (run) => {
      const born = callsOf(run, 'POST /register').filter(
        (each) => accepted(each) && each.body['spawn_authorization'] !== undefined,
      );
      return each(born, ({ n, reply }) => {
        const linked = spawnsOf(run).some((later) => later.n > n && later.body['child_hash'] === reply['hash']);
        return linked ? undefined : 'the child was never linked';
      });
    },
  },
  {
    id: 'client.frozen.silent',
    section: '3.1',
    text: 'A client that was told AGENT_FROZEN sends no heartbeat before a resync.',
    look: (run) =>
      after(run, firstFrozen(run), (later) => {
        if (later.path.endsWith('/agent/resync')) return 'over';
        return later.path.endsWith('/agent/heartbeat') ? 'it sends a heartbeat' : undefined;
      }),
  },
  {
    id: 'client.frozen.recovers',
    section: '4.10',
    text: 'A frozen agent is brought back by a resync.',
    look: (run) =>
      each(firstFrozen(run), ({ n }) =>
        resyncsOf(run).some((later) => later.n > n && accepted(later)) ? undefined : 'no resync succeeds after it',
      ),
  },
  {
    id: 'client.resync.frozen-only',
    section: '3.1',
    text: 'Only a frozen agent asks for a resync.',
    look: (run) => withoutRefusal(resyncsOf(run), ['AGENT_WRONG_STATE'], 'the agent is not frozen'),
  },
  {
    id: 'client.resync.nonce-once',
    section: '4.10',
    text: 'The nonce of a resync is used once.',
    look: (run) =>
      usedOnce(resyncsOf(run), {
        valueIn: ({ body }) => body['challenge_nonce'],
        why: 'the nonce was used before',
        usedUpBy: () => true,
      }),
  },
  {
    id: 'client.resync.enough',
    section: '4.10',
    text: 'A resync proves as many beats as the penalty asks.',
    look: (run) =>
      withoutRefusal(
        resyncsOf(run).filter(({ body }) => body['beats_receipt'] !== undefined),
        ['INVALID_RECEIPT'],
        'the receipt is refused',
      ),
  },
  {
    id: 'client.sponsor.bounds',
    section: '4.13',
    text: 'A sponsorship caps 1 to 10,000 heartbeats an epoch.',
    look: (run) =>
      each(
        callsOf(run, 'POST /agent/sponsor').filter(({ body }) => body['max_heartbeats_epoch'] !== undefined),
        ({ body: { max_heartbeats_epoch: most } }) =>
          Number.isInteger(most) && Number(most) >= 1 && Number(most) <= 10_000 ? undefined : `it is ${String(most)}`,
      ),
  },
  {
    id: 'client.batch.size',
    section: '4.14',
    text: 'A batch asks for 1 to 50 hashes.',
    look: (run) =>
      withoutRefusal(
        callsOf(run, 'POST /verify/batch'),
        ['INVALID_INPUT', 'BATCH_TOO_LARGE', 'INVALID_HASH'],
        'the batch is refused',
      ),
  },
  {
    id: 'client.flag.reason',
    section: '4.16',
    text: 'A complaint has a reason of 1 to 2,000 characters and an identity class.',
    look: (run) => withoutRefusal(callsOf(run, 'POST /agent/flag'), ['VALIDATION'], 'the complaint is refused'),
  },
  {
    id: 'client.replies.extra-fields',
    section: '9',
    text: 'A client goes on after replies with further fields, in another order.',
    look: (run) => {
      const first = run.exchanges.filter(accepted)[0];
      if (first === undefined) return { seen: [], faults: [] };
      const wentOn = run.exchanges.some(({ n }) => n > first.n);
      return {
        seen: [first],
        faults: wentOn ? [] : [{ exchange: first, why: 'nothing comes after the first such reply' }],
      };
    },
  },
  {
    id: 'client.replies.alias-gone',
    section: '9',
    text: 'A client reads passport where the alias lineage_proof is gone.',
    look: (run) => {
      const first = heartbeatsOf(run).filter(accepted)[0];
      if (first === undefined) return { seen: [], faults: [] };
      const wentOn = run.exchanges.some(({ n }) => n > first.n) || run.exitStatus === 0;
      return {
        seen: [first],
        faults: wentOn ? [] : [{ exchange: first, why: 'the client fails after a reply without the alias' }],
      };
    },
  },
];
