const shown = (value: string | number | undefined): string =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value ?? '');

/** Rows as aligned columns: words to the left, numbers to the right. */
export const table = (rows: Record<string, string | number>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => shown(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map((column) => rows.every((row) => typeof (row[column] ?? 0) === 'number'));
  const line = (texts: string[]) =>
    texts
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n');
};
