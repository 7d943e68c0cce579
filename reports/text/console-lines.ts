/** Whether a column's cells end or begin at its edge. */
type Align = 'left' | 'right';

/** Rows as aligned columns, two spaces apart, indented; cells hold no colour codes. A left-aligned last column is not padded. */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[], indent: string): string[] {
  const widths = align.map((_, at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) => {
    const cells = align.map((side, at) => {
      const text = row[at] ?? '';
      const width = widths[at] ?? 0;
      return side === 'right' ? text.padStart(width) : text.padEnd(width);
    });
    return (indent + cells.join('  ')).trimEnd();
  });
}

/** `name      value` with the values of a block below each other; a value's later lines are indented to it. */
export function field(name: string, value: string, indent: string): string {
  const label = `${indent}${name.padEnd(9)} `;
  return label + value.split('\n').join(`\n${' '.repeat(label.length)}`);
}
