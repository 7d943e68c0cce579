/**
 * `aips conform self`: judges the reference in every configuration that a clause needs, and keeps the records. Which
 * configurations there are is in configurations.ts.
 */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allChecks } from '../../conformance/checks/index.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { evidenceOf } from '../../conformance/run/cover.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import { protocolOf } from '../../spec/dialect.js';
import { Failure } from '../host/failure.js';
import { namedInput } from '../host/input-bytes.js';
import { referenceTarget, startReference } from '../server/reference-process.js';
import { type Configuration, configurations } from './configurations.js';
import { requireChoice } from './judge.js';
import { readOverlay } from './target-file.js';

/** The records of a self-test: there is at least one. */
export type SelfRecords = readonly [RunRecord, ...RunRecord[]];

/** Runs the suite against a target. */
export type Judge = (target: Target, options: ConformOptions) => Promise<RunRecord>;

/**
 * Judges the reference in every configuration that a clause needs, one server after another. `judge` runs the suite; `overlay`
 * is a file of numbers in place of the specification's. The name of a record's target is that of its configuration.
 */
export async function judgeSelf(options: ConformOptions, judge: Judge, overlay?: string): Promise<SelfRecords> {
  const chosen = chosenBy(options);
  // Mistakes in the file are reported before a server is started with it.
  holding(overlay);
  const judged = new Set<string>();
  const clauses = new Set<string>();
  const records: RunRecord[] = [];
  for (const configuration of configurations) {
    const left = checksFor(configuration, chosen, judged, overlay);
    const only = options.quick === true ? left.filter((id) => isOpen(id, clauses)) : left;
    if (only.length === 0) continue;
    const numbers = numbersFile(configuration, overlay);
    const server = await startReference({
      seed: options.seed,
      flags: [...configuration.flags, ...(numbers === undefined ? [] : ['--protocol', numbers])],
      target: configuration.target,
    });
    try {
      const record = await judge(holding(numbers)(server.target), { ...options, only, judged: clauses });
      records.push({ ...record, target: { ...record.target, base_url: configuration.name } });
      for (const { id, verdict, evidence } of record.runs) {
        if (verdict !== 'not-tested') judged.add(id);
        for (const clause of evidence.flatMap((one) => one.clauses)) clauses.add(clause);
      }
    } finally {
      await server.stop();
    }
    if (records.at(-1)?.stopped !== undefined) break;
  }
  const [first, ...rest] = records;
  if (first === undefined) {
    const ids = chosen.slice(0, 5).join(', ');
    throw new Failure(
      `No configuration judges ${ids}: a new check is measured by npm run plan, or names clauses until then.`,
    );
  }
  return [first, ...rest];
}

/** Whether a check judges a clause that is not among these. */
function isOpen(id: string, judged: ReadonlySet<string>): boolean {
  const check = allChecks.find((one) => one.id === id);
  return check !== undefined && evidenceOf(check).some((clause) => !judged.has(clause));
}

/** How the reference of one configuration is judged. */
interface OneConfiguration {
  readonly name: string;
  /** A file of numbers in place of the specification's, for server and suite alike. */
  readonly overlay?: string | undefined;
  /** A file of numbers for the server alone: the suite judges it by the specification as it is. */
  readonly under?: string | undefined;
}

/** The names of the configurations that can be judged alone. */
export const configurationNames = configurations.filter(({ numbers }) => numbers === undefined).map(({ name }) => name);

/** Judges the reference in one configuration. */
export async function judgeOne(
  options: ConformOptions,
  judge: Judge,
  { name, overlay, under }: OneConfiguration,
): Promise<SelfRecords> {
  requireChoice(options);
  if (overlay !== undefined && under !== undefined)
    throw new Failure('Give --protocol, for server and suite alike, or --under, for the server alone.');
  const configuration = configurations.find((each) => each.name === name) as Configuration;
  const held = holding(overlay);
  // Mistakes in the file are reported before a server is started with it.
  if (under !== undefined) readOverlay(under);
  const file = under ?? overlay;
  const server = await startReference({
    seed: options.seed,
    flags: [...configuration.flags, ...(file === undefined ? [] : ['--protocol', namedInput(file, 'overlay file')])],
    target: configuration.target,
  });
  try {
    const record = await judge(held(server.target), options);
    return [{ ...record, target: { ...record.target, base_url: name } }];
  } finally {
    await server.stop();
  }
}

/** The name of the target of these records: the command, with its configurations. */
export function selfName(records: readonly RunRecord[]): string {
  return `aips serve (${[...new Set(records.map(({ target }) => target.base_url))].join(', ')})`;
}

/** The overlay file of a configuration: that of its own numbers, else the one given. */
function numbersFile({ numbers }: Configuration, overlay: string | undefined): string | undefined {
  if (numbers === undefined) return overlay === undefined ? undefined : namedInput(overlay, 'overlay file');
  const path = join(mkdtempSync(join(tmpdir(), 'aips-self-')), 'numbers.json');
  writeFileSync(path, JSON.stringify(numbers));
  return path;
}

/** The address of no server: a plan sends nothing. */
const NO_SERVER = 'http://127.0.0.1:1';
const NOWHERE = { base_url: NO_SERVER, beats_url: NO_SERVER, control_url: NO_SERVER, control_token: 'none' };

/** Judges a target by the numbers of an overlay file, if there is one. */
function holding(overlay: string | undefined): (target: Target) => Target {
  if (overlay === undefined) return (target) => target;
  const numbers = readOverlay(overlay);
  return (target) => ({ ...target, protocol: protocolOf(target.dialect, numbers) });
}

/** The ids of the selected checks. Throws a Failure for a selection that holds none. */
function chosenBy(options: ConformOptions): readonly string[] {
  requireChoice(options);
  return selectChecks(allChecks, options).map(({ id }) => id);
}

/** The selected checks that a configuration judges: those it is for, else those that no earlier one has judged. */
function checksFor(
  { only, numbers, target }: Configuration,
  chosen: readonly string[],
  judged: ReadonlySet<string>,
  overlay: string | undefined,
): readonly string[] {
  // A user's own numbers replace all others.
  if (numbers !== undefined && overlay !== undefined) return [];
  const standing = checksIn(allChecks, referenceTarget(NOWHERE, target).dialect);
  const wanted = new Set(selectChecks(standing, only === undefined ? {} : { only: [only] }).map(({ id }) => id));
  return chosen.filter((id) => wanted.has(id) && (only !== undefined || !judged.has(id)));
}
