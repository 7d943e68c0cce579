/** How often an agent can go through a documented flow, by the rate limits that its calls count against. It judges nothing. */

import type { Bucket } from '../endpoint.js';
import type { Flow, FlowCall } from '../flows.js';
import { servesMode } from '../parts.js';
import type { LimitName, Protocol } from '../protocol.js';
import type { LintFacts } from './finding.js';
import { graceSec, hashesPerBeat, penaltyBeats } from './quantities.js';

function bucketsOf({ endpoint, body }: FlowCall, { endpoints }: LintFacts): readonly Bucket[] {
  const found = endpoints.find(({ id }) => id === endpoint);
  if (found === undefined) throw new Error(`a flow calls ${endpoint}, which is no endpoint`);
  return found.buckets.filter(({ when }) => when === undefined || when.test(body));
}

/** How many calls of a flow each limit counts. */
export function callsByLimit(flow: Flow, facts: LintFacts): ReadonlyMap<LimitName, number> {
  const counts = new Map<LimitName, number>();
  for (const call of flow.calls) {
    for (const { limit } of bucketsOf(call, facts)) counts.set(limit, (counts.get(limit) ?? 0) + 1);
  }
  return counts;
}

/** True for a flow that calls a mode which is switched off; no limit stops such a flow. */
export function isOff({ calls }: Flow, { endpoints, protocol }: LintFacts): boolean {
  return calls.some(({ endpoint, body }) => {
    const mode = endpoints.find(({ id }) => id === endpoint)?.mode?.(body);
    return mode !== undefined && !servesMode(protocol, mode);
  });
}

/** A way out of frozen: the limit that leaves the most time between two resyncs, that time, and the hash rate of the least penalty. */
interface ResyncWay {
  readonly flow: string;
  readonly limit: LimitName;
  readonly gapSec: number;
  readonly hashesPerSec: number;
}

/** The difficulty of each resync's beats, and the time for them. */
const WORKS: Readonly<Record<string, (protocol: Protocol) => readonly [difficulty: number, seconds: number]>> = {
  'resync-receipt': (protocol) => [protocol.work.receiptDifficultyMin, graceSec(protocol)],
  'resync-challenge': (protocol) => [
    protocol.beat.difficulty,
    Math.min(protocol.resync.nonceTtlSec, graceSec(protocol)),
  ],
};

/** Every way out of frozen that is served; a way whose limits have no room for it takes for ever. */
export function resyncWays(facts: LintFacts): readonly ResyncWay[] {
  const { protocol } = facts;
  const beats = penaltyBeats(protocol, protocol.dms.missedAnchorsMax + 1);
  return facts.flows
    .filter((flow) => WORKS[flow.id] !== undefined && !isOff(flow, facts))
    .map((flow) => {
      const gaps = [...callsByLimit(flow, facts)].map(([limit, calls]) => {
        const { count, windowSec } = protocol.limits[limit];
        return { limit, gapSec: windowSec / Math.floor(count / calls) };
      });
      const [difficulty, seconds] = WORKS[flow.id]?.(protocol) ?? [0, 1];
      const rarest = gaps.reduce((worst, each) => (each.gapSec > worst.gapSec ? each : worst));
      return { flow: flow.id, ...rarest, hashesPerSec: (beats * hashesPerBeat(difficulty)) / seconds };
    });
}

/** Anchors from one resync to the next of an agent that sends no heartbeat: it is frozen first, and has to wait for the limits. */
export function resyncAnchors(facts: LintFacts): number {
  const { anchor, dms } = facts.protocol;
  const ways = resyncWays(facts);
  const fit = ways.filter(({ hashesPerSec }) => hashesPerSec <= facts.hashesPerSec);
  const gap = Math.min(...(fit.length > 0 ? fit : ways).map(({ gapSec }) => gapSec));
  return Math.max(dms.missedAnchorsMax + 1, Math.ceil(gap / anchor.intervalSec));
}
