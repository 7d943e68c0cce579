/** Prints everything about one clause: its text, its source, the checks that judge it, and the result of a run. */

import type { ConformanceResult, ReportedClause } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { oneLine } from '../../results/visible.js';
import { type Clause, placeText } from '../../spec/clause.js';
import type { Decision } from '../../spec/decisions.js';
import { field } from '../text/console-lines.js';
import { stateLabel } from './clause-states.js';
import { clausePowerText } from './conformance-view.js';

const INDENT = '  ';

/** A clause and what judges it. */
export interface Explained {
  readonly clause: Clause;
  /** The title of its section. */
  readonly sectionTitle: string;
  /** The decision behind it; absent for a statement of the text. */
  readonly decision?: Decision;
  readonly checks: readonly { readonly id: string; readonly title: string; readonly needs: readonly string[] }[];
  /** The last request of its minimal pair, which `file` has whole; absent: it has none. */
  readonly shown?:
    | {
        readonly request: string;
        /** How many requests come before it. */
        readonly after: number;
        /** The statuses of a right server and of one with the mistake. */
        readonly right: number;
        readonly wrong: number;
        readonly mistake: string;
        readonly file: string;
      }
    | undefined;
}

/** A report that says something of the clause. */
interface Report {
  readonly file: string;
  readonly result: Pick<ConformanceResult, 'target' | 'started_at' | 'clauses'>;
}

/** A clause for a terminal: text, place, decision, checks; and with a report its state there, with all evidence. */
export function explainText(explained: Explained, report?: Report): string {
  const { clause, sectionTitle, decision, checks, shown } = explained;
  const lines = [
    `${clause.id}  ${clause.level}`,
    field('says', clause.text, INDENT),
    field('rests on', `${placeText(clause)} (${sectionTitle})`, INDENT),
    ...(decision === undefined
      ? []
      : [
          field('decision', `${decision.id} ${decision.title}`, INDENT),
          field('open', decision.open, INDENT),
          field('we do', decision.does, INDENT),
          field('why', decision.why, INDENT),
        ]),
    ...(clause.excluded === undefined ? [] : [field('excluded', clause.excluded, INDENT)]),
    ...checks.flatMap(({ id, title, needs }, at) => [
      field(at === 0 ? 'checks' : '', `${id}  ${title}`, INDENT),
      field('', `needs ${needs.length === 0 ? 'nothing but the URL' : needs.join(', ')}`, INDENT),
    ]),
    ...(shown === undefined ? [] : shownLines(shown)),
    ...(report === undefined ? [] : ['', ...reportLines(clause, report)]),
  ];
  return `${lines.join('\n')}\n`;
}

function shownLines({ request, after, right, wrong, mistake, file }: NonNullable<Explained['shown']>): string[] {
  const differs = right === wrong ? `both with ${right}, and other fields` : `${right} and ${wrong}`;
  return [
    field(
      'shown by',
      `${request}, after ${countText(after, 'request')}: a right and a wrong server answer ${differs}`,
      INDENT,
    ),
    field('', `wrong is here: ${mistake}; ${file} has the whole script`, INDENT),
  ];
}

/** A clause as a report has it; undefined where the report does not name it. */
export function clauseIn({ result }: Report, id: string): ReportedClause | undefined {
  return result.clauses.find((one) => one.id === id);
}

const exchangesText = ({ pass, fail, open }: NonNullable<ReportedClause['exchanges']>): string =>
  `${pass} speak for it, ${fail} against it, ${open} leave it open`;

function reportLines({ id }: Clause, report: Report): string[] {
  const { target, started_at } = report.result;
  const head = oneLine(`in ${report.file}, about ${target.base_url} at ${started_at}:`);
  const found = clauseIn(report, id);
  if (found === undefined) return [`${head} it is not named`];
  const evidence = [...found.evidence].sort((a, b) => Number(a.ok) - Number(b.ok));
  return [
    `${head} ${stateLabel(found.state)}`,
    ...(found.reason === undefined ? [] : [field('reason', oneLine(found.reason), INDENT)]),
    ...(found.exchanges === undefined ? [] : [field('exchanges', exchangesText(found.exchanges), INDENT)]),
    ...(found.power === undefined
      ? []
      : [field('power', `the run would notice ${clausePowerText(found.power)} planted mistakes`, INDENT)]),
    ...evidence.map(({ ok, about, check, step, expected = '', actual = '' }) => {
      const seen = ok ? about : `${about}: expected ${expected}, got ${actual}`;
      return oneLine(`${ok ? '✓' : '✗'} ${seen}  (${check} ${step})`).replace(/^/, INDENT);
    }),
  ];
}
