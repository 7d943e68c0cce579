/** The names of the policies among which a best response is searched. policy-families.ts changes a scenario by each policy. */

/** Every policy, in the order of results. */
export const policyNames = [
  'as_it_is',
  'interval',
  'margin',
  'bunching',
  'sleeping',
  'freezing',
  'sponsoring',
  'reissuing',
  'fetching',
] as const;
export type PolicyName = (typeof policyNames)[number];
