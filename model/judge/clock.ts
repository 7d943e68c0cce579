/** Judges the times that a reply shows by those of earlier replies. */

import type { Evidence, Judgement } from '../evidence.js';
import type { Shown } from '../facts/clock.js';
import type { SeenClock, State } from '../facts/state.js';
import type { Seen } from '../reading/call.js';

/** Clauses of the text about the latest anchor. Others about the same fields give their types alone. */
const TIMES: ReadonlySet<string> = new Set([
  'beat-anchor.purpose',
  'beat-anchor.route.beats',
  'spawn.flow.anchor',
  'resync.transition.last-global-sync',
]);

/** Judges that anchors do not go back, and withdraws the evidence for values by which the state has learnt the time. */
export function judgeClock(
  judgement: Judgement,
  shown: readonly Shown[],
  before: SeenClock,
  { settings }: State,
  { beganMs }: Seen,
): void {
  const about = new Set(shown.map((each) => each.about));
  const isOfTime = ({ level, clauses }: Evidence): boolean =>
    level === 'decision' || clauses.some((id) => TIMES.has(id));
  judgement.withdraw((each) => each.ok && about.has(each.about) && isOfTime(each), 'the reply itself shows the time');
  const { anchor } = before;
  if (anchor === undefined || anchor.endedMs > beganMs) return;
  const { beatsPerAnchor } = settings.protocol.anchor;
  for (const { value = 0, about: subject, clauses = [] } of shown) {
    const least = subject === 'current_beat' ? anchor.index * beatsPerAnchor : anchor.index;
    if (clauses.length > 0)
      judgement.that(subject, value >= least, `at least ${least}, as shown before`, value, ...clauses);
  }
}
