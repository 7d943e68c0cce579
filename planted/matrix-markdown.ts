/** The kill matrix as Markdown: the summary, what was not killed by its own clause, then every mutant. */
import type { MutantResult } from '../conformance/mutants/judge-mutant.js';
import { cell, code } from '../reports/markdown-text.js';
import { percentText } from '../reports/numbers.js';
import type { MutantsResult } from './matrix.js';

/** `412 of 430 mutants killed by their own clause (95.8 %)`. */
export function mutantsHeadline({ summary, idle }: Pick<MutantsResult, 'summary' | 'idle'>): string {
  const { mutants, killed, killed_elsewhere, advisory, survived, broken, collateral_median, clauses } = summary;
  return [
    `${killed} of ${mutants} mutants killed by their own clause (${percentText(mutants === 0 ? 0 : killed / mutants)})`,
    `${killed_elsewhere} by another clause alone, ${advisory} only as an advisory, ${survived} survived, ${broken} broken`,
    `collateral: ${collateral_median} must clauses on the median`,
    `must clauses with a mutant: ${clauses.covered} of ${clauses.total}`,
    ...(idle === undefined ? [] : [`must checks that find none: ${idle.length === 0 ? '0' : idle.join(', ')}`]),
  ].join('\n');
}

/** The kill matrix as Markdown, from its summary to every mutant. */
export function mutantsMarkdown(result: MutantsResult): string {
  const open = result.mutants.filter(({ fate }) => fate !== 'killed');
  return [
    '# Kill matrix',
    '',
    'Each row is a mistake planted in the reference, and whether the suite finds it by evidence for the clause that it breaks.',
    '',
    ...mutantsHeadline(result)
      .split('\n')
      .map((line) => `- ${line}`),
    '',
    ...(open.length === 0 ? [] : ['## Not killed by their own clause', '', ...table(open), '']),
    ...(result.broken.length === 0
      ? []
      : ['## Broken', '', ...result.broken.map(({ id, error }) => `- ${code(id)}: ${cell(error)}`), '']),
    '## All',
    '',
    ...table(result.mutants),
    '',
  ].join('\n');
}

function table(mutants: readonly MutantResult[]): readonly string[] {
  const rows = mutants.map(({ id, title, clause, fate, killers, collateral }) => {
    const by =
      killers.length === 0 ? '' : `${killers[0]}${killers.length > 1 ? ` and ${killers.length - 1} more` : ''}`;
    return `| ${code(id)} | ${cell(title)} | ${code(clause)} | ${fate} | ${cell(by)} | ${collateral.length} |`;
  });
  return ['| mutant | mistake | clause | fate | found by | collateral |', '|---|---|---|---|---|---|', ...rows];
}
