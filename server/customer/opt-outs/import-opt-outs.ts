import type { OptOutImportFields } from '../../../contract/customer/opt-outs.ts';
import { NOTE_MAX_LENGTH } from '../../../contract/customer/opt-outs.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import {
  type ImportTally,
  importTable,
  type ListFile,
  RECIPIENT_NAMES,
  type TableRow,
} from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { countryOf, readRecipient } from '../../ground/recipients/index.ts';
import { clean } from './add-opt-out.ts';
import { optOut } from './opt-out.ts';
import { optOutKey } from './opt-out-key.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import type { NewOptOut } from './store.ts';

const COLUMNS = {
  phone: RECIPIENT_NAMES,
  channel: ['channel', '渠道', '頻道', '渠道類型', '通道'],
  note: ['note', 'notes', 'reason', 'remark', '備註', '附註', '原因'],
};
type Column = keyof typeof COLUMNS;

const channelOf = (cell: string, given: Channel | undefined, phone: string): Channel => {
  const named = cell.trim().toLowerCase();
  if (named === '') return given ?? (phone.includes('@') ? 'email' : 'sms');
  const known = CHANNELS.find((channel) => channel === named);
  if (!known) throw new DomainError('E_CHANNEL_INVALID', { channel: cell.trim().slice(0, 50) });
  return known;
};

/** Imports every readable row, piece by piece; importing the same file again changes nothing. */
export const importOptOuts = (
  { db, queue }: OptOutsDeps,
  { accountId, csv, fields }: ListFile<OptOutImportFields>,
): Promise<ImportTally> => {
  const country = countryOf(fields.countryCode);
  const read = ({ cell }: TableRow<Column>): NewOptOut => {
    const phone = cell('phone');
    const channel = channelOf(cell('channel'), fields.channel, phone);
    const { recipient } = readRecipient(channel, phone, country);
    const note = clean(cell('note')).slice(0, NOTE_MAX_LENGTH);
    return { accountId, channel, recipient, source: 'IMPORT', note };
  };
  return importTable(csv, {
    columns: COLUMNS,
    columnOf: (code) => (code === 'E_CHANNEL_INVALID' ? 'channel' : 'phone'),
    read,
    keyOf: ({ channel, recipient }) => `${channel} ${optOutKey(channel, recipient)}`,
    write: async (optOuts) =>
      (await db.transaction().execute((trx) => optOut({ db: trx, queue }, optOuts))).length,
  });
};
