/** Judges all entries of a registry by this version, on threads where there are many, and writes its site. Entries are read in read-registry.ts. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { answerJobs, onThreads } from '../../conformance/mutants/threads.js';
import { runSuite } from '../../conformance/run/runner.js';
import type { Recording } from '../../conformance/tape/read-recording.js';
import { badge } from '../../reports/charts/badge.js';
import { bySection } from '../../reports/conformance/conformance-view.js';
import {
  type AroundRegistry,
  latest,
  registryClausesPage,
  registryEntryPage,
  registryPage,
} from '../../reports/views/registry.js';
import { countsOf } from '../../results/clause-counts.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import {
  type Entry,
  REGISTRY_SCHEMA,
  type RefusedEntry,
  type Registry,
  type RegistryRow,
  registryJson,
} from '../../results/registry.js';
import { describeProblem } from '../../spec/document.js';
import { releasedSchema } from '../../spec/released.js';
import { Failure } from '../host/failure.js';
import { readFolder, readJson } from '../host/files.js';
import { packageRoot, packageVersion } from '../host/package.js';
import { judgeRecording } from '../suite/record.js';
import { suiteDigests, textDigest } from '../suite/suite-digests.js';
import { copies, entriesIn, type ReadEntry, readEntry } from './read-registry.js';

/** The folder of the released texts. */
const RELEASED = 'spec/released';

/** A judged entry: its row, with the files of its own; or the reasons for which it is not judged. */
type JudgedEntry =
  | { readonly row: RegistryRow; readonly digest: string; readonly files: Readonly<Record<string, string>> }
  | { readonly problems: readonly string[] };

async function judgeEntry(folder: string, name: string, around?: AroundRegistry): Promise<JudgedEntry> {
  const read = readEntry(folder, name);
  if (!read.ok) return { problems: read.problems.map(describeProblem) };
  try {
    return await judgedOf(read.value, around);
  } catch (error) {
    if (error instanceof Failure) return { problems: [`${name}: ${error.message}`] };
    throw error;
  }
}

async function judgedOf({ entry, recording }: ReadEntry, around?: AroundRegistry): Promise<JudgedEntry> {
  const options = { seed: recording.manifest.seed, toolVersion: packageVersion(), nowWallMs: Date.now };
  const { record, unshown } = await judgeRecording(recording, options, runSuite);
  const result = conclude([record], { checks: allChecks });
  const requests = Object.values(unshown.requests).reduce((sum, count) => sum + count, 0);
  const row = rowOf(entry, recording, result, requests);
  return {
    row,
    digest: recording.digest,
    files: {
      [row.page]: registryEntryPage(row, result, recording.manifest.command, around),
      [row.badge]: badge(result, { expired: row.expired }),
    },
  };
}

/** The row of an entry whose recording gave a result. */
function rowOf(entry: Entry, { manifest }: Recording, result: ConformanceResult, unshown: number): RegistryRow {
  const { suite, text } = suiteDigests();
  const { schema: _, recording: __, ...shown } = entry;
  const released = releasedTexts().get(entry.recorded_by.text);
  const of = (state: 'holds' | 'fails'): readonly string[] =>
    result.clauses.filter((clause) => clause.level === 'must' && clause.state === state).map(({ id }) => id);
  const sections = bySection(result).map(({ section, title, clauses }) => ({
    section,
    title,
    ...countsOf(clauses, 'must'),
  }));
  return {
    ...shown,
    profile: manifest.profile,
    quick: manifest.spared !== undefined,
    part: manifest.only !== undefined,
    same_suite: manifest.digests.suite === suite,
    expired: manifest.digests.text !== text,
    ...(released === undefined ? {} : { text_version: released }),
    page: `${entry.implementation}/${entry.version}/index.html`,
    badge: `${entry.implementation}/${entry.version}/badge.svg`,
    judged: {
      exit_status: result.exit_status,
      ...result.summary.clauses,
      sections: sections.filter(({ total }) => total > 0),
      holds: of('holds'),
      fails: of('fails'),
      unshown,
    },
  };
}

let releases: ReadonlyMap<string, string> | undefined;

/** The versions of released texts by digest. */
function releasedTexts(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), RELEASED);
  releases ??= new Map(
    readFolder(folder, 'released texts').map((file) => {
      const spec = releasedSchema.parse(readJson(join(folder, file), 'released text'));
      return [textDigest(spec), spec.version];
    }),
  );
  return releases;
}

