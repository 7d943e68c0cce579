/**
 * The numbers that an overlay changes, by path, and which of them a registry in use cannot change. Overlays are read in
 * overlay.ts.
 */

import { isFixed } from './number-bounds.js';
import type { Overlay } from './overlay.js';

/** The paths of an overlay that a registry cannot change once it is in use. */
export function unchangeable(overlay: Overlay): readonly string[] {
  return Object.keys(changesOf(overlay)).filter((path) => isFixed(path));
}

/** The numbers of an overlay by their dotted path. */
export function changesOf(overlay: Overlay): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  const walk = (node: object, prefix: string): void => {
    for (const [key, value] of Object.entries(node)) {
      if (prefix === '' && key === 'parts') continue;
      if (typeof value === 'number') changes[prefix + key] = value;
      else if (typeof value === 'object' && value !== null) walk(value, `${prefix}${key}.`);
    }
  };
  walk(overlay, '');
  return changes;
}
