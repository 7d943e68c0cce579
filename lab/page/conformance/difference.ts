/** The difference of the latest result to an earlier run: clauses that are in another state. */

import type { ChangedClause } from '../../../reports/conformance/conformance-diff.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { html, useLive, type VNode } from '../markup.js';
import { goTo, route } from '../place.js';

type Found = Readonly<Record<'fixed' | 'regressed' | 'judged' | 'unjudged', readonly ChangedClause[]>>;
const PARTS = [
  ['fixed', 'hold now'],
  ['regressed', 'fail now'],
  ['judged', 'are judged now'],
  ['unjudged', 'are no longer judged'],
] as const;

/** The choice of the earlier run, and what has changed since. */
export function Difference({
  runs,
  href,
}: {
  readonly runs: readonly number[];
  readonly href: (id: string) => string;
}): VNode {
  const earlier = runs.slice(0, -1);
  const open = useLive(() => route.value);
  const named = open?.kind === 'run' ? Number(open.id) : undefined;
  const from = earlier.find((n) => n === named) ?? earlier.at(-1) ?? 0;
  const answer = useAnswer<Found>('conformance/difference', { from }, runs.at(-1));
  const found = answered(answer);
  const changed = found === undefined ? 0 : PARTS.reduce((sum, [part]) => sum + found[part].length, 0);
  return html`<label>Since run <select value=${from} onChange=${(event: Event) => goTo('conformance', 'run', (event.target as HTMLSelectElement).value)}>${earlier.toReversed().map((n) => html`<option value=${n} selected=${n === from}>${n}</option>`)}</select></label>
    ${answer.state === 'refused' ? html`<p class="empty">${answer.why}</p>` : found === undefined ? html`<${Loading} />` : changed === 0 ? html`<p class="empty">No clause is in another state.</p>` : PARTS.map(([part, words]) => (found[part].length === 0 ? null : html`<h3>${found[part].length} ${words}</h3><p>${found[part].slice(0, 60).map(({ id }) => html`<a class="mono" href=${href(id)}>${id}</a> `)}</p>`))}`;
}
