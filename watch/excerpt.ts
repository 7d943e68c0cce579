/** The shortest excerpt of the traffic that shows a break when it is judged alone, from an unknown state. */

import type { Evidence } from '../model/evidence.js';
import type { Settings } from '../model/reading/settings.js';
import type { LeftState } from '../results/watch-result.js';
import type { Observed } from './exchange.js';
import { judgedAlone } from './judging.js';
import { leftBefore } from './left.js';

/** An excerpt has at most this many exchanges. */
const EXCERPT_MAX = 6;
const JUDGEMENTS_MAX = 60;

/** Exchanges in order, the one with the break last. */
export interface Excerpt {
  readonly exchanges: readonly Observed[];
  /** They show the break alone; else it needs more exchanges than an excerpt has. */
  readonly isComplete: boolean;
  /** The known and unknown facts before the last exchange. */
  readonly left: readonly LeftState[];
}

/** The name under which a deviation is counted: without values. */
export function keyOf({ endpoint, clauses, about }: Pick<Evidence, 'endpoint' | 'clauses' | 'about'>): string {
  return `${endpoint} ${clauses.join()} ${about}`;
}

/** Whether an exchange judged alone breaks one of the same clauses in the same way. */
function isSame(one: Evidence, broken: Evidence): boolean {
  const { endpoint, about, clauses } = broken;
  return !one.ok && one.endpoint === endpoint && one.about === about && one.clauses.some((id) => clauses.includes(id));
}

/** Drops exchanges while the break of the last one still shows. `related`: in order, the one with the break last. */
export function shortestExcerpt(settings: Settings, related: readonly Observed[], broken: Evidence): Excerpt {
  const last = related.at(-1);
  if (last === undefined) return { exchanges: [], isComplete: false, left: [] };
  const shortened = shortest(settings, related, last, broken);
  const { kept } = shortened;
  const isComplete = shortened.isShown && kept.length <= EXCERPT_MAX;
  const exchanges = isComplete ? kept : kept.slice(-EXCERPT_MAX);
  return { exchanges, isComplete, left: leftBefore(settings, kept.slice(0, -1), last) };
}

/** The fewest of some exchanges that show the break of the last one; all of them if they do not show it alone. */
function shortest(
  settings: Settings,
  related: readonly Observed[],
  last: Observed,
  broken: Evidence,
): { readonly kept: readonly Observed[]; readonly isShown: boolean } {
  let judgements = 0;
  const shows = (exchanges: readonly Observed[]): boolean => {
    if (judgements >= JUDGEMENTS_MAX) return false;
    judgements += 1;
    let isShown = false;
    judgedAlone(settings, exchanges, (by, { evidence }) => {
      if (by === last && evidence.some((each) => isSame(each, broken))) isShown = true;
    });
    return isShown;
  };
  const shown = firstThatShows(related, shows);
  if (shown === undefined) return { kept: related, isShown: false };
  let kept = shown;
  for (const each of shown.slice(0, -1)) {
    const without = kept.filter((other) => other !== each);
    if (shows(without)) kept = without;
  }
  return { kept, isShown: true };
}

/** The break alone, or after 1, 2, 4, … of the exchanges before it. */
function firstThatShows(
  related: readonly Observed[],
  shows: (exchanges: readonly Observed[]) => boolean,
): readonly Observed[] | undefined {
  for (let count = 1; ; count = count === 1 ? 2 : (count - 1) * 2 + 1) {
    const some = related.slice(-count);
    if (shows(some)) return some;
    if (count >= related.length) return undefined;
  }
}
