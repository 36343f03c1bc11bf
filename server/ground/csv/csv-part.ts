import { CSV_MAX_BYTES } from '../../../contract/traffic/uploads.ts';
import { openQuota } from '../limits/index.ts';
import type { FilePart } from '../route/index.ts';
import { type SpooledCsv, spoolCsv } from './spool.ts';

/** This many are received at a time, each of which takes up to a file's size of disk; others have to come again. */
const RECEIVING = { total: 20, perKey: 4 };

/** The CSV file in a form, which lies in this folder while it is read. */
export const csvPart = (folder: string): FilePart<SpooledCsv> => ({
  name: 'csv',
  maxBytes: CSV_MAX_BYTES,
  missing: 'E_CSV_MISSING',
  reserve: openQuota(RECEIVING),
  keep: (file) => spoolCsv(file, folder),
});
