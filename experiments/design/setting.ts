/** Puts a value at a path of a scenario file. Whether the value is valid there is for the scenario's schema. */

import type { Json } from '../../results/json-text.js';

type Node = Json | undefined;

/**
 * The file with the value at a dotted path; `null` takes away the key or the item that is there. Items of a list go by their place, from 0, or by
 * their `name`; keys of maps that are missing are made. Returns a reason if the path leads nowhere.
 */
export function withSetting(
  file: Json,
  path: string,
  value: Json,
): { readonly file: Json } | { readonly reason: string } {
  const parts = path.split('.');
  if (parts.includes('')) return { reason: `${path}: is not a path such as populations.workers.count` };
  const copy = structuredClone(file) as Json;
  let node: Node = copy;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    if (Array.isArray(node)) {
      const list = node as Json[];
      const at = indexOf(list, part);
      if (at === undefined)
        return { reason: `${path}: there is no ${part} in ${parts.slice(0, i).join('.')}; known: ${namesOf(list)}` };
      if (last && value === null) list.splice(at, 1);
      else if (last) list[at] = value;
      node = list[at];
    } else if (typeof node === 'object' && node !== null) {
      const map = node as Record<string, Json>;
      if (last && value === null && !Object.hasOwn(map, part))
        return { reason: `${path}: is not there, so null takes nothing away` };
      if (last && value === null) delete map[part];
      else if (last) map[part] = value;
      else if (!Object.hasOwn(map, part)) map[part] = {};
      node = map[part];
    } else return { reason: `${path}: ${parts.slice(0, i).join('.')} is neither a map nor a list` };
  }
  return { file: copy };
}

function indexOf(list: readonly Json[], part: string): number | undefined {
  const named = list.findIndex((item) => nameOf(item) === part);
  if (named >= 0) return named;
  return /^\d+$/.test(part) && Number(part) < list.length ? Number(part) : undefined;
}

function nameOf(item: Json): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const { name } = item as Readonly<Record<string, Json | undefined>>;
  return typeof name === 'string' ? name : undefined;
}

function namesOf(list: readonly Json[]): string {
  return list.map((item, i) => nameOf(item) ?? String(i)).join(', ');
}
