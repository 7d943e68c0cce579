/** Judges the times that a reply shows by those of earlier replies. */

import type { Judgement } from '../evidence.js';
import type { Shown } from '../facts/clock.js';
import type { SeenClock, State } from '../facts/state.js';
import type { Seen } from '../reading/call.js';

/** Judges that anchors do not go back, and withdraws the evidence for values by which the state has learnt the time. */
export function judgeClock(
  judgement: Judgement,
  shown: readonly Shown[],
  before: SeenClock,
  { settings }: State,
  { beganMs }: Seen,
): void {
  const about = new Set(shown.map((each) => each.about));
  judgement.withdraw((each) => each.ok && about.has(each.about), 'the reply itself shows the time');
  const { anchor } = before;
  if (anchor === undefined || anchor.endedMs > beganMs) return;
  const { beatsPerAnchor } = settings.protocol.anchor;
  for (const { value = 0, about: subject, clauses = [] } of shown) {
    const least = subject === 'current_beat' ? anchor.index * beatsPerAnchor : anchor.index;
    if (clauses.length > 0)
      judgement.that(subject, value >= least, `at least ${least}, as shown before`, value, ...clauses);
  }
}
