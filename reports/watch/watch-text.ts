/** Writes the result of watched traffic for a terminal, and in Markdown for the page of a CI job. */

import { countText, numberText } from '../../results/numbers.js';
import { oneLine, shortLine } from '../../results/visible.js';
import type {
  ExcerptExchange,
  NotJudged,
  WatchedBreak,
  WatchedClause,
  WatchResult,
} from '../../results/watch-result.js';
import { isObject, jsonOf } from '../../spec/formats.js';
import { powerText } from '../conformance/conformance-view.js';
import { findingTitle } from '../conformance/findings-view.js';
import { field } from '../text/console-lines.js';
import { code, prose } from '../text/markdown-text.js';

const BREAKS_MAX = 20;
const NAMED_MAX = 12;
const VALUE_MAX = 300;
const BODY_MAX = 300;
const LEFT_MAX = 600;
/** A text in a body. */
const TEXT_MAX = 24;

/** Why exchanges are not judged, in words after their number. */
const NOT_JUDGED: Readonly<Record<NotJudged, string>> = {
  aborted: 'ended before their replies were complete',
  body: 'have a body that is too long or missing',
  'not-served': 'were answered by a cache or a mock',
  'no-credentials': 'were written without their Authorization header',
  dropped: 'came faster than they could be judged, or overlap one that is unknown',
  late: 'are in the file long after others that began later',
};

/** How the time of the server was known, in words. */
const CLOCKS: Readonly<Record<WatchResult['clock'], string>> = {
  control: 'by the calls that move the clock',
  wall: 'by the times in replies, and by the clock of the observer between them',
  own: 'by the times in replies alone, since the clock of the observer disagrees',
  unknown: 'by the times in replies alone',
};

/** The verdict in one line. */
function watchVerdict({ exit_status, breaks, missing, exchanges }: WatchResult): string {
  const count = breaks.filter(({ level }) => level === 'must').length;
  if (count > 0) return `The specification is broken: ${countText(count, 'deviation')}`;
  if (exit_status === 2)
    return exchanges.seen === 0 ? 'Nothing was judged: no traffic' : 'Nothing was judged by this traffic';
  const lacking = missing.expected.length + missing.locked.length;
  return lacking > 0 ? `${countText(lacking, 'clause')} not shown` : 'No deviation';
}

const powerLines = (result: WatchResult): readonly string[] => [powerText(result)].filter((line) => line !== undefined);

/** How much was seen and judged, in lines. */
function headLines(result: WatchResult): readonly string[] {
  const { exchanges, clauses, forgotten } = result;
  const counts = (level: WatchedClause['level']): string => {
    const of = (state: WatchedClause['state']): string =>
      numberText(clauses.filter((each) => each.level === level && each.state === state).length);
    return `${of('holds')} pass, ${of('fails')} fail, ${of('open')} open`;
  };
  const beats = result.beats_url === null ? '' : `, beats ${result.beats_url}`;
  return [
    `${countText(exchanges.seen, 'exchange')}, ${numberText(exchanges.judged)} judged; clauses of the text: ${counts('must')}; of decisions: ${counts('decision')}`,
    ...powerLines(result),
    `${result.base_url}${beats}, ${result.network}, dialect ${result.dialect}`,
    `time of the server: ${CLOCKS[result.clock]}`,
    ...(result.assumed.length === 0 ? [] : [`assumed: ${result.assumed.join('; ')}`]),
    ...(exchanges.unknown === 0
      ? []
      : [`${countText(exchanges.unknown, 'exchange')} with no endpoint of the specification`]),
    ...Object.entries(exchanges.not_judged).map(
      ([why, count]) => `not judged: ${numberText(count)} ${NOT_JUDGED[why as NotJudged]}`,
    ),
    ...exchanges.undecided.map(({ reason, count }) => `not judged: ${numberText(count)}: ${reason}`),
    ...(forgotten.unknown === 0
      ? []
      : [
          `${countText(forgotten.unknown, 'request')} may have changed anything: what was known before is not used after`,
        ]),
    ...(forgotten.full === 0
      ? []
      : [`the state was dropped ${countText(forgotten.full, 'time')}, to bound the memory`]),
  ];
}

const titleOf = (broken: WatchedBreak): string =>
  `${findingTitle(broken)}${broken.count === 1 ? '' : ` (${numberText(broken.count)} times)`}`;

/** An exchange of an excerpt in lines: method, path and status, and the beginnings of its bodies. */
function exchangeLines(
  { source, exchange: { request, response } }: ExcerptExchange,
  nth: number,
  about: string,
): readonly string[] {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const path = url === undefined ? request.url : url.pathname + url.search;
  const body = (text: string | undefined): string => shortLine(folded(text ?? '', about), BODY_MAX);
  return [
    `${nth}. ${request.method} ${path} → ${response?.status ?? 'no reply'}  (${source})`,
    ...(request.body === undefined ? [] : [`   sent ${body(request.body)}`]),
    ...(response === undefined ? [] : [`   got ${body(response.body)}`]),
  ].map(oneLineKept);
}

