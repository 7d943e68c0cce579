/** The difference of the latest result to an earlier run: clauses that are in another state. */

import type { ChangedClause } from '../../../reports/conformance/conformance-diff.js';
import { answered, Loading, useAnswer } from '../answers.js';
import { html, useLive, type VNode } from '../markup.js';
import { goTo, route } from '../place.js';

const PARTS = [
  ['failing', 'newly failing'],
  ['passing', 'newly passing'],
  ['judged', 'newly judged, and passing'],
  [
    'unconfirmed',
    'failed then and are not confirmed now: no check that failed has judged them again to the end of a run',
  ],
  ['unjudged', 'no longer judged'],
] as const;

/** The ids of the clauses of each kind of change. */
type Changes = Partial<Readonly<Record<(typeof PARTS)[number][0], readonly string[]>>>;

type Found = Readonly<Record<(typeof PARTS)[number][0], readonly ChangedClause[]>> & {
  readonly unchanged: number;
  readonly still: number;
};

const SHOWN = 60;

/** Changes of clauses by kind, and what is unchanged. */
export function changesOf(changes: Changes, unchanged: string, href: (id: string) => string, soFar = ''): VNode {
  const part = ([kind, words]: (typeof PARTS)[number]): VNode | null => {
    const ids = changes[kind] ?? [];
    const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
    return ids.length === 0
      ? null
      : html`<h3>${ids.length} ${words}${soFar}</h3><p>${ids.slice(0, SHOWN).map((id) => html`<a class="mono" href=${href(id)}>${id}</a> `)}${more}</p>`;
  };
  return html`${PARTS.map(part)}<p class="soft">${unchanged}</p>`;
}

const cutText = (n: number, why: string | undefined): VNode | null =>
  why === undefined
    ? null
    : html`<p class="banner" role="status">Run ${n} ended early, so that little follows from what it does not list: ${why}.</p>`;

/** The choice of the earlier run, and what has changed since. */
export function Difference({
  runs,
  cut,
  href,
}: {
  readonly runs: readonly number[];
  /** Why some of them say little, by their numbers. */
  readonly cut: Readonly<Record<string, string>>;
  readonly href: (id: string) => string;
}): VNode {
  const earlier = runs.slice(0, -1);
  const open = useLive(() => route.value);
  const named = open?.kind === 'run' ? Number(open.id) : undefined;
  const from = earlier.find((n) => n === named) ?? earlier.findLast((n) => cut[n] === undefined) ?? earlier.at(-1) ?? 0;
  const answer = useAnswer<Found>('conformance/difference', { from }, runs.at(-1));
  const found = answered(answer);
  const changes = Object.fromEntries(PARTS.map(([kind]) => [kind, found?.[kind].map(({ id }) => id)])) as Changes;
  return html`<label>Since run <select value=${from} onChange=${(event: Event) => goTo('conformance', 'run', (event.target as HTMLSelectElement).value)}>${earlier.toReversed().map((n) => html`<option value=${n} selected=${n === from}>${n}${cut[n] === undefined ? '' : ', ended early'}</option>`)}</select></label>
    ${[from, runs.at(-1) ?? 0].map((n) => cutText(n, cut[n]))}
    ${answer.state === 'refused' ? html`<p class="empty">${answer.why}</p>` : found === undefined ? html`<${Loading} />` : changesOf(changes, `${found.unchanged} unchanged, of which ${found.still} fail.`, href)}`;
}
