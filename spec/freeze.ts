/** Freezes the facts of this room, so that nothing can change one at run time. */

/** Freezes a value and everything it holds, so that a fact cannot be changed at run time. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
