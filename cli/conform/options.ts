/** The flags of `aips conform` and how each is read. They are acted on in conform.ts. */

import type { InferredOptionTypes } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { type Baseline, parseBaseline } from '../../conformance/judge/baseline.js';
import { type Profile, profileNamed, profiles } from '../../conformance/run/profile.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { type Selection, selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import { wallClock } from '../../reference/http/request/clock.js';
import { Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { packageVersion } from '../../runs/host/package.js';
import { isKept } from '../../runs/suite/record.js';
import { formats } from '../../runs/suite/report-files.js';
import { parseDurationSec } from '../../scenarios/units.js';
import { type Rerun, readRerun } from './failed.js';

const profileNames = profiles.map(({ name }) => name).join(', ');

/** The options that select checks. */
export const selectionOptions = {
  only: { type: 'string', array: true, describe: 'Globs over check ids, clause ids and sections' },
  profile: {
    type: 'string',
    describe: `A part of the suite: ${profiles.map(({ name, describe }) => `${name} (${describe})`).join(', ')}`,
  },
} as const;

/** The options of `aips conform`. */
export const conformFlags = {
  target: { type: 'string', describe: 'YAML file that says where the target is and what it offers' },
  ...selectionOptions,
  failed: { type: 'string', describe: 'A conformance.json: run again only what failed in it, or was not judged' },
  seed: {
    type: 'number',
    defaultDescription: '1, or that of --failed',
    describe: 'Seed of the names, keys and wallets that the checks make',
  },
  concurrency: { type: 'number', default: 16, describe: 'Checks that run at the same time' },
  strict: { type: 'boolean', default: false, describe: 'A decision that is not followed fails the run' },
  'fail-fast': { type: 'boolean', default: false, describe: 'Stop at the first failure' },
  'allow-writes': { type: 'boolean', default: false, describe: 'Let checks write to a host that is not this machine' },
  'require-judged': {
    type: 'number',
    describe: 'Percent of the must clauses that have to be judged; less is exit status 2',
  },
  self: {
    type: 'boolean',
    default: false,
    describe: 'Judge the reference itself, in every configuration that a clause needs',
  },
  protocol: {
    type: 'string',
    describe: 'Overlay of numbers, errors, classes and events in which the target differs on purpose (YAML)',
  },
  baseline: { type: 'string', describe: 'File of known failures, which do not fail the run (YAML)' },
  'write-baseline': { type: 'string', describe: 'Write the failures of this run to a file of known failures' },
  repeat: {
    type: 'number',
    default: 1,
    describe: 'Runs, with successive seeds; a check that differs is flaky and fails',
  },
  record: { type: 'string', describe: 'Folder that keeps all requests and replies, without secrets, for --from' },
  from: {
    type: 'string',
    describe: 'Judge a folder of --record again, without a server, by the rules of this version',
  },
  wait: {
    type: 'string',
    describe:
      'How long checks may wait in real time where no clock can be moved, such as 1m, 10m or 61m; --plan lists which',
  },
  plan: { type: 'boolean', default: false, describe: 'Say what a run would do, and send nothing' },
  explain: {
    type: 'string',
    describe: 'Print a clause: its text, its source, the checks that judge it, and what the report in --report found',
  },
  format: { type: 'string', describe: `Reports to write, with commas: ${formats.join(', ')}` },
  report: { type: 'string', describe: 'Folder of the reports' },
  transcripts: {
    choices: ['apart', 'inline'] as const,
    default: 'apart' as const,
    describe: 'Transcripts of checks that passed: in transcripts.ndjson.gz beside conformance.json, or in it',
  },
  json: { type: 'boolean', default: false, describe: 'Print the result as JSON instead of the summary' },
} as const;

export type ConformFlags = InferredOptionTypes<typeof conformFlags> & { url?: string | undefined };

/** The checks that `--only` and `--profile` select. Throws a Failure for an unknown profile. */
export function selectionOf({
  only,
  profile,
}: {
  only?: string[] | undefined;
  profile?: string | undefined;
}): Selection {
  return { only, profile: profile === undefined ? undefined : profileOf(profile) };
}

function profileOf(name: string): Profile {
  const profile = profileNamed(name);
  if (profile === undefined) throw new Failure(`--profile ${name} is not known. Profiles: ${profileNames}.`);
  return profile;
}

/** The options of a run of the suite, from the flags. Throws a Failure for a bad value. */
export function suiteOptions(flags: ConformFlags): ConformOptions {
  const again = flags.failed === undefined ? undefined : readRerun(flags.failed);
  const { concurrency, strict } = flags;
  const seed = flags.seed ?? again?.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw new Failure('--concurrency must be 1 or more.');
  const requireJudged = flags['require-judged'];
  const waitSec = waitOf(flags);
  if (requireJudged !== undefined && !(requireJudged >= 0 && requireJudged <= 100)) {
    throw new Failure('--require-judged must be a percentage from 0 to 100.');
  }
  return {
    ...selectedBy(flags, again),
    seed,
    concurrency,
    strict,
    failFast: flags['fail-fast'],
    allowWrites: flags['allow-writes'],
    toolVersion: packageVersion(),
    // It never goes back, so that no check waits for a wall clock that was set back.
    nowWallMs: wallClock(Date.now()).nowMs,
    ...(requireJudged === undefined ? {} : { requireJudged }),
    ...(waitSec === undefined ? {} : { waitSec }),
  };
}

/** The checks of the selection, and with `--failed` those alone of them that are to be run again. */
function selectedBy(flags: ConformFlags, again: Rerun | undefined): Selection {
  const selection = selectionOf(flags);
  if (again === undefined) return selection;
  const chosen = selectChecks(allChecks, selection).map(({ id }) => id);
  const only = chosen.filter((id) => again.checks.includes(id));
  if (only.length > 0) return { ...selection, only };
  throw new Failure(`--failed ${flags.failed}: of the checks that are chosen, none failed or was left unjudged.`);
}

const WAIT_SEC_MAX = 86_400;

/** Seconds that checks may wait in real time; undefined without `--wait`. Throws a Failure for a bad duration. */
export function waitOf({ wait, self }: Pick<ConformFlags, 'wait' | 'self'>): number | undefined {
  if (wait === undefined) return undefined;
  if (self) throw new Failure('--self moves the clocks of its servers: give no --wait with it.');
  const sec = parseDurationSec(wait);
  if (sec !== undefined && sec <= WAIT_SEC_MAX) return sec;
  throw new Failure(`--wait ${wait} is not a duration of at most a day in whole seconds, such as 1m, 61m or 1h30m.`);
}

const REPEAT_MAX = 1_000;

/** The number of runs. Throws a Failure for a bad number. */
export function repeatOf({ repeat }: Pick<ConformFlags, 'repeat'>): number {
  if (Number.isSafeInteger(repeat) && repeat >= 1 && repeat <= REPEAT_MAX) return repeat;
  throw new Failure(`--repeat must be a whole number from 1 to ${REPEAT_MAX}.`);
}

/** The baseline of `--baseline`; undefined without it. Throws a Failure for a bad file. */
export function baselineOf({ baseline }: Pick<ConformFlags, 'baseline'>): Baseline | undefined {
  return baseline === undefined ? undefined : parsedOrFail(parseBaseline(readText(baseline, 'baseline'), baseline));
}

/** Refuses flags that contradict `--from`, which judges the recorded checks with the recorded options. */
export function recordingOnly(flags: ConformFlags): undefined {
  const { url, target, self, protocol, only, profile, record, repeat, plan, wait, failed } = flags;
  const given = Object.entries({
    url,
    target,
    self,
    protocol,
    only,
    profile,
    record,
    plan,
    wait,
    failed,
    repeat: repeat > 1,
  });
  const other = given.find(([, value]) => value !== undefined && value !== false);
  if (other === undefined) return;
  const name = other[0] === 'url' ? 'URL' : `--${other[0]}`;
  throw new Failure(`--from judges a recording as it was made: give no ${name} with it.`);
}

/** Refuses flags that contradict `--record`, which keeps one run against one target. */
export function recordable({ self, repeat, wait }: ConformFlags, target: Target | undefined): void {
  if (wait !== undefined)
    throw new Failure(
      '--record keeps no real time, so checks that wait could not be judged again: give no --wait with it.',
    );
  if (self) throw new Failure('--record keeps one run: give no --self with it.');
  if (repeat > 1) throw new Failure('--record keeps one run: give no --repeat with it.');
  const kind = target?.payments.kind;
  if (kind !== undefined && !isKept(kind)) {
    throw new Failure(
      `--record cannot keep payments by ${kind}, which a replay would make again: use control or none.`,
    );
  }
}