/** A thread has to load the suite, which takes as long as a recording or two. */
const ENTRIES_A_THREAD = 4;

interface Judging {
  readonly onEntry?: (name: string) => void;
  /** Ends the judging; what was not judged by then is refused. */
  readonly signal?: AbortSignal;
  /** The site that the pages are a part of. Entries are then judged one after another, since a thread takes no function. */
  readonly around?: AroundRegistry;
}

/** The files of a site about all entries of a registry, by their paths, and what it says. Failure for a folder that is no registry. */
export async function registrySite(
  folder: string,
  { onEntry, signal, around }: Judging = {},
): Promise<{ readonly registry: Registry; readonly files: Readonly<Record<string, string>> }> {
  const names = entriesIn(folder);
  const judged = await judgeAll(folder, names, { onEntry: onEntry ?? (() => undefined), signal, around });
  const copied = copies(new Map(names.flatMap((name, at) => digestOf(name, judged[at]))));
  const rows: RegistryRow[] = [];
  const refused: RefusedEntry[] = [];
  const files: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const each = judged[at] ?? { problems: ['was not judged: the judging was interrupted'] };
    const copy = copied.get(name);
    if ('problems' in each) refused.push({ entry: name, problems: each.problems });
    else if (copy !== undefined) refused.push({ entry: name, problems: [copy] });
    else {
      rows.push(each.row);
      Object.assign(files, each.files);
    }
  }
  const entries = newestFirst(rows);
  for (const row of latest(entries)) files[`${row.implementation}/badge.svg`] = files[row.badge] ?? '';
  const registry = {
    schema: REGISTRY_SCHEMA,
    tool_version: packageVersion(),
    ...suiteDigests(),
    entries,
    refused,
  } as const;
  return {
    registry,
    files: {
      ...files,
      'index.html': registryPage(registry, around),
      'clauses.html': registryClausesPage(registry, around),
      'registry.json': registryJson(registry),
    },
  };
}

function digestOf(name: string, judged: JudgedEntry | undefined): readonly (readonly [string, string])[] {
  return judged !== undefined && 'row' in judged ? [[name, judged.digest]] : [];
}

/** Implementations by name, and of each the newest recording first. */
function newestFirst(rows: readonly RegistryRow[]): readonly RegistryRow[] {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return rows.toSorted(
    (a, b) => order(a.implementation, b.implementation) || order(b.recorded, a.recorded) || order(b.version, a.version),
  );
}

async function judgeAll(
  folder: string,
  names: readonly string[],
  {
    onEntry,
    signal,
    around,
  }: {
    readonly onEntry: (name: string) => void;
    readonly signal: AbortSignal | undefined;
    readonly around: AroundRegistry | undefined;
  },
): Promise<readonly (JudgedEntry | undefined)[]> {
  const judged: (JudgedEntry | undefined)[] = [];
  const threads = Math.min(availableParallelism(), Math.floor(names.length / ENTRIES_A_THREAD));
  if (threads < 2 || around !== undefined) {
    for (const [at, name] of names.entries()) {
      if (signal?.aborted === true) break;
      judged[at] = await judgeEntry(folder, name, around);
      onEntry(name);
    }
    return judged;
  }
  await onThreads<JudgedEntry>([...names.keys()], {
    // Threads run what was built: they cannot read the sources as a test does.
    program: new URL(`file://${join(packageRoot(), 'dist/runs/registry/judge-registry.js')}`),
    workerData: { registry: { folder, names } satisfies Job },
    // A replay waits now and then: a further thread uses that time.
    threads: threads + 1,
    jobsAWorker: names.length,
    signal,
    onMessage: ({ job, result, error }) => {
      const name = names[job] as string;
      judged[job] = result ?? { problems: [`${name}: ${error}`] };
      onEntry(name);
    },
  });
  return judged;
}

/** The data of a thread: all entries, of which each job is one. */
interface Job {
  readonly folder: string;
  readonly names: readonly string[];
}

const given = (workerData as { readonly registry?: Job } | null)?.registry;
if (given !== undefined) answerJobs((job) => judgeEntry(given.folder, given.names[job] as string));
