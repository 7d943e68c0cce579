/**
 * Reads the clock of a service from its replies, if no control call moves it. Protocol time is known exactly where a reply shows it, and within a slack
 * between such replies if it runs with the clock of the observer. The latest anchor is known where a reply shows it.
 */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { anchorOf } from '../reading/anchor.js';
import type { Call, ReadReply, Seen } from '../reading/call.js';
import { at, numberAt } from '../reading/values.js';
import { halfSilenceMs, moveTo } from './rules.js';
import type { SeenClock, State } from './state.js';

/** Two clocks agree within this: the Date header has whole seconds, and a reply takes its time. */
const AGREE_MS = 2_000;
/** Two times of one service show that its clock runs only if at least this lies between them. */
const APART_MS = 5_000;

/** A value of a reply that shows the time, and the subject of the evidence about it. */
export interface Shown {
  readonly value: number | undefined;
  readonly about: string;
  /** The clauses that are broken if an earlier value follows a later one. */
  readonly clauses?: readonly string[];
}

interface Times {
  /** A beat; by D-04 the beats of an anchor begin at its index times their number. */
  readonly beat?: Shown;
  readonly anchor?: Shown;
  readonly nowMs?: Shown;
}

type Reads = (json: unknown) => Times;

const issued = (json: unknown): Shown => ({ value: numberAt(json, 'passport.issued_at'), about: 'passport.issued_at' });
const latest: Reads = (json) => ({
  anchor: { value: anchorOf({ json }).index, about: 'the latest anchor', clauses: ['beat-anchor.purpose'] },
});

/** The times in the accepted replies of each endpoint. */
const TIMES: Partial<Record<EndpointId, Reads>> = {
  heartbeat: (json) => ({
    beat: { value: numberAt(json, 'current_beat'), about: 'current_beat', clauses: ['clock.current-beat'] },
    nowMs: issued(json),
  }),
  sigil: (json) => ({
    beat: { value: numberAt(json, 'sigil.issued_at_beat'), about: 'sigil.issued_at_beat' },
    nowMs: issued(json),
  }),
  'reissue-proof': (json) => ({ nowMs: issued(json) }),
  init: (json) => ({ nowMs: { value: numberAt(json, 'genesis.timestamp'), about: 'genesis.timestamp' } }),
  'beat-anchor': latest,
  'beats.beat-anchor': latest,
  'beats-submit': (json) => ({ anchor: { value: numberAt(json, 'global_anchor'), about: 'global_anchor' } }),
  resync: (json) =>
    at(json, 'challenge') === undefined
      ? { anchor: { value: numberAt(json, 'last_global_sync'), about: 'last_global_sync' } }
      : { anchor: { value: numberAt(json, 'challenge.sync_to_global'), about: 'challenge.sync_to_global' } },
  verify: (json) => ({
    anchor: { value: numberAt(json, 'network.current_anchor_index'), about: 'network.current_anchor_index' },
  }),
};

/** Moves a state to the time of an exchange, as its reply and the clock of the observer show it. Returns the subjects that the reply itself has shown. */
export function readClock(
  state: State,
  call: Call,
  { status, json, seen }: ReadReply & { readonly seen: Seen },
): readonly Shown[] {
  if (state.clock.kind === 'control') return [];
  const times = status < 400 ? (TIMES[call.endpoint.id as EndpointId]?.(json) ?? {}) : {};
  const { beatsPerAnchor } = state.settings.protocol.anchor;
  const index =
    times.anchor?.value ?? (times.beat?.value === undefined ? undefined : times.beat.value / beatsPerAnchor);
  const shownMs = times.nowMs?.value;
  const { clock: before } = state;
  state.clock = { ...clockAfter(before, shownMs, seen), ...anchorAfter(before, index, seen) };
  const { kind, offsetMs = 0 } = state.clock;
  const isSteady = kind === 'wall' && seen.endedMs - seen.beganMs <= AGREE_MS;
  state.mayHavePassed = kind !== 'wall' || isSilent(state, before, seen);
  state.slackMs = shownMs === undefined ? AGREE_MS : 0;
  moveTo(state, shownMs ?? (isSteady ? Math.round((seen.beganMs + seen.endedMs) / 2 + offsetMs) : undefined), index);
  return [times.beat, times.anchor, times.nowMs].flatMap((each) => (each?.value === undefined ? [] : [each]));
}

function clockAfter(before: SeenClock, shownMs: number | undefined, { beganMs, endedMs, dateMs }: Seen): SeenClock {
  if (shownMs === undefined) return before;
  const offsetMs = shownMs - (beganMs + endedMs) / 2;
  const halfMs = (endedMs - beganMs) / 2;
  const agrees = (other: number | undefined): boolean =>
    other !== undefined && Math.abs(offsetMs - other) <= AGREE_MS + halfMs;
  const later: SeenClock = { ...before, offsetMs, seenMs: endedMs };
  if (before.kind === 'own') return later;
  if (before.offsetMs !== undefined && !agrees(before.offsetMs)) return { ...later, kind: 'own' };
  const byDate = dateMs === undefined ? undefined : dateMs + 500 - endedMs;
  if (byDate !== undefined && !agrees(byDate)) return { ...later, kind: 'own' };
  const runs = before.seenMs !== undefined && endedMs - before.seenMs >= APART_MS;
  return { ...later, kind: byDate !== undefined || runs ? 'wall' : before.kind };
}

function anchorAfter({ anchor }: SeenClock, index: number | undefined, { endedMs }: Seen): Pick<SeenClock, 'anchor'> {
  if (index === undefined || (anchor !== undefined && index < anchor.index))
    return anchor === undefined ? {} : { anchor };
  return { anchor: { index, endedMs } };
}

/** Whether no anchor was shown for so long that agents may be frozen. */
function isSilent({ settings }: State, { anchor }: SeenClock, { endedMs }: Seen): boolean {
  return anchor !== undefined && endedMs - anchor.endedMs >= halfSilenceMs(settings.protocol);
}
