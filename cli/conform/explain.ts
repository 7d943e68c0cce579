/** `aips conform explain`: prints everything that is known about one clause or check. It judges nothing; reports/explain*.ts make the texts. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Argv } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import type { Check } from '../../conformance/trial/check.js';
import { withTranscripts } from '../../reports/conformance/conformance-transcripts.js';
import { TRANSCRIPTS_FILE } from '../../reports/conformance/conformance-view.js';
import { clauseIn, type Explained, explainText } from '../../reports/conformance/explain.js';
import { explainCheckText, explainedScript } from '../../reports/conformance/explain-check.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { Failure } from '../../runs/host/failure.js';
import { readBytes } from '../../runs/host/files.js';
import { PAIRS_FILE, pairsByClause } from '../../runs/suite/minimal-pairs.js';
import { readReport } from '../../runs/suite/report-files.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import { didYouMean } from '../../spec/nearest-name.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';

const NEAR_MAX = 5;

interface InFile {
  readonly file: string;
  readonly result: ConformanceResult;
}

interface Flags {
  readonly clause: string;
  readonly report: string | undefined;
  readonly json: boolean;
}

/** `aips conform explain ID [FOLDER]`: all that is known of a clause or a check, and all that a report says of it. */
export const explainCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('clause', { type: 'string', demandOption: true, describe: 'Id of a clause or a check' })
      .positional('report', {
        type: 'string',
        describe: 'Folder of a report, or its conformance.json; absent: out, if there is one',
      })
      .options(json)
      .example('$0 conform explain heartbeat.interval.min', 'the text, the source and the checks of a clause')
      .example('$0 conform explain heartbeat/too-soon out', 'what a check sent and got in the report of a folder'),
  handler: ({ clause, report, json }) => {
    process.stdout.write(explanation(clause, report, json));
  },
};

function explanation(id: string, folder: string | undefined, json: boolean): string {
  const check = allChecks.find((one) => one.id === id);
  if (check !== undefined) return checkExplanation(check, folder, json);
  const explained = explainedOf(id);
  const report = reportIn(folder);
  if (!json) return explainText(explained, report);
  const { clause, decision, checks, shown } = explained;
  const found = report && clauseIn(report, id);
  const explanation = {
    ...clause,
    ...(decision === undefined ? {} : { decision }),
    checks,
    ...(shown === undefined ? {} : { shown }),
    ...(report === undefined || found === undefined
      ? {}
      : { report: { file: report.file, state: found.state, reason: found.reason, evidence: found.evidence } }),
  };
  return `${JSON.stringify(explanation, null, 2)}\n`;
}

function checkExplanation(
  { id, title, clauses: judged, needs }: Check,
  folder: string | undefined,
  json: boolean,
): string {
  const facts = { id, title, clauses: judged, needs };
  const report = reportIn(folder);
  if (report === undefined) return json ? `${JSON.stringify(facts, null, 2)}\n` : explainCheckText(facts);
  const { file } = report;
  const result = withPassed(report);
  if (!json) return explainCheckText(facts, { file, result });
  const check = result.checks.find((one) => one.id === id);
  const script = explainedScript(result, id);
  return `${JSON.stringify({ ...facts, report: { file, check, script } }, null, 2)}\n`;
}

/** A report, completed by the transcripts of checks that passed: these are in another file of the folder. */
function withPassed({ file, result }: InFile): ConformanceResult {
  const transcripts = join(dirname(file), TRANSCRIPTS_FILE);
  if (result.transcripts === undefined || !existsSync(transcripts)) return result;
  const bytes = readBytes(transcripts, 'transcripts');
  try {
    return withTranscripts(result, bytes);
  } catch (error) {
    throw new Failure(`${transcripts}: is not as aips conform --out writes it (${(error as Error).message}).`);
  }
}

/** The explanation of an id. Throws a Failure with similar ids for an unknown id. */
function explainedOf(id: string): Explained {
  const clause = clauses.find((one) => one.id === id);
  if (clause === undefined) throw new Failure(unknown(id));
  const decision = decisions.find((one) => one.id === clause.decision);
  const shown = shownBy(id);
  return {
    clause,
    sectionTitle: sections.find(({ section }) => section === clause.section)?.title ?? '',
    ...(decision === undefined ? {} : { decision }),
    checks: allChecks
      .filter((check) => check.clauses.includes(id))
      .map(({ id: check, title, needs }) => ({ id: check, title, needs })),
    ...(shown === undefined ? {} : { shown }),
  };
}

/** The last request of the clause's minimal pair; undefined without one. */
function shownBy(id: string): Explained['shown'] {
  const pair = pairsByClause().get(id);
  const [wrong] = pair?.shows.flatMap((each) => (each.clause === id ? [each.wrong] : [])) ?? [];
  const last = pair?.steps.at(-1);
  if (pair === undefined || wrong === undefined || last === undefined) return undefined;
  return {
    ...{ request: `${last.method} ${last.path}`, after: pair.steps.length - 1, right: pair.right.status },
    ...{ wrong: wrong.status, mistake: wrong.title, file: PAIRS_FILE },
  };
}

function unknown(id: string): string {
  const guess = didYouMean(
    id,
    [...clauses, ...allChecks].map((one) => one.id),
  );
  if (guess !== '') return `No clause or check has the id ${id}${guess}`;
  const near = clauses.map((one) => one.id).filter((one) => one.includes(id) || one.startsWith(id.split('.')[0] ?? id));
  const named = near.length === 0 ? 'aips spec clauses lists them' : `Near it: ${near.slice(0, NEAR_MAX).join(', ')}`;
  return `No clause has the id ${id}. ${named}.`;
}

/** The report in a folder. Without a name it is that of `out`, if there is one; a named folder must hold one. */
function reportIn(folder: string | undefined): InFile | undefined {
  // The file itself is accepted, too, since other options of `aips conform` take it.
  const file = folder?.endsWith('.json') === true ? folder : join(folder ?? 'out', 'conformance.json');
  if (folder === undefined && !existsSync(file)) return undefined;
  return { file, result: readReport(file) };
}
