/**
 * One check for each pair of an event and a context: the event, the probes of all agents concerned, a pause, and the probes again. The model
 * judges each exchange; a deviation does not end the check.
 */

import type { Reply } from '../assertions/reply.js';
import type { Move } from '../moves/move.js';
import { flagging } from '../steps/flagging.js';
import { pauseAnchors } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Session } from '../trial/session.js';
import { type Actor, type ContextName, contexts, makeRow, type Row } from './cast.js';
import { type Event, events } from './events.js';
import { type Column, columns, type Probe, paidByAncestor } from './probes.js';

const all = Object.values(columns);
const rightOf = (test: (reads: Column['reads']) => boolean): readonly Probe[] =>
  all.flatMap(({ right, reads }) => (right !== undefined && test(reads) ? [right] : []));
const probes = {
  faults: all.flatMap((column) => Object.values(column.faults)),
  writes: rightOf((reads) => reads === undefined),
  whole: rightOf((reads) => reads !== undefined),
  brief: rightOf((reads) => reads === 'brief'),
} as const;
type Part = keyof typeof probes;

/** Sends a move and accepts any reply. Each move has its own client address, so no limit by address refuses it. */
export async function send({ t, flags }: Row, move: Move | undefined): Promise<void> {
  if (move === undefined) return;
  const ask = (): Promise<Reply> =>
    t.send(move, { mayLimit: true, mayMiss: true, mayBeOff: true, address: t.newAddress() });
  if (move.endpoint !== 'flag') {
    await ask();
    return;
  }
  // 8: pending complaints count for the whole service, so only one is pending at a time, and each is dismissed at once.
  await inTurn(t.session, async () => {
    const reply = await ask();
    if (reply.get('flag_id') !== undefined) await flags.review(reply, 'dismiss');
  });
}

/** For each run: the latest steps about a complaint; the next ones wait until these end. */
const turns = new WeakMap<Session, Promise<unknown>>();

/** Runs steps after the earlier ones of the same run have ended or failed. */
function inTurn(session: Session, steps: () => Promise<void>): Promise<void> {
  const mine = (turns.get(session) ?? Promise.resolve()).then(steps);
  turns.set(
    session,
    mine.catch(() => undefined),
  );
  return mine;
}

/** Sends the probes of agents. A failed probe does not end the others. */
export async function probeAll(row: Row, agents: readonly Actor[], part: Part): Promise<void> {
  for (const who of agents)
    for (const each of probes[part]) await row.t.part(async () => send(row, await each(row, who)));
}

/** Sends every writing probe as the subject: first with each fault, then without faults. */
export async function tryAll(row: Row): Promise<void> {
  await probeAll(row, [row.subject], 'faults');
  await probeAll(row, [row.subject], 'writes');
}

/** Runs the steps of one check. */
async function play(row: Row, event: Event): Promise<void> {
  const { t, subject } = row;
  const [near, far] = [[subject, ...subject.line.slice(0, 1)], subject.line.slice(1)];
  const everyone = async (part: Part): Promise<void> => {
    await probeAll(row, near, part);
    if (part !== 'writes') await probeAll(row, far, 'brief');
  };
  await t.part(() => event.run(row));
  await everyone('whole');
  await probeAll(row, [subject], 'faults');
  await everyone('brief');
  await probeAll(row, [subject], 'writes');
  await everyone('brief');
  await t.sleep({ anchors: pauseAnchors(t.protocol) });
  await t.part(async () => send(row, await paidByAncestor(row, subject)));
  await everyone('writes');
  await everyone('whole');
}

const rowOf = (word: string, event: Event, context: ContextName): WrittenCheck => ({
  id: `after/${word}-${context}`,
  title: `After ${event.title}, calls by and about ${contexts[context].title} get the replies that the new state requires`,
  needs: ['clock', 'payments', 'beats', ...(event.needs ?? [])],
  controls: [...new Set(['flags/:id/review', ...(event.controls ?? [])])],
  readsItself: true,
  run: (t) => flagging(t, async (flags) => play(await makeRow(t, flags, context), event)),
});

export const afterChecks: readonly WrittenCheck[] = Object.entries(events).flatMap(([word, event]) =>
  event.contexts.map((context) => rowOf(word, event, context)),
);
