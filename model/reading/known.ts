/** A condition that may be unknown, and how conditions are joined. */

export type Known = boolean | undefined;

/** Whether all conditions hold: false where one does not, unknown where one of the others is. */
export function all(...conditions: readonly Known[]): Known {
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}

/** Whether a condition holds: true where one does, unknown where none does and one is unknown. */
export function any(...conditions: readonly Known[]): Known {
  if (conditions.includes(true)) return true;
  return conditions.includes(undefined) ? undefined : false;
}

export const not = (condition: Known): Known => (condition === undefined ? undefined : !condition);
