/**
 * The command line: finds the command, refuses what yargs would misread, turns a failure into one message and an exit
 * status. Each command is in the file of its name.
 */

import { existsSync } from 'node:fs';
import yargs from 'yargs';
import { EXIT, Failure, fileFailure, systemErrorCode } from '../runs/host/failure.js';
import { packageVersion } from '../runs/host/package.js';
import { commandNamed, commandsFor, meantCommand, takesWords } from './commands.js';
import { refuseMisreadOptions } from './flags/option-values.js';

/** Options that may be given more than once. */
const REPEATABLE: ReadonlySet<string> = new Set([
  '_',
  'only',
  'expect',
  'files',
  'watch',
  'set',
  'ids',
  'folders',
  'files',
  'recordings',
  'without',
  'rules',
  'measure',
  'until-half-width',
  'untilHalfWidth',
]);

/** Runs the command line. Sets `process.exitCode`; a user's mistake is one clear message and status 2. */
export async function main(words: readonly string[]): Promise<void> {
  const argv = withStandardInput(words);
  const parser = yargs(argv)
    .scriptName('aips')
    .usage(
      '$0 <command>\n\nReference server, conformance suite and simulator of the Agent Identity and Provenance Service.',
    )
    .command([...(await commandsFor(argv))])
    .demandCommand(1, 'Say what to do: a command is missing.')
    .strict()
    .completion('completion', 'Print a script for shell completion')
    .option('rules', { type: 'string', describe: RULES_HELP })
    .middleware(async ({ rules }) => {
      if (rules !== undefined || process.env['AIPS_RULES']) (await ownRules()).nameRules(rules);
    })
    .version(packageVersion())
    // yargs lays out the help of every command that it runs: only one that is read is worth being wrapped.
    .wrap(argv.some((word) => /^(--)?help\b/.test(word)) ? Math.min(110, process.stdout.columns ?? 100) : null)
    .check((given) => {
      const twice = Object.entries(given).find(([name, value]) => Array.isArray(value) && !REPEATABLE.has(name));
      if (twice !== undefined) throw new Failure(`--${twice[0]} was given more than once.`);
      refuseMisreadOptions(argv, given);
      return true;
    }, true)
    .exitProcess(false)
    .fail((message, error) => {
      if (error !== undefined && error !== null) throw error;
      const what = message.startsWith('Not enough non-option') ? 'An argument is missing.' : message;
      throw new Failure(`${what}\nTry: ${['aips', ...commandNamed(argv)].join(' ')} --help`);
    });
  if (!takesWords(argv)) parser.recommendCommands();
  process.stdout.on('error', noteUnwritable);
  // Loaded here: the list of commands needs no other file.
  const [{ colour, guardOutput }, { printable }] = await Promise.all([
    import('../runs/host/terminal.js'),
    import('../results/visible.js'),
  ]);
  guardOutput((text) => printable(text, colour));
  try {
    refuseMistypedCommand(argv);
    const { rules } = await parser.parseAsync();
    if (rules !== undefined) (await ownRules()).warnOfUnusedRules(rules, commandNamed(argv).join(' '));
  } catch (error) {
    const isMistake = error instanceof Failure || (await ownRules()).isRuleFault(error);
    const failure = isMistake ? error : fileFailure(error);
    if (failure === undefined) throw error;
    console.error(failure.message);
    process.exitCode = EXIT.unable;
  }
}

const RULES_HELP = 'Module with your own rules, which formulas of an overlay or a scenario name; may be repeated';

/** The functions of `--rules`. Loaded here: most commands have no such module. */
const ownRules = () => import('./flags/rules.js');

/** Throws a Failure for a word that may be an argument or a command, and is nearly a command and no file or folder. */
function refuseMistypedCommand(argv: readonly string[]): void {
  if (!takesWords(argv)) return;
  const meant = meantCommand(argv);
  if (meant === undefined || existsSync(meant.written)) return;
  throw new Failure(`Did you mean ${meant.name}?\nTry: ${['aips', ...commandNamed(argv)].join(' ')} --help`);
}

/** The words with a name in place of -, which yargs reads as an empty word. Those after -- are a command of the user's. */
function withStandardInput(words: readonly string[]): readonly string[] {
  const own = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, place) => (word === '-' && place < own ? '/dev/stdin' : word));
}

/** A reader that stops early, such as head, does not end the process: files are still written. Any other error ends the process. */
function noteUnwritable(error: Error): void {
  const code = systemErrorCode(error);
  if (code === 'EPIPE') return;
  console.error(`standard output cannot be written (${code ?? error.message}).`);
  process.exit(EXIT.unable);
}
