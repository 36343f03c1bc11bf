import { CSV_MAX_BYTES } from '../../contract/uploads.ts';
import { DomainError } from '../domain-error.ts';
import type { FilePart } from '../route/index.ts';
import { type SpooledCsv, spoolCsv } from './spool.ts';

interface Options {
  /**
   * This many are received at a time, each of which takes up to a file's size of disk; further callers have to come
   * again.
   */
  maxConcurrent?: number;
}

/** The CSV file in a form, which lies in this folder while it is read. */
export const csvPart = (
  folder: string,
  { maxConcurrent = Number.POSITIVE_INFINITY }: Options = {},
): FilePart<SpooledCsv> => {
  let receiving = 0;
  return {
    name: 'csv',
    maxBytes: CSV_MAX_BYTES,
    missing: 'E_CSV_MISSING',
    reserve: () => {
      if (receiving >= maxConcurrent) throw new DomainError('E_UNAVAILABLE');
      receiving += 1;
      return () => {
        receiving -= 1;
      };
    },
    keep: (file) => spoolCsv(file, folder),
  };
};
