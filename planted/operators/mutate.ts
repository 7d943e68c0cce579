/**
 * The entry of `npm run stryker`: mutants of the reference's rules that operators generate (StrykerJS's and those of operators.ts), each judged by
 * the checks of the suite that reach it. Mistakes written by hand are in planted/mistakes; these show gaps between them.
 *
 * npm run stryker -- [FILE …] [--share S] [--seed N] [--threads N] [--report FILE]
 */

import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { Draws } from '../../conformance/trial/random.js';
import { root } from '../all-mutants.js';
import { type Generated, generatedIn, withSwitches } from './operators.js';
import type { Coverage, Job, MutantJudgement } from './worker.js';

/** The files that the specification is about: the rules. */
const RULES = ['reference/registry', 'reference/beats'];
/** Texts of refusals and shapes of replies change too often without a difference that the specification knows. */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'];
/** A mutant that stops the reference is given up after so long, and counts as found. */
const SILENCE_MS = 180_000;

type Status = 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout';

/** A mutant as reports of mutation testing have it. */
interface Mutant extends Generated {
  readonly id: string;
  readonly fileName: string;
  status: Status;
  /** The check that found it, or that it is only an advisory. */
  statusReason?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string' },
    report: { type: 'string' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const tree = mkdtempSync(join(tmpdir(), 'aips-stryker-'));
try {
  const all = await instrumented(positionals);
  const draws = new Draws(`stryker:${values.seed}`);
  const mutants = all.filter(() => Number.parseInt(draws.hex(4), 16) / 2 ** 32 < Number(values.share));
  console.log(`${mutants.length} of ${all.length} mutants, seed ${values.seed}`);
  await judgeAll(mutants, Number(values.threads ?? availableParallelism()));
  printScores(mutants);
  if (values.report !== undefined) writeReport(values.report, mutants);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/** Copies the built package and puts all mutants into its rules, each behind a switch; without files into all rules. */
async function instrumented(files: readonly string[]): Promise<Mutant[]> {
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(tree, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const below = (room: string): string[] =>
    readdirSync(join(tree, 'dist', room), { encoding: 'utf8', recursive: true }).map((path) =>
      join(tree, 'dist', room, path),
    );
  const all = RULES.flatMap(below).filter((path) => path.endsWith('.js'));
  const stems = all.map((path) => relative(join(tree, 'dist'), path).replace(/\.js$/, ''));
  const wanted = files.map((file) => file.replace(/\.(ts|js)$/, ''));
  const unknown = wanted.find((file) => !stems.includes(file));
  if (unknown !== undefined) throw new Error(`${unknown} is no file of ${RULES.join(' or ')}`);
  const chosen = all.filter((_, place) => wanted.length === 0 || wanted.includes(stems[place] as string));
  const quiet = new Proxy({}, { get: (_, name) => (String(name).startsWith('is') ? () => false : () => undefined) });
  const { files: written, mutants } = await new Instrumenter(quiet as never).instrument(
    chosen.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { plugins: null, excludedMutations: LEFT_OUT, ignorers: [] },
  );
  // Those that are left out are listed all the same, without a switch.
  const listed = mutants.flatMap((mutant): Mutant[] => {
    const { id, mutatorName, replacement = '', location } = mutant;
    const fileName = relative(join(tree, 'dist'), mutant.fileName);
    return LEFT_OUT.includes(mutatorName)
      ? []
      : [{ id, fileName, mutatorName, replacement, location, status: 'NoCoverage' }];
  });
  let next = mutants.length;
  for (const { name, content } of written) {
    const original = readFileSync(name, 'utf8');
    const fileName = relative(join(tree, 'dist'), name);
    writeFileSync(name, withSwitches(original, content, next));
    const own = generatedIn(original).map(
      (each, nth): Mutant => ({ ...each, id: String(next + nth), fileName, status: 'NoCoverage' }),
    );
    next += own.length;
    listed.push(...own);
  }
  return listed;
}

/** First which checks reach which mutants, then each mutant against those that do, the most specific first. */
async function judgeAll(mutants: readonly Mutant[], threads: number): Promise<void> {
  const first = startWorker();
  const coverage = await answerOf<Coverage>(first, { kind: 'coverage' });
  first.kill();
  if (coverage === undefined) throw new Error('the reference does not start with the mutants in it, all of them off');
  const queue = mutants.map((mutant) => ({ mutant, runs: runsOf(mutant.id, coverage) }));
  let done = 0;
  const thread = async (): Promise<void> => {
    let worker = startWorker();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { mutant, runs } = next;
      const judged =
        runs.length === 0 ? undefined : await answerOf<MutantJudgement>(worker, { kind: 'judge', id: mutant.id, runs });
      if (runs.length > 0 && judged === undefined) {
        worker.kill('SIGKILL');
        worker = startWorker();
        mutant.status = 'Timeout';
      } else if (judged !== undefined) {
        mutant.status = judged.killer === undefined ? 'Survived' : 'Killed';
        const reason = judged.killer ?? (judged.advisory ? 'an advisory alone' : undefined);
        if (reason !== undefined) mutant.statusReason = reason;
      }
      done += 1;
      if (done % 100 === 0) console.log(`${done} of ${mutants.length}`);
    }
    worker.kill();
  };
  await Promise.all(Array.from({ length: threads }, thread));
}

/** The checks that reach a mutant, by the deployment in which they do: few first, since most mutants are found by these. */
function runsOf(id: string, coverage: Coverage): Job['runs'] {
  const ways = new Map<string, { readonly id: string; readonly reached: number }[]>();
  for (const [check, { deployment, mutants }] of Object.entries(coverage)) {
    if (!mutants.includes(id)) continue;
    const way = ways.get(deployment) ?? [];
    ways.set(deployment, way);
    way.push({ id: check, reached: mutants.length });
  }
  return [...ways].flatMap(([deployment, found]) => {
    const checks = found.toSorted((a, b) => a.reached - b.reached).map((each) => each.id);
    const parts = [checks.slice(0, 3), checks.slice(3, 13), checks.slice(13, 60), checks.slice(60)];
    return parts.filter((part) => part.length > 0).map((part) => ({ deployment, checks: part }));
  });
}

function startWorker(): ChildProcess {
  return fork(join(tree, 'dist/planted/operators/worker.js'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The answer of a worker; undefined where none comes. */
function answerOf<Answer>(
  worker: ChildProcess,
  job: { readonly kind: 'coverage' } | ({ readonly kind: 'judge' } & Job),
) {
  return new Promise<Answer | undefined>((resolve) => {
    const end = (answer?: Answer): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(answer);
    };
    const timer = job.kind === 'coverage' ? undefined : setTimeout(end, SILENCE_MS);
    worker.once('message', (answer) => end(answer as Answer));
    worker.once('exit', () => end());
    worker.send(job);
  });
}

function printScores(mutants: readonly Mutant[]): void {
  const files = [...new Set(mutants.map(({ fileName }) => fileName))];
  const rows = [...files.map((file) => mutants.filter(({ fileName }) => fileName === file)), mutants];
  for (const [place, found] of rows.entries()) {
    const count = (...states: Status[]): number => found.filter(({ status }) => states.includes(status)).length;
    const killed = count('Killed', 'Timeout');
    const share = `${((100 * killed) / Math.max(1, found.length)).toFixed(0)} %`;
    const name = (files[place] ?? 'all').replace(/\.js$/, '');
    console.log(`${name.padEnd(44)} ${killed} of ${found.length} (${share}), ${count('NoCoverage')} without a check`);
  }
}

/** Writes a report in the schema of mutation-testing-elements, which tools and pages of others read. */
function writeReport(file: string, mutants: readonly Mutant[]): void {
  const names = [...new Set(mutants.map(({ fileName }) => fileName))];
  const files = names.map((name) => {
    const own = mutants.filter(({ fileName }) => fileName === name);
    const source = readFileSync(join(root, 'dist', name), 'utf8');
    return [name, { language: 'javascript', source, mutants: own.map(({ fileName: _, ...rest }) => from1(rest)) }];
  });
  const report = { schemaVersion: '2', thresholds: { high: 80, low: 60 }, files: Object.fromEntries(files) };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(report));
  console.log(`wrote ${file}`);
}

/** Reports count lines and columns from 1. */
function from1<M extends Generated>(mutant: M): M {
  const moved = ({ line, column }: Generated['location']['start']) => ({ line: line + 1, column: column + 1 });
  return { ...mutant, location: { start: moved(mutant.location.start), end: moved(mutant.location.end) } };
}
