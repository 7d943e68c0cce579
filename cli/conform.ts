import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { allChecks } from '../conformance/checks/index.js';
import { type Plan, plan } from '../conformance/plan.js';
import { type ConformOptions, conform } from '../conformance/runner.js';
import { bareTarget, parseTarget, type Target } from '../conformance/target.js';
import { conformanceJson } from '../reports/conformance-json.js';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { conformanceSummary } from '../reports/console.js';
import { conformancePage } from '../reports/html/conformance-page.js';
import { junit } from '../reports/junit.js';
import { conformanceMarkdown } from '../reports/markdown.js';
import { solText } from '../reports/numbers.js';
import { Failure, systemErrorCode } from './failure.js';
import { ensureFolder, packageVersion, parsedOrFail, readText, writeFiles } from './files.js';
import { progressBar } from './progress.js';
import { judgeSelf } from './self.js';
import { colour } from './terminal.js';

const formats = ['json', 'junit', 'html', 'markdown'] as const;
type Format = (typeof formats)[number];

const options = {
  target: { type: 'string', describe: 'YAML file that says where the target is and what it offers' },
  only: { type: 'string', array: true, describe: 'Globs over check ids, clause ids and sections' },
  seed: { type: 'number', default: 1, describe: 'Seed of every name, key and wallet that the checks make' },
  concurrency: { type: 'number', default: 16, describe: 'Checks that run at the same time' },
  strict: { type: 'boolean', default: false, describe: 'A decision that is not followed fails the run' },
  'fail-fast': { type: 'boolean', default: false, describe: 'Stop at the first failure' },
  'allow-writes': { type: 'boolean', default: false, describe: 'Let checks write to a host that is not this machine' },
  'require-judged': { type: 'number', describe: 'Percent of the clauses that must be judged; less is exit status 2' },
  self: {
    type: 'boolean',
    default: false,
    describe: 'Judge the reference itself, in every configuration that a clause needs',
  },
  plan: { type: 'boolean', default: false, describe: 'Say what a run would do, and send nothing' },
  format: { type: 'string', describe: `Reports to write, with commas: ${formats.join(', ')}` },
  report: { type: 'string', describe: 'Folder of the reports' },
  json: { type: 'boolean', default: false, describe: 'Print the result as JSON in place of the summary' },
} as const;

type ConformFlags = InferredOptionTypes<typeof options> & { url?: string | undefined };

/** `aips conform [URL]`: judges a server, clause by clause. */
export const conformCommand: CommandModule<object, ConformFlags> = {
  command: 'conform [url]',
  describe: 'Judge a server clause by clause: exit 0 conformant, 1 not, 2 could not judge',
  builder: (args: Argv) =>
    args
      .positional('url', { type: 'string', describe: 'Base URL of the target, when there is no target file' })
      .options(options)
      .example('$0 conform http://127.0.0.1:8787', 'whatever can be judged with nothing but a URL')
      .example('$0 conform --target target.yaml --format json,junit,html --report out', 'with reports')
      .example('$0 conform --self', 'the reference, in every configuration')
      .example('$0 conform --target target.yaml --plan', 'what a run would do and cost')
      .example("$0 conform --target target.yaml --only 'heartbeat/*' 4.6", 'some checks by id, clause or section'),
  handler: async (flags) => {
    const target = flags.self ? selfOnly(flags) : readTarget(flags);
    if (flags.plan && target === undefined) throw new Failure('--self has no plan: give a target.');
    if (flags.plan && target !== undefined)
      return console.log(flags.json ? JSON.stringify(planOf(target, flags), null, 2) : planText(planOf(target, flags)));
    const wanted = readFormats(flags.format);
    const folder = flags.report ?? 'out';
    if (wanted.length > 0) ensureFolder(folder);
    const suite = conformOptions(flags);
    const result = await (target === undefined ? judgeSelf(suite, judge) : judge(target, suite));
    const command = commandOf(flags);
    const files = reportFiles(result, wanted, { command, strict: flags.strict });
    writeFiles(folder, files);
    if (flags.json) process.stdout.write(conformanceJson(result));
    else {
      console.log(conformanceSummary(result, { colour, strict: flags.strict, command }));
      for (const name of Object.keys(files)) console.log(`wrote ${folder}/${name}`);
    }
    process.exitCode = result.exit_status;
  },
};

