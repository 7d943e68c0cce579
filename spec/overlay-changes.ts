import type { Overlay } from './overlay.js';

/** Numbers that give the state its shape, or by which time is counted: what has happened would read otherwise under others. */
const FIXED = /^(anchor\.|agent\.|heartbeat\.epochBeats$|feeSplit\.yearDays$)/;

/** The paths of an overlay that a registry cannot change once it is in use. */
export function unchangeable(overlay: Overlay): readonly string[] {
  return Object.keys(changesOf(overlay)).filter((path) => FIXED.test(path));
}

/** The numbers of an overlay by their dotted path. */
export function changesOf(overlay: Overlay): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  const walk = (node: object, prefix: string): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'number') changes[prefix + key] = value;
      else if (typeof value === 'object' && value !== null) walk(value, `${prefix}${key}.`);
    }
  };
  walk(overlay, '');
  return changes;
}
