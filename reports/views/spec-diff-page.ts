/** A comparison of specifications as one HTML page. */
import type { SpecDiff } from '../../results/spec-diff-result.js';
import { page } from './page.js';
import { ChangeView, EffectsView } from './spec-diff.js';

/** A comparison as one HTML file. The same comparison gives the same bytes. */
export function specDiffPage(diff: SpecDiff): string {
  const places = [
    { id: 'change', label: 'The change' },
    { id: 'effects', label: 'Effects on people' },
  ];
  return page({
    title: 'A change of the specification',
    lead: `${diff.from} → ${diff.to}`,
    places: diff.replicates === 0 ? places.slice(0, 1) : places,
    parts: diff.replicates === 0 ? [ChangeView(diff)] : [ChangeView(diff), EffectsView(diff)],
    tool_version: diff.tool_version,
  });
}
