/** One line of the result. */
export interface Row {
  /** The first names the line, the others are figures. */
  readonly cells: readonly string[];
  /** Column after the figures: throughput of the individual parts, and the share of it that was reached. */
  readonly note?: string;
}

/** The rows as text columns: names to the left, figures to the right. */
export const formatTable = (rows: readonly Row[]): string => {
  const widths: number[] = [];
  for (const { cells } of rows)
    for (const [column, cell] of cells.slice(0, cells.length === 1 ? 0 : undefined).entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows
    .map(({ cells, note = '' }) => {
      if (cells.length === 1) return `${cells[0] ?? ''}  ${note}`.trimEnd();
      const padded = widths.map((width, column) =>
        column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
      );
      return `${padded.join('  ')}  ${note}`.trimEnd();
    })
    .join('\n');
};
