/**
 * The profiles of the suite: named selections of checks by their demands on a target. select.ts chooses single checks.
 */
import { lacking } from '../assertions/unjudged.js';
import type { Check, Need } from '../trial/check.js';

/** A named part of the suite, for targets that allow or implement only a part. */
export interface Profile {
  readonly name: ProfileName;
  readonly describe: string;
  /** Whether it leaves out writing checks. */
  readonly readOnly: boolean;
  /** Checks with one of these needs are left out. */
  readonly excludedNeeds: readonly Need[];
}

export type ProfileName = 'read-only' | 'core' | 'paid' | 'full' | 'exhaustive';

/** The profiles, in the order of their demands on a target. */
export const profiles: readonly Profile[] = [
  {
    name: 'read-only',
    describe: 'checks that write nothing and move no clock',
    readOnly: true,
    excludedNeeds: ['payments', 'clock', 'control'],
  },
  {
    name: 'core',
    describe: 'checks that need neither payments, nor a clock, nor a control API',
    readOnly: false,
    excludedNeeds: ['payments', 'clock', 'control'],
  },
  { name: 'paid', describe: 'core, and checks that pay', readOnly: false, excludedNeeds: ['clock', 'control'] },
  { name: 'full', describe: 'every check except those that take many minutes', readOnly: false, excludedNeeds: [] },
  { name: 'exhaustive', describe: 'every check, however long it takes', readOnly: false, excludedNeeds: [] },
];

/** The profile with a name; undefined if there is none. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}

/** Whether a check belongs to a profile. */
export function inProfile(
  { readOnly, excludedNeeds }: Profile,
  { writes, needs }: Pick<Check, 'writes' | 'needs'>,
): boolean {
  return !(readOnly && writes) && !needs.some((need) => excludedNeeds.includes(need));
}

/** A check under a profile: only the profile exhaustive runs a check that takes many minutes by the target's numbers. */
export function forProfile(profile: Profile | undefined, check: Check): Check {
  const { exhaustive, unsuitableFor } = check;
  if (exhaustive === undefined || profile?.name === 'exhaustive') return check;
  const reason = lacking('exhaustive', 'it takes many minutes: --profile exhaustive runs it');
  return {
    ...check,
    unsuitableFor: (target) => unsuitableFor?.(target) ?? (exhaustive(target.protocol) ? reason : undefined),
  };
}
