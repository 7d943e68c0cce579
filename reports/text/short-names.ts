/**
 * Bounds the names in a result that is to be shown: a writer repeats a name wherever something refers to it, so that a file of 2 MB with
 * a few very long names would become a page of a hundred. Values that occur once, such as a reply, are bounded where they are shown.
 */

import { clipped } from '../../results/visible.js';

/** Longer than any name, title or statement of this package. */
const NAME_CHARS_MAX = 600;

/** The fields of results that hold names, or texts that are shown wherever they are referred to. */
const NAMES: ReadonlySet<string> = new Set([
  ...['id', 'title', 'text', 'section', 'section_title', 'where', 'about', 'endpoint', 'checks', 'clauses', 'check'],
  ...['base_url', 'beats_url', 'network', 'dialect', 'offers', 'tool_version', 'file', 'scenario_file', 'sha256'],
  ...['name', 'measure', 'group', 'label', 'unit', 'kind', 'event_hash'],
]);

/** The same result with no name longer than a page has room for. Different names stay different. */
export function withShortNames<T>(result: T): T {
  const names = new Map<string, string>();
  const shortOf = (name: string): string => {
    if (name.length <= NAME_CHARS_MAX) return name;
    const known = names.get(name);
    if (known !== undefined) return known;
    const short = `${clipped(name, NAME_CHARS_MAX).text}…[${names.size + 1}]`;
    names.set(name, short);
    return short;
  };
  const walk = (value: unknown, isName: boolean): unknown => {
    if (typeof value === 'string') return isName ? shortOf(value) : value;
    if (Array.isArray(value)) {
      const items = value.map((item) => walk(item, isName));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    // A transcript has no names, and may be made when somebody reads it: it stays as it is.
    const fields = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
    let isSame = true;
    for (const [key, field] of Object.entries(fields)) {
      if (key === 'transcript' || !('value' in field)) continue;
      const short = walk(field.value, NAMES.has(key));
      if (short === field.value) continue;
      field.value = short;
      isSame = false;
    }
    return isSame ? value : Object.defineProperties({}, fields);
  };
  return walk(result, false) as T;
}
