/**
 * The profiles of the suite: named selections of checks for what a target can bear. Single checks are chosen in
 * select.ts.
 */
import type { Check, Need } from '../trial/check.js';

/** A named part of the suite, for what a target can bear or an implementer has built so far. */
export interface Profile {
  readonly name: ProfileName;
  readonly describe: string;
  /** Sends no request that would change the target. */
  readonly reads: boolean;
  /** Needs that its checks must not have. */
  readonly without: readonly Need[];
}

export type ProfileName = 'read-only' | 'core' | 'paid' | 'full' | 'exhaustive';

/** The profiles, from the one that asks least of a target. */
export const profiles: readonly Profile[] = [
  {
    name: 'read-only',
    describe: 'checks that write nothing and move no clock',
    reads: true,
    without: ['payments', 'clock', 'control'],
  },
  {
    name: 'core',
    describe: 'checks that need neither payments, nor a clock, nor a control API',
    reads: false,
    without: ['payments', 'clock', 'control'],
  },
  { name: 'paid', describe: 'core, and checks that pay', reads: false, without: ['clock', 'control'] },
  { name: 'full', describe: 'every check but those that take many minutes', reads: false, without: [] },
  { name: 'exhaustive', describe: 'every check, however long it takes', reads: false, without: [] },
];

/** The profile of a name; undefined for a name that none has. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}

/** Whether a check belongs to a profile. */
export function inProfile({ reads, without }: Profile, { writes, needs }: Pick<Check, 'writes' | 'needs'>): boolean {
  return !(reads && writes) && !needs.some((need) => without.includes(need));
}

/** A check as a profile runs it: one that takes many minutes by the target's numbers is left to the profile exhaustive. */
export function asIn(profile: Profile | undefined, check: Check): Check {
  const { exhaustive, unfit } = check;
  if (exhaustive === undefined || profile?.name === 'exhaustive') return check;
  const reason = 'it takes many minutes: --profile exhaustive runs it';
  return { ...check, unfit: (target) => unfit?.(target) ?? (exhaustive(target.protocol) ? reason : undefined) };
}