/** Runs the suite with a progress bar where there is a terminal. */
export async function judge(target: Target, options: ConformOptions): Promise<ConformanceResult> {
  const bar = progressBar('checks', planOf(target, options).checks.length);
  try {
    return await conform(target, { ...options, onResult: (result) => bar.step(result.id) });
  } finally {
    bar.stop();
  }
}

function conformOptions(flags: ConformFlags): ConformOptions {
  const { seed, concurrency, strict, only } = flags;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw new Failure('--concurrency must be 1 or more.');
  const requireJudged = flags['require-judged'];
  if (requireJudged !== undefined && !(requireJudged >= 0 && requireJudged <= 100)) {
    throw new Failure('--require-judged must be a percentage from 0 to 100.');
  }
  return {
    seed,
    concurrency,
    strict,
    failFast: flags['fail-fast'],
    allowWrites: flags['allow-writes'],
    toolVersion: packageVersion(),
    nowWallMs: Date.now,
    ...(only === undefined ? {} : { only }),
    ...(requireJudged === undefined ? {} : { requireJudged }),
  };
}

type Chosen = { readonly [K in 'only' | 'allowWrites']?: ConformOptions[K] | undefined };

function planOf(target: Target, { only, allowWrites }: Chosen): Plan {
  return plan(target, allChecks, { ...(only === undefined ? {} : { only }), allowWrites: allowWrites ?? false });
}

function planText(planned: Plan): string {
  const rows = planned.checks.map(
    ({ id, title, reason }) => `  ${id}\n    ${reason === undefined ? title : `not run: ${reason}`}`,
  );
  const { runs, requests, registrations, lamports, ledgerLamports, seconds } = planned;
  const besides =
    ledgerLamports === 0
      ? []
      : [
          `The ledger takes at most ${solText(ledgerLamports)} besides: for transactions, and for what wallets must keep.`,
        ];
  return [
    ...rows,
    `${runs} of ${planned.checks.length} checks would run: at most ${requests} requests, ${registrations} registrations, ${solText(lamports)} in fees, about ${seconds} s.`,
    ...besides,
    'Nothing was sent.',
  ].join('\n');
}

/** `--self` stands alone. */
function selfOnly({ url, target }: ConformFlags): undefined {
  if (url !== undefined || target !== undefined) {
    throw new Failure('--self starts servers of its own: give no URL and no --target with it.');
  }
}

function readTarget({ url, target: file }: ConformFlags): Target {
  if ((url === undefined) === (file === undefined)) {
    throw new Failure(
      'Give either the base URL of a server or --target FILE. For example: aips conform http://127.0.0.1:8787',
    );
  }
  if (file !== undefined) {
    const readNamed = (path: string): string | undefined => readIfThere(resolve(dirname(file), path));
    return parsedOrFail(parseTarget(readText(file, 'target file'), file, { env: process.env, readText: readNamed }));
  }
  try {
    return bareTarget(url as string);
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(`${error.message}. For example: http://127.0.0.1:8787`);
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function readFormats(text: string | undefined): readonly Format[] {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const name of names) {
    if (!(formats as readonly string[]).includes(name)) {
      throw new Failure(`--format ${name} is not known. Formats: ${formats.join(', ')}.`);
    }
  }
  return names as Format[];
}

/** The files of a report by name. */
export function reportFiles(
  result: ConformanceResult,
  wanted: readonly Format[],
  writing: { readonly command: string; readonly strict: boolean },
): Readonly<Record<string, string>> {
  const writers: Readonly<Record<Format, () => readonly [name: string, text: string]>> = {
    json: () => ['conformance.json', conformanceJson(result)],
    junit: () => ['junit.xml', junit(result, writing)],
    html: () => ['conformance.html', conformancePage(result, writing)],
    markdown: () => ['summary.md', conformanceMarkdown(result, writing)],
  };
  return Object.fromEntries(wanted.map((format) => writers[format]()));
}

function commandOf({ url, target, self }: ConformFlags): string {
  if (self) return 'aips conform --self';
  return target === undefined ? `aips conform ${url}` : `aips conform --target ${target}`;
}
