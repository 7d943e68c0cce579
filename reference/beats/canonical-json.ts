/**
 * Canonical JSON: the text of a value that anchors, receipts and lineage events are signed and hashed as (D-05, D-09,
 * D-14). Keys are sorted by UTF-16 code unit; there are no spaces; numbers and strings are as `JSON.stringify` writes
 * them. Passports have a text of their own (D-11).
 *
 * It takes null, booleans, finite numbers, strings, arrays and plain objects of these. Anything else (undefined, NaN
 * and the infinities, bigint, functions, symbols, dates, maps, typed arrays) is a TypeError: nothing is dropped or
 * rewritten silently.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`canonical JSON has no number ${value}`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? arrayText(value) : objectText(value);
    default:
      throw new TypeError(`canonical JSON has no ${typeof value}`);
  }
}

function arrayText(items: readonly unknown[]): string {
  let text = '[';
  // By index, so that a hole in the array is undefined and therefore refused.
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + canonicalJson(items[i]);
  return `${text}]`;
}

function objectText(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('canonical JSON takes plain objects only');
  }
  const fields = value as Record<string, unknown>;
  let text = '{';
  // The default sort compares UTF-16 code units, whatever the locale.
  for (const key of Object.keys(fields).sort()) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(fields[key])}`;
  }
  return `${text}}`;
}
