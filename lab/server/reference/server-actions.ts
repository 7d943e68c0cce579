/** The actions of the page's Server view: what is shown, and what moves time and decides flags. Each action that changes something has its command line. */

import { z } from 'zod';
import { flagOutcomes } from '../../../reference/registry/flag.js';
import { hashOf } from '../../../reference/registry/state.js';
import { DAY_MS } from '../../../spec/time.js';
import { standings } from '../../../spec/vocabulary.js';
import { type Action, ActionRefused, action, nothing } from '../action.js';
import type { LivingReference } from './living-reference.js';
import { SPEEDS, type Speed } from './player.js';
import type { LoggedRequest, RequestCounts } from './request-log.js';
import {
  AGENT_ORDERS,
  agentOf,
  agentsOf,
  figuresOf,
  rowOfAgent,
  TABLES,
  tableOf,
  treasuryOf,
} from './service-views.js';

const ADVANCE_MS_MAX = 7 * DAY_MS;
const ROWS_MAX = 200;

/** The figures of the reference, as the overview and the stream show them. */
export function serverFigures(reference: LivingReference) {
  const { service, nowMs } = reference.shown;
  const { past, running, history, scenario, population, isMoving } = reference;
  const counts = requestCounts(reference);
  return {
    ...figuresOf(service, nowMs),
    requests: counts.requests,
    refused: counts.refused,
    presentMs: running.host.clock.nowMs(),
    past:
      past === undefined
        ? null
        : {
            ...{ atMs: past.atMs, fingerprint: past.fingerprint, same: past.same },
            ...{ agreed: past.agreed, replayed: past.replayed },
          },
    moving: isMoving,
    playing: reference.player.speed,
    commands: history.length,
    population: { name: scenario.name, ended: population?.ended ?? null },
  };
}

/** The requests up to the moment that is shown; null where the log does not reach back to it. */
function requestCounts({
  past,
  log,
}: LivingReference): RequestCounts | { readonly requests: null; readonly refused: null } {
  if (past === undefined) return log.counts;
  return past.requests ?? log.countsAt(past.atMs) ?? { requests: null, refused: null };
}

/** The latest requests, the newest last. */
export function latestRequests({ log }: LivingReference): readonly LoggedRequest[] {
  return log.latest.slice(-ROWS_MAX);
}

