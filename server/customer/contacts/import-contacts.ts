import {
  type ContactImportFields,
  NAME_MAX_LENGTH,
  NOTES_MAX_LENGTH,
} from '../../../contract/customer/contacts.ts';
import {
  type ImportTally,
  importTable,
  type ListFile,
  RECIPIENT_NAMES,
  type TableRow,
} from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { countryOf } from '../../ground/recipients/index.ts';
import { readEntry } from './enter-contact.ts';
import { type Entry, writeEntries } from './store.ts';

const COLUMNS = {
  phone: RECIPIENT_NAMES,
  name: ['name', 'full name', 'contact', 'contact name', '姓名', '名稱', '名字', '聯絡人', '名称'],
  notes: ['notes', 'note', 'remark', 'remarks', 'comment', '備註', '附註', '备注'],
};
type Column = keyof typeof COLUMNS;

const requireLength = (text: string, maximum: number): void => {
  if (text.length > maximum) throw new DomainError('E_TEXT_TOO_LONG', { maximum });
};

/** Imports every readable row, piece by piece; known contacts get the name and notes of the file. */
export const importContacts = (
  { db }: { db: Db },
  { accountId, csv, fields }: ListFile<ContactImportFields>,
): Promise<ImportTally> => {
  const country = countryOf(fields.countryCode);
  const read = ({ cell }: TableRow<Column>): Entry => {
    const entry = readEntry(
      { phone: cell('phone'), name: cell('name'), notes: cell('notes') },
      { accountId, country },
    );
    requireLength(entry.name, NAME_MAX_LENGTH);
    requireLength(entry.notes, NOTES_MAX_LENGTH);
    return entry;
  };
  return importTable(csv, {
    columns: COLUMNS,
    columnOf: (code) => (code === 'E_TEXT_TOO_LONG' ? 'name' : 'phone'),
    read,
    keyOf: ({ recipient }) => recipient,
    write: async (entries) => (await writeEntries(db, entries)).filter(({ added }) => added).length,
  });
};
