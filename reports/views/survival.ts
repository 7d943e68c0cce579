/** The view of a sweep's survival: times until the first freeze, by arm and group. */
import { numberText } from '../../results/numbers.js';
import { comparedText, medianText } from '../experiment/survival-text.js';
import { html, type Markup, raw } from './markup.js';
import { DataTable, mono } from './parts.js';
import type { ReportedSweep } from './sweep.js';

/** The curves of a sweep that has them: medians, tests, and the chart. */
export function SurvivalPart({ summary, survival: svg }: ReportedSweep): Markup {
  if (summary.survival === undefined) return undefined;
  const curves = summary.survival.curves.map(({ arm, group, agents, frozen, ...curve }) => [
    mono(summary.arms[arm]?.name ?? ''),
    group === null ? 'all agents' : mono(group),
    numberText(agents),
    numberText(frozen),
    medianText(curve),
  ]);
  const tests = summary.survival.tests.map((test) => [
    comparedText(test, summary.arms),
    test.names.join(', '),
    numberText(test.chi_square),
    numberText(test.degrees),
    numberText(test.p),
  ]);
  return html`<h3 id="survival">Survival until the first freeze</h3>${svg === undefined ? undefined : html`<div class="card" ...${raw(svg)}></div>`}${DataTable({ label: 'Survival', heads: ['arm', 'group', '#agents', '#frozen', 'median'], rows: curves })}${tests.length === 0 ? undefined : DataTable({ label: 'Log-rank tests', heads: ['compared', 'between', '#chi-square', '#degrees', '#p'], rows: tests })}`;
}
