/** Our own files have an apostrophe before what a spreadsheet would treat as a formula. */
export const withoutGuard = (cell: string): string => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);
