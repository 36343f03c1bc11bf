/** Spreadsheets take a file without its byte order mark for an old encoding. */
export const CSV_START = '\uFEFF';

/**
 * A cell that begins like a formula would be run by a spreadsheet; an apostrophe makes it text, and is taken away
 * when the file comes back.
 */
const cell = (content: string): string => {
  const safe = /^[=+\-@\t\r]/.test(content) ? `'${content}` : content;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvLine = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;
