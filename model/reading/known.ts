/** A condition that may be unknown, and how conditions are joined. */

export type Known = boolean | undefined;

/** Whether all conditions are true: false if one is false, otherwise unknown if one is unknown. */
export function all(...conditions: readonly Known[]): Known {
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}

/** Whether any condition is true: true if one is, otherwise unknown if one is unknown. */
export function any(...conditions: readonly Known[]): Known {
  if (conditions.includes(true)) return true;
  return conditions.includes(undefined) ? undefined : false;
}

export const not = (condition: Known): Known => (condition === undefined ? undefined : !condition);
