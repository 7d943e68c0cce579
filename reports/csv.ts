/** Cells of CSV files, quoted as in RFC 4180. */

/** A text as one cell. */
export function csvText(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number as the shortest text that reads back the same; a missing or infinite one is an empty cell. */
export function csvNumber(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '' : String(value);
}
