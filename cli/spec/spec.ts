/**
 * `aips spec`: prints clauses and decisions, and writes the generated documents. The texts are made in spec/ and
 * reports/.
 */

import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { type DecisionUse, decisionUses, dependents } from '../../conformance/judge/decision-use.js';
import { isMeasured } from '../../conformance/trial/planned.js';
import { equilibriumJsonSchema } from '../../experiments/equilibrium/equilibrium-file.js';
import { designJsonSchema } from '../../experiments/reform/design-file.js';
import { searchJsonSchema } from '../../experiments/search/search-file.js';
import { sensitivityJsonSchema } from '../../experiments/sensitivity/sensitivity-file.js';
import { sweepJsonSchema } from '../../experiments/sweep/sweep-file.js';
import { countText } from '../../results/numbers.js';
import { pairsJsonSchema } from '../../results/pairs.js';
import { goldenJsonSchemas, jsonSchemas } from '../../results/schemas.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { readText, writeFiles } from '../../runs/host/files.js';
import { clauseRows } from '../../runs/suite/clause-rows.js';
import { scenarioJsonSchema } from '../../scenarios/schema.js';
import { placeText } from '../../spec/clause.js';
import { sections } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import { type ClauseRow, clausesMarkdown, decisionsMarkdown } from '../../spec/print.js';
import { errorsMarkdown } from '../../spec/print-errors.js';
import { contradictionLines, findingsMarkdown } from '../../spec/print-findings.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { checkCommand } from './check.js';
import { controlApiMarkdown } from './control-api-doc.js';
import { diffCommand } from './diff.js';
import { exploreCommand } from './explore.js';
import { knownFindings, lintCommand } from './lint.js';
import { measuresMarkdown } from './measures-doc.js';
import { openapiCommand } from './openapi.js';
import { snapshotCommand } from './released.js';
import { silencesCommand } from './silences.js';

interface ClausesOptions {
  readonly json: boolean;
  readonly section: string | undefined;
}

const clausesCommand: CommandModule<object, ClausesOptions> = {
  command: 'clauses [section]',
  describe: 'List every clause with its section and the checks that judge it',
  builder: (args: Argv) =>
    args
      .positional('section', { type: 'string', describe: 'Only this section and those under it, for example 4.5' })
      .options(json),
  handler: ({ json, section }) => {
    const rows = clauseRows().filter((row) => section === undefined || within(row.section, section));
    if (rows.length === 0)
      throw new Failure(`No clause is in section ${section}. Sections: ${sections.map((s) => s.section).join(', ')}`);
    console.log(json ? JSON.stringify(rows, null, 2) : clauseLines(rows));
  },
};

function within(section: string, wanted: string): boolean {
  return section === wanted || section.startsWith(`${wanted}.`);
}

function clauseLines(rows: readonly ClauseRow[]): string {
  const judged = rows.filter(({ checks }) => checks.length > 0).length;
  const excluded = rows.filter((row) => row.excluded !== undefined).length;
  const lines = rows.map((row) => {
    const judge = row.excluded === undefined ? row.checks.join(', ') || 'no check yet' : `excluded: ${row.excluded}`;
    return `${clauseHead(row)}\n      judged by: ${judge}`;
  });
  return [...lines, `${rows.length} clauses: ${judged} with a check, ${excluded} excluded.`].join('\n');
}

function clauseHead({ id, section, level, text, where }: ClauseRow): string {
  return `${section.padEnd(5)} ${level.padEnd(8)} ${id}\n      ${text}\n      rests on: ${placeText({ section, where })}`;
}

interface DecisionsOptions {
  readonly ids: string[] | undefined;
  readonly json: boolean;
  readonly 'by-checks': boolean;
}

/** The number of decisions that an implementer should read first. */
const FIRST = 10;

const decisionsCommand: CommandModule<object, DecisionsOptions> = {
  command: 'decisions [ids..]',
  describe: 'List what the reference does where the specification is silent, and why',
  builder: (args: Argv) =>
    args
      .positional('ids', { type: 'string', array: true, describe: 'Only these, for example D-05' })
      .options(json)
      .option('by-checks', {
        type: 'boolean',
        default: false,
        describe: `The ${FIRST} that most checks of the suite depend on, which an implementer should read first; with --json, all`,
      }),
  handler: ({ ids = [], json, 'by-checks': byChecks }) => {
    const unknown = ids.find((id) => decisions.every((decision) => decision.id !== id));
    if (unknown !== undefined)
      throw new Failure(`There is no decision ${unknown}: they are D-01 to ${decisions.at(-1)?.id}.`);
    const wanted = ({ id }: { readonly id: string }): boolean => ids.length === 0 || ids.includes(id);
    if (byChecks) {
      const uses = decisionUses(allChecks).filter(wanted);
      return console.log(json ? JSON.stringify(uses, null, 2) : useLines(uses));
    }
    const chosen = decisions.filter(wanted);
    const lines = chosen.map((d) => `${d.id} ${d.title}\n  open: ${d.open}\n  does: ${d.does}\n  why:  ${d.why}`);
    console.log(json ? JSON.stringify(chosen, null, 2) : lines.join('\n'));
  },
};