/** The actions over a reference; `curlOf` makes the command that does an action of the lab. */
export function serverActions(
  reference: LivingReference,
  curlOf: (path: string, body: object) => string,
): readonly Action[] {
  const requirePresent = (): void => {
    if (reference.past !== undefined)
      throw new ActionRefused(409, 'PAST_SHOWN', 'this is a copy of an earlier moment: go back to the present first');
  };
  // By the lab and not by the control API, so that the population acts while time moves.
  const done = (path: string, body: object) => ({ ...serverFigures(reference), curl: curlOf(path, body) });
  return [
    action('server/figures', 'Returns the clock and the figures of the reference.', nothing, () => ({
      ...serverFigures(reference),
      marks: reference.history.marks.map(({ atMs, fingerprint }) => ({ atMs, fingerprint })),
      urls: {
        registry: reference.running.baseUrl,
        beats: reference.running.beatsUrl,
        control: reference.running.controlUrl,
      },
      treasury: treasuryOf(reference.shown.service),
    })),
    action(
      'server/agents',
      'Returns a window of the agents that a search finds.',
      z.strictObject({
        search: z.string().max(200).default(''),
        standing: z.enum(['any', ...standings]).default('any'),
        order: z.enum(AGENT_ORDERS).default('row'),
        descending: z.boolean().default(false),
        from: z.int().min(0).default(0),
        count: z.int().min(1).max(ROWS_MAX).default(100),
      }),
      (query) => agentsOf(reference.shown.service, query),
    ),
    action(
      'server/agent',
      'Returns one agent, by hash or row, with what it did and what was refused.',
      z.strictObject({ agent: z.string().max(200) }),
      ({ agent }) => lifeOf(reference, agent),
    ),
    action(
      'server/table',
      'Returns the newest rows of the ledger, of flags, subsidies, partners or fees.',
      z.strictObject({ table: z.enum(TABLES) }),
      ({ table }) => tableOf(reference.shown.service, table, reference.shown.nowMs),
    ),
    action('server/requests', 'Returns the latest requests that the reference answered.', nothing, () => ({
      requests: latestRequests(reference).filter(isShown(reference)),
    })),
    action(
      'server/advance',
      'Moves protocol time forward; the population lives through it.',
      z.strictObject({ ms: z.int().min(1).max(ADVANCE_MS_MAX) }),
      async (body) => {
        requirePresent();
        await reference.advance(body.ms);
        return done('server/advance', body);
      },
    ),
    action(
      'server/play',
      'Plays time at a speed, 1x, 60x, 1h (an hour each second) or fastest: the present, or a copy of an earlier moment through what happened then.',
      z.strictObject({ speed: z.enum(Object.keys(SPEEDS) as [Speed, ...Speed[]]) }),
      ({ speed }) => {
        reference.player.play(speed);
        return serverFigures(reference);
      },
    ),
    action('server/pause', 'Pauses time that plays.', nothing, async () => {
      await reference.player.pause();
      return serverFigures(reference);
    }),
    action('server/step', 'Plays one anchor, and pauses.', nothing, async () => {
      await reference.player.pause();
      const { nextAnchorMs } = reference.shown.service;
      await reference.playOn(Math.max(1, nextAnchorMs - reference.shown.nowMs), () => true);
      reference.settle();
      return serverFigures(reference);
    }),
    action(
      'server/stall',
      'Stops the anchors, or lets them go on.',
      z.strictObject({ on: z.boolean() }),
      async (body) => {
        requirePresent();
        await reference.control('POST', 'anchors/stall', body);
        return done('server/stall', body);
      },
    ),
    action(
      'server/review',
      'Sustains or dismisses a pending flag, or resolves a sustained one.',
      z.strictObject({ id: z.string().max(100), outcome: z.enum(flagOutcomes) }),
      async ({ id, outcome }) => {
        requirePresent();
        const path = `flags/${encodeURIComponent(id)}/review`;
        const reply = await reference.control('POST', path, { outcome });
        if (reply.status !== 200)
          throw new ActionRefused(
            409,
            String(reply.body['code']),
            String(reply.body['error'] ?? 'the flag was not reviewed'),
          );
        return done('server/review', { id, outcome });
      },
    ),
    action(
      'server/back',
      'Opens a copy of an earlier moment: the reference itself does not move, and nothing is sent again.',
      z.strictObject({ atMs: z.int() }),
      async ({ atMs }) => {
        const { firstMs } = reference.history;
        const nowMs = reference.running.host.clock.nowMs();
        if (atMs < firstMs || atMs > nowMs) {
          const [first, now] = [firstMs, nowMs].map((ms) => new Date(ms).toISOString());
          const wanted = `a moment from ${first}, where the memory begins, to ${now}, which is now`;
          throw new ActionRefused(400, 'VALIDATION', `atMs: wanted ${wanted}`);
        }
        await reference.player.pause();
        await reference.back(atMs);
        return serverFigures(reference);
      },
    ),
    action('server/present', 'Closes the copy of an earlier moment.', nothing, async () => {
      await reference.player.pause();
      reference.present();
      return serverFigures(reference);
    }),
  ];
}

/** Whether a request had been answered at the moment that is shown. */
function isShown(reference: LivingReference): (entry: LoggedRequest) => boolean {
  const { requests } = requestCounts(reference);
  return ({ n }) => n <= (requests ?? 0);
}

/** One agent with its life: accepted commands, and the latest refusals. */
function lifeOf(reference: LivingReference, agent: string) {
  const { service, nowMs } = reference.shown;
  const row = rowOfAgent(service, agent);
  if (row < 0) throw new ActionRefused(404, 'AGENT_NOT_FOUND', 'no agent has this hash or row at this moment');
  const accepted = reference.history
    .commandsOf(row, nowMs)
    .map(({ at, name }) => ({ atMs: at, what: name, refused: null }));
  const refusals = reference.log.latest
    .filter(isShown(reference))
    .flatMap((entry) =>
      entry.agent === row && entry.refused !== undefined
        ? [{ atMs: entry.atMs, what: `${entry.method} ${entry.path}`, n: entry.n, refused: entry.refused }]
        : [],
    );
  const events = [...accepted, ...refusals].toSorted((a, b) => a.atMs - b.atMs);
  return {
    ...agentOf(service, row, nowMs),
    holds: reference.acting.holds(hashOf(service.registry, row)),
    silent: reference.population?.isSilent(hashOf(service.registry, row)),
    events: events.slice(-ROWS_MAX),
    eventsInAll: events.length,
    // The reference itself is in the present.
    command:
      reference.past === undefined
        ? `curl -sS ${reference.running.baseUrl}/api/v1/status/${agentOf(service, row, nowMs).hash}`
        : null,
  };
}
