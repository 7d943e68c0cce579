/** Writes the silences of a small world for a terminal, and in Markdown. */

import { countText } from '../../results/numbers.js';
import type { OpenChoice, SilencesResult } from '../../results/silences-result.js';
import { visible } from '../../results/visible.js';
import { decisions as allDecisions } from '../../spec/decisions.js';
import { prose } from '../text/markdown-text.js';

const SHOWN_MAX = 10;

/** The sentences about a request that is open: the open points of its decisions, and the questions of the model. */
function sentencesOf({ decisions, questions }: OpenChoice): readonly string[] {
  return [...decisions.map((id) => `${id}: ${allDecisions.find((each) => each.id === id)?.open ?? ''}`), ...questions];
}

/** The two servers, one of which the reference is. */
const serversOf = ({ accepted }: OpenChoice): string =>
  accepted
    ? 'the reference accepts it, another server may refuse it'
    : 'the reference refuses it, another server may accept it';

const partingText = ({ kind, moves, one, other }: OpenChoice['partings'][number]): string =>
  `${kind}: after ${moves.join('; ')} the one that accepted it: ${one}, the other: ${other}`;

/** The silences that cost most, and the decisions by their consequences, for a terminal. */
export function silencesConsole({ change, open, decisions }: SilencesResult): string {
  const grave = open.filter(({ partings }) => partings.length > 0);
  const lines = [
    `the small world of ${change}: ${countText(open.length, 'request')} that the text leaves open, ${grave.length} of them with consequences`,
    ...grave
      .slice(0, SHOWN_MAX)
      .flatMap((each) => [
        '',
        `${each.move} (${each.endpoint}): ${serversOf(each)}`,
        ...sentencesOf(each).map((sentence) => `  open: ${sentence}`),
        ...each.partings.map((parting) => `  ${partingText(parting)}`),
      ]),
    ...(grave.length > SHOWN_MAX ? ['', `and ${grave.length - SHOWN_MAX} more: --json or --out has all`] : []),
    '',
    `decisions with consequences in this world: ${decisions.consequences.join(', ') || 'none'}`,
    `without: ${decisions.none.join(', ') || 'none'}`,
    `not met by a request of it: ${decisions.outside.length}`,
  ];
  return lines.map((line) => visible(line)).join('\n');
}

/** All silences as tables in Markdown. */
export function silencesMarkdown({ change, open, decisions }: SilencesResult): string {
  const row = (each: OpenChoice): string =>
    `| ${[
      prose(each.move),
      serversOf(each),
      sentencesOf(each).map(prose).join('<br>'),
      each.partings.map((parting) => prose(partingText(parting))).join('<br>') || 'nothing in this world',
    ].join(' | ')} |`;
  return [
    `# Silences of ${prose(change)}`,
    '',
    '| request | two servers | what is open | what parts them |',
    '|---|---|---|---|',
    ...open.map(row),
    '',
    `Decisions with consequences in this world: ${decisions.consequences.join(', ') || 'none'}.`,
    `Without: ${decisions.none.join(', ') || 'none'}. Not met by a request of it: ${decisions.outside.join(', ')}.`,
    '',
  ].join('\n');
}
