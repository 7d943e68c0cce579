/** The options of `aips conform` and its commands, and how each is read. */

import type { InferredOptionTypes } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { type Profile, profileNamed, profiles } from '../../conformance/run/profile.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { type Selection, selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import { wallClock } from '../../reference/http/request/clock.js';
import { shellWord } from '../../reports/text/shell-word.js';
import { Failure } from '../../runs/host/failure.js';
import { packageVersion } from '../../runs/host/package.js';
import { withRules } from '../../runs/host/with-rules.js';
import { requireMatches } from '../../runs/suite/judge.js';
import { readTarget } from '../../runs/suite/target-file.js';
import { parseDurationSec } from '../../scenarios/units.js';
import { allowWrites, json, protocolFile } from '../flags/common-options.js';
import { requiredOf, requirePower } from '../flags/required.js';
import { type Rerun, readRerun, urlOf } from './failed.js';

const profileNames = profiles.map(({ name }) => name).join(', ');

/** The options that select checks. */
export const selectionOptions = {
  only: { type: 'string', array: true, describe: 'Globs over check ids, clause ids and sections' },
  profile: {
    type: 'string',
    describe: `A part of the suite: ${profiles.map(({ name, describe }) => `${name} (${describe})`).join(', ')}`,
  },
} as const;

/** The option for a shorter run. */
const quickFlag = {
  quick: {
    type: 'boolean',
    default: false,
    describe: 'Judge each clause once: fewer checks, which judge the same clauses',
  },
} as const;

/** The options that decide the exit status, and where the result goes. */
export const verdictOptions = {
  strict: { type: 'boolean', default: false, describe: 'A decision that is not followed fails the run' },
  'require-judged': {
    type: 'number',
    describe: 'Percent of the must clauses that have to be judged; less is exit status 2',
  },
  ...requirePower,
  baseline: {
    type: 'string',
    describe: 'YAML file of known failures, which do not fail the run; --out writes such a file, baseline.yaml',
  },
  roadmap: {
    type: 'boolean',
    default: false,
    describe: 'Show every stage of building a server, and which of them this server has reached',
  },
  out: { type: 'string', describe: 'Folder of the reports, in every format; absent: nothing is written' },
  ...json,
} as const;

/** The options that choose checks, and how they run. */
export const suiteFlags = {
  ...selectionOptions,
  ...quickFlag,
  failed: { type: 'string', describe: 'A conformance.json: run again only what failed in it, or was not judged' },
  seed: {
    type: 'number',
    defaultDescription: '1, or that of --failed',
    describe: 'Seed of the names, keys and wallets that the checks make',
  },
  concurrency: { type: 'number', default: 16, describe: 'Checks that run at the same time' },
  'fail-fast': { type: 'boolean', default: false, describe: 'Stop at the first failure' },
  repeat: {
    type: 'number',
    default: 1,
    describe: 'Runs, with successive seeds; a check that differs is flaky and fails',
  },
  ...protocolFile,
  ...verdictOptions,
} as const;

/** The options that describe a target besides its URL. */
export const targetOptions = {
  target: { type: 'string', describe: 'YAML file that says where the target is and what it offers' },
  ...allowWrites,
  wait: {
    type: 'string',
    describe:
      'How long checks may wait in real time if the clock cannot be moved, such as 1m, 10m or 61m; conform plan lists the checks that wait',
  },
} as const;

export type VerdictFlags = InferredOptionTypes<typeof verdictOptions>;
type SuiteFlags = InferredOptionTypes<typeof suiteFlags>;
export type TargetFlags = InferredOptionTypes<typeof targetOptions> & { readonly url?: string | undefined };

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
export function suiteOptions(flags: Partial<SuiteFlags & TargetFlags>): ConformOptions {
  const again = flags.failed === undefined ? undefined : readRerun(flags.failed);
  const { concurrency = 16, strict = false } = flags;
  const seed = flags.seed ?? again?.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw new Failure('--concurrency must be 1 or more.');
  const waitSec = waitOf(flags);
  return {
    ...selectedBy(flags, again),
    seed,
    concurrency,
    strict,
    failFast: flags['fail-fast'] ?? false,
    // A run of --failed repeats all of its checks.
    quick: flags.quick === true && again === undefined,
    allowWrites: flags['allow-writes'] ?? false,
    toolVersion: packageVersion(),
    // This clock never goes back, so no check waits longer after the wall clock is set back.
    nowWallMs: wallClock(Date.now()).nowMs,
    ...requiredOf(flags),
    ...(waitSec === undefined ? {} : { waitSec }),
  };
}

/** The selected checks. With `--failed`: only those of them that the earlier run failed or did not judge. */
function selectedBy(flags: Partial<SuiteFlags>, again: Rerun | undefined): Selection {
  requireMatches(flags.only ?? []);
  const selection = selectionOf(flags);
  if (again === undefined) return selection;
  const chosen = selectChecks(allChecks, selection).map(({ id }) => id);
  const only = chosen.filter((id) => again.checks.includes(id));
  if (only.length > 0) return { ...selection, only };
  throw new Failure(`--failed ${flags.failed}: no selected check failed or was left unjudged.`);
}

const WAIT_SEC_MAX = 86_400;

/** Seconds that checks may wait in real time; undefined without `--wait`. Throws a Failure for a bad duration. */
function waitOf({ wait }: Partial<TargetFlags>): number | undefined {
  if (wait === undefined) return undefined;
  const sec = parseDurationSec(wait);
  if (sec !== undefined && sec <= WAIT_SEC_MAX) return sec;
  throw new Failure(`--wait ${wait} is not a duration of at most a day in whole seconds, such as 1m, 61m or 1h30m.`);
}

const REPEAT_MAX = 1_000;

/** The number of runs. Throws a Failure for a bad number. */
export function repeatOf({ repeat }: SuiteFlags): number {
  if (Number.isSafeInteger(repeat) && repeat >= 1 && repeat <= REPEAT_MAX) return repeat;
  throw new Failure(`--repeat must be a whole number from 1 to ${REPEAT_MAX}.`);
}

/** The target that the flags describe. With `--failed` and no target: the target of its report, if its URL is enough to describe it. */
export function targetOf(flags: Partial<SuiteFlags & TargetFlags>): Target {
  return readTarget({ ...flags, url: urlGiven(flags) });
}

/** The command that judges the same target again, without its selection of checks. */
export function commandOf(flags: Partial<SuiteFlags & TargetFlags>): string {
  const command = [
    'aips conform',
    flags.target === undefined ? shellWord(urlGiven(flags) ?? '') : `--target ${shellWord(flags.target)}`,
    ...protocolWords(flags),
    ...(flags['allow-writes'] ? ['--allow-writes'] : []),
    ...(flags.wait === undefined ? [] : [`--wait ${flags.wait}`]),
  ].join(' ');
  return withRules(command);
}

/** The option for the overlay, as a command repeats it. */
export function protocolWords({ protocol }: Partial<SuiteFlags>): readonly string[] {
  return protocol === undefined ? [] : [`--protocol ${shellWord(protocol)}`];
}

function urlGiven({ url, target, failed }: Partial<SuiteFlags & TargetFlags>): string | undefined {
  return url !== undefined || target !== undefined || failed === undefined ? url : urlOf(readRerun(failed), failed);
}
