/** `aips conform diff`: compares two conformance reports. It judges no server. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Argv } from 'yargs';
import {
  type ComparedReport,
  comparedReport,
  compareReports,
  hasRegressed,
} from '../../reports/conformance/conformance-diff.js';
import {
  conformanceDiffConsole,
  conformanceDiffJson,
  conformanceDiffMarkdown,
} from '../../reports/conformance/conformance-diff-text.js';
import { CONFORMANCE_SCHEMA } from '../../results/conformance-result.js';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFile, writeFiles } from '../../runs/host/files.js';
import { readOwnFile } from '../../runs/host/own-file.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';

interface Flags {
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  readonly strict: boolean;
  readonly markdown: string | undefined;
}

/** Reads a conformance report, or that of a folder. */
function reportOf(path: string): ComparedReport {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'conformance.json') : path;
  return readOwnFile(file, {
    kind: 'conformance report',
    what: 'a conformance report',
    format: ['schema', CONFORMANCE_SCHEMA],
    schema: comparedReport,
    by: 'aips conform --out',
  });
}

/** `aips conform diff A B`: exit 1 if a must clause passes in the first and fails in the second. */
export const diffCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('a', { type: 'string', demandOption: true, describe: 'Earlier conformance.json, or its folder' })
      .positional('b', { type: 'string', demandOption: true, describe: 'Later conformance.json, or its folder' })
      .options(json)
      .option('markdown', {
        type: 'string',
        describe: 'File for the comparison as Markdown, short enough for a comment',
      })
      .option('strict', {
        type: 'boolean',
        default: false,
        describe:
          'Also fail for a decision that regressed, and for a must clause that is no longer judged or fails for the first time',
      })
      .example('$0 conform diff before/conformance.json out', 'the regressions and the fixes'),
  handler: ({ a, b, json, strict, markdown }) => {
    if (markdown !== undefined) ensureFile(markdown);
    const diff = compareReports(reportOf(a), reportOf(b));
    if (markdown !== undefined) writeFiles(dirname(markdown), { [basename(markdown)]: conformanceDiffMarkdown(diff) });
    console.log(json ? conformanceDiffJson(diff).trimEnd() : conformanceDiffConsole(diff));
    process.exitCode = hasRegressed(diff, strict) ? EXIT.unclean : EXIT.clean;
  },
};
