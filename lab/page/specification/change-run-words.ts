/** The meaning of a run of today's checks against a reference under a change, in one sentence. */

import { countText } from '../../../results/numbers.js';
import type { Watched } from '../../server/conformance/conformance-desk.js';

/** The sentence for a run that has ended: whether the change breaks the text of today, or decisions of the suite alone. */
export function meaningText({ seen, counts }: Pick<Watched, 'seen' | 'counts'>): string {
  const broken = new Set(seen.filter(({ level }) => level === 'must').flatMap(({ clauses }) => clauses)).size;
  const decisions = counts.advisory ?? 0;
  const also = decisions === 0 ? '' : `, and ${countText(decisions, 'check')} of a decision`;
  if (broken > 0) return `The change breaks ${countText(broken, 'clause')} of today's text${also}.`;
  if ((counts.fail ?? 0) > 0) return `The change fails ${countText(counts.fail ?? 0, 'check')} of today's text${also}.`;
  if ((counts.pass ?? 0) + decisions === 0) return 'Nothing was judged, so nothing is known of what the change breaks.';
  if (decisions === 0) return "Nothing of today's text breaks, and no decision either.";
  const fail = decisions === 1 ? 'fails' : 'fail';
  return `Nothing of today's text breaks; ${countText(decisions, 'check')} of a decision ${fail}, where the text leaves the choice open.`;
}