/** A body with only its own values: nested objects are folded unless the deviation is about them, and long texts are cut. */
function folded(text: string, about: string): string {
  const json = jsonOf(text);
  if (!isObject(json)) return text;
  const shown = Object.entries(json).map(([name, value]) => {
    const isFolded = typeof value === 'object' && value !== null && about.split('.')[0] !== name;
    const short = typeof value === 'string' ? shortLine(value, TEXT_MAX) : value;
    return `${JSON.stringify(name)}:${isFolded ? (Array.isArray(value) ? '[…]' : '{…}') : JSON.stringify(short)}`;
  });
  return `{${shown.join(',')}}`;
}

/** On one line, with the spaces at its beginning. */
const oneLineKept = (text: string): string => /^ */.exec(text)?.[0] + oneLine(text);

function clauseTexts({ clauses }: WatchedBreak, all: readonly WatchedClause[]): readonly string[] {
  const known = new Map(all.map((each) => [each.id, each]));
  return clauses.map((id) => {
    const clause = known.get(id);
    return clause === undefined ? id : `${clause.section}: ${clause.text} (${id})`;
  });
}

/** The states that were left, in lines: what is known of each thing, and what is not. */
function leftLines({ left }: WatchedBreak): readonly string[] {
  return left.map(({ subject, known, unknown }) => {
    const facts = Object.entries(known).map(([name, value]) => `${name} ${value}`);
    const open = unknown.length === 0 ? '' : `; unknown: ${unknown.join(', ')}`;
    return shortLine(`${subject}: ${facts.length === 0 ? 'nothing is known' : facts.join(', ')}${open}`, LEFT_MAX);
  });
}

function breakBlock(broken: WatchedBreak, { clauses }: WatchResult): readonly string[] {
  const { expected, actual, excerpt, is_complete } = broken;
  const how = is_complete ? 'shown by' : 'last of';
  return [
    '',
    `FAIL  ${oneLine(titleOf(broken))}`,
    ...clauseTexts(broken, clauses).map((text) => `      ${oneLine(text)}`),
    field('expected', shortLine(expected, VALUE_MAX), '  '),
    field('actual', shortLine(actual, VALUE_MAX), '  '),
    field('before it', leftLines(broken).join('\n'), '  '),
    field(how, excerpt.flatMap((each, at) => exchangeLines(each, at + 1, broken.about)).join('\n'), '  '),
  ];
}

function missingLines({ missing }: WatchResult): readonly string[] {
  return [
    ...missing.expected.map((id) => `not shown, and --expect demands it: ${oneLine(id)}`),
    ...missing.locked.map((id) => `no longer shown, and in the lock file: ${oneLine(id)}`),
  ];
}

/** The clauses that exchanges came to without a judgement, by reason. */
function openLines({ clauses }: WatchResult): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, state, reason = '' } of clauses)
    if (state === 'open') byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  return [...byReason]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, NAMED_MAX)
    .map(([reason, ids]) => {
      const more = ids.length > NAMED_MAX ? ` and ${numberText(ids.length - NAMED_MAX)} more` : '';
      return `  ${oneLine(`${reason === '' ? 'the replies leave it open' : reason}: ${ids.slice(0, NAMED_MAX).join(', ')}${more}`)}`;
    });
}

/** The result for a terminal. */
export function watchText(result: WatchResult): string {
  const broken = result.breaks.filter(({ level }) => level === 'must');
  const decisions = result.breaks.filter(({ level }) => level === 'decision');
  const open = openLines(result);
  const left = broken.length - BREAKS_MAX + result.breaks_left;
  const lines = [
    watchVerdict(result),
    ...headLines(result).map(oneLine),
    ...missingLines(result),
    ...broken.slice(0, BREAKS_MAX).flatMap((each) => breakBlock(each, result)),
    ...(left > 0 ? ['', `and ${countText(left, 'deviation')} more`] : []),
    ...(decisions.length === 0 ? [] : ['', 'decisions that are not followed, which the text allows:']),
    ...decisions.slice(0, NAMED_MAX).map((each) => `  ${oneLine(`${titleOf(each)} (${each.clauses.join(', ')})`)}`),
    ...(open.length === 0 ? [] : ['', 'not judged by any exchange that came to it:', ...open]),
    '',
    `exit status ${result.exit_status}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The result in Markdown. */
export function watchMarkdown(result: WatchResult): string {
  const broken = result.breaks.filter(({ level }) => level === 'must');
  const rows = broken.slice(0, BREAKS_MAX).map((each) => {
    const cells = [
      code(titleOf(each)),
      clauseTexts(each, result.clauses).map(prose).join('<br>'),
      code(each.expected),
      code(each.actual),
      each.excerpt
        .map(({ exchange: { request, response }, source }) =>
          code(`${request.method} ${request.url} → ${response?.status ?? 'no reply'} (${source})`),
        )
        .join('<br>'),
      leftLines(each).map(code).join('<br>'),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table =
    rows.length === 0
      ? []
      : [
          '',
          '| deviation | clauses | expected | actual | shown by | known before it |',
          '|---|---|---|---|---|---|',
          ...rows,
        ];
  const left = broken.length - BREAKS_MAX + result.breaks_left;
  const lines = [
    `## ${result.exit_status === 0 ? '✅' : '❌'} ${prose(watchVerdict(result))}`,
    '',
    ...headLines(result).map((line) => `- ${prose(line)}`),
    ...missingLines(result).map((line) => `- ${prose(line)}`),
    ...table,
    ...(left > 0 ? ['', `and ${countText(left, 'deviation')} more.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
