/** The search in a run: its checks and clauses by words and by verdict. It is in the address, so that a link, Back and a reload keep it. */

import { VERDICTS } from '../../../reports/conformance/conformance-view.js';
import { VerdictBadge } from '../../../reports/views/check.js';
import type { Verdict } from '../../../results/conformance-result.js';
import { countText } from '../../../results/numbers.js';
import type { Suite } from '../../server/conformance/exchange-actions.js';
import type { Watched } from '../../server/conformance/watched.js';
import { html, useEffect, useLive, useRef, type VNode } from '../markup.js';
import { choices, panel } from '../parts.js';
import { hrefTo, nameAs, route } from '../place.js';
import type { Find, ViewName } from '../routes.js';
import { clauseList } from './detail.js';
import { statesIn, verdictAt } from './suite.js';

interface Props {
  readonly run: Watched;
  readonly suite: Suite;
  readonly view: ViewName;
}

const SHOWN = 40;
const EMPTY: Find = { text: '', verdict: '' };

/** The verdict of a check that means the same as the state of a clause. */
const MEANING = {
  holds: 'pass',
  fails: 'fail',
  inconclusive: 'inconclusive',
  'not-judged': 'not-tested',
  excluded: 'not-applicable',
} as const satisfies Readonly<Record<string, Verdict>>;

/** A check with its verdict so far, as a link. */
export function verdictLine(
  check: Suite['checks'][number] & { readonly at: number },
  run: Watched,
  view: ViewName,
): VNode {
  const verdict = verdictAt(run.verdicts, check.at);
  return html`${verdict === undefined ? null : VerdictBadge({ verdict })} ${check.title} <a class="mono" href=${hrefTo(view, 'check', check.id)}>${check.id}</a>`;
}

/** The form, and what it finds. */
export function RunSearch({ run, suite, view }: Props): VNode {
  const input = useRef<HTMLInputElement>(null);
  const { text, verdict } = useLive(() => route.value?.find) ?? EMPTY;
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  const set = (find: Find): void => {
    const { find: _, ...open } = route.value ?? { view, kind: null, id: '', atMs: null };
    nameAs(find.text === '' && find.verdict === '' ? open : { ...open, find });
  };
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (hay: string): boolean => words.every((word) => hay.toLowerCase().includes(word));
  const isOf = (own: Verdict | undefined): boolean => verdict === '' || own === verdict;
  const ended = suite.checks.flatMap((check, at) =>
    verdictAt(run.verdicts, at) === undefined ? [] : [{ ...check, at }],
  );
  const checks = ended.filter(
    ({ id, title, clauses, at }) =>
      isOf(verdictAt(run.verdicts, at)) &&
      has(`${id} ${title} ${clauses.map((place) => suite.clauses[place]?.id).join(' ')}`),
  );
  const states = statesIn(run.states, suite);
  const clauses = suite.clauses
    .map((clause, at) => ({ ...clause, state: states[at] ?? 'not-judged' }))
    .filter(({ id, text: said, state }) => isOf(MEANING[state]) && has(`${id} ${said}`));
  const present = VERDICTS.filter(
    (each) => each.verdict === verdict || ended.some(({ at }) => verdictAt(run.verdicts, at) === each.verdict),
  );
  const names = [['', 'all'] as const, ...present.map((each) => [each.verdict, each.label] as const)];
  const isActive = words.length > 0 || verdict !== '';
  return panel(
    'Checks and clauses of this run',
    html`<div class="tools" role="search"><label class="grow"><span class="unseen">Words in ids, titles and clauses</span><input type="search" ref=${input} maxlength="200" placeholder="Words in ids, titles and clauses (/)" value=${text} onInput=${(event: Event) => set({ text: (event.target as HTMLInputElement).value, verdict })} /></label>${choices<string>('Verdict', names, verdict, (chosen) => set({ text, verdict: chosen }))}</div>
    <output aria-live="polite" class="soft">${countText(checks.length, 'check')}, ${countText(clauses.length, 'clause')}${isActive ? ' found' : ''}</output>
    <h3>Checks</h3>${isActive ? html`<ul class="checks">${checks.slice(0, SHOWN).map((check) => html`<li key=${check.id}>${verdictLine(check, run, view)}</li>`)}</ul>${more(checks.length)}` : null}
    <h3>Clauses</h3>${isActive ? html`${clauseList(clauses.slice(0, SHOWN))}${more(clauses.length)}` : null}`,
  );
}

const more = (found: number): VNode | null =>
  found <= SHOWN ? null : html`<p class="soft">${found - SHOWN} more: more words find fewer.</p>`;
