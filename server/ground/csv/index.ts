export { type Columns, columnName, findDelimiter, RECIPIENT_NAMES, readColumns } from './columns.ts';
export { csvPart } from './csv-part.ts';
export { decodeCsv } from './encoding.ts';
export { type ImportTally, importTable, type TableRow } from './import-table.ts';
export { type ListFile, type ListUpload, openListImports } from './list-imports.ts';
export { peek } from './peek.ts';
export { type CsvRecord, readRecords } from './records.ts';
export { type SpooledCsv, spoolCsv } from './spool.ts';
export { openTimeSlices } from './time-slices.ts';
