/** Conditions that may be unknown, with "and" and "or". */

export type Known = boolean | undefined;

/** "And": false if one condition is false, otherwise unknown if one is unknown, otherwise true. */
export function all(...conditions: readonly Known[]): Known {
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}

/** "Or": true if one condition is true, otherwise unknown if one is unknown, otherwise false. */
export function any(...conditions: readonly Known[]): Known {
  if (conditions.includes(true)) return true;
  return conditions.includes(undefined) ? undefined : false;
}

export const not = (condition: Known): Known => (condition === undefined ? undefined : !condition);
