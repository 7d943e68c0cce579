/** The report of a run by the components of the static page, with a panel for what its links lead to. */

import type { ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import type { RunSummary } from '../../../reports/conformance/run-summary.js';
import { ConformanceSummary } from '../../../reports/views/conformance-summary.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { readMatrix } from '../../../reports/views/matrix-reader.js';
import type { ConformanceResult } from '../../../results/conformance-result.js';
import { html, useEffect, useLive, useRef, type VNode } from '../markup.js';
import type { Markup } from '../parts.js';
import { goTo, route } from '../place.js';
import { routeOf } from '../routes.js';
import { Detail, type Subject, subjectOf } from './detail.js';

/** The latest result, as the lab sends it. */
export interface RunView {
  readonly runs: readonly number[];
  readonly result: ConformanceResult | null;
  readonly summary: RunSummary;
  readonly writing: ConformanceWriting;
  /** How many checks failed or were not judged. */
  readonly repeat: number;
}

interface Props {
  readonly result: ConformanceResult;
  readonly summary: RunSummary;
  readonly writing: ConformanceWriting;
  /** The result is of a reference under a change. */
  readonly changed: boolean;
  /** Runs checks of the result again; absent where that cannot be done. */
  readonly again?: (only: readonly string[]) => void;
  /** Shown before the report. */
  readonly before?: Markup;
}

/** The report. */
export function RunReport({ result, summary, writing, changed, again, before = null }: Props): VNode {
  const open = useLive(() => route.value);
  const view = changed ? 'specification' : 'conformance';
  const subject = subjectOf(open);
  const setSubject = (wanted: Subject | undefined): void => goTo(view, wanted?.kind, wanted?.id);
  const report = useRef<HTMLDivElement>(null);
  /** The link that opened the panel: the focus returns to it. */
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (report.current === null) return;
    addCopyButtons(report.current);
    const texts = new Map(result.clauses.map(({ id, text }) => [anchorOf('clause', id), `${id}: ${text}`]));
    readMatrix(report.current, (anchor) => texts.get(anchor) ?? '');
  }, [result]);
  const close = (): void => {
    setSubject(undefined);
    opener.current?.focus();
  };
  const follow = (event: Event): void => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link === null) return;
    const wanted = subjectOf(routeOf(link.hash));
    // Addresses of the page are followed as they are.
    if (wanted === undefined && routeOf(link.hash) !== undefined) return;
    event.preventDefault();
    if (wanted !== undefined) {
      if (link.closest('.detail') === null) opener.current = link;
      setSubject(wanted);
    } else document.getElementById(link.hash.slice(1))?.scrollIntoView();
  };
  const run =
    again === undefined
      ? undefined
      : (only: readonly string[]): void => {
          // The next result may lack the open check.
          setSubject(undefined);
          again(only);
        };
  return html`<div class=${subject === undefined ? 'split' : 'split open'} onClick=${follow} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}><div ref=${report}>
      ${before}${ConformanceSummary({ result, writing, summary })}
      </div>${subject === undefined ? null : html`<${Detail} subject=${subject} result=${result} writing=${writing} changed=${changed} close=${close} run=${run} />`}</div>`;
}
