/** Cells of CSV files, quoted as in RFC 4180. */

import { visible } from '../../results/visible.js';

/** A text as one cell. */
export function csvText(text: string): string {
  const shown = visible(text);
  return /[",\n]/u.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A number as the shortest text that reads back the same; a missing or infinite one is an empty cell. */
export function csvNumber(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '' : String(value);
}
