/** Without a byte order mark, spreadsheets assume an old encoding. */
export const CSV_START = '\uFEFF';

/**
 * A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text, and is removed when the file
 * is imported again.
 */
const cell = (content: string): string => {
  const safe = /^[=+\-@\t\r]/.test(content) ? `'${content}` : content;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvLine = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;
