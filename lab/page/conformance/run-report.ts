/** The report of a run by the components of the static page, with a panel for what its links lead to. */

import type { ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import type { RunSummary } from '../../../reports/conformance/run-summary.js';
import { ConformanceSummary } from '../../../reports/views/conformance-summary.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { readMatrix } from '../../../reports/views/matrix-reader.js';
import type { ConformanceResult } from '../../../results/conformance-result.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';
import type { Markup } from '../parts.js';
import { goTo } from '../place.js';
import { Detail } from './detail.js';
import { Split, type Subject } from './split.js';

/** The latest result, as the lab sends it. */
export interface RunView {
  readonly runs: readonly number[];
  /** Why some of these runs stopped before their end or could not judge, by their numbers. */
  readonly cut: Readonly<Record<string, string>>;
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
  /** Shown before the report, and after it. */
  readonly before?: Markup;
  readonly after?: Markup;
}

/** The report. */
export function RunReport({ result, summary, writing, changed, again, before = null, after = null }: Props): VNode {
  const view = changed ? 'specification' : 'conformance';
  const report = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (report.current === null) return;
    addCopyButtons(report.current);
    const texts = new Map(result.clauses.map(({ id, text }) => [anchorOf('clause', id), `${id}: ${text}`]));
    readMatrix(report.current, (anchor) => texts.get(anchor) ?? '');
  }, [result]);
  const run =
    again === undefined
      ? undefined
      : (only: readonly string[]): void => {
          // The next result may lack the open check.
          goTo(view);
          again(only);
        };
  const panel = (subject: Subject, close: () => void): VNode =>
    html`<${Detail} subject=${subject} result=${result} writing=${writing} changed=${changed} close=${close} run=${run} />`;
  const content = html`${before}<div ref=${report}>${ConformanceSummary({ result, writing, summary })}</div>${after}`;
  return html`<${Split} view=${view} content=${content} panel=${panel} />`;
}