function useLines(uses: readonly DecisionUse[]): string {
  const lines = uses.slice(0, FIRST).flatMap((use) => {
    const { id, title, what, built, judged } = use;
    return [
      `${id} ${title}: ${dependents(use)} of ${countText(allChecks.length, 'check')}`,
      ...(built.length === 0 ? [] : [`  ${countText(built.length, 'check')} build on it: ${what.join('; ')}`]),
      ...(judged.length === 0 ? [] : [`  ${countText(judged.length, 'check')} judge it: ${shortList(judged)}`]),
    ];
  });
  const left = uses.length - FIRST;
  return [...lines, ...(left > 0 ? [`${left} others, on each of which fewer depend: --json lists them.`] : [])].join(
    '\n',
  );
}

const LISTED = 4;

function shortList(ids: readonly string[]): string {
  const left = ids.length - LISTED;
  return ids.slice(0, LISTED).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

const docsCommand: CommandModule<object, { out: string; check: boolean; made: boolean }> = {
  command: 'docs',
  describe: 'Write the generated documents: clauses, decisions, errors, findings, the control API, and JSON Schemas',
  builder: (args: Argv) =>
    args
      .option('out', { type: 'string', default: 'docs', describe: 'Folder of the documents' })
      .option('made', { type: 'boolean', default: false, describe: 'Only those that are not in git: clauses, schemas' })
      .option('check', { type: 'boolean', default: false, describe: 'Write nothing; exit 1 if a page in git differs' }),
  handler: async ({ out, check, made }) => {
    if (made && check) throw new Failure('Give either --made or --check: what the build makes is not in git.');
    if (made) return writeFiles(out, madeDocuments());
    requireMeasured();
    const pages = await trackedPages();
    if (!check) return writeFiles(out, { ...pages, ...madeDocuments() });
    const stale = Object.entries(pages).filter(([name, text]) => readText(join(out, name), 'document') !== text);
    for (const [name] of stale) console.error(`${join(out, name)} is out of date: run npm run docs.`);
    if (stale.length > 0) process.exitCode = EXIT.unclean;
  },
};

/** The pages list the clauses of each check, and one that was never measured lists all of them. */
function requireMeasured(): void {
  const unmeasured = allChecks.filter((check) => !isMeasured(check)).map(({ id }) => id);
  if (unmeasured.length > 0)
    throw new Failure(
      `conformance/plan.json has no row for ${shortList(unmeasured)}: run ONLY='${unmeasured[0]}' npm run plan first.`,
    );
}

/** The generated pages that are in git, by name: short ones that a reviewer of a change wants to see. */
async function trackedPages(): Promise<Readonly<Record<string, string>>> {
  const { stated: findings, entries: known } = knownFindings();
  return {
    'decisions.md': decisionsMarkdown(decisions, contradictionLines(findings, known)),
    'lint.md': findingsMarkdown(findings, known),
    'errors.md': errorsMarkdown(),
    'control-api.md': await controlApiMarkdown(),
    'measures.md': measuresMarkdown(),
  };
}

/** The documents that `npm run build` makes and the package has: the matrix of clauses, and JSON Schemas of what is read and written. */
export function madeDocuments(): Readonly<Record<string, string>> {
  const schemas = {
    scenario: scenarioJsonSchema(),
    sweep: sweepJsonSchema(),
    sensitivity: sensitivityJsonSchema(),
    search: searchJsonSchema(),
    design: designJsonSchema(),
    equilibrium: equilibriumJsonSchema(),
    ...jsonSchemas(),
    pairs: pairsJsonSchema(),
    ...goldenJsonSchemas(),
  };
  return {
    'clauses.md': clausesMarkdown(clauseRows()),
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        `schemas/${name}.schema.json`,
        `${JSON.stringify(schema, null, 2)}\n`,
      ]),
    ),
  };
}

/** `aips spec …`: the specification as data. */
export const specCommand: Command = {
  builder: (args: Argv) =>
    args
      .command(clausesCommand)
      .command(decisionsCommand)
      .command(docsCommand)
      .command(lintCommand)
      .command(diffCommand)
      .command(checkCommand)
      .command(exploreCommand)
      .command(silencesCommand)
      .command(snapshotCommand)
      .command(openapiCommand)
      .demandCommand(
        1,
        'Say what to show: clauses, decisions, docs, lint, diff, check, explore, silences, snapshot or openapi.',
      ),
  handler: () => undefined,
};
